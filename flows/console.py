"""Standard output for results, standard error for everything else; neither may stop a run."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress


def say(line: str) -> None:
    """One line to stderr. Nobody may be there to read it."""
    with suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)


def put(line: str) -> None:
    """One line of the result to stdout. Whoever reads it may have seen enough."""
    try:
        print(line, flush=True)
    except BrokenPipeError:
        # Nothing more may be written there, nor flushed when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def put_json(result: object) -> None:
    """The result as one line of JSON."""
    put(json.dumps(result, ensure_ascii=False))


def clock(seconds: float) -> str:
    """A duration for people: 1:02:03."""
    minutes, left_s = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{left_s:02d}"
