"""The samples in a server's reply: WAV, headerless PCM, compressed files, and streams of events.

What the bytes are is told by their beginning, not by the media type: several servers name a wrong
one. Only headerless PCM has no beginning, so it is what was asked for as PCM and is nothing else.

Server-sent events have audio in the dialects of OpenAI, Chatterbox TTS API and SGLang-Omni:

    OpenAI       {"type": "speech.audio.delta", "audio": BASE64} … {"type": "speech.audio.done"}
    Chatterbox   {"type": "speech.audio.info", "sample_rate": 24000, …}, then as OpenAI
    SGLang-Omni  {"object": "audio.speech.chunk", "audio": {"data": BASE64}} … [DONE]

Each piece is a part of one file, or of headerless PCM after an event that tells its rate; with
SGLang-Omni each may be a WAV file of its own. Source of the framing: HTML Living Standard, 9.2.6.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from audiomill.inputs.json_text import JsonInvalid, number_of, parse_json
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.options import SAMPLE_RATES
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.servers.replies import Reply, ServerFailing, error_in_success
from audiomill.renderers.speech.wav import (
    RIFF,
    AudioTooLong,
    NotWav,
    WavCutOff,
    check_length,
    pcm16,
    read_wav,
)

MEDIA_TYPE = "text/event-stream"
DONE = "[DONE]"
INFO_TYPE = "speech.audio.info"
LAST_TYPES = ("speech.audio.done", "audio.speech.done")
MAX_CHANNELS = 2  # of compressed audio, which may have 255
MAX_FRAMES = 1 << 28
# Beginnings of FLAC, Ogg (Opus) and MP3, which libsndfile decodes.
COMPRESSED = (b"fLaC", b"OggS", b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2")


class StreamCutOff(ValueError):
    """The stream ended before its last event, or an event is damaged."""


@dataclass(frozen=True, slots=True)
class EventAudio:
    """The audio of a stream."""

    pieces: list[bytes]
    pcm_rate: int = 0  # Hz, if an event tells that the pieces are mono PCM of 16 bits


def audio_in(content: bytes) -> EventAudio:
    """The audio of a whole stream. Raises StreamCutOff."""
    pieces: list[bytes] = []
    pcm_rate = 0
    for data in _events(io.TextIOWrapper(io.BytesIO(content), "utf-8", "replace")):
        if data == DONE:
            return EventAudio(pieces, pcm_rate)
        event = _event(data)
        if event.get("type") == INFO_TYPE:
            pcm_rate = _pcm_rate(event)
        if audio := _audio_of(event):
            pieces.append(_from_base64(audio))
        if event.get("type") in LAST_TYPES:
            return EventAudio(pieces, pcm_rate)
    raise StreamCutOff("the stream of audio has no end")


def _pcm_rate(info: Mapping[str, object]) -> int:
    """0 for PCM of another form, which is then refused as what it is not: a file."""
    rate = number_of(info.get("sample_rate"))
    is_known = (info.get("channels"), info.get("bits_per_sample")) == (1, 16)
    return max(0, int(rate)) if is_known and rate else 0


def _events(text: Iterable[str]) -> Iterator[str]:
    """The data of each event that an empty line has ended."""
    lines: list[str] = []
    for ended in text:
        line = ended.removesuffix("\n")
        name, _, value = line.partition(":")
        if name == "data":
            lines.append(value.removeprefix(" "))
        elif not line and lines:
            yield "\n".join(lines)
            lines = []


def _event(data: str) -> Mapping[str, object]:
    try:
        event = parse_json(data)
    except JsonInvalid as error:
        raise StreamCutOff("an event of the stream is no JSON") from error
    if not isinstance(event, dict):
        raise StreamCutOff("an event of the stream is no object")
    return event


def _audio_of(event: Mapping[str, object]) -> str:
    audio = event.get("audio")
    if isinstance(audio, dict):
        audio = audio.get("data")
    return audio if isinstance(audio, str) else ""


def _from_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as error:
        raise StreamCutOff("an event of the stream is no base64") from error


def samples_in(reply: Reply, server: str, sample_rate: int, *, is_pcm: bool, table: str) -> Samples:
    """The audio of a reply, (n_samples), which must have `sample_rate`.

    `is_pcm`: headerless PCM was asked for; `table`: that of the server's settings. Raises
    ServerFailing if the audio was cut off on its way, and EngineFailed if it is something else than
    was asked for.
    """
    if words := error_in_success(reply):
        raise EngineFailed(
            f"{server} answers with {words} instead of audio. Look at the server's url in the"
            " settings, and at its log."
        )
    try:
        samples, rate = _decoded(reply, sample_rate, is_pcm=is_pcm)
    except (WavCutOff, StreamCutOff) as error:
        raise ServerFailing(f"audio that was cut off: {error}", may_be_billed=True) from error
    except AudioTooLong as error:
        raise EngineFailed(
            f"{server} sends {error}, more than the text can be. Look at the server's log, or try"
            " another model."
        ) from error
    except NotWav as error:
        raise EngineFailed(f"{server} sends audio that cannot be read: {error}.") from error
    if rate != sample_rate:
        advice = f"If it is right, set sample_rate = {rate} under [{table}] in the settings."
        if not SAMPLE_RATES[0] <= rate <= SAMPLE_RATES[1]:
            advice = "Look at the server's log."
        raise EngineFailed(f"{server} sends audio of {rate} Hz, not of {sample_rate}. {advice}")
    if not np.isfinite(samples).all():
        raise EngineFailed(f"{server} sends samples that are not numbers.")
    return samples


def _decoded(reply: Reply, sample_rate: int, *, is_pcm: bool) -> tuple[Samples, int]:
    if reply.media_type == MEDIA_TYPE:
        audio = audio_in(reply.content)
        if audio.pcm_rate:
            return pcm16(b"".join(audio.pieces)), audio.pcm_rate
        return _of_pieces(audio.pieces, sample_rate, reply.longest_s, is_pcm=is_pcm)
    return _of_file(reply.content, sample_rate, reply.longest_s, is_pcm=is_pcm)


def _of_pieces(
    pieces: list[bytes], sample_rate: int, longest_s: float, *, is_pcm: bool
) -> tuple[Samples, int]:
    """Pieces of one file, or files of their own."""
    n_files = sum(piece.startswith(RIFF) for piece in pieces)
    if n_files < len(pieces) or n_files < 2:
        return _of_file(b"".join(pieces), sample_rate, longest_s, is_pcm=is_pcm)
    read = [_of_file(piece, sample_rate, longest_s, is_pcm=is_pcm) for piece in pieces]
    return np.concatenate([samples for samples, _ in read]), read[0][1]


def _of_file(
    content: bytes, sample_rate: int, longest_s: float, *, is_pcm: bool
) -> tuple[Samples, int]:
    if content.startswith(RIFF):
        return read_wav(content, longest_s)
    if content.startswith(COMPRESSED):
        return _decompressed(content, longest_s)
    if is_pcm:
        check_length(len(content) // 2, sample_rate, longest_s)
        return pcm16(content), sample_rate
    raise NotWav(f"it begins with {content[:8]!r}")


def _decompressed(content: bytes, longest_s: float) -> tuple[Samples, int]:
    import soundfile  # loads libsndfile, which WAV and PCM do not need

    try:
        with soundfile.SoundFile(io.BytesIO(content)) as file:
            rate = file.samplerate
            if file.channels > MAX_CHANNELS:
                raise NotWav(f"it has {file.channels} channels")
            n_frames = min(longest_s * rate, MAX_FRAMES)  # what it unpacks to, it need not tell
            samples = file.read(int(n_frames) + 1, dtype="float32", always_2d=True)
    except soundfile.LibsndfileError as error:
        # Not its message, which speaks of files and of addresses in memory.
        raise NotWav(f"it begins with {content[:4]!r}, but cannot be decoded") from error
    check_length(len(samples), rate, longest_s)
    return samples.mean(axis=1, dtype=np.float32), rate
