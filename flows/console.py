"""Output to the terminal: results to stdout, everything else to stderr.

A closed or full stderr never stops a run. A result that cannot be written is an error, unless its
reader has closed the pipe.
"""

from __future__ import annotations

import codecs
import io
import json
import logging
import os
import re
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress

EXIT_USAGE, EXIT_SOURCE, EXIT_RENDER, EXIT_OUTPUT, EXIT_INTERRUPTED = 2, 3, 4, 5, 130
STDOUT, STDERR = 1, 2
EXIT_CHECK = 6  # files were checked, and some are not as required

INTERRUPTED = "interrupted"  # the last word of a run that was stopped

# A title or a file name may contain characters that a terminal executes as commands.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class ResultUnwritable(Exception):
    """The result could not be written to stdout."""


def escape_unencodable() -> None:
    """Write characters that the terminal's encoding lacks as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(line: str) -> None:
    """Print one line to stderr, if possible."""
    if sys.stderr is not None:
        with suppress(ValueError), _without_full_stderr():
            print(_CONTROLS.sub("?", line), file=sys.stderr, flush=True)


def put(line: str) -> None:
    """Print one line of the result to stdout. Raises ResultUnwritable."""
    with _result_errors():
        print(_CONTROLS.sub("?", line), flush=True)


def put_json(result: object) -> None:
    """Print the result to stdout as one line of JSON. Raises ResultUnwritable.

    An encoding that may lack characters gets ASCII: `escape_unencodable` does not write JSON.
    """
    encoding = sys.stdout.encoding if sys.stdout is not None else "utf-8"  # None: it was closed
    put(json.dumps(result, ensure_ascii=codecs.lookup(encoding).name != "utf-8"))


def format_duration(seconds: float) -> str:
    """A duration as hours, minutes and seconds: 1:02:03."""
    minutes, left_s = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{left_s:02d}"


def finish_output() -> None:
    """Write what is still kept of both streams. Raises ResultUnwritable.

    Python itself would end with the exit code 120 if that failed.
    """
    with _without_full_stderr():
        if sys.stderr is not None:
            sys.stderr.flush()
    with _result_errors():
        if sys.stdout is not None:
            sys.stdout.flush()


@contextmanager
def _result_errors() -> Generator[None]:
    """Turn OSError of stdout into ResultUnwritable, but for a reader that has seen enough."""
    try:
        yield
    except BrokenPipeError:
        _drop(STDOUT)
    except OSError as error:
        _drop(STDOUT)
        raise ResultUnwritable(f"The result cannot be written: {error.strerror}.") from error


@contextmanager
def _without_full_stderr() -> Generator[None]:
    """Drop stderr if it cannot be written to."""
    try:
        yield
    except OSError:
        _drop(STDERR)


def _drop(descriptor: int) -> None:
    """Discard all further output, including what Python flushes when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


def silence_dask() -> None:
    """Have Dask print nothing on its own: what fails is told by us. After its import."""
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
