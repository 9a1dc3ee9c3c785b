"""`audiomill`: parses the command line and runs a subcommand."""

from __future__ import annotations

import argparse
import errno
import gc
import os
import resource
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import NoReturn, cast

from audiomill.flows.console import (
    EXIT_INTERRUPTED,
    EXIT_OUTPUT,
    EXIT_RENDER,
    INTERRUPTED,
    STDERR,
    STDOUT,
    ResultUnwritable,
    escape_unencodable,
    finish_output,
    put_json,
    say,
)
from audiomill.renderers.host.unused_objects import search_less_often

NO_MEMORY = (
    "There is not enough memory for this. Close other programs, or raise the limit that this shell"
    " sets (ulimit -v)."
)
# Of the system, where Python has no error of its own: of its linker, and of threads.
_MEMORY_WORDS = ("failed to map segment", "cannot allocate memory", "can't start new thread")


def main() -> int:
    """Run the subcommand and return its exit code; `audiomill --help` lists the codes."""
    interrupted = _raise_at_signals()
    search_less_often()
    _fill_closed_descriptors()
    escape_unencodable()
    try:
        code = _run_command()
    except (ImportError, KeyboardInterrupt, MemoryError, OSError, RuntimeError) as error:
        # numpy makes an ImportError of what interrupts its import.
        if interrupted.is_set():
            _leave_interrupted()
        if not _is_lack_of_memory(error):
            raise
        say(f"audiomill: {NO_MEMORY}")
        os._exit(EXIT_RENDER)  # what is imported by half may fail at Python's own end
    else:
        code = _with_output_finished(code)
        # The work is done: a late signal must not change the exit code while Python ends.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        gc.freeze()  # Python's own end would search all objects for unused ones: 0.15 s
        _leave_lost_prefect(code)
        return code


def _raise_at_signals() -> threading.Event:
    """Have SIGINT and SIGTERM raise KeyboardInterrupt; the event is set from then on."""
    interrupted = threading.Event()

    def interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
        if _is_numpy_without_memory():
            raise MemoryError
        interrupted.set()
        raise KeyboardInterrupt

    def not_raised(failure: sys.UnraisableHookArgs) -> None:
        # Python ignores what a callback raises, for example one of its own for an import's lock.
        # Ctrl-C must not be ignored.
        if interrupted.is_set() and isinstance(failure.exc_value, KeyboardInterrupt):
            _leave_interrupted()
        sys.__unraisablehook__(failure)

    sys.unraisablehook = not_raised
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, interrupt)
    return interrupted


def _is_numpy_without_memory() -> bool:
    """Whether a signal is probably numpy's: its OpenBLAS sends SIGINT if it gets no threads."""
    is_limited = resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
    spec = getattr(sys.modules.get("numpy"), "__spec__", None)
    return is_limited and getattr(spec, "_initializing", False)


def _run_command() -> int:
    # Imported only now: Ctrl-C during an import ends in order, and `--help` is fast.
    from audiomill.flows.cli.parser import parse_command

    try:
        arguments = parse_command(sys.argv[1:] or ["--help"])
    except SystemExit as end:  # help, or wrong usage
        return int(end.code or 0)
    except ResultUnwritable as error:
        say(f"audiomill: {error}")
        return EXIT_OUTPUT
    module = import_module(f"audiomill.flows.cli.{arguments.command}")
    run = cast("Callable[[argparse.Namespace], int]", module.run)
    return _run_reporting_errors(run, arguments)


def _with_output_finished(code: int) -> int:
    """The exit code, once all output is written."""
    try:
        finish_output()
    except ResultUnwritable as error:
        say(f"audiomill: {error}")
        return code or EXIT_OUTPUT
    return code


def _is_lack_of_memory(error: BaseException | None) -> bool:
    """Whether an error, or what it came of, is that the system gave no memory."""
    words = str(error).lower()
    return error is not None and (
        isinstance(error, MemoryError)
        or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        or any(one in words for one in _MEMORY_WORDS)
        or _is_lack_of_memory(error.__cause__ or error.__context__)
    )


def _leave_interrupted() -> NoReturn:
    """Say so and exit.

    Not by `return`: if Ctrl-C interrupts code that Python compiled from a string, as in any
    dataclass, Python remembers it as unhandled and would end by the signal all the same.
    """
    say(f"audiomill: {INTERRUPTED}")
    os._exit(EXIT_INTERRUPTED)


def _fill_closed_descriptors() -> None:
    """Open /dev/null where a standard stream was closed, or our next pipe would be that stream."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= STDERR:
        os.set_inheritable(descriptor, True)  # noqa: FBT003 - positional-only
    os.close(descriptor)
    for number, name in ((STDOUT, "stdout"), (STDERR, "stderr")):
        if getattr(sys, name) is None:  # argparse would take the other one
            setattr(sys, name, open(number, "w", closefd=False, encoding="utf-8"))  # noqa: SIM115


def _leave_lost_prefect(code: int) -> None:
    """Exit now if Prefect's server is gone: at its end, Prefect would wait minutes for it."""
    if "prefect" in sys.modules:
        from audiomill.flows.prefect_server.api import drain_prefect

        if not drain_prefect():
            os._exit(code)


def _run_reporting_errors(
    run: Callable[[argparse.Namespace], int], arguments: argparse.Namespace
) -> int:
    """Run the subcommand. An expected error becomes a message and an exit code."""
    try:
        _check_folder()
        return run(arguments)
    except _expected_errors() as error:
        from audiomill.flows.cli.exit_codes import failure

        if arguments.debug:
            traceback.print_exc()
        sources = getattr(arguments, "sources", ())
        failed = failure(error, sources[0] if len(sources) == 1 else None)
        say(f"audiomill: {failed.message}")
        if arguments.json:
            with suppress(ResultUnwritable):  # the first error counts
                put_json({"error": asdict(failed)})
        return failed.exit_code


def _expected_errors() -> tuple[type[Exception], ...]:
    """Those of all packages: imported after an error, as before they would delay `listen`."""
    from audiomill.flows.cli.exit_codes import EXPECTED_ERRORS

    return EXPECTED_ERRORS


def _check_folder() -> None:
    """Raise UsageError if the working folder is gone."""
    try:
        Path.cwd()
    except FileNotFoundError as error:
        from audiomill.flows.errors import UsageError

        raise UsageError("This folder has been deleted. Change to another one.") from error


if __name__ == "__main__":
    sys.exit(main())
