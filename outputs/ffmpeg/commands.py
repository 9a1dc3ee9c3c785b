"""ffmpeg command lines as lists of arguments. Runs nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ffmpeg as builder

from audiomill.outputs.ffmpeg.flv import AAC_FRAME
from audiomill.renderers.speech.wav import WAV

# The same bytes at any time: no dates and no version numbers.
EXACT = (("fflags", "+bitexact"), ("flags:a", "+bitexact"))
DECODED_SAMPLES = 1 << 16  # of a packet of decoded audio
_QUIET = ("-hide_banner", "-nostats", "-loglevel", "error")


def encode_command(
    executable: str,
    sample_rate: int,
    output: Path | str,
    options: Mapping[str, str | int],
    chapters: Path | None = None,
    *,
    channels: int = 1,
) -> list[str]:
    """Encode s16le from standard input to `output`.

    `chapters` is a file in ffmpeg's metadata format.
    """
    audio = builder.input("pipe:0", format="s16le", ar=sample_rate, ac=channels)["a"]
    return _output_command(executable, audio, output, options, chapters)


def mux_command(
    executable: str,
    sample_rate: int,
    n_samples: int,
    output: Path,
    options: Mapping[str, str | int],
    chapters: Path | None = None,
) -> list[str]:
    """Copy AAC in FLV from standard input to `output`, with a duration of exactly `n_samples`.

    The packets' own timestamps are replaced: FLV counts milliseconds, and each region starts at 0.
    The first packet is priming, before time 0, and the last lasts as long as samples remain; so the
    muxer writes the same edit list as it would with the encoder in the same process.
    """
    audio = builder.input("pipe:0", format="flv")["a"]
    length = rf"clip({n_samples}-(N-1)*{AAC_FRAME}\,0\,{AAC_FRAME})"
    in_samples = f"setts=time_base=1/{sample_rate}"
    times = f"{in_samples},setts=ts=(N-1)*{AAC_FRAME}:duration={length}"
    copied = {**options, "acodec": "copy", "bsf:a": times, "avoid_negative_ts": "disabled"}
    return _output_command(executable, audio, output, copied, chapters)


def joined_command(
    executable: str, format_name: str, output: Path, options: Mapping[str, str | int]
) -> list[str]:
    """Copy the packets of a stream of ffmpeg's format from standard input to `output`."""
    audio = builder.input("pipe:0", format=format_name)["a"]
    return _output_command(executable, audio, output, {**options, "acodec": "copy"}, None)


def copy_command(
    executable: str,
    source: Path,
    output: Path | str,
    options: Mapping[str, str | int],
    reading: Mapping[str, int] | None = None,
) -> list[str]:
    """Copy the packets of a finished file to `output`, all of them and nothing of its metadata.

    `reading` are ffmpeg's options of the source.
    """
    audio = builder.input(_url(source), **(reading or {}))["a"]
    dropped = {"map_metadata": -1, "acodec": "copy"}
    return [*_output_command(executable, audio, output, {**dropped, **options}, None), "-nostdin"]


def cut_command(
    executable: str,
    source: Path,
    folder: Path,
    suffix: str,
    list_path: Path,
    cuts_s: Sequence[float],
) -> list[str]:
    """Copy the packets of a finished file to files in `folder`, a new one from each time on.

    They are "00000", "00001" and so on with the suffix. The list has for each its name, and when
    it begins and ends, in seconds.
    """
    audio = builder.input(_url(source))["a"]
    options: dict[str, str | int] = {
        "map_metadata": -1,
        "acodec": "copy",
        "format": "segment",
        "segment_times": ",".join(f"{at_s:.6f}" for at_s in cuts_s),
        "segment_list": _url(list_path),
        "segment_list_type": "csv",
        "segment_format_options": "movflags=+faststart:fflags=+bitexact",
        "reset_timestamps": 1,
    }
    output = _url(folder / f"%05d{suffix}")
    return [*_output_command(executable, audio, output, options, None), "-nostdin"]


def decode_command(
    executable: str, path: Path, sample_rate: int | None = None, max_s: float | None = None
) -> list[str]:
    """Decode an audio file to mono f32le on standard output.

    `sample_rate` None is the file's; `max_s` None is all of it.
    """
    wanted = {name: value for name, value in (("ar", sample_rate), ("t", max_s)) if value}
    node: Any = builder.input(_url(path)).output("pipe:1", format="f32le", ac=1, **wanted)
    return node.global_args(*_QUIET, "-nostdin").compile(cmd=executable)


def stream_decode_command(executable: str, format_name: str) -> list[str]:
    """Decode a stream on standard input to f32le on standard output, its channels interleaved.

    The packets of the output are long: ffmpeg hands each from thread to thread, which takes longer
    than decoding it.
    """
    long = f"asetnsamples=n={DECODED_SAMPLES}:p=0"
    node: Any = builder.input("pipe:0", format=format_name, threads=1).output(
        "pipe:1", format="f32le", af=long
    )
    return node.global_args(*_QUIET).compile(cmd=executable)


def wav_command(executable: str, path: Path) -> list[str]:
    """Decode all channels of an audio file to WAV with float32 samples on standard output.

    Many samples at a time: a quarter of the time would go into writing each frame alone. Checksums
    of frames are compared, which FLAC has and an MP3 may have; ffmpeg tells which do not match.
    """
    audio: Any = _foreign(path, err_detect="crccheck")["a:0"].filter("asetnsamples", n=1 << 15, p=0)
    node = audio.output("pipe:1", format=WAV, acodec="pcm_f32le")
    return node.global_args(*_QUIET, "-nostdin").compile(cmd=executable)


def metadata_command(executable: str, path: Path, *, with_streams: bool = False) -> list[str]:
    """Write the tags and the chapters of an audio file in ffmpeg's metadata format.

    With one packet of its first audio stream, because Ogg has its tags there. The times are kept:
    else all chapters of an MP3 would begin earlier by the priming that its header tells.

    `with_streams` has ffmpeg tell of the streams, too, which are messages of its level "info".
    """
    audio: Any = _foreign(path)["a:0"]
    options = {"acodec": "copy", "frames:a": 1, "copyts": None}
    node = audio.output("pipe:1", format="ffmetadata", **options)
    messages = ("-hide_banner", "-nostats") if with_streams else _QUIET
    return node.global_args(*messages, "-nostdin").compile(cmd=executable)


def _foreign(path: Path, **options: str) -> Any:
    """A file that may be of anybody: a playlist in it opens no address."""
    return builder.input(_url(path), protocol_whitelist="file,pipe,crypto", **options)


def _output_command(
    executable: str,
    audio: Any,
    output: Path | str,
    options: Mapping[str, str | int],
    chapters: Path | None,
) -> list[str]:
    streams = [audio]
    if chapters is not None:
        # The builder adds an input only if one of its streams is mapped. This file has none, so
        # map an optional one ("a?").
        streams.append(builder.input(_url(chapters), format="ffmetadata")["a?"])
    chapters_input = -1 if chapters is None else 1
    url = output if isinstance(output, str) else _url(output)
    exact = {**options, **dict(EXACT)}
    node: Any = builder.output(*streams, url, map_chapters=chapters_input, **exact)
    return node.global_args(*_QUIET).compile(cmd=executable, overwrite_output=True)


def _url(path: Path) -> str:
    """The path as a URL: ffmpeg would take the start of "Emma: 1.m4b" for a protocol."""
    return f"file:{path.absolute()}"
