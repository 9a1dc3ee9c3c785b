"""The voices that Piper's HTTP server lists, with the speakers of each: `NAME#p225`.

The server gives the config of each voice under the name of its file, from which it takes the ending
letter by letter: a name that ends in one of "n o x j s ." loses that, too, and then no request
reaches the voice, unless the server was started with it.

Source: piper-tts 1.8.0, `http_server.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from audiomill.inputs.json_text import number_of, parse_json
from audiomill.renderers.base import EngineFailed, Voice
from audiomill.renderers.piper.voice_files import MAX_SPEAKERS, RATES, speaker_name
from audiomill.renderers.servers.replies import Reply

TITLE = "Piper's server"
LENGTH_SCALES, NOISE_SCALES = (0.01, 100.0), (0.0, 10.0)  # 2 is half as fast


@dataclass(frozen=True, slots=True)
class ServedSpeaker:
    """A speaker of a voice, and how the server is told to speak."""

    name: str  # canonical: it goes into keys
    voice: str  # as the server knows it
    number: int | None  # None: it has one speaker
    language: str  # BCP 47
    sample_rate: int  # Hz
    length_scale: float
    noise_scale: float
    noise_w_scale: float
    config: str  # of the voice, as JSON with sorted keys

    def listed(self) -> Voice:
        """The speaker as people see it."""
        return Voice(
            self.name, self.language, "", f"{self.sample_rate:,} Hz", speaker_name(self.name)
        )


def served_speakers(reply: Reply) -> tuple[ServedSpeaker, ...]:
    """All speakers of all voices, sorted by name. Raises EngineFailed if they are not listed."""
    try:
        found = parse_json(reply.content)
        speakers = [one for name in found for one in _speakers(name, found[name])]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise EngineFailed(
            f"{TITLE} does not list its voices as Piper does. Look at url under [piper_server] in"
            " the settings."
        ) from error
    if not speakers:
        raise EngineFailed(f"{TITLE} lists no voices.")
    return tuple(sorted(speakers, key=lambda one: one.name))


def _speakers(voice: str, config: Mapping[str, Any]) -> list[ServedSpeaker]:
    inference: Mapping[str, object] = config.get("inference") or {}
    language = (config.get("language") or {}).get("code") or config["espeak"]["voice"]

    def speaker(name: str, number: int | None) -> ServedSpeaker:
        return ServedSpeaker(
            name=name,
            voice=voice,
            number=number,
            language=str(language).replace("_", "-"),
            sample_rate=int(_number(config["audio"]["sample_rate"], *RATES)),
            length_scale=_number(inference.get("length_scale", 1.0), *LENGTH_SCALES),
            noise_scale=_number(inference.get("noise_scale", 0.667), *NOISE_SCALES),
            noise_w_scale=_number(inference.get("noise_w", 0.8), *NOISE_SCALES),
            config=json.dumps(config, sort_keys=True),
        )

    if _number(config.get("num_speakers") or 1, 0, MAX_SPEAKERS) < 2:
        return [speaker(voice, None)]
    named: Mapping[str, object] = config.get("speaker_id_map") or {}
    numbers = {name: int(_number(number, 0, MAX_SPEAKERS)) for name, number in named.items()}
    return [speaker(f"{voice}#{name}", number) for name, number in numbers.items()]


def _number(value: object, least: float, most: float) -> float:
    """The value. Raises ValueError if it is no number from `least` to `most`."""
    number = number_of(value)
    if number is None or not least <= number <= most:
        raise ValueError(f"{value!r:.40} is no number from {least} to {most}")
    return number
