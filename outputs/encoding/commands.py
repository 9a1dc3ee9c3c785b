"""What is said to ffmpeg: lists of arguments. Pure; starts nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ffmpeg as builder

from audiomill.outputs.formats import AAC_FRAME, EXACT

_QUIET = ("-hide_banner", "-nostats", "-loglevel", "error")


def encode_command(
    executable: str,
    sample_rate: int,
    output: Path | str,
    options: Mapping[str, str | int],
    marks: Path | None = None,
) -> list[str]:
    """Mono s16le from standard input to `output`; `marks` is a file of ffmpeg's metadata."""
    audio = builder.input("pipe:0", format="s16le", ar=sample_rate, ac=1)["a"]
    return _output_command(executable, audio, output, options, marks)


def mux_command(
    executable: str,
    sample_rate: int,
    n_samples: int,
    output: Path,
    options: Mapping[str, str | int],
    marks: Path | None = None,
) -> list[str]:
    """AAC in FLV from standard input to `output` as it is, to sound for just `n_samples`.

    The packets' own times are put aside: FLV counts milliseconds, and anew in each piece. The
    first packet is priming, before time 0, and the last is as long as there are samples left for
    it; the muxer then writes the same edit list as if it had the encoder at hand.
    """
    audio = builder.input("pipe:0", format="flv")["a"]
    length = rf"clip({n_samples}-(N-1)*{AAC_FRAME}\,0\,{AAC_FRAME})"
    in_samples = f"setts=time_base=1/{sample_rate}"
    times = f"{in_samples},setts=ts=(N-1)*{AAC_FRAME}:duration={length}"
    copied = {**options, "acodec": "copy", "bsf:a": times, "avoid_negative_ts": "disabled"}
    return _output_command(executable, audio, output, copied, marks)


def _output_command(
    executable: str,
    audio: Any,
    output: Path | str,
    options: Mapping[str, str | int],
    marks: Path | None,
) -> list[str]:
    streams = [audio]
    if marks is not None:
        # It holds no stream, but here only what is mapped becomes an input: map any, if any.
        streams.append(builder.input(_url(marks), format="ffmetadata")["a?"])
    chapters = -1 if marks is None else 1
    place = output if isinstance(output, str) else _url(output)
    exact = {**options, **dict(EXACT)}
    node: Any = builder.output(*streams, place, map_chapters=chapters, **exact)
    return node.global_args(*_QUIET).compile(cmd=executable, overwrite_output=True)


def decode_command(executable: str, path: Path) -> list[str]:
    """Mono f32le of an audio file, at its own rate, to standard output."""
    node: Any = builder.input(_url(path)).output("pipe:1", format="f32le", ac=1)
    return node.global_args(*_QUIET, "-nostdin").compile(cmd=executable)


def _url(path: Path) -> str:
    """A path that ffmpeg takes for nothing else: "Emma: 1.m4b" would be a protocol."""
    return f"file:{path.absolute()}"
