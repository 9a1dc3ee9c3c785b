"""Standard output for results, standard error for everything else.

What is said to people may go unheard: a closed or full stderr stops no run. A result that cannot
be written is an error, unless its reader has seen enough and gone.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from contextlib import suppress

EXIT_USAGE, EXIT_SOURCE, EXIT_RENDER, EXIT_OUTPUT, EXIT_INTERRUPTED = 2, 3, 4, 5, 130

# A title or a file name may hold what a terminal takes for a command.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def take_any_character() -> None:
    """Have characters that the terminal's encoding lacks written as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(line: str) -> None:
    """One line to stderr."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(_CONTROLS.sub("?", line), file=sys.stderr, flush=True)


def put(line: str) -> None:
    """One line of the result to stdout. Raises ResultUnwritable."""
    try:
        print(_CONTROLS.sub("?", line), flush=True)
    except BrokenPipeError:
        _drop_stdout()
    except OSError as error:
        _drop_stdout()
        raise ResultUnwritable(f"The result cannot be written: {error.strerror}.") from error


def put_json(result: object) -> None:
    """The result as one line of JSON. Raises ResultUnwritable."""
    put(json.dumps(result, ensure_ascii=False))


def clock(seconds: float) -> str:
    """A duration for people: 1:02:03."""
    minutes, left_s = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{left_s:02d}"


class ResultUnwritable(Exception):
    """Standard output takes no more."""


def _drop_stdout() -> None:
    """Nothing more may be written there, nor flushed when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
