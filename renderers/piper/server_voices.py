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

from audiomill.inputs.json_text import parse_json
from audiomill.renderers.base import EngineFailed, Voice
from audiomill.renderers.piper.voice_files import speaker_name
from audiomill.renderers.servers.replies import Reply

TITLE = "Piper's server"


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
            f"{TITLE} does not list its voices. Look at url under [piper_server] in the settings."
        ) from error
    if not speakers:
        raise EngineFailed(f"{TITLE} lists no voices.")
    return tuple(sorted(speakers, key=lambda one: one.name))


def _speakers(voice: str, config: Mapping[str, Any]) -> list[ServedSpeaker]:
    inference: Mapping[str, float] = config.get("inference") or {}
    language = (config.get("language") or {}).get("code") or config["espeak"]["voice"]

    def speaker(name: str, number: int | None) -> ServedSpeaker:
        return ServedSpeaker(
            name=name,
            voice=voice,
            number=number,
            language=str(language).replace("_", "-"),
            sample_rate=int(config["audio"]["sample_rate"]),
            length_scale=float(inference.get("length_scale", 1.0)),
            noise_scale=float(inference.get("noise_scale", 0.667)),
            noise_w_scale=float(inference.get("noise_w", 0.8)),
            config=json.dumps(config, sort_keys=True),
        )

    if int(config.get("num_speakers") or 1) < 2:
        return [speaker(voice, None)]
    named: Mapping[str, int] = config.get("speaker_id_map") or {}
    return [speaker(f"{voice}#{name}", int(number)) for name, number in named.items()]
