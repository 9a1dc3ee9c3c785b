"""Plays sound on this machine, by a program that is installed: a file, or samples as they come."""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from audiomill.outputs.formats.wav_header import wav_header
from audiomill.outputs.text import one_line
from audiomill.outputs.types import OutputError
from audiomill.renderers.host.pipes import end_process, opened_pipe

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

INSTEAD_OF_PLAYING = "Leave --play out, and listen in a browser."
PART_BYTES = 9600  # 0.2 s at 24 kHz, after which Ctrl-C is heeded
AT_ONCE_S = 3.0  # a player that ends sooner has played nothing; later, somebody has ended it
_SAID_BYTES = 4096  # of what a player has said


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
) -> bool:
    """Play mono samples (s16le) as they come, and return when they have ended.

    False if the player has ended before them, as people end one. Raises NotPlayed for a player that
    fails or ends at once, and what `pcm` raises.
    """
    with (
        tempfile.TemporaryFile() as errors,
        subprocess.Popen(player, stdin=subprocess.PIPE, stderr=errors, process_group=0) as process,
    ):
        try:
            began_s, is_whole = _sent(opened_pipe(process.stdin), sample_rate, pcm)
            status, ended_s = process.wait(), time.monotonic()
        finally:
            end_process(process)
        errors.seek(0)
        said = errors.read(_SAID_BYTES)
    _require_played(player, status, said, instead)
    if not is_whole and (said or ended_s - began_s < AT_ONCE_S):
        hint = f"Has this machine a sound card that works? {instead}"
        raise NotPlayed(f"{player[0]} has ended without playing{_in_brackets(said)}. {hint}")
    return is_whole


def in_parts(pcm: Iterable[bytes]) -> Iterator[bytes]:
    """The same samples in parts of a moment each: a player takes them as slowly as it plays."""
    for block in pcm:
        for start in range(0, len(block), PART_BYTES):
            yield block[start : start + PART_BYTES]


def _sent(pipe: IO[bytes], sample_rate: int, pcm: Iterable[bytes]) -> tuple[float, bool]:
    """When a player got its first samples, and whether it has taken all. Raises what `pcm` does."""
    began_s = math.inf
    try:
        pipe.write(wav_header(sample_rate))
        pipe.flush()
        for block in pcm:
            began_s = min(began_s, time.monotonic())
            pipe.write(block)
            pipe.flush()  # now: nothing may be left to write when the pipe is closed
        pipe.close()
    except BrokenPipeError:
        with suppress(BrokenPipeError):
            pipe.close()
        return began_s, False
    return began_s, True


def _require_played(player: Sequence[str], status: int, errors: bytes, instead: str) -> None:
    if status != 0:
        said = _in_brackets(errors) or f" (exit status {status})"
        raise NotPlayed(f"{player[0]} cannot play here{said}. {instead}")


def _in_brackets(errors: bytes) -> str:
    """What a program has said, after a space; "" if it has said nothing."""
    said = one_line(errors.decode(errors="replace"))
    return f" ({said})" if said else ""
