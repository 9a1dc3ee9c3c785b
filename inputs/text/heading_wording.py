"""Recognises the headings of a text by their wording: "Chapter 2", "Book Two", "Preface", "IV."."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from audiomill.inputs.markup.joining import CHAPTER_WORDS, NUMBER_WORDS
from audiomill.inputs.text.paragraphs import Paragraph

PART, CHAPTER, CAPITALS, NUMERAL, NUMBER = 1, 2, 3, 4, 5  # kinds of headings, and their levels
LONGEST_HEADING = 80  # characters of a line
MOST_TITLE_LINES = 8  # of a title in capitals
MIN_NUMBER_GAP = 2  # blank lines above a number in digits; that of a page has fewer
_RULE = re.compile(r"[-=_*~]{5,}")
_NUMBER = (
    rf"(?:\d{{1,3}}|[ivxlcdm]{{1,8}}|{NUMBER_WORDS}|(?:twen|thir|for|fif)ty(?:[- ]\w{{3,5}})?"
    r"|the (?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)"
    r"|first|second|third|fourth|fifth|last|premi[eè]re?|dernier|primer[oa]|prim[oa]|[úu]ltim[oa])"
)
_NAMED = r"(?:[.:—–-]+\s*\S.*|\s*[.:—–-]*)"  # "Chapter 1: A Title", "Chapter 1."
# "Erster Teil", "Deuxième partie", "Segunda parte".
_ORDINAL = (
    r"[^\W\d_]{1,18}"
    r"(?:te[rs]?|ième|ière|er[oa]|nd[oa]|rt[oa]|nt[oa]|st[oa]|xt[oa]|rz[oa]|av[oa]|im[oa])"
)
_PART = re.compile(
    rf"(?:part|book|volume|teil|buch|partie|parte|libro)\s+{_NUMBER}{_NAMED}"
    rf"|{_ORDINAL}\s+(?:teil|buch|band|partie|parte|livre|libro){_NAMED}",
    re.I,
)
_CHAPTER = re.compile(
    rf"(?:canto|act|scene|letter|section|{CHAPTER_WORDS})"
    rf"\s+{_NUMBER}{_NAMED}"
    rf"|{_ORDINAL}\s+(?:{CHAPTER_WORDS}|gesang|canto){_NAMED}",
    re.I,
)
# What stands before and after the chapters of a book.
_AROUND = re.compile(
    rf"(?:prologue|epilogue|preface|foreword|introduction|afterword|interlude|appendix"
    rf"|conclusion|postscript|prolog|epilog|vorwort|nachwort|prólogo|epílogo|prologo|epilogo)"
    rf"{_NAMED}",
    re.I,
)
_AFTER_LABEL = " .:–—-"
_LABEL = re.compile(rf"(?:the )?\w+(?: the)? {_NUMBER}[{_AFTER_LABEL}]*|\w+[{_AFTER_LABEL}]*", re.I)
NUMERAL_LINE = re.compile(r"([IVXLC]{1,7})\.?")
NUMBER_LINE = re.compile(r"(?:no\. ?)?(\d{1,3})\.?", re.IGNORECASE)
# Speech, an incomplete sentence, or the source of a quotation: “--LOWELL.”
_NOT_A_TITLE = re.compile(r"[\"“”„«»‘]|[!,;:…]$|^\[|^(?:--|[—–])(?!.*[—–-]$)")


def with_rules_apart(paragraphs: Iterable[Paragraph]) -> Iterator[Paragraph]:
    """The paragraphs; a rule right above or below a heading that names itself is one of its own."""
    for one in paragraphs:
        n_above = bool(_RULE.fullmatch(one.lines[0].strip()))
        n_below = bool(_RULE.fullmatch(one.lines[-1].strip()))
        heading = one.lines[n_above : len(one.lines) - n_below]
        if heading != one.lines and heading and is_named_heading(Paragraph(heading, one.gap)):
            yield from (Paragraph((rule,), one.gap) for rule in one.lines[:n_above])
            yield Paragraph(heading, 0 if n_above else one.gap)
            yield from (Paragraph((rule,), 0) for rule in one.lines[len(one.lines) - n_below :])
        else:
            yield one


def possible_level(paragraph: Paragraph) -> int:
    """The level of a paragraph that looks like a heading; 0 if it looks like text."""
    lines = paragraph.lines
    first = lines[0].strip()
    if _is_long_title(lines):
        return CHAPTER
    if len(lines) > 2 or any(len(line.strip()) > LONGEST_HEADING for line in lines):
        return 0
    if _PART.fullmatch(first):
        return PART
    if _CHAPTER.fullmatch(first) or is_around_chapters(paragraph):
        return CHAPTER
    if NUMERAL_LINE.fullmatch(first) and not any(map(_NOT_A_TITLE.search, lines[1:])):
        return NUMERAL
    if len(lines) > 1:
        return 0
    if NUMBER_LINE.fullmatch(first):
        return NUMBER if paragraph.gap >= MIN_NUMBER_GAP else 0
    is_title = is_in_capitals(first) and sum(map(str.isalpha, first)) > len("THE")
    return CAPITALS if is_title else 0


def _is_long_title(lines: Sequence[str]) -> bool:
    """True for a chapter's label with a title of several lines in capitals, as of old novels."""
    label, *title = lines
    is_title = 1 < len(title) < MOST_TITLE_LINES and " ".join(title).isupper()
    return is_title and _CHAPTER.fullmatch(label.strip()) is not None


def is_in_capitals(line: str) -> bool:
    """True for a line in capitals that is no speech and no source of a quotation."""
    return line.isupper() and not _NOT_A_TITLE.search(line)


def is_around_chapters(paragraph: Paragraph) -> bool:
    """True for a heading of what stands before or after the chapters: "Preface"."""
    return _AROUND.fullmatch(paragraph.lines[0].strip()) is not None


def is_named_heading(paragraph: Paragraph) -> bool:
    """True for a heading that names itself one: "Chapter 2", "Book Two", "Preface"."""
    return possible_level(paragraph) in {PART, CHAPTER}


def names_chapter(line: str) -> bool:
    """True for a line that begins as the heading of a chapter or part does."""
    return numbers_chapter(line) or _AROUND.match(line) is not None


def numbers_chapter(line: str) -> bool:
    """True for a line that begins with the number of a chapter or part: "Chapter 2"."""
    return bool(_PART.match(line) or _CHAPTER.match(line))


def heading_text(lines: Sequence[str]) -> str:
    """The lines of a heading as one: "CHAPTER IV: OF WHAT HAPPENED AT THE INN"."""
    first, *title = (line.strip() for line in lines)
    if not title:
        return first.rstrip(":")
    if _LABEL.fullmatch(first):
        return f"{first.rstrip(_AFTER_LABEL)}: {' '.join(title)}"
    return " ".join((first, *title))


def is_numbered_chapter(text: str) -> bool:
    """True for a text that is nothing but the heading of a chapter: "Chapter 2: The Village"."""
    return _CHAPTER.fullmatch(text) is not None
