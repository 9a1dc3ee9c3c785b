"""Which paragraphs of a plain text are headings. Knows how they are typed; makes no blocks.

It would rather miss a heading than make one of somebody's shouting: lines in capitals and lone
roman numerals count only where there are several of them, the numerals only from I on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

Chunk = tuple[str, ...]  # the lines of one paragraph, as they were typed, none of them blank

PART, CHAPTER, CAPITALS, NUMERAL = 1, 2, 3, 4  # levels of headings
LONGEST_HEADING = 80  # characters of a line
MIN_CAPITALS = 2  # headings in capitals, or numerals, before any of them counts
MIN_CONTENTS = 3  # lines that look like chapters, in one paragraph

_NUMBER = (
    r"(?:\d{1,3}|[ivxlcdm]{1,8}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif)ty(?:[- ]\w{3,5})?"
    r"|the (?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)"
    r"|first|second|third|fourth|fifth|last)"
)
_NAMED = r"(?:[.:—–-]+\s*\S.*|\s*[.:—–-]*)"  # "Chapter 1: A Title", "Chapter 1."
_PART = re.compile(rf"(?:part|book|volume|teil|buch|partie|parte|libro)\s+{_NUMBER}{_NAMED}", re.I)
_CHAPTER = re.compile(
    rf"(?:chapter|canto|act|scene|letter|section|kapitel|chapitre|capítulo|capitolo|hoofdstuk)"
    rf"\s+{_NUMBER}{_NAMED}"
    rf"|(?:prologue|epilogue|preface|foreword|introduction|afterword|interlude|appendix"
    rf"|conclusion|postscript|prolog|epilog|vorwort|nachwort|prólogo|epílogo|prologo|epilogo)"
    rf"{_NAMED}",
    re.I,
)
_NUMERAL = re.compile(r"([IVXLC]{1,7})\.?")
_SPOKEN = re.compile(r"[\"“”„«»‘]|[!,;:…]$")  # said by somebody, or not complete
_CONTENTS = re.compile(r"(?:table of )?contents|inhalt(?:sverzeichnis)?|índice|indice", re.I)


def heading_levels(chunks: Sequence[Chunk]) -> dict[int, int]:
    """The level of each chunk that is a heading, by its place in `chunks`."""
    kinds = {place: _kind(chunk) for place, chunk in enumerate(chunks)}
    found = {place: level for place, level in kinds.items() if level}
    for doubtful in (CAPITALS, NUMERAL):
        places = [place for place, level in found.items() if level == doubtful]
        if not _are_headings([chunks[place][0].strip() for place in places], doubtful):
            for place in places:
                del found[place]
    return found


def contents_places(chunks: Sequence[Chunk]) -> frozenset[int]:
    """The places of paragraphs that list chapters, and of the word "Contents" over them."""
    lists = {place for place, chunk in enumerate(chunks) if _is_contents(chunk)}
    above = {place - 1 for place in lists if place and _is_contents_heading(chunks[place - 1])}
    return frozenset(lists | above)


def _is_contents(chunk: Chunk) -> bool:
    lines = [line.strip() for line in chunk if not _CONTENTS.fullmatch(line.strip())]
    n_chapters = sum(1 for line in lines if _PART.match(line) or _CHAPTER.match(line))
    return n_chapters >= MIN_CONTENTS and 2 * n_chapters > len(lines)


def _is_contents_heading(chunk: Chunk) -> bool:
    return len(chunk) == 1 and _CONTENTS.fullmatch(chunk[0].strip(" .:")) is not None


def _kind(chunk: Chunk) -> int:
    """The level a chunk would have by its looks; 0 if it looks like text."""
    first = chunk[0].strip()
    if len(chunk) > 2 or any(len(line.strip()) > LONGEST_HEADING for line in chunk):
        return 0
    if _PART.fullmatch(first):
        return PART
    if _CHAPTER.fullmatch(first):
        return CHAPTER
    if len(chunk) > 1:
        return 0
    if _NUMERAL.fullmatch(first):
        return NUMERAL
    is_title = first.isupper() and sum(map(str.isalpha, first)) > len("THE")
    return CAPITALS if is_title and not _SPOKEN.search(first) else 0


def _are_headings(texts: Sequence[str], level: int) -> bool:
    """Whether lines in capitals, or numerals, are headings: several, and numbered from I."""
    return len(texts) >= MIN_CAPITALS and (level == CAPITALS or texts[0].rstrip(".") == "I")
