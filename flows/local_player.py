"""Plays sound on this machine, by a program that is installed: a file, or samples as they come."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from audiomill.outputs.ffmpeg.ffmpeg import opened_pipe
from audiomill.outputs.formats.streams import wav_header
from audiomill.outputs.text import one_line
from audiomill.outputs.types import OutputError

# Programs that play WAV and end with it, with their options. The first that is found plays. They
# play the file whose path follows;
PLAYERS = (
    ("ffplay", "-nodisp", "-autoexit", "-loglevel", "error"),
    ("mpv", "--no-video", "--really-quiet"),
    ("paplay",),
    ("aplay", "-q"),
    ("afplay",),
)
# or what they are sent.
STREAM_PLAYERS = (
    ("ffplay", "-nodisp", "-autoexit", "-loglevel", "error", "-i", "-"),
    ("mpv", "--no-video", "--really-quiet", "-"),
    ("aplay", "-q", "-"),
)


class NotPlayed(OutputError):
    """There is no player, or it has failed."""


def find_player(players: Sequence[tuple[str, ...]], instead: str) -> tuple[str, ...]:
    """The command that plays. Raises NotPlayed, which says what to do `instead`."""
    for name, *options in players:
        if path := shutil.which(name):
            return path, *options
    known = ", ".join(name for name, *_ in players)
    raise NotPlayed(f"There is no player here (known are {known}). {instead}")


def play_file(player: Sequence[str], path: Path, instead: str) -> None:
    """Play a file and return when it has ended. Raises NotPlayed."""
    command = [*player, str(path)]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    _require_played(player, run.returncode, run.stderr, instead)


def play_stream(
    player: Sequence[str], pcm: Iterable[bytes], sample_rate: int, instead: str
) -> None:
    """Play mono samples (s16le) as they come, and return when they have ended.

    Raises NotPlayed, and what `pcm` raises.
    """
    with subprocess.Popen(
        player, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL, process_group=0
    ) as process:
        pipe = opened_pipe(process.stdin)
        try:
            pipe.write(wav_header(sample_rate))
            for block in pcm:
                pipe.write(block)
            pipe.close()
        except BrokenPipeError:
            pass  # it has ended, and its status tells why
        except BaseException:
            process.kill()
            raise
        _require_played(player, process.wait(), b"", instead)


def _require_played(player: Sequence[str], status: int, errors: bytes, instead: str) -> None:
    if status != 0:
        said = one_line(errors.decode(errors="replace")) or f"exit status {status}"
        raise NotPlayed(f"{player[0]} cannot play here ({said}). {instead}")
