"""The parser of the command line. Imports nothing slow, so that `--help` answers at once."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from types import MappingProxyType
from typing import Any, NoReturn

from audiomill.flows.bench.arguments import add_bench_options
from audiomill.flows.cli.options import (
    add_check_options,
    add_doctor_options,
    add_engines_options,
    add_inspect_options,
    add_lexicon_options,
    add_listen_options,
    add_plot_options,
    add_podcast_options,
    add_render_options,
    add_say_options,
    add_serve_options,
    add_voices_options,
    add_worker_options,
)
from audiomill.flows.console import EXIT_USAGE, ResultUnwritable, put, put_json, say
from audiomill.inputs.messages import did_you_mean

EXIT_CODES_HELP = """\
exit codes: 0 done; 2 wrong usage; 3 the source cannot be read; 4 rendering failed;
5 output could not be written; 6 checked, and not as required;
130 interrupted (run the same command again to go on).
Defaults are those of audiomill; the settings may change them."""

COMMANDS = {
    "render": "turn books into audio",
    "listen": "hear a book while it is rendered, in a browser, on a phone or here, until Ctrl-C",
    "inspect": "show what would be read, what would be skipped and why, and how long it would take",
    "plot": "draw finished audio: its waveform, its loudness over time and its chapters",
    "check": "check finished files against what those they are made for ask",
    "voices": "list an engine's voices, hear one, or add and check cloned ones",
    "engines": "list all engines with their licence and state, or install one",
    "say": "say a text, or show how its numbers and signs are read",
    "lexicon": "list the names and unknown words of a book, as a lexicon to correct",
    "podcast": "make a podcast of articles: init writes its file, run makes what is new",
    "worker": "render for other machines, as a worker of a Dask cluster, until Ctrl-C",
    "serve": "render what prefect.yaml lists, or serve a podcast, until Ctrl-C",
    "bench": "measure how fast this machine speaks, and what others do on it",
    "doctor": "check that everything audiomill needs is here",
    "completion": "print a script that completes this command line in a shell",
}
NO_RESULT = ("completion", "listen", "serve", "worker")  # so they have no --json
SHELLS = ("bash", "zsh", "fish")

_UNKNOWN = re.compile(r"unrecognized arguments: (-*[^\s=]+)|invalid choice: '([^']*)'")
_OPTION = re.compile(r"--[a-z][a-z-]+")


class CommandLineParser(argparse.ArgumentParser):
    """Takes options only as they are written in full, and says what was probably meant."""

    commands: Mapping[str, CommandLineParser] = MappingProxyType({})

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, **options)

    @property
    def actions(self) -> Sequence[argparse.Action]:
        """The options and values that this parser takes."""
        return self._actions

    def parse_command(self, words: Sequence[str]) -> argparse.Namespace:
        """The parsed words. What a command does not know is refused with its own usage."""
        parsed, unknown = self.parse_known_args(words)
        if unknown:
            message = f"unrecognized arguments: {' '.join(unknown)}"
            self._refuse(message, self.commands[parsed.command])
        return parsed

    def error(self, message: str) -> NoReturn:
        """Print the usage and `message`, and exit with 2."""
        self._refuse(message, self)

    def _print_message(self, message: str, file: Any = None) -> None:
        """As argparse prints it; but help that cannot be written is an error: ResultUnwritable."""
        if file is sys.stdout:
            put(message.rstrip("\n"))
        else:
            say(message.rstrip("\n"))

    def _refuse(self, message: str, used: argparse.ArgumentParser) -> NoReturn:
        """Print the usage of `used`, and `message` with what was probably meant."""
        unknown = _UNKNOWN.search(message)
        hint = self._hint((unknown[1] or unknown[2]) if unknown else "", used)
        message = f"{message}.{hint}" if hint else message
        if "--json" in sys.argv:
            with suppress(ResultUnwritable):
                error = {"message": message, "exit_code": EXIT_USAGE, "source": None}
                put_json({"error": error})
        argparse.ArgumentParser.error(used, message)

    def _hint(self, word: str, used: argparse.ArgumentParser) -> str:
        """The probable meaning of a word that `used` does not know; "" if nothing is like it."""
        options = {
            name: _OPTION.findall(command.format_help()) for name, command in self.commands.items()
        }
        owners = [name for name in options if word in options[name]]
        if owners:
            return f" It is an option of {', '.join(owners)}, and is written after the command."
        everywhere = {*self.commands, *chain(*options.values())}
        # A command takes no options of another.
        here = everywhere if used is self else _OPTION.findall(used.format_help())
        return did_you_mean(word, here, n=1)


class _ShowVersion(argparse.Action):
    """Shows the version. argparse's own action would look for it before each command."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        shown = "show program's version number and exit"
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help=shown)

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from audiomill import __version__

        put(f"audiomill {__version__}")
        parser.exit()


def build_parser() -> CommandLineParser:
    """The parser of `audiomill`. Wrong usage exits with 2, argparse's own exit code."""
    parser = CommandLineParser(
        prog="audiomill",
        description="Books and articles in, chaptered audio out.",
        epilog=EXIT_CODES_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_ShowVersion)
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    parser.commands = {
        name: _command(
            name,
            subparsers.add_parser(
                name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}."
            ),
        )
        for name, purpose in COMMANDS.items()
    }
    return parser


def parse_command(words: Sequence[str]) -> argparse.Namespace:
    """The parsed words of `audiomill`, as `build_parser` has them parsed."""
    return build_parser().parse_command(words)


def _command(name: str, command: CommandLineParser) -> CommandLineParser:
    command.add_argument("--debug", action="store_true", help="show the traceback of an error")
    if name in NO_RESULT:
        command.set_defaults(json=False)
    else:
        command.add_argument("--json", action="store_true", help="print the result as JSON")
    _OPTIONS[name](command)
    return command


def _add_completion_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("shell", choices=SHELLS)


_OPTIONS: Mapping[str, Callable[[argparse.ArgumentParser], None]] = {
    "render": add_render_options,
    "inspect": add_inspect_options,
    "plot": add_plot_options,
    "check": add_check_options,
    "voices": add_voices_options,
    "engines": add_engines_options,
    "say": add_say_options,
    "lexicon": add_lexicon_options,
    "listen": add_listen_options,
    "podcast": add_podcast_options,
    "worker": add_worker_options,
    "serve": add_serve_options,
    "bench": add_bench_options,
    "doctor": add_doctor_options,
    "completion": _add_completion_options,
}
