"""What is said for a word: an entry of a user's lexicon, or of one that a source brings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LexiconEntry:
    """What is said for a word, a phrase, or what a pattern matches: `say` or `phonemes`."""

    written: str
    say: str = ""  # said as if it were written so; of a pattern with groups: \\1, \\g<name>
    phonemes: str = ""
    is_pattern: bool = False
    language: str = ""  # BCP 47; "": all, and "en" is all kinds of English
    # None: a capital letter must be one in the text, a small letter may be; see `lexicon.py`.
    case_sensitive: bool | None = None
    file: str = ""
    line: int = 0  # from 1; 0 if it is unknown

    @property
    def where(self) -> str:
        """The place of the entry, for people to read: "names.toml:12"."""
        return place(self.file, self.line)


def place(file: str, line: int) -> str:
    """A line of a file, for people to read; the file alone if the line is 0."""
    return f"{file}:{line}" if line else file
