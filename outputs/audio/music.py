"""The settings of music around a recording's voice, and between its chapters.

intro   ▇▇▇▇▇▇▇╲______╲            alone, then ducked under the voice that begins
voice          ▃▅▂▆▃▅▂▆▃▅   ▃▅▂▆▃▅▂▆▃▅
sting                     ▇▇             between two chapters
outro                          ╱____╱▇▇▇▇▇╲   under the last words, then alone
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal, get_args

from audiomill.inputs.files import file_sha256

# Part of the digest. Raise it when the same pieces and settings make other audio.
MUSIC_VERSION = 1
MAX_S = 60.0  # of each setting that is a time
MAX_BELOW_DB = 60.0
MAX_BYTES = 100 << 20  # of a piece

MusicUse = Literal["intro", "outro", "sting"]
USES: tuple[MusicUse, ...] = get_args(MusicUse)


@dataclass(frozen=True, slots=True)
class Music:
    """Which pieces are played, for how long, and how loud. Field names are part of a digest.

    A piece that ends earlier is not repeated: the voice begins, or the recording ends, with it.
    """

    intro: Path | None = None
    outro: Path | None = None
    sting: Path | None = None
    intro_alone_s: float = 6.0  # before the first word
    intro_under_voice_s: float = 8.0  # from the first word until it has faded out
    outro_under_voice_s: float = 8.0  # from its first sound to the last word
    outro_alone_s: float = 8.0  # after the last word
    fade_s: float = 3.0  # in under the voice, and out
    alone_below_voice_db: float = 3.0  # how much softer than the voice, in loudness
    # WCAG 2.2, criterion 1.4.7: 20 dB softer than speech, music does not hide words.
    ducked_below_voice_db: float = 20.0

    @property
    def files(self) -> dict[MusicUse, Path]:
        """The files of the pieces that are played."""
        return {use: path for use in USES if (path := getattr(self, use)) is not None}


def settings_of(music: Music) -> Mapping[str, float]:
    """The settings that are numbers, by name."""
    return {name: value for name, value in asdict(music).items() if name not in USES}


def wrong_settings(music: Music) -> Iterator[tuple[str, str]]:
    """(the name, what would be right) of each setting that is out of its range."""
    for name, value in settings_of(music).items():
        highest = MAX_S if name.endswith("_s") else MAX_BELOW_DB
        if not 0 <= value <= highest:
            yield name, f"{name} is {value:g}; choose 0 to {highest:g}"


def music_digest(music: Music) -> str:
    """A digest of the pieces' content and the settings; "" without music. Raises OSError.

    Where the files lie makes no difference.
    """
    if not music.files:
        return ""
    content = {use: file_sha256(path, MAX_BYTES) for use, path in music.files.items()}
    identity = json.dumps([MUSIC_VERSION, content, settings_of(music)], sort_keys=True)
    return hashlib.sha256(identity.encode()).hexdigest()
