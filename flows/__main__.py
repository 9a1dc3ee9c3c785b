"""`audiomill`: parses the command line and runs a subcommand."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import NoReturn, cast

from audiomill.flows.console import (
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    INTERRUPTED,
    escape_unencodable,
    say,
)


def main() -> int:
    """Run the subcommand and return its exit code; `audiomill --help` lists the codes."""
    interrupted = threading.Event()

    def interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
        interrupted.set()
        raise KeyboardInterrupt

    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, interrupt)
    escape_unencodable()
    try:
        # Imported only now: Ctrl-C during an import ends in order, and `--help` is fast.
        from audiomill.flows.cli.parser import build_parser

        arguments = build_parser().parse_args(sys.argv[1:] or ["--help"])
        module = import_module(f"audiomill.flows.cli.{arguments.command}")
        run = cast("Callable[[argparse.Namespace], int]", module.run)
        code = _run_reporting_errors(run, arguments)
    except (ImportError, KeyboardInterrupt):
        # numpy makes an ImportError of what interrupts its import.
        if not interrupted.is_set():
            raise
        say(f"audiomill: {INTERRUPTED}")
        # Not `return`: if Ctrl-C interrupts code that Python compiled from a string, as in any
        # dataclass, Python remembers it as unhandled and would end by the signal all the same.
        os._exit(EXIT_INTERRUPTED)
    else:
        # The work is done: a late Ctrl-C must not change the exit code while Python ends.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return code


def _run_reporting_errors(
    run: Callable[[argparse.Namespace], int], arguments: argparse.Namespace
) -> int:
    """Run the subcommand. An expected error becomes a message and an exit code."""
    from audiomill.flows.cli.exit_codes import EXPECTED_ERRORS, error_message, exit_code

    try:
        Path.cwd()
    except FileNotFoundError:
        say("audiomill: This folder has been deleted. Change to another one.")
        return EXIT_USAGE
    try:
        return run(arguments)
    except EXPECTED_ERRORS as error:
        if arguments.debug:
            traceback.print_exc()
        say(f"audiomill: {error_message(error)}")
        return exit_code(error)


if __name__ == "__main__":
    sys.exit(main())
