"""The samples in a server's reply: WAV, headerless PCM, compressed files, and streams of events.

What the bytes are is told by their beginning, not by the media type: several servers name a wrong
one. Only headerless PCM has no beginning, so it is what was asked for as PCM and is nothing else.
"""

from __future__ import annotations

import io

import numpy as np

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.options import SAMPLE_RATES
from audiomill.renderers.engine.protocol import Samples
from audiomill.renderers.servers import event_stream
from audiomill.renderers.servers.replies import Reply, ServerFailing, error_in_success
from audiomill.renderers.wav import (
    RIFF,
    AudioTooLong,
    NotWav,
    WavCutOff,
    check_length,
    pcm16,
    read_wav,
)

MAX_CHANNELS = 2  # of compressed audio, which may have 255
MAX_FRAMES = 1 << 28
# Beginnings of FLAC, Ogg (Opus) and MP3, which libsndfile decodes.
COMPRESSED = (b"fLaC", b"OggS", b"ID3", b"\xff\xfb", b"\xff\xf3", b"\xff\xf2")


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
    except (WavCutOff, event_stream.StreamCutOff) as error:
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
    if reply.media_type == event_stream.MEDIA_TYPE:
        audio = event_stream.audio_in(reply.content)
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
