"""The engine `piper-server`: Piper's HTTP server, `python -m piper.http_server`.

    voice ─▶ is it listed, and does it sound other than the default one?
    request ─▶ POST /synthesize ─▶ WAV ─▶ resampled, if the voice has another rate

The server speaks a voice that it does not find with the one that it was started with, without a
word. So each voice first says a sentence without noise, which always sounds the same, and so does
the default one. It has no seed, and raises each sentence to full scale.

It is asked by one request at a time: it sets the language of its espeak-ng and reads a text in two
steps, between which another request may set another language.

It lists voices, and speakers of each are `NAME#p225`. The server gives the config of each voice
under the name of its file, from which it takes the ending letter by letter: a name that ends in one
of "n o x j s ." loses that, too, and then no request reaches the voice, unless the server was
started with it.

Source: piper-tts 1.8.0, `http_server.py` and `phonemize_espeak.py`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from audiomill.inputs.json_text import number_of, parse_json
from audiomill.inputs.languages.codes import primary_subtag
from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.protocol import EngineLimits, Rendered, Request, Samples, Voice
from audiomill.renderers.host.threads import MadeOnce
from audiomill.renderers.piper.options import SPEEDS, PiperServerOptions
from audiomill.renderers.piper.voice_files import MAX_SPEAKERS, RATES, speaker_name
from audiomill.renderers.servers.audio import samples_in
from audiomill.renderers.servers.calls import Call, Server
from audiomill.renderers.servers.remote_renderer import IMPATIENT, RemoteRenderer
from audiomill.renderers.servers.replies import Reply
from audiomill.renderers.speech.resampling import resampled

TITLE = "Piper's server"
LENGTH_SCALES, NOISE_SCALES = (0.01, 100.0), (0.0, 10.0)  # 2 is half as fast

SOUND = 1  # version of the samples; increment by hand when they change although no config does
TEST_TEXT = "One two three."
NO_NOISE: Mapping[str, float] = {"noise_scale": 0.0, "noise_w_scale": 0.0}


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


class PiperServerRenderer(RemoteRenderer):
    """Renders with the server, from any number of threads."""

    name = "piper-server"
    title = "Piper"

    def __init__(self, options: PiperServerOptions) -> None:
        """Sends nothing."""
        self._hearing = MadeOnce(self._hear)
        server = Server(TITLE, options.url.rstrip("/"), "")
        limits = EngineLimits(
            max_length=400, max_rows=1, chars_per_s=15.0, exact_bits=16, speeds=SPEEDS
        )
        super().__init__(server, limits, options.sample_rate)

    def ask_voices(self) -> tuple[Voice, ...]:
        """As the server lists them. Raises EngineFailed."""
        return tuple(one.listed() for one in self._speakers.values())

    def known_voice(self, name: str) -> str:
        """The name, unchanged, of a voice that the server has spoken with. Raises UnknownVoice."""
        super().known_voice(name)
        self._hearing.of(self._speakers[name].voice)
        return name

    def in_language(self, voice: str, language: str) -> str:
        """The voice, which speaks its own language only. Raises UnknownVoice."""
        own = self._speakers[self.known_voice(voice)].language
        if primary_subtag(own) != primary_subtag(language):
            raise UnknownVoice(f"The Piper voice {voice} speaks {own} only.")
        return voice

    def warnings(self, voices: Sequence[str]) -> Sequence[str]:
        """What is lost by resampling."""
        rates = {one: self._speakers[one].sample_rate for one in voices}
        return tuple(
            f"{name} has {rate:,} Hz, of which {self.sample_rate:,} are kept. Set"
            f" piper_server.sample_rate = {rate} to keep all."
            for name, rate in rates.items()
            if rate > self.sample_rate
        )

    def fingerprint(self, voice: str) -> str:
        """The voice's config. The server does not tell of its weights. Raises UnknownVoice."""
        config = self._speakers[self.known_voice(voice)].config
        digest = hashlib.sha256(config.encode()).hexdigest()[:16]
        return f"piper server sound {SOUND} {digest} {self.sample_rate} Hz"

    def call_of(self, request: Request, take: int = 0) -> Call:  # noqa: ARG002 - no takes
        """A request that says all that it may leave out, as a server may have other defaults."""
        speaker = self._speakers[request.voice]
        noise = {"noise_scale": speaker.noise_scale, "noise_w_scale": speaker.noise_w_scale}
        body = _body(request.spoken, speaker, speaker.length_scale / request.speed, noise)
        return Call("POST", "/synthesize", body, len(request.spoken))

    def spoken_in(self, reply: Reply, request: Request) -> Rendered:
        """The WAV in a reply, at the rate of all audio."""
        own = self._speakers[request.voice].sample_rate
        return Rendered(resampled(_samples(reply, own), own, self.sample_rate))

    def _hear(self, voice: str) -> None:
        """Compare the voice with the default one. Raises UnknownVoice, EngineFailed."""
        spoken = self._client.send(Call("GET", "/info"), _default_of, IMPATIENT).value
        if voice == spoken:
            return
        # A speaker has to be named, or a voice of several would take the server's.
        speakers = [one for one in self._speakers.values() if one.voice in (voice, spoken)]
        number = next((one.number for one in speakers if one.voice == voice), None)
        own, default = (self._say(name, number) for name in (voice, spoken))
        if own == default:
            raise UnknownVoice(
                f"{TITLE} lists the voice {voice}, but speaks it with {spoken}. Its file may have"
                " another name: one that ends in n, o, x, j or s is listed without that letter."
                " Rename its two files, or start the server with it."
            )

    def _say(self, voice: str, number: int | None) -> bytes:
        """A sentence without noise, as the server sends it."""
        body = {"text": TEST_TEXT, "voice": voice, "length_scale": 1.0, **NO_NOISE}
        if number is not None:
            body["speaker_id"] = number
        call = Call("POST", "/synthesize", body, len(TEST_TEXT))
        return self._client.send(call, lambda reply: reply.content, IMPATIENT).value

    @cached_property
    def _speakers(self) -> Mapping[str, ServedSpeaker]:
        call = Call("GET", "/voices")
        found = self._client.send(call, served_speakers, IMPATIENT).value
        return {one.name: one for one in found}


def _body(
    text: str, speaker: ServedSpeaker, length_scale: float, noise: Mapping[str, float]
) -> Mapping[str, object]:
    number = {} if speaker.number is None else {"speaker_id": speaker.number}
    named = {"text": text, "voice": speaker.voice, **number}
    return {**named, "length_scale": length_scale, **noise}


def _samples(reply: Reply, sample_rate: int) -> Samples:
    return samples_in(reply, TITLE, sample_rate, is_pcm=False, table="piper_server")


def _default_of(reply: Reply) -> str:
    """The voice that the server was started with. Raises EngineFailed."""
    try:
        return str(parse_json(reply.content)["voice"]["name"])
    except (ValueError, KeyError, TypeError) as error:
        raise EngineFailed(
            f"{TITLE} does not tell its default voice. It must be that of piper-tts 1.8 or later."
        ) from error
