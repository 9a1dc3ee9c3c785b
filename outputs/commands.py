"""What is said to ffmpeg: lists of arguments. Pure; starts nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ffmpeg as builder

_QUIET = ("-hide_banner", "-nostats", "-loglevel", "error")


def encode_command(
    executable: str,
    sample_rate: int,
    output: Path,
    options: Mapping[str, str | int],
    marks: Path | None = None,
) -> list[str]:
    """Mono s16le from standard input to `output`; `marks` is a file of ffmpeg's metadata."""
    streams: list[Any] = [builder.input("pipe:0", format="s16le", ar=sample_rate, ac=1)["a"]]
    if marks is not None:
        # It holds no stream, but here only what is mapped becomes an input: map any, if any.
        streams.append(builder.input(_url(marks), format="ffmetadata")["a?"])
    chapters = -1 if marks is None else 1
    node: Any = builder.output(*streams, _url(output), map_chapters=chapters, **options)
    return node.global_args(*_QUIET).compile(cmd=executable, overwrite_output=True)


def decode_command(executable: str, path: Path) -> list[str]:
    """Mono f32le of an audio file, at its own rate, to standard output."""
    node: Any = builder.input(_url(path)).output("pipe:1", format="f32le", ac=1)
    return node.global_args(*_QUIET, "-nostdin").compile(cmd=executable)


def _url(path: Path) -> str:
    """A path that ffmpeg takes for nothing else: "Emma: 1.m4b" would be a protocol."""
    return f"file:{path.absolute()}"
