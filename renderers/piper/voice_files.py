"""Piper voices in a folder: `NAME.onnx` with `NAME.onnx.json`, at any depth. Loads no model.

    en_US-lessac-medium.onnx        the graph
    en_US-lessac-medium.onnx.json   rate, language, phonemes, speakers
    MODEL_CARD                      "* License: …", in the folder of one voice

The layout is that of rhasspy/piper-voices; the keys are those of `piper/config.py` (piper-tts
1.8.0) and of the published voices, of which old ones lack `language`, `phoneme_type` and `quality`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from audiomill.inputs.files import read_regular
from audiomill.inputs.json_text import JsonInvalid, parse_json
from audiomill.inputs.languages.codes import canonical_case
from audiomill.renderers.engine.display_names import human_name
from audiomill.renderers.engine.errors import WeightsUnfit

MODEL_SUFFIX = ".onnx"
CONFIG_SUFFIX = ".onnx.json"
CARD = "MODEL_CARD"
# How a voice's text becomes phonemes. "pinyin" is not among them: the package would fetch a model
# for it from the network without asking.
PHONEME_TYPES = ("espeak", "text", "hebrew", "japanese", "thai")
RATES = (8_000, 192_000)  # in Hz
MAX_SPEAKERS = 10_000  # of a voice; that of LibriTTS has 904
HOP_LENGTH = 256  # samples of a frame, where a config does not say
NOISE_SCALE, LENGTH_SCALE, NOISE_W_SCALE = 0.667, 1.0, 0.8  # likewise
MAX_CONFIG_BYTES = 4 << 20  # one with 900 speakers has 30 KB
_NAME = re.compile(r"(?P<language>[a-z]{2,3}(_[A-Za-z0-9]+)?)-(?P<dataset>.+)-(?P<quality>[^-]+)")
_LICENCE = re.compile(r"^\W*licen[cs]e\W*[:=]\s*(\S.*?)\s*$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PiperVoiceFile:
    """A voice file and what its config says. One file may have several speakers."""

    name: str  # of the file, without its suffix
    model: Path
    config: Path
    language: str  # BCP 47
    quality: str  # x_low, low, medium or high; "" if it is not known
    sample_rate: int  # in Hz
    hop_length: int  # samples of a frame, in which durations are counted
    phoneme_type: str
    noise_scale: float
    length_scale: float
    noise_w_scale: float
    speakers: Mapping[str, int]  # by name; empty if there is only one
    default_speaker: str  # "" if there is only one
    licence: str  # as its model card words it; "" if that is not known


def speaker_name(name: str) -> str:
    """The name of a voice for people: "Lessac" of en_US-lessac-medium, "Vctk p225" of a speaker."""
    voice, _, speaker = name.partition("#")
    found = _NAME.fullmatch(voice)
    return f"{human_name(found['dataset'] if found else voice)} {speaker}".strip()


def find_voice_files(folder: Path) -> tuple[Path, ...]:
    """The graphs in `folder`, at any depth, sorted by name; of equal names only the first."""
    paths = sorted(folder.rglob(f"*{MODEL_SUFFIX}"), key=lambda path: (path.name, path))
    return tuple({path.name: path for path in reversed(paths) if path.is_file()}.values())[::-1]


def read_voice_file(model: Path) -> PiperVoiceFile:
    """The voice whose graph is `model`. Raises WeightsUnfit."""
    path = model.with_name(f"{model.stem}{CONFIG_SUFFIX}")
    try:
        config = parse_json(read_regular(path, MAX_CONFIG_BYTES))
    except OSError as error:
        raise WeightsUnfit(
            f"The Piper voice {model.stem} has no config that can be read: {path}:"
            f" {error.strerror}. Download the voice again."
        ) from error
    except JsonInvalid as error:
        raise WeightsUnfit(f"{path} is not JSON: {error}. Download the voice again.") from error
    return _voice_file(model, path, _Config(path, config))


@dataclass(frozen=True, slots=True)
class _Config:
    """A config's values, checked when they are read."""

    path: Path
    values: Any

    def unfit(self, problem: str) -> WeightsUnfit:
        return WeightsUnfit(
            f"{self.path} is not the config of a Piper voice: {problem}. Download the voice again."
        )

    def get(self, *keys: str, default: Any = None) -> Any:
        value = self.values
        for key in keys:
            if not isinstance(value, dict):
                return default
            value = value.get(key, None)
        return default if value is None else value

    def text(self, *keys: str) -> str:
        value = self.get(*keys, default="")
        if not isinstance(value, str):
            raise self.unfit(f"{'.'.join(keys)} is no text")
        return value

    def number(self, *keys: str, default: float | None = None) -> float:
        value = self.get(*keys, default=default)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 <= value < 1e9:
            raise self.unfit(f"{'.'.join(keys)} is {value!r}")
        return float(value)

    def whole(self, *keys: str, default: int | None = None) -> int:
        value = self.number(*keys, default=default)
        if value != int(value):
            raise self.unfit(f"{'.'.join(keys)} is {value:g}")
        return int(value)

    def speakers(self) -> dict[str, int]:
        """The speakers by name; their numbers are their names where there are no others."""
        n = self.whole("num_speakers", default=1)
        if n <= 1:
            return {}
        if n > MAX_SPEAKERS:
            raise self.unfit(f"num_speakers is {n:,}")
        named = self.get("speaker_id_map", default={})
        if not isinstance(named, dict) or not all(
            isinstance(one, int) and 0 <= one < n for one in named.values()
        ):
            raise self.unfit("speaker_id_map does not give each speaker a number")
        unnamed = sorted({*range(n)} - {*named.values()})
        return {**{str(name): int(one) for name, one in named.items()}} | {
            str(one): one for one in unnamed
        }

    def check_phonemes(self) -> None:
        ids = self.get("phoneme_id_map")
        marks = ("_", "^", "$")
        if not isinstance(ids, dict) or not all(
            isinstance(one, list) and one and all(isinstance(item, int) for item in one)
            for one in (ids.get(mark) for mark in marks)
        ):
            raise self.unfit("phoneme_id_map has no ids for _, ^ and $")


