"""What of a book is read aloud, by kind: the settings of users, and the presets behind them.

ReadingSettings   what the user has set; None is what the preset says
     └─▶ Reading  what is read, for every kind
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Literal

from audiomill.inputs.model.book import SkipReason

Preset = Literal["essential", "everything"]
SpeakOrSkip = Literal["speak", "skip"]
Notes = Literal["skip", "mark", "chapter"]
Tables = Literal["rows", "headers", "summary", "skip"]
Images = Literal["auto", "speak", "skip"]
Code = Literal["announce", "speak", "skip"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What is read, for every kind of text that not everyone wants to hear."""

    # Cover, title page, imprint, copyright, colophon; the licence and credits of a digital edition.
    front_matter: SpeakOrSkip = "skip"
    contents: SpeakOrSkip = "skip"  # the book's own table of contents
    index: SpeakOrSkip = "skip"  # and the glossary
    references: SpeakOrSkip = "skip"  # bibliography, and lists of works ("Also by …")
    # Footnotes and endnotes: after the paragraph with their mark, or at the end of the chapter.
    notes: Notes = "skip"
    # Row by row, each cell after the header of its column, or only the size and the headers.
    tables: Tables = "rows"
    code: Code = "skip"  # "announce" says that there is code
    # The alternative texts of pictures; "auto": only in a book that is mostly pictures.
    images: Images = "auto"
    captions: SpeakOrSkip = "speak"

    def reads(self, reason: SkipReason) -> bool:
        """Whether text is read that would be left out for `reason`.

        It answers for the reasons that the readers of sources ask about. Of code, tables and
        captions, which every reader keeps as blocks, `rules.py` decides.
        """
        field = _FIELDS.get(reason)
        return field is not None and getattr(self, field) not in {"auto", "skip"}


_FIELDS = {
    SkipReason.FRONT_MATTER: "front_matter",
    SkipReason.EDITION: "front_matter",
    SkipReason.ADVERTISEMENT: "front_matter",
    SkipReason.TABLE_OF_CONTENTS: "contents",
    SkipReason.INDEX: "index",
    SkipReason.GLOSSARY: "index",
    SkipReason.REFERENCES: "references",
    SkipReason.NOTE: "notes",
    SkipReason.ALTERNATIVE_TEXT: "images",
}
PRESETS: Mapping[Preset, Reading] = MappingProxyType(
    {
        "essential": Reading(),
        "everything": Reading(
            front_matter="speak",
            contents="speak",
            index="speak",
            references="speak",
            notes="chapter",
            tables="headers",
            code="speak",
            images="speak",
        ),
    }
)


@dataclass(frozen=True, slots=True)
class ReadingSettings:
    """What a user has set. None is what the preset says; the other fields are as in `Reading`."""

    preset: Preset = "essential"
    front_matter: SpeakOrSkip | None = None
    contents: SpeakOrSkip | None = None
    index: SpeakOrSkip | None = None
    references: SpeakOrSkip | None = None
    notes: Notes | None = None
    tables: Tables | None = None
    code: Code | None = None
    images: Images | None = None
    captions: SpeakOrSkip | None = None

    def reading(self) -> Reading:
        """What is read, for every kind."""
        chosen = {name: value for name, value in asdict(self).items() if value is not None}
        preset = PRESETS[chosen.pop("preset")]
        return replace(preset, **chosen)
