"""A cloned voice as it lies on the disk: a small folder, read and checked. Decodes no audio.

    voices/grandmother/
        voice.toml       name, language, consent; a table for each engine with settings of its own
        reference.wav    or .flac, .mp3: some seconds of one person who speaks
        reference.txt    exactly what is said there; some engines need it

The folder may have any name. The voice has the one in voice.toml, which is what --voice takes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

from audiomill.inputs.files import read_text
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.toml_text import TomlInvalid, load_toml
from audiomill.renderers.engine.clone_needs import CloneNeeds
from audiomill.renderers.engine.errors import RenderError
from audiomill.renderers.speech.wav import SUFFIX

VOICE_FILE, TEXT_FILE, AUDIO_STEM = "voice.toml", "reference.txt", "reference"
AUDIO_SUFFIXES = (SUFFIX, ".flac", ".mp3")
REQUIRED = ("name", "language", "consent")
KEYS = (*REQUIRED, "speaker", "licence", "source")
MAX_TEXT_BYTES = 1 << 16
# As a file and in a casting file: no slash, none of the signs of a mix, no "@" of a language.
_NAME = re.compile(r"\w(?:[\w .'-]{0,62}\w)?")

VoiceSetting: TypeAlias = str | int | float | bool


class VoiceUnfit(RenderError):
    """A cloned voice cannot be used: its folder or its recording has a fault."""


@dataclass(frozen=True, slots=True)
class ReferenceVoice:
    """A cloned voice: who it is, where its recording lies, and what engines are told of it."""

    name: str
    language: str  # BCP 47
    consent: str  # who allowed it, and when; never empty
    audio: Path
    text: str = ""  # what is said in the recording, in one line; "" if it is not known
    speaker: str = ""
    licence: str = ""
    source: str = ""
    settings: tuple[tuple[str, tuple[tuple[str, VoiceSetting], ...]], ...] = ()  # by engine

    def settings_of(self, engine: str) -> tuple[tuple[str, VoiceSetting], ...]:
        """What one engine is told for this voice only."""
        return dict(self.settings).get(engine, ())


def read_voice(folder: Path, engines: Sequence[CloneNeeds]) -> ReferenceVoice:
    """The voice in a folder. `engines` are those that may have a table. Raises VoiceUnfit."""
    table = _toml(folder / VOICE_FILE)
    tables = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    values = {key: _text(folder, key, table[key]) for key in table.keys() - tables.keys()}
    for key in REQUIRED:
        if not values.get(key):
            raise VoiceUnfit(_missing(folder, key))
    if problem := unfit_name(values["name"]):
        raise VoiceUnfit(f"{folder / VOICE_FILE}: {problem}")
    if not (language := language_tag(values["language"])):
        raise VoiceUnfit(
            f"{folder / VOICE_FILE}: there is no language “{values['language']}”. Write one as en,"
            " pt-BR or german."
        )
    settings = tuple(_settings(folder, name, tables[name], engines) for name in sorted(tables))
    values["language"] = language
    return ReferenceVoice(
        **values, audio=_audio(folder), text=_spoken_text(folder), settings=settings
    )


def unfit_name(name: str) -> str:
    """Why no voice may have this name; "" if one may."""
    if _NAME.fullmatch(name):
        return ""
    return (
        f"“{name}” is no name for a voice. Take letters and digits, and between them spaces, dots"
        " and hyphens; 64 characters at most."
    )


def one_line(text: str) -> str:
    """A text without line breaks and without spaces that say nothing."""
    return " ".join(text.split())


def _toml(path: Path) -> dict[str, Any]:
    try:
        return load_toml(path)
    except FileNotFoundError:
        raise VoiceUnfit(
            f"{path} is missing: audiomill voices --replace --add NAME writes it anew."
        ) from None
    except TomlInvalid as error:
        raise VoiceUnfit(error.at(path)) from error
    except OSError as error:
        raise VoiceUnfit(f"{path} cannot be read ({error.strerror or error}).") from error


def _text(folder: Path, key: str, value: object) -> str:
    if key not in KEYS:
        hint = did_you_mean(key, KEYS, n=1)
        raise VoiceUnfit(f"{folder / VOICE_FILE}: there is no {key}.{hint}")
    if not isinstance(value, str):
        raise VoiceUnfit(f"{folder / VOICE_FILE}: {key} is {value!r}; write a text.")
    return value.strip()


def _missing(folder: Path, key: str) -> str:
    if key == "consent":
        return (
            f"{folder / VOICE_FILE} has no consent. Write who allowed that this voice is cloned,"
            ' and when: consent = "Jane Doe, by letter of 2 May 2026".'
        )
    return f"{folder / VOICE_FILE} has no {key}."


def _settings(
    folder: Path, name: str, table: object, engines: Sequence[CloneNeeds]
) -> tuple[str, tuple[tuple[str, VoiceSetting], ...]]:
    known = {one.engine: one for one in engines}
    where = f"{folder / VOICE_FILE}, [{name}]"
    if name not in known:
        hint = did_you_mean(name, known, n=1)
        raise VoiceUnfit(f"{where}: no engine of this name clones voices.{hint}")
    own, found = dict(known[name].settings), cast("Mapping[str, object]", table)
    for key in found.keys() - own.keys():
        listed = f" It takes {', '.join(own)}." if own else ""
        raise VoiceUnfit(f"{where}: a voice has no setting {key}.{did_you_mean(key, own)}{listed}")
    return name, tuple((key, _setting(where, key, found[key], own[key])) for key in sorted(found))


def _setting(where: str, key: str, value: object, default: VoiceSetting) -> VoiceSetting:
    """The value as the kind that the default has."""
    if type(value) is int and type(default) is float:
        return float(value)
    if type(value) is not type(default):
        raise VoiceUnfit(f"{where}: {key} is {value!r}; write one like {default!r}.")
    return value


def _audio(folder: Path) -> Path:
    found = sorted(path for path in folder.glob(f"{AUDIO_STEM}.*") if path.name != TEXT_FILE)
    if not found:
        raise VoiceUnfit(f"{folder} has no recording: put a reference.wav there.")
    if len(found) > 1:
        names = ", ".join(path.name for path in found)
        raise VoiceUnfit(f"{folder} has several recordings ({names}): leave one there.")
    if found[0].suffix.lower() not in AUDIO_SUFFIXES:
        raise VoiceUnfit(
            f"{found[0]} is read only after it was converted: audiomill voices --replace --add"
            f' NAME --audio {found[0]} --consent "…"'
        )
    return found[0]


def _spoken_text(folder: Path) -> str:
    path = folder / TEXT_FILE
    try:
        text = one_line(read_text(path, MAX_TEXT_BYTES))
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise VoiceUnfit(f"{path} cannot be read ({error.strerror or error}).") from error
    if not any(map(str.isalnum, text)):
        raise VoiceUnfit(f"{path} is empty: write exactly what is said, or delete the file.")
    return text
