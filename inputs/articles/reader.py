"""Reads a saved article or letter (`page.py`) into a `Book`.

The text around the article, such as menus and teasers, is listed as navigation. Pages that have no
article to read are refused: walls, programs, errors and lists of links.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from audiomill.inputs.articles.alignment import same_letters
from audiomill.inputs.articles.extraction import Extraction, extract
from audiomill.inputs.articles.html import PageBytes, book_of_page
from audiomill.inputs.articles.letters import SCHEME, book_of_letter
from audiomill.inputs.articles.main_text import split_article
from audiomill.inputs.articles.page import Fetched, cover_in, load, picture_path, picture_url
from audiomill.inputs.languages.detection import language_of_text
from audiomill.inputs.markup.encodings import decode
from audiomill.inputs.markup.parser import check_markup
from audiomill.inputs.metadata.descriptions import plain_description
from audiomill.inputs.model.book import (
    Book,
    Chapter,
    Limits,
    SourceCorrupt,
    SourceError,
    SourceTooLarge,
)
from audiomill.inputs.reading.rules import ReadingRules

MAX_PAGE_TAGS = 100_000  # of one page; long ones have a tenth
_MIN_WORDS = 50
_STUB_WORDS = 400  # of the beginning that a paywall shows
_CONSENT_SHARE = 0.3
# A word, or a character of a script that has no spaces between words.
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]{2,}")
_SENTENCE = re.compile(r"[^.!?\n]+")
_LOCKED = re.compile(
    r"[\"']isAccessibleForFree[\"']\s*:\s*[\"']?false|content_tier[\"'][^>]{0,40}(?:locked|metered)",
    re.IGNORECASE,
)
_SUBSCRIBE = re.compile(
    r"subscribe (?:now )?to (?:continue|keep|read|unlock)|already a subscriber|subscribers? only"
    r"|(?:continue|keep) reading (?:with|by|for)|to (?:continue|keep) reading"
    r"|exclusive to subscribers"
    r"|read the (?:full|whole|rest of the) (?:story|article)|create a free account to"
    r"|jetzt abonnieren|weiterlesen mit|nur für abonnent|réservé aux abonnés|abonnez-vous pour"
    r"|suscr[ií]bete para|solo para suscriptores|riservato agli abbonati|exclusivo para assinantes",
    re.IGNORECASE,
)
_CONSENT = re.compile(
    r"cookie|consent|privacy policy|our partners|personali[sz]ed ads|datenschutz|einwilligung"
    r"|confidentialité|privacidad|tracking|gdpr|dsgvo",
    re.IGNORECASE,
)
_NEEDS_SCRIPT = re.compile(
    r"(?:enable|turn on|activate|requires?|needs?|aktivieren|activer|habilit\w+|attiva\w*)"
    r"[^.<]{0,30}java ?script|java ?script[^.<]{0,40}(?:disabled|required|not enabled|enable|"
    r"deaktiviert|aktivieren|désactivé|desactivado)|verify(?:ing)? (?:that )?you are (?:a )?human"
    r"|checking your browser|just a moment\.\.\.",
    re.IGNORECASE,
)
_SCRIPTS = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<[^<>]*>", re.IGNORECASE | re.DOTALL)
_MISSING = re.compile(
    r"\b404\b|page not found|not be found|seite nicht gefunden|page introuvable"
    r"|p[aá]gina no encontrada|pagina non trovata",
    re.IGNORECASE,
)


def read(path: Path, limits: Limits, rules: ReadingRules | None = None) -> Book:
    """Return the article in a file.

    Raises SourceError, which is NotAnArticle for a page that has no article to read, and OSError.
    """
    page = load(path)
    if page.url.startswith(SCHEME):
        book = book_of_letter(page, limits, rules or ReadingRules())
        return replace(book, source_id=_source_id(page.url))
    text = _text_of(page)
    found = extract(text, page.url)
    check_is_article(text, found, page.url)
    host = urlsplit(page.url).hostname or page.url
    shown = language_of_text(found.text)
    data = PageBytes(page.content or b"", host, found.title or host, page.charset, shown)
    cover, problem = cover_in(picture_path(path, picture_url(page, found.image)))
    split = partial(split_article, found=found)
    book = book_of_page(data, limits, rules or ReadingRules(), split)
    return replace(
        book,
        chapters=_named(book.chapters, found.title),
        title=found.title or book.title,
        authors=found.authors or book.authors,
        date=found.date or book.date,
        publisher=found.site or book.publisher,
        description=plain_description(found.description) or book.description,
        cover=cover,
        warnings=(*book.warnings, *filter(None, [problem])),
        source_id=_source_id(page.url),
    )


def _text_of(page: Fetched) -> str:
    """The page's markup. Raises SourceCorrupt, SourceTooLarge, which name its address."""
    try:
        text = decode(page.content or b"", page.charset)
        check_markup(text, MAX_PAGE_TAGS)
    except (SourceCorrupt, SourceTooLarge) as error:
        raise type(error)(f"{page.url} cannot be read: {error}.") from error
    return text


def _named(chapters: tuple[Chapter, ...], title: str) -> tuple[Chapter, ...]:
    """The chapters of an article; one that begins with its title is named so, not by a subtitle."""
    first = next((block for one in chapters[:1] for block in one.blocks[:1]), None)
    if first is None or not title or not same_letters(first.text, title):
        return chapters
    return (replace(chapters[0], title=title), *chapters[1:])


def _source_id(url: str) -> str:
    """An article that is changed stays the same article."""
    return hashlib.sha256(url.encode()).hexdigest()


class NotAnArticle(SourceError):
    """A page has no article that could be read. The message says why."""


def check_is_article(page: str, found: Extraction, url: str) -> None:
    """Raise NotAnArticle if a page, of which `found` is the article, has none to read."""
    reason = _reason(page, found)
    if reason:
        raise NotAnArticle(f"{url}: {reason}")


def _reason(page: str, found: Extraction) -> str:
    """Why a page is no article; "" if it is one."""
    n_words = len(_WORD.findall(found.text))
    if n_words < _STUB_WORDS and _is_locked(page, found.text, n_words):
        return (
            f"only the beginning is free to read ({n_words} words). Render a page that you have"
            " saved while logged in."
        )
    if n_words < _STUB_WORDS and _is_about_consent(found.text):
        return "the page asks for consent to cookies instead of showing its text."
    if n_words >= _MIN_WORDS:
        return ""
    if _MISSING.search(found.title):
        return "the page says that there is nothing here. Check the address."
    if _NEEDS_SCRIPT.search(page) or _is_program(page):
        return (
            "the page shows its text only to a browser that runs its programs. Save it in one,"
            " and render the saved file."
        )
    return f"no article was found on the page ({n_words} words). Is it a list of articles?"


def _is_locked(page: str, text: str, n_words: int) -> bool:
    asks = bool(_SUBSCRIBE.search(page))
    return asks and (bool(_LOCKED.search(page)) or n_words < _STUB_WORDS / 2 or text.endswith("…"))


def _is_about_consent(text: str) -> bool:
    sentences = [one for one in _SENTENCE.findall(text) if one.strip()]
    about = sum(bool(_CONSENT.search(one)) for one in sentences)
    return len(sentences) >= 3 and about > _CONSENT_SHARE * len(sentences)


def _is_program(page: str) -> bool:
    """Whether a page is nothing but scripts."""
    has_script = "<script" in page.lower()
    return has_script and len(_WORD.findall(_SCRIPTS.sub(" ", page))) < _MIN_WORDS
