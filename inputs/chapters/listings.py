"""Tells how far a list reaches that a reader looks things up in: contents, index, glossary.

A heading names the list. Its entries are known by what they hold: numbers of pages, the titles of
chapters, words in the order of the alphabet. Where the entries end, the list ends.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from audiomill.inputs.chapters.list_entries import (
    LAST_NUMBER,
    MIN_ORDERED,
    PAGE,
    PAGE_OF_SUMMARY,
    has_page,
    is_wrapped,
    ordered_end,
    page_of,
    pages_rise,
    terms_end,
)
from audiomill.inputs.markup.joining import CHAPTER_WORDS, NUMBER_WORDS, is_label
from audiomill.inputs.markup.page_titles import title_types
from audiomill.inputs.model.book import SkipReason
from audiomill.inputs.model.comparison import comparison_key

MIN_ENTRIES = 3
MOST_TABLES = 2  # with the same title; a book with more has such lists for other things
MOST_OTHERS = 24  # texts in a row, among the entries of a table of contents, that are none
MOST_OTHERS_PER_ENTRY = 2  # in the whole table
LEAST_SHARE = 0.6  # of the lines of a text, that are entries
LONGEST_ENTRY = 140  # characters of a line in a table of contents
LONGEST_SUMMARY = 420  # of one that also says what happens in the chapter, and has its page
MOST_PER_NUMBER = 80  # characters of an entry of an index, for each of its numbers
LONGEST_HEADING = 60
LONGEST_CAPTION = 100  # of an illustration in a list without pages
FRONT = 4  # such a list is in the first quarter of a book
# The kind of a list by its title ─▶ why it may be left out.
REASONS = {
    "toc": SkipReason.TABLE_OF_CONTENTS,
    "loi": SkipReason.TABLE_OF_CONTENTS,
    "index": SkipReason.INDEX,
    "glossary": SkipReason.GLOSSARY,
}
_LEADERS = re.compile(r"(?:\. ?){4,}|·{3,}|…{2,}")
_LABEL = re.compile(
    rf"({CHAPTER_WORDS}|chap\.?|part|book|act|scene|canto"
    r"|section|letter|volume|teil|buch|livre|libro|parte)\s+"
    rf"([ivxlc]+|\d+|{NUMBER_WORDS}|twenty|(?:the )?(?:fir|la)st)\b",
    re.IGNORECASE,
)
_PART = re.compile(
    r"(?:part|book|volume|teil|buch|livre|libro|parte)\s"
    r"|(?:the )?(?:first|second|third|fourth|last) (?:part|book|volume|epilogue)\b",
    re.IGNORECASE,
)
_CHAPTER_KEY = re.compile(rf"(?:{CHAPTER_WORDS}|chap)(?:[ivxlc]+|\d+)")
_NUMBERED = re.compile(r"(?:[ivxlc]{1,7}|\d{1,3})[.):;]?\s+(?=\S)", re.IGNORECASE)
_COUNTED = re.compile(r"\s*(?:[IVXLC]{1,7}|\d{1,3})[.):]\s")
_HEADS = frozenset(("chapter", "page", "chapterpage", "pagechapter", "chap", "pag", "seite"))
_NUMBER = re.compile(r"\d+")
# "Contents of the first volume", "Contents, Vol. II", "Contents (added by transcriber)".
_OF_VOLUME = re.compile(
    r"(?<=\w)[\s.,:(—–-]+(?:(?:of|to) )?(?:the )?(?:\w+ )?\b(?:volume|vol\.|part|book)"
    r"(?:\s+(?:[ivxlc]+|\d+|one|two|three|four))?[.)]*$"
    r"|\s*\((?:added|provided|supplied) by (?:the )?transcriber\)$",
    re.IGNORECASE,
)
# “Index to Recipes”, also with the book's title before it; it is one only if its entries show it.
_INDEX_TO = re.compile(
    r"(?:^|[—–:]|--)\s*(?:alphabetical |general )?index (?:to|of)\b", re.IGNORECASE
)


def list_reason(heading: str) -> SkipReason | None:
    """Why the list may be left out that this heading names; None if it names no list."""
    if len(heading) > LONGEST_HEADING:
        return None
    if _INDEX_TO.search(heading):
        return SkipReason.INDEX
    types = title_types(_OF_VOLUME.sub("", heading.strip())) & REASONS.keys()
    return REASONS[min(types)] if types else None


def _list_end(
    texts: Sequence[str], start: int, reason: SkipReason, titles: Mapping[str, int]
) -> int:
    """The index after the last entry of a list that begins at `start`; `start` if there is none.

    `titles` counts the short texts of the book by `title_key`.
    """
    if reason is SkipReason.TABLE_OF_CONTENTS:
        return _contents_end(texts, start, titles)
    is_index = reason is SkipReason.INDEX
    other_end = _numbered_end(texts, start) if is_index else terms_end(texts, start)
    return max(other_end, ordered_end(texts, start))


def title_counts(texts: Iterable[str]) -> Counter[str]:
    """How often each short text of a book occurs, by the key that compares entries with titles."""
    short = (text for text in texts if len(text) <= LONGEST_ENTRY and text.count("\n") < 2)
    keys = (line_keys(text) for text in short)
    return Counter(key for found in keys for key in found if key)


@lru_cache(maxsize=4096)  # the lines of a book are looked through for titles, and for tables
def line_keys(line: str) -> frozenset[str]:
    """The keys of a title or an entry: as it stands, and without the number of its chapter."""
    return frozenset(title_key(one) for one in {line, _after_label(line)})


def title_key(line: str) -> str:
    """A key that is the same for a title and for its entry, with or without the page."""
    bare = line.strip()
    page = page_of(bare)
    return comparison_key(bare[: page.start()] if page else bare)


def _after_label(text: str) -> str:
    """The title without the number of its chapter."""
    label = _LABEL.match(text.strip()) or _NUMBERED.match(text.strip())
    return text.strip()[label.end() :] if label else text


def _contents_end(texts: Sequence[str], start: int, titles: Mapping[str, int]) -> int:
    seen = set[str]()
    n_entries, end, at = 0, start, start
    n_labels = n_labels_seen = 0  # of the texts up to the last entry, and of all
    by_page = list[str]()  # entries known by nothing but their pages
    while at < len(texts) and at - end <= MOST_OTHERS:
        lines = [line for line in texts[at].split("\n") if line.strip()]
        entries = _entries(lines, titles)
        keys = {_entry_key(entry) for entry in entries}
        # What a list names once more, without its page, is the title itself: there the text begins.
        if {_entry_key(entry) for entry in entries if not has_page(entry)} & seen:
            break
        goes_on = n_labels >= LEAST_SHARE * (end - start) and _is_labelled(entries)
        is_entry = _are_entries(entries, titles) or goes_on
        if not is_entry and len(texts[at]) > LONGEST_ENTRY * min(len(lines), 2):
            end = _before_heading(texts, start, end, at)
            break
        if is_entry and any(map(_PART.match, entries)):
            seen = {key for key in seen if not _CHAPTER_KEY.fullmatch(key)}  # it has a chapter 1
        seen |= keys
        n_labels_seen += bool(_LABEL.match(texts[at]))
        at += 1
        if is_entry:
            n_entries, end, n_labels = n_entries + len(entries), at, n_labels_seen
            by_page += (line for line in entries if not _is_title(line.strip(), titles, 2))
    end = _without_headings(texts, start, end)
    n_titles = n_entries - len(by_page)
    is_table = n_titles >= MIN_ENTRIES or (n_entries >= MIN_ENTRIES and pages_rise(by_page))
    is_dense = end - start <= (1 + MOST_OTHERS_PER_ENTRY) * n_entries
    return end if is_table and is_dense else start


def _captions_end(texts: Sequence[str], start: int) -> int:
    """The end of a list of illustrations without pages: of texts as short as captions."""
    long = (at for at in range(start, len(texts)) if len(texts[at]) > LONGEST_CAPTION)
    at = next(long, len(texts))
    end = at if at == len(texts) else at - 1  # a title is above the text
    return end if end - start >= MIN_ORDERED else start


def _without_headings(texts: Sequence[str], start: int, end: int) -> int:
    """`end`, or the index of the first of the headings above it that are not of the list.

    An entry has a number or a page, or its title stands below.
    """
    below = title_counts(texts[end:])
    if end - start > 1 and is_label(texts[end - 1]) and not is_label(texts[end - 2]):
        end -= 1  # the number of the first chapter, below entries with pages
    while end > start and not any(
        LAST_NUMBER.search(line) or _COUNTED.match(line) or _is_title(line.strip(), below, 1)
        for line in texts[end - 1].split("\n")
    ):
        end -= 1
    return end


def _before_heading(texts: Sequence[str], start: int, end: int, text: int) -> int:
    """`end`, or the index of the heading of the text at `text`, which is no entry of the list."""
    if end != text or "\n" in texts[end - 1] or PAGE.search(texts[end - 1]):
        return end
    above = end - 2
    has_label = above >= start and is_label(texts[above])
    return above if has_label and not is_label(texts[end - 1]) else end - 1


def _is_labelled(entries: Sequence[str]) -> bool:
    """True for one title, however long, and its number above or before it."""
    labels = [bool(_LABEL.match(one.strip())) for one in entries]
    return (
        labels[:1] == [True] and not any(labels[1:]) and sum(map(len, entries)) <= LONGEST_SUMMARY
    )


def _entry_key(line: str) -> str:
    label = _LABEL.match(line.strip())
    return comparison_key("".join(label.groups())) if label else title_key(line)


def _are_entries(lines: Sequence[str], titles: Mapping[str, int]) -> bool:
    needed = 2 if len(lines) <= 2 else 1  # a short text is among the titles itself
    n_entries = sum(_is_entry(line, titles, needed) for line in lines)
    return n_entries >= LEAST_SHARE * len(lines)


def _entries(lines: Sequence[str], titles: Mapping[str, int]) -> Sequence[str]:
    """The lines of a text as entries: one each, or one that goes over several lines."""
    text = " ".join(line.strip() for line in lines)
    is_one = len(text) <= LONGEST_SUMMARY and (
        titles.get(title_key(text), 0) > 1 or _is_title_in_capitals(lines) or is_wrapped(lines)
    )
    return [text] if is_one else lines


def _is_title_in_capitals(lines: Sequence[str]) -> bool:
    """True for the number of a chapter and its title in capitals, and no second one."""
    text = " ".join(line.strip() for line in lines)
    has_second = any(_LABEL.match(line.strip()) for line in lines[1:])
    return not has_second and text.isupper() and bool(_LABEL.match(text))


def _is_entry(line: str, titles: Mapping[str, int], needed: int) -> bool:
    bare = line.strip()
    if len(bare) > LONGEST_ENTRY:  # prose may begin or end like an entry
        is_title = titles.get(title_key(bare), 0) > 1 or _is_title_in_capitals([bare])
        return len(bare) <= LONGEST_SUMMARY and (is_title or bool(PAGE_OF_SUMMARY.search(bare)))
    return bool(page_of(bare)) or _is_title(bare, titles, needed)


def _is_title(bare: str, titles: Mapping[str, int], needed: int) -> bool:
    """True for an entry without its page: a number of a chapter, dots, a title of the book."""
    key = title_key(bare)
    without_number = title_key(_NUMBERED.sub("", bare, count=1))
    return (
        bool(_LEADERS.search(bare) or _LABEL.match(bare))
        or key in _HEADS
        or titles.get(key, 0) >= needed
        or (bool(without_number) and titles.get(without_number, 0) >= 1 and key != without_number)
    )


def _numbered_end(texts: Sequence[str], start: int) -> int:
    """The end of entries with numbers of pages."""
    end, n_entries = start, 0
    for at, text in enumerate(texts[start:], start):
        if len(text) <= MOST_PER_NUMBER * len(_NUMBER.findall(text)):
            end, n_entries = at + 1, n_entries + 1
        elif at - end > MOST_OTHERS:
            break
    is_index = n_entries >= max(MIN_ORDERED, LEAST_SHARE * (end - start))
    return end if is_index else start


def list_spans(
    texts: Sequence[str], is_heading: Sequence[bool], titles: Mapping[str, int]
) -> Iterator[tuple[int, int, SkipReason]]:
    """(index of the heading, end, reason) of each list among the texts, in order."""
    headings = [text for text, is_one in zip(texts, is_heading, strict=True) if is_one]
    of_headings = title_counts([*headings, *headings])  # one in the table, and one above the text
    long = [
        title_key(text) for text in headings if text.count("\n") > 1 or len(text) > LONGEST_ENTRY
    ]
    titles = {**titles, **dict.fromkeys(long, 2)}  # those are not counted among the short texts
    n_tables = Counter(comparison_key(text) for text in texts if list_reason(text))
    at = 0
    while at < len(texts):
        reason = list_reason(texts[at])
        if reason is None:
            at += 1
            continue
        below = (i for i in range(at + 1, len(texts)) if is_heading[i])
        ends = (i for i in below if _ends_list(texts[i], texts[at], reason))
        is_common = n_tables[comparison_key(texts[at])] > MOST_TABLES
        known = of_headings if is_common else titles
        end = _list_end(texts[: next(ends, len(texts))], at + 1, reason, known)
        if end == at + 1 < len(texts) / FRONT and "loi" in title_types(texts[at]):
            below = (i for i in range(at + 1, len(texts)) if is_heading[i])
            end = _captions_end(texts[: next(below, len(texts))], at + 1)
        if end > at + 1:
            yield at, end, reason
        at = max(end, at + 1)


def _ends_list(text: str, title: str, reason: SkipReason) -> bool:
    """True for a heading below a list; lines of a contents table look like headings themselves.

    An index has one for each letter, and entries in capitals. A table of contents ends where that
    of another volume begins, and a list of illustrations at the first number of a chapter.
    """
    if "loi" in title_types(title) and is_label(text):
        return True
    if reason is SkipReason.TABLE_OF_CONTENTS:
        return list_reason(text) is reason and comparison_key(text) != comparison_key(title)
    is_entry = comparison_key(text) in _HEADS or has_page(text)
    return len(comparison_key(text)) > 1 and not is_entry
