"""The text of an XHTML document with its places in the bytes, and the elements around it. Pure.

    bytes     <p>It was <em>dark</em> &amp; late.</p>
    texts        [It was ]   [dark]  [ & late.]          each between two tags
    letters       it was      dark      late             what documents are compared by

Only what a body prints counts: no scripts, no styles. Whoever puts elements into the document puts
them between these bytes, and all others stay as they are.
"""

from __future__ import annotations

import re
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


class BytePlaces:
    """The byte of each character of a text.

    Kept is only where a character is not the one byte behind the last: a document may have a
    million spaces between its tags.
    """

    def __init__(self) -> None:
        self._firsts, self._bytes = array("q"), array("q")
        self._shift = -1  # of the last character

    def add(self, character: int, byte: int) -> None:
        """Tell the byte of a character; those before it have been told, at least one of a run."""
        if byte - character != self._shift:
            self._shift = byte - character
            self._firsts.append(character)
            self._bytes.append(byte)

    def __getitem__(self, character: int) -> int:
        run = bisect_right(self._firsts, character) - 1
        return self._bytes[run] + character - self._firsts[run]


@dataclass(slots=True)
class SourceText:
    """The printed text of a document.

    Character i of `chars` is at bytes [starts[i], ends[i]). Text t has the characters from
    `text_starts[t]` to the next, in element `parents[t]`. Letter j of `letters`, which have no case
    and no accents, belongs to character `letter_chars[j]`.
    """

    root: SourceElement
    chars: str
    starts: BytePlaces
    ends: BytePlaces
    text_starts: list[int]
    parents: list[SourceElement]
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


# Texts between long runs of spaces, which stand between the tags of formulas.
_BETWEEN_GAPS = re.compile(r"\S+(?:\s{1,8}\S+)*")


@lru_cache(maxsize=4096)
def folded(character: str) -> str:
    """The letters and digits of a character, without accents and case; "" of a mark."""
    plain = unicodedata.normalize("NFKD", character).casefold()
    return "".join(one for one in plain if one.isalnum())


def letters_with_places(text: str) -> tuple[str, array[int]]:
    """The folded letters of a text, and which character each belongs to."""
    letters, places = list[str](), array("q")
    for part in _BETWEEN_GAPS.finditer(text):
        found = list(map(folded, part[0]))
        letters += found
        # No loop of Python's own: books are long.
        own = map(repeat, count(part.start()), map(len, found))
        places.extend(chain.from_iterable(own))
    return "".join(letters), places


def first_letters(text_starts: Sequence[int], letter_chars: Sequence[int]) -> Iterator[int]:
    """The first letter of each text, or of what follows it."""
    at = 0
    for start in text_starts:
        at = bisect_left(letter_chars, start, at)
        yield at
