"""`audiomill`: reads the command line and hands over to a command."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import cast

from audiomill.flows.cli.parser import build_parser
from audiomill.flows.console import EXIT_INTERRUPTED, say, take_any_character


def main() -> int:
    """Run the command and return its exit code; `audiomill --help` lists them."""
    # Whoever ends us politely gets the same answer as Ctrl-C, also while we are starting.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    take_any_character()
    try:
        arguments = build_parser().parse_args()
        # A command's module is imported only now, so that `--help` and the others answer fast.
        module = import_module(f"audiomill.flows.cli.{arguments.command}")
        code = _told(cast("Callable[[argparse.Namespace], int]", module.run), arguments)
    except KeyboardInterrupt:
        say("audiomill: interrupted")
        # Not by returning: where Ctrl-C met code that Python made from text (any dataclass), Python
        # remembers it as unhandled and would end by the signal, whatever was returned.
        os._exit(EXIT_INTERRUPTED)
    else:
        # What there was to do is done: a late Ctrl-C changes nothing while Python ends.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        return code


def _told(run: Callable[[argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    """Run the command; an error that is foreseen becomes a line and an exit code."""
    from audiomill.flows.cli.exit_codes import FORESEEN, exit_code, words

    try:
        return run(arguments)
    except FORESEEN as error:
        if arguments.debug:
            traceback.print_exc()
        say(f"audiomill: {words(error)}")
        return exit_code(error)


if __name__ == "__main__":
    sys.exit(main())