def _voice_file(model: Path, path: Path, config: _Config) -> PiperVoiceFile:
    rate = config.whole("audio", "sample_rate")
    if not RATES[0] <= rate <= RATES[1]:
        raise config.unfit(f"audio.sample_rate is {rate}")
    config.check_phonemes()
    speakers = config.speakers()
    named = _NAME.fullmatch(model.stem)
    return PiperVoiceFile(
        name=model.stem,
        model=model,
        config=path,
        language=_language(config, named),
        quality=config.text("audio", "quality") or (named["quality"] if named else ""),
        sample_rate=rate,
        hop_length=config.whole("hop_length", default=HOP_LENGTH),
        phoneme_type=_phoneme_type(config),
        noise_scale=config.number("inference", "noise_scale", default=NOISE_SCALE),
        length_scale=config.number("inference", "length_scale", default=LENGTH_SCALE),
        noise_w_scale=config.number("inference", "noise_w", default=NOISE_W_SCALE),
        speakers=speakers,
        default_speaker=_default_speaker(config, speakers),
        licence=_licence(model),
    )


def _phoneme_type(config: _Config) -> str:
    found = config.text("phoneme_type") or PHONEME_TYPES[0]
    if found not in PHONEME_TYPES:
        raise WeightsUnfit(
            f"{config.path} is of a voice that is not supported: its phoneme_type is {found!r}."
        )
    if found == "espeak" and not config.text("espeak", "voice"):
        raise config.unfit("it has no espeak.voice")
    return found


def _language(config: _Config, named: re.Match[str] | None) -> str:
    """The language that the config names, else that of the file's name, else espeak-ng's."""
    tag = config.text("language", "code") or (named["language"] if named else "")
    return canonical_case((tag or config.text("espeak", "voice")).replace("_", "-"))


def _default_speaker(config: _Config, speakers: Mapping[str, int]) -> str:
    if not speakers:
        return ""
    number = config.whole("default_speaker_id", default=0)
    name = next((name for name, one in speakers.items() if one == number), None)
    if name is None:
        raise config.unfit(f"default_speaker_id is {number}, and there is no such speaker")
    return name


def _licence(model: Path) -> str:
    """What the voice's model card says; "" without one. A card of several voices is nobody's."""
    for card in _cards(model):
        if found := _LICENCE.search(card.read_text("utf-8", errors="replace")):
            return found[1]
    return ""


def _cards(model: Path) -> Iterator[Path]:
    own, shared = model.with_name(f"{model.stem}.{CARD}"), model.with_name(CARD)
    if own.is_file():
        yield own
    if shared.is_file() and len([*model.parent.glob(f"*{MODEL_SUFFIX}")]) == 1:
        yield shared
