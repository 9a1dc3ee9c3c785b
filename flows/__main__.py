"""`audiomill`: reads the command line and hands over to a command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import cast

from flows.arguments import build_parser


def main() -> int:
    """Run the command and return its exit code; `audiomill --help` lists them."""
    arguments = build_parser().parse_args()
    # A command's module is imported only now, so that `--help` and the others answer fast.
    module = import_module(f"flows.{arguments.command}_command")
    run = cast("Callable[[argparse.Namespace], int]", module.run)
    try:
        return _told(run, arguments)
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing more may be flushed at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _told(run: Callable[[argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    """Run the command; an error that is foreseen becomes a line and an exit code."""
    from flows.exit_codes import FORESEEN, exit_code, words
    from flows.progress import say

    try:
        return run(arguments)
    except FORESEEN as error:
        if arguments.debug:
            raise
        say(f"audiomill: {words(error)}")
        return exit_code(error)


if __name__ == "__main__":
    sys.exit(main())
