"""Tells whether a text in a listing is the whole article or only its beginning."""

from __future__ import annotations

import re

from audiomill.inputs.articles.listings.wording import words_of_html

_MIN_WORDS = 100  # of what is marked as content
_MIN_UNMARKED_WORDS = 250  # of a description, which is mostly a summary
_WORD = re.compile(r"[^\W_]{2,}|[\u3040-\u30ff\u3400-\u9fff]")
_PARAGRAPH = re.compile(r"<(?:p|br|li|h[1-6]|blockquote)\b", re.IGNORECASE)
# What some programs add below each article.
_ADDED = re.compile(
    r"(?:The post .{1,300} (?:appeared first|first appeared) on .{1,200}"
    r"|Der Beitrag .{1,300} erschien zuerst auf .{1,200}"
    r"|L’article .{1,300} est apparu en premier sur .{1,200}"
    r"|La entrada .{1,300} se publicó primero en .{1,200})$"
)
_CUT = re.compile(
    r"(?:…|\.\.\.|\[\W*\]"
    r"|(?:read|see|view) (?:more|on|the (?:rest|full|whole|entire)\b.{0,60})"
    r"|(?:continue|keep) reading.{0,120}|full (?:story|article|post)|more at .{1,60}"
    r"|weiterlesen.{0,120}|mehr lesen|lire (?:la suite|plus).{0,120}|leer más.{0,60}"
    r"|seguir leyendo.{0,60}|continua a leggere.{0,60}|leggi tutto.{0,60}|ler mais.{0,60}"
    r"|続きを読む|阅读全文)[\W_]*$",
    re.IGNORECASE,
)
_LONGEST_END = 500  # characters, searched for such words


def count_words(text: str) -> int:
    """The number of words of two letters or more. Each letter of Chinese and Japanese is a word."""
    return len(_WORD.findall(text))


def whole_article(markup: str, *, is_marked: bool) -> str:
    """The HTML of an article if it is whole; "" if the listing shows only a part of it.

    `is_marked` tells that the listing calls it the content, not the description.
    """
    words = words_of_html(markup)
    least = _MIN_WORDS if is_marked else _MIN_UNMARKED_WORDS
    if not is_marked and len(_PARAGRAPH.findall(markup)) < 2:
        return ""
    if count_words(words) < least:
        return ""
    end = _ADDED.sub("", words[-_LONGEST_END:]).rstrip()
    return "" if _CUT.search(end) else markup
