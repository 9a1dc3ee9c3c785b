"""The text of the block that is being collected, in pieces, and what its elements say about it.

    pieces       "Er sagte ", "bonjour", ANCHOR, "."
    languages      de          fr                  of the pieces that have words

A block has other spaces than the run that it is made of, but the same characters between them, and
at most a colon more after a label. So the languages of passages belong to printed characters.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.markup.marked_words import BlockText, MarkedWords
from audiomill.inputs.markup.parser import Element
from audiomill.inputs.markup.text import ANCHOR, INVISIBLE
from audiomill.inputs.model.book import BlockKind, ForeignPassage

WITHOUT_PASSAGES = frozenset((BlockKind.CODE, BlockKind.TABLE))  # their texts are put together
OPENING, CLOSING = tuple("([“‘«¿¡"), tuple(".,;:!?…)]”’»")


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """The text of a run, and its language; `characters` has that of each, if there are several."""

    text: str
    language: str | None
    characters: deque[tuple[str, str]] | None


class BlockRun:
    """Collects the text of one block after the other, by calls in the order of the document."""

    def __init__(self, book_language: str) -> None:
        self._book_language = book_language
        self._pieces: list[str] = []
        self._languages: dict[int, str] = {}  # of the pieces with words, by their index
        self._ids: deque[str] = deque()  # of the ANCHORs in the pieces
        self._marked_words = MarkedWords()

    @property
    def has_words(self) -> bool:
        """False before the first words of the block."""
        return bool(self._languages)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids that no block has taken yet."""
        return tuple(self._ids)

    @property
    def last_character(self) -> str:
        """The last character of the last piece; "" if there is none."""
        return self._pieces[-1][-1:] if self._pieces else ""

    def begin(self, node: Element) -> None:
        """Begin an inline element, which may say something about its words."""
        self._marked_words.begin(node)

    def end(self, node: Element) -> None:
        """End an element."""
        self._marked_words.end(node, self._pieces)

    def add(self, piece: str) -> None:
        """Add spaces, marks, or characters that belong to no language."""
        if piece:
            self._pieces.append(piece)

    def add_words(self, text: str, language: str) -> None:
        """Add text in a language (BCP 47; "" if it is not known)."""
        self._languages[len(self._pieces)] = language
        self._pieces.append(self._marked_words.marked(text))

    def add_anchors(self, ids: Sequence[str]) -> None:
        """Add the targets of links."""
        self._ids.extend(ids)
        self.add(ANCHOR * len(ids))

    def would_join(self, tail: str) -> bool:
        """True if the words before and after text that is left out would become one word."""
        return self.last_character not in OPENING and tail[:1] not in CLOSING

    def strip_space(self) -> None:
        """Remove the space before text that is left out: "word <1>." becomes "word."."""
        for at in range(len(self._pieces) - 1, max(len(self._pieces) - 3, -1), -1):
            self._pieces[at] = self._pieces[at].rstrip(" ")
            if self._pieces[at].strip(ANCHOR):
                break

    def clear(self) -> None:
        """Remove the text of the block."""
        self._pieces.clear()

    def take(self, kind: BlockKind, language: str | None) -> FinishedRun:
        """End the text of a block of this kind, in whose element `language` is declared."""
        pieces, self._pieces = self._pieces, []
        languages, self._languages = self._languages, {}
        # Text in one language throughout sets the language, even if an inner element declared it.
        different = {*languages.values()}
        if len(different) == 1:
            return FinishedRun("".join(pieces), different.pop(), None)
        characters = None
        if different and kind not in WITHOUT_PASSAGES:
            of_block = language or self._book_language
            characters = deque(_character_languages(pieces, languages, of_block))
        return FinishedRun("".join(pieces), language, characters)

    def take_ids(self, n: int) -> tuple[str, ...]:
        """Take the ids of the next `n` anchors."""
        return tuple(self._ids.popleft() for _ in range(n))

    def without_marks(self, text: str) -> BlockText:
        """The text of the next block, and what its elements say about its words."""
        return self._marked_words.of(text)


def foreign_passages(text: str, characters: deque[tuple[str, str]]) -> Iterator[ForeignPassage]:
    """Yield the passages of a block's text; takes its printed characters from `characters`.

    A character of the text that is not the next one there was added, and is in no passage.
    """
    places: list[tuple[int, str]] = []
    for at, character in enumerate(text):
        if _is_printed(character):
            is_next = bool(characters) and characters[0][0] == character
            places.append((at, characters.popleft()[1] if is_next else ""))
    for language, group in groupby(places, key=lambda place: place[1]):
        found = [at for at, _ in group]
        if language:
            yield ForeignPassage(found[0], found[-1] + 1, language)


def _character_languages(
    run: Sequence[str], languages: Mapping[int, str], language: str
) -> Iterator[tuple[str, str]]:
    """Yield each printed character of a run and its language; "" if it is that of the block.

    `languages` are those of the parts of the run, by their index; `language` is the block's. What
    is in another region's form of the language, or in none that is known, is not foreign.
    """
    own = primary_subtag(language)
    for index, part in enumerate(run):
        part_language = languages.get(index, "")
        is_foreign = part_language and primary_subtag(part_language) != own
        for character in filter(_is_printed, part):
            yield character, part_language if is_foreign else ""


def _is_printed(character: str) -> bool:
    return not character.isspace() and character not in INVISIBLE
