"""Names of voices as people say them: "am_adam" is Adam, "voices/di_voice.wav" is Di Voice."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

# Servers of libraries split a list of narrators at these.
_SEPARATORS = re.compile(r"[,;&/()\[\]]+|\band\b")
# Of a language and a speaker's sex, as Kokoro's voices are named.
_LETTERS = re.compile(r"^[a-z][fm]_")
_FILE = re.compile(r"\.\w{3,4}$")


def human_name(name: str) -> str:
    """A name of words that begin with capitals, if it has none; that of a file has no ending."""
    base = PurePosixPath(name.replace("\\", "/")).name
    words = _FILE.sub("", base).replace("_", " ").replace("-", " ").split()
    named = " ".join(words) or name
    return named if named != named.lower() else " ".join(_capital(word) for word in words)


def speaker_name(voice: str) -> str:
    """The name of a voice without its letters: "Heart" of af_heart, "Voice 001" of zf_001."""
    name = human_name(_LETTERS.sub("", voice))
    return f"Voice {name}" if name.isdecimal() else name


def one_narrator(voice: str, engine: str) -> str:
    """A voice of an engine as one narrator: "Heart (Kokoro)". A list can be split at commas."""
    named = " ".join(_SEPARATORS.sub(" ", voice).split())
    return f"{named} ({engine})" if named else engine


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]
