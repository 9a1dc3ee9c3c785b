"""The text of an XHTML document with its places in the bytes, and the elements around it. Pure.

    bytes     <p>It was <em>dark</em> &amp; late.</p>
    texts        [It was ]   [dark]  [ & late.]          each between two tags
    letters       it was      dark      late             what documents are compared by

Only what a body prints counts: no scripts, no styles. Whoever puts elements into the document puts
them between these bytes, and all others stay as they are.
"""

from __future__ import annotations

import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, count, repeat

from audiomill.inputs.markup.parser import INLINE

_MORE_PHRASING = """
acronym audio basefont big br button canvas img input label map meter object output picture progress
rb rp rt rtc ruby select slot strike svg math textarea tt video
"""
# Elements that stand in a line; "" is one of another language, such as SVG.
PHRASING = INLINE | frozenset(_MORE_PHRASING.split()) | {""}


@dataclass(slots=True)
class SourceElement:
    """An element. Its tags are at bytes [start, content_start) and [content_end, end).

    `children` are elements and the numbers of texts, in order. It holds texts [first_text,
    last_text); `has_block` says whether a span can not be put around it. `id` is "" if it has none,
    and None if it cannot be referred to, as another one before it has the same.
    """

    name: str  # in lower case; "" outside XHTML's namespace
    parent: SourceElement | None
    start: int
    id: str | None = ""
    index: int = 0  # among the children of its parent
    content_start: int = 0
    content_end: int = 0
    end: int = 0
    children: list[SourceElement | int] = field(default_factory=list["SourceElement | int"])
    first_text: int = 0
    last_text: int = 0
    has_block: bool = False


@dataclass(frozen=True, slots=True)
class SourcePicture:
    """A picture and the folded letters of the words that stand for it."""

    element: SourceElement
    letters: str


@dataclass(slots=True)
class SourceText:
    """The printed text of a document.

    Character i of `chars` is at bytes [starts[i], ends[i]). Text t has the characters from
    `text_starts[t]` to the next, in element `parents[t]`. Letter j of `letters`, which have no case
    and no accents, belongs to character `letter_chars[j]`.
    """

    root: SourceElement
    chars: str
    starts: array[int]
    ends: array[int]
    text_starts: list[int]
    parents: list[SourceElement]
    indices: list[int]  # of texts among the children of their parents
    letters: str
    letter_chars: array[int]
    text_letters: list[int]  # the first letter of each text, and the number of all
    ids: frozenset[str]
    style_sheets: tuple[str, ...]  # the links to them
    pictures: tuple[SourcePicture, ...]
    formulas: tuple[SourceElement, ...]  # in MathML

    def text_of_char(self, at: int) -> int:
        """The number of the text that holds a character."""
        return bisect_right(self.text_starts, at) - 1

    def text_start(self, text: int) -> int:
        """The first character of a text; of the one after the last, the number of all."""
        return self.text_starts[text] if text < len(self.text_starts) else len(self.chars)


@lru_cache(maxsize=4096)
def folded(character: str) -> str:
    """The letters and digits of a character, without accents and case; "" of a mark."""
    plain = unicodedata.normalize("NFKD", character).casefold()
    return "".join(one for one in plain if one.isalnum())


def letters_with_places(text: str) -> tuple[str, array[int]]:
    """The folded letters of a text, and which character each belongs to."""
    letters = list(map(folded, text))
    places = map(repeat, count(), map(len, letters))  # no loop of Python's own: books are long
    return "".join(letters), array("q", chain.from_iterable(places))


def first_letters(text_starts: Sequence[int], letter_chars: Sequence[int]) -> Iterator[int]:
    """The first letter of each text, or of what follows it."""
    at = 0
    for start in text_starts:
        at = bisect_left(letter_chars, start, at)
        yield at
