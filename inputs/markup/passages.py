"""Finds the passages of a block that its elements mark as being in another language.

The text of a block has other spaces than the run that it was made of, but the same characters
between them. So languages are counted by characters that are not white space.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from audiomill.inputs.book import ForeignPassage
from audiomill.inputs.languages import primary_subtag
from audiomill.inputs.markup.text import INVISIBLE


def character_languages(
    run: Sequence[str], languages: Mapping[int, str], language: str
) -> Iterator[str]:
    """Yield the language of each printed character of a run; "" if it is that of the block.

    `languages` are those of the parts of the run, by their index; `language` is the block's. What
    is in another region's form of the language, or in none that is known, is not foreign.
    """
    own = primary_subtag(language)
    for index, part in enumerate(run):
        part_language = languages.get(index, "")
        is_foreign = part_language and primary_subtag(part_language) != own
        for _ in range(_n_printed(part)):
            yield part_language if is_foreign else ""


def foreign_passages(text: str, characters: Iterator[str]) -> Iterator[ForeignPassage]:
    """Yield the passages of a block's text; takes its printed characters from `characters`."""
    printed = [at for at, character in enumerate(text) if _n_printed(character)]
    languages = [next(characters, "") for _ in printed]
    for language, group in groupby(zip(printed, languages, strict=True), key=lambda pair: pair[1]):
        places = [at for at, _ in group]
        if language:
            yield ForeignPassage(places[0], places[-1] + 1, language)


def _n_printed(text: str) -> int:
    return sum(1 for character in text if not character.isspace() and character not in INVISIBLE)
