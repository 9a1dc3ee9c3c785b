"""Plays a file with a player that is installed on this machine."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from audiomill.outputs.text import one_line
from audiomill.outputs.types import OutputError

# Programs that play WAV and end with it, with their options. The first that is found plays.
PLAYERS = (
    ("ffplay", "-nodisp", "-autoexit", "-loglevel", "error"),
    ("mpv", "--no-video", "--really-quiet"),
    ("paplay",),
    ("aplay", "-q"),
    ("afplay",),
)
_INSTEAD = "Write the sound to a file instead: --out sample.wav"


class NotPlayed(OutputError):
    """There is no player, or it has failed."""


def play(player: Sequence[str], path: Path) -> None:
    """Play a file and return when it has ended. Raises NotPlayed."""
    command = [*player, str(path)]
    run = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if run.returncode != 0:
        said = one_line(run.stderr.decode(errors="replace")) or f"exit status {run.returncode}"
        raise NotPlayed(f"{command[0]} cannot play here ({said}). {_INSTEAD}")


def find_player() -> tuple[str, ...]:
    """The command that plays a file whose path follows. Raises NotPlayed."""
    for name, *options in PLAYERS:
        if path := shutil.which(name):
            return path, *options
    known = ", ".join(name for name, *_ in PLAYERS)
    raise NotPlayed(f"There is no player here (known are {known}). {_INSTEAD}")
