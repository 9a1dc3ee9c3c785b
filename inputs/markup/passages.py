"""Finds the passages of a block that its elements mark as being in another language.

The text of a block has other spaces than the run that it was made of, but the same characters
between them, and at most a colon more after a label. So languages belong to printed characters.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.markup.text import INVISIBLE
from audiomill.inputs.model.book import ForeignPassage


def character_languages(
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


def _is_printed(character: str) -> bool:
    return not character.isspace() and character not in INVISIBLE
