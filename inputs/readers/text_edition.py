"""Finds the paragraphs in a typed book that are about its edition: who typed it, and what changed.

A note of several paragraphs ends where more than one line is left blank, or at a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audiomill.inputs.gutenberg.wording import is_credit, is_makers_note, is_picture_file
from audiomill.inputs.readers.text_heading_wording import is_named_heading
from audiomill.inputs.readers.text_paragraphs import Paragraph

FIRST = 12  # paragraphs that can be credits
LONGEST_TITLE = 45  # characters of "Transcriber's Notes:", without text behind it
MOST_PARAGRAPHS = 60  # of one note
LAST_CHARS = 20_000  # a note that is so near to the end goes on to the end
_FRAME = "|+*~=-_ "


def edition_indices(paragraphs: Sequence[Paragraph]) -> frozenset[int]:
    """The indices of the paragraphs about the edition, in a text that is known to be one."""
    found = set(_credits(paragraphs))
    for index, paragraph in enumerate(paragraphs):
        if index not in found and is_makers_note(paragraph.text):
            found.update(range(index, _note_end(paragraphs, index)))
        if is_picture_file(paragraph.text):
            found.add(index)
    return frozenset(found)


def _credits(paragraphs: Sequence[Paragraph]) -> Iterator[int]:
    at = 0
    while at < min(FIRST, len(paragraphs)):
        text = paragraphs[at].text
        if is_makers_note(text):
            end = _note_end(paragraphs, at)
        elif is_credit(text) or not text.strip(_FRAME):
            end = _bracket_end(paragraphs, at)
        else:
            return
        yield from range(at, end)
        at = end


def _bracket_end(paragraphs: Sequence[Paragraph], start: int) -> int:
    """The index after the paragraph that closes a bracket which `start` opens, or after `start`."""
    n_open = 0
    if not paragraphs[start].text.startswith("["):
        return start + 1
    for at, one in enumerate(paragraphs[start : start + MOST_PARAGRAPHS], start):
        n_open += one.text.count("[") - one.text.count("]")
        if n_open <= 0:
            return at + 1
    return start + 1


def _note_end(paragraphs: Sequence[Paragraph], start: int) -> int:
    """The index after the last paragraph of a note."""
    text = paragraphs[start].text
    if text.startswith("["):
        return _bracket_end(paragraphs, start)
    if _is_last(paragraphs, start):
        return len(paragraphs)
    is_title = len(text.strip(_FRAME)) <= LONGEST_TITLE and text.rstrip(" _*").endswith(
        ("ote", "otes", ":", ".", "OTE", "OTES")
    )
    end = start + 1
    while end < min(start + MOST_PARAGRAPHS, len(paragraphs)):
        is_near = paragraphs[end].gap == 1 or (is_title and end == start + 1)
        is_rule = end > start + 1 and not any(map(str.isalnum, paragraphs[end].text))
        if not is_near or is_rule or is_named_heading(paragraphs[end]):
            break
        end += 1
    return end


def _is_last(paragraphs: Sequence[Paragraph], start: int) -> bool:
    """True for a note after which no more of the book follows."""
    rest = paragraphs[start:]
    n_rest = sum(len(one.text) for one in rest)
    n_before = sum(len(one.text) for one in paragraphs[:start])
    return n_rest < min(LAST_CHARS, n_before / 4) and not any(map(is_named_heading, rest))
