"""A cast: which voice reads what of a book. Plain data, without voices' sounds or files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

_RANGES = re.compile(r"\s*\d{1,6}\s*(?:-\s*\d{1,6}\s*)?(?:,\s*\d{1,6}\s*(?:-\s*\d{1,6}\s*)?)*")
_SPACES = re.compile(r"[\s.]+")


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
