"""A cast: which voice reads what of a book, and the casting file beside a book that names them.

    narrator = "af_heart"
    dialogue = "bf_emma"

    [characters]
    Karl = "am_adam"

Plain data, without voices' sounds or files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.toml_text import TomlInvalid, load_toml

_RANGES = re.compile(r"\s*\d{1,6}\s*(?:-\s*\d{1,6}\s*)?(?:,\s*\d{1,6}\s*(?:-\s*\d{1,6}\s*)?)*")
_SPACES = re.compile(r"[\s.]+")
_FILE_SUFFIX = ".voices.toml"
_MAX_BYTES = 1 << 20
_PARTS = ("narrator", "heading", "quote", "dialogue")
_TABLES = ("characters", "chapters")


@dataclass(frozen=True, slots=True)
class Cast:
    """The voices of a book's parts. What has no voice of its own, the narrator reads.

    `chapters` has voices of narrators by a chapter's title, or by numbers as in "1-3,7", counted as
    `audiomill inspect` does.
    """

    heading: str | None = None
    quote: str | None = None  # block quotes, with all that is said in them
    dialogue: str | None = None  # what is said aloud, by whoever has no voice of his own
    characters: Mapping[str, str] = field(default_factory=dict[str, str])
    chapters: Mapping[str, str] = field(default_factory=dict[str, str])
    where: str = ""  # the file, for messages; "" if there is none

    @property
    def has_voices(self) -> bool:
        """True if any part of the book has a voice of its own."""
        return bool(self.heading or self.quote or self.chapters or self.has_dialogue)

    @property
    def has_dialogue(self) -> bool:
        """True if what is said aloud may have a voice of its own."""
        return bool(self.dialogue or self.characters)

    def character(self, name: str) -> str:
        """The character that the text calls `name`, as the cast names him; "" if it does not."""
        meant = (key for key in self.characters if name and name_key(key) == name_key(name))
        return next(meant, "")

    def voice_of_character(self, name: str) -> str | None:
        """The voice of a speaker as the text names him; None if he has none."""
        character = self.character(name)
        return self.characters[character] if character else None

    def narrator_of(self, number: int, title: str) -> str | None:
        """The voice that narrates a chapter; None if it is the book's narrator."""
        meant = (key for key in self.chapters if names_chapter(key, number, title))
        return next((self.chapters[key] for key in meant), None)

    def parts(self) -> Iterator[tuple[str, str]]:
        """Each part that has a voice of its own, and that voice."""
        kinds = (("heading", self.heading), ("quote", self.quote), ("dialogue", self.dialogue))
        yield from ((part, voice) for part, voice in kinds if voice is not None)
        yield from self.characters.items()
        yield from self.chapters.items()

    def map_voices(self, function: Callable[[str, str], str]) -> Cast:
        """The cast with `function(part, voice)` in the place of each voice."""

        def mapped(part: str, voice: str | None) -> str | None:
            return None if voice is None else function(part, voice)

        return replace(
            self,
            heading=mapped("heading", self.heading),
            quote=mapped("quote", self.quote),
            dialogue=mapped("dialogue", self.dialogue),
            characters={name: function(name, voice) for name, voice in self.characters.items()},
            chapters={name: function(name, voice) for name, voice in self.chapters.items()},
        )


def names_chapter(key: str, number: int, title: str) -> bool:
    """True if a chapter is meant by a title, or by numbers and ranges as in "1-3,7"."""
    if not _RANGES.fullmatch(key):
        return name_key(key) == name_key(title)
    parts = (part.partition("-") for part in key.split(","))
    return any(int(first) <= number <= int(last or first) for first, _, last in parts)


def name_key(name: str) -> str:
    """Return a key that is equal for names that differ in case, spaces and full stops only."""
    return _SPACES.sub(" ", name).strip().casefold()


class CastInvalid(Exception):
    """The casting file cannot be read, or says something that it cannot say."""


def cast_file_of(source: Path) -> Path | None:
    """The casting file beside a book: novel.voices.toml of novel.epub; None if there is none.

    What has this name and is no file is refused when it is read.
    """
    path = casting_path_of(source)
    return path if source.name and os.path.lexists(path) else None


def casting_path_of(source: Path) -> Path:
    """Where the casting file beside a book is, if there is one."""
    return source.with_name(f"{source.stem}{_FILE_SUFFIX}") if source.name else source


def read_cast(path: Path) -> tuple[str | None, Cast]:
    """The voice of the narrator, if the file names one, and the cast. Raises CastInvalid."""
    content = _load(path)
    for name in content:
        if name not in (*_PARTS, *_TABLES):
            hint = did_you_mean(name, (*_PARTS, *_TABLES), n=1)
            known = ", ".join((*_PARTS, *(f"[{table}]" for table in _TABLES)))
            raise CastInvalid(f"{path}: there is no part {name}.{hint} Known: {known}.")
    voices = {name: _voice(path, name, content[name]) for name in _PARTS if name in content}
    characters, chapters = (_table(path, name, content.get(name, {})) for name in _TABLES)
    read = Cast(
        heading=voices.get("heading"),
        quote=voices.get("quote"),
        dialogue=voices.get("dialogue"),
        characters=characters,
        chapters=chapters,
        where=str(path),
    )
    return voices.get("narrator"), read


def _load(path: Path) -> Mapping[str, Any]:
    try:
        return load_toml(path, _MAX_BYTES)
    except TomlInvalid as error:
        raise CastInvalid(error.at(path)) from error
    except OSError as error:
        raise CastInvalid(f"{path} cannot be read: {error.strerror or error}.") from error


def _table(path: Path, name: str, table: object) -> dict[str, str]:
    if not isinstance(table, dict):
        raise CastInvalid(f'{path}: write {name} as a table: [{name}], then lines: Name = "voice".')
    voices = cast("dict[str, object]", table)
    return {key: _voice(path, key, voice) for key, voice in voices.items()}


def _voice(path: Path, part: str, voice: object) -> str:
    if not isinstance(voice, str) or not voice.strip():
        raise CastInvalid(f'{path}, {part}: write the name of a voice, like "en-gb".')
    return voice.strip()
