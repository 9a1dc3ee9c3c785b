"""Finds the outer quotation marks of a paragraph. Knows marks, not who speaks, and no language.

    ‘Tell the boys’ mother,’ he said, ‘that it’s late.’
    [───────────────────────]         [───────────────]    an apostrophe closes nothing

A quotation inside another is part of the outer one. A mark that has no partner is left alone,
except at the end of a paragraph: there the quotation may go on in the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

Pairs = tuple[tuple[str, str], ...]  # opening marks, and the marks that close each

# A paragraph with more opening marks that nothing closes is not searched further: each costs a look
# at all of it.
MAX_UNPAIRED = 20
MARKS_BEFORE_CLOSER = ".,!?…;:—–-"
_BOUNDARY = r"(?<![^\s(\[{—–\-…“„«»\"/])"
_APOSTROPHES = frozenset("’'")
_SINGLE = frozenset("‘'")
_STRAIGHT_CLOSER = re.compile(r"(?<=\S)\"(?!\w)")
# Words that begin with an apostrophe, which is often printed as an opening mark.
_ELIDED = re.compile(
    r"(?:tis|twas|twere|twill|twould|em|im|er|ere|cause|til|till|bout|round|neath|gainst|cept|course"
    r"|nother|n|fraid|spect|\d0s)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"[.,!?…;:]*[’']")


@dataclass(frozen=True, slots=True)
class Quotation:
    """Characters [start, end) of a text, with the marks around them."""

    start: int
    end: int
    is_open: bool = False  # it has no closing mark, and reaches the end of the paragraph


def quotations(text: str, pairs: Pairs, *, goes_on: bool = False) -> Iterator[Quotation]:
    """Yield the outer quotations of a paragraph, in order.

    `goes_on`: the paragraph before ended inside a quotation, so that a closing mark may begin this
    one, as a reminder.
    """
    at = n_unpaired = 0
    while opening := _openers(pairs, may_remind=goes_on and at == 0).search(text, at):
        start = opening.start()
        end = _end(text, start, pairs)
        if end:
            yield Quotation(start, end)
        elif _is_last(text, start):
            yield Quotation(start, len(text), is_open=True)
            return
        else:
            n_unpaired += 1
            if n_unpaired > MAX_UNPAIRED:
                return
        at = end or start + 1


def opens(text: str, pairs: Pairs) -> bool:
    """Return True if a paragraph begins with a mark by which a quotation may go on from before."""
    marks = "".join(opening + closing for opening, closing in pairs)
    if _APOSTROPHES & {*marks}:
        marks = "".join(opening for opening, _ in pairs)
    return text[:1] != "" and text[0] in marks and text[1:].strip() != ""


@lru_cache(maxsize=32)
def _openers(pairs: Pairs, *, may_remind: bool) -> re.Pattern[str]:
    """A pattern of opening marks: straight and single ones only where a word may begin."""
    free = "".join(opening for opening, _ in pairs if opening not in "\"'‘“«")
    bound = "".join(opening for opening, _ in pairs if opening in "\"'‘")
    double = "".join(opening for opening, _ in pairs if opening in "“«")
    patterns = [rf"[{free}]"] if free else []
    patterns += [rf"[{double}](?=\s?\S)"] if double else []
    patterns += [rf"{_BOUNDARY}[{bound}](?=[^\s{bound}])"] if bound else []
    if may_remind:
        closers = "".join(closing for _, closing in pairs)
        patterns.append(rf"\A[{closers}]")
    return re.compile("|".join(patterns))


def _is_last(text: str, start: int) -> bool:
    """True if no other mark of the kind follows, so that this quotation can only be left open."""
    opening = text[start]
    if opening in _SINGLE:
        return not _ELIDED.match(text, start + 1) and not _next_single(text, start)
    return opening not in text[start + 1 :]


def _end(text: str, start: int, pairs: Pairs) -> int:
    """Where the quotation that begins at `start` ends; 0 if it has no end."""
    opening = text[start]
    if opening in _SINGLE:
        return _end_of_single(text, start, opening)
    if opening == '"':
        return _end_of_straight(text, start)
    closing = dict(pairs).get(opening)
    if closing is None:  # a reminder
        return text.find(opening, start + 1) + 1
    depth = 1
    for match in re.finditer(f"[{opening}{closing}]", text[start + 1 :]):
        depth += 1 if match[0] == opening else -1
        if depth == 0:
            return start + 1 + match.end()
    return 0


def _end_of_straight(text: str, start: int) -> int:
    """The end of a quotation in straight marks: at the end of a word, or of a mark after it."""
    match = _STRAIGHT_CLOSER.search(text, start + 1)
    return match.end() if match else 0


def _end_of_single(text: str, start: int, opening: str) -> int:
    """The end of ‘…’, among apostrophes that look like it.

    A mark after punctuation closes. Without one, a mark before punctuation does, as in ‘Yes’, he
    said. Otherwise the first mark at the end of a word does, as around a ‘single’ word.
    """
    if _ELIDED.match(text, start + 1):
        return 0
    limit = _next_single(text, start) or len(text)
    ends = [at + 1 for at in _closers(text, start, limit, "’" if opening == "‘" else "'")]
    after_mark = [end for end in ends if text[end - 2] in MARKS_BEFORE_CLOSER + '”"']
    before_mark = [end for end in ends if text[end : end + 1] in (*MARKS_BEFORE_CLOSER, "")]
    return next(iter((*after_mark, *before_mark, *ends)), 0)


def _closers(text: str, start: int, limit: int, closing: str) -> Iterator[int]:
    """The positions of marks that may close: at the end of a word, and not before another one."""
    for match in _single_closer(closing).finditer(text, start + 2, limit):
        if not _AGAIN.match(text, match.end()):
            yield match.start()


def _next_single(text: str, start: int) -> int:
    """The position of the next mark that opens a single quotation; 0 if there is none."""
    for match in _single_opener(text[start]).finditer(text, start + 1):
        if not _ELIDED.match(text, match.end()):
            return match.start()
    return 0


@lru_cache(maxsize=4)
def _single_closer(closing: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=\S){closing}(?!\w)")


@lru_cache(maxsize=4)
def _single_opener(opening: str) -> re.Pattern[str]:
    return re.compile(rf"{_BOUNDARY}[{opening}](?=[^\s{opening}])")
