"""The parser of the command line. Imports nothing slow, so that `--help` answers at once."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

from audiomill.flows.bench.options import add_bench_options, amount
from audiomill.flows.console import EXIT_USAGE, ResultUnwritable, put_json
from audiomill.inputs.choices.reading import PRESETS
from audiomill.inputs.suggestions import did_you_mean
from audiomill.outputs.delivery.profiles import DEFAULT_PROFILE, PROFILES
from audiomill.outputs.formats import FORMATS, TRANSCRIPTS
from audiomill.renderers.registry import quick_engine_names

EXIT_CODES_HELP = """\
exit codes: 0 done; 2 wrong usage; 3 the source cannot be read; 4 rendering failed;
5 output could not be written; 6 checked, and not as required;
130 interrupted (run the same command again to go on).
Defaults are those of audiomill; the settings may change them."""

COMMANDS = {
    "render": "turn books into audio",
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
NO_RESULT = ("completion", "serve", "worker")  # so they have no --json
SHELLS = ("bash", "zsh", "fish")
ENGINE_HELP = (
    f"auto, {', '.join(quick_engine_names())}, or one that audiomill engines lists (default: auto)"
)
VOICE_HELP = "a name that audiomill voices lists, or a mix (default: by the language)"

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

    def error(self, message: str) -> NoReturn:
        """Print the usage and `message`, and exit with 2."""
        unknown = _UNKNOWN.search(message)
        hint = self._hint((unknown[1] or unknown[2]) if unknown else "")
        message = f"{message}.{hint}" if hint else message
        if "--json" in sys.argv:
            with suppress(ResultUnwritable):
                error = {"message": message, "exit_code": EXIT_USAGE, "source": None}
                put_json({"error": error})
        super().error(message)

    def _hint(self, word: str) -> str:
        """What was probably meant by a word that is no command or option here; "" if unknown."""
        options = {
            name: _OPTION.findall(command.format_help()) for name, command in self.commands.items()
        }
        owners = [name for name in options if word in options[name]]
        if owners:
            return f" It is an option of {', '.join(owners)}, and is written after the command."
        return did_you_mean(word, {*self.commands, *chain(*options.values())}, n=1)


class _AppendByKey(argparse.Action):
    """Collects the values of KEY=VALUE in lists by key."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002  as argparse calls it
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        """Add a key and its value."""
        key, value = values
        collected: dict[str, list[str]] = getattr(namespace, self.dest) or {}
        setattr(namespace, self.dest, {**collected, key: [*collected.get(key, ()), value]})


def build_parser() -> CommandLineParser:
    """The parser of `audiomill`. Wrong usage exits with 2, argparse's own exit code."""
    parser = CommandLineParser(
        prog="audiomill",
        description="Books and articles in, chaptered audio out.",
        epilog=EXIT_CODES_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"audiomill {version('audiomill')}")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands = {
        name: subparsers.add_parser(
            name, help=purpose, description=f"{purpose[0].upper()}{purpose[1:]}."
        )
        for name, purpose in COMMANDS.items()
    }
    for name, command in commands.items():
        command.add_argument("--debug", action="store_true", help="show the traceback of an error")
        if name not in NO_RESULT:
            command.add_argument("--json", action="store_true", help="print the result as JSON")
    commands["completion"].add_argument("shell", choices=SHELLS)
    for name in NO_RESULT:
        commands[name].set_defaults(json=False)
    _add_source_options(commands["inspect"])
    _add_source_options(commands["render"])
    commands["inspect"].add_argument(
        "--blocks",
        action="store_true",
        help="show every piece of text: whether it is spoken, its kind and its place",
    )
    _add_render_options(commands["render"])
    _add_plot_options(commands["plot"])
    _add_worker_options(commands["worker"])
    add_bench_options(commands["bench"])
    commands["serve"].add_argument(
        "show",
        type=_path,
        nargs="?",
        help="a podcast's file: its run is served instead of a list",
    )
    commands["serve"].add_argument(
        "--cron",
        type=_filled,
        help='when the podcast is made, for example "0 6 * * *" for six every morning',
    )
    commands["serve"].add_argument(
        "--timezone",
        type=_filled,
        help="the time zone of --cron, for example Europe/Berlin (default: that of this machine)",
    )
    commands["serve"].add_argument(
        "--listen",
        type=_host_and_port,
        metavar="HOST:PORT",
        help="serve the podcast's folder there, for example 0.0.0.0:8080 for the local network",
    )
    commands["serve"].add_argument(
        "--file",
        type=_path,
        default=Path("prefect.yaml"),
        help="the file that lists what to render and when (default: prefect.yaml)",
    )
    commands["serve"].add_argument(
        "--port",
        type=_port,
        default=4200,
        metavar="N",
        help="the port of the Prefect server, if none is configured (default: 4200)",
    )
    commands["podcast"].add_argument("action", choices=("init", "run"))
    commands["podcast"].add_argument(
        "file",
        type=_path,
        nargs="?",
        default=Path("show.toml"),
        help="the podcast's file (default: show.toml)",
    )
    commands["doctor"].add_argument(
        "--cluster",
        action="store_true",
        help="show who is in the cluster, with what, and whether it can be used from here",
    )
    commands["doctor"].add_argument(
        "--store",
        type=_filled,
        metavar="URL",
        help="check this store only: reachable, readable, writable",
    )
    commands["voices"].add_argument("--engine", type=_filled, help=ENGINE_HELP)
    commands["voices"].add_argument(
        "--language",
        default="",
        help="list only voices of this language: en, pt-BR, …; with --add, what is spoken"
        " (default: en)",
    )
    _add_sample_options(commands["voices"])
    _add_cloning_options(commands["voices"])
    _add_engines_options(commands["engines"])
    _add_check_options(commands["check"])
    _add_say_options(commands["say"])
    _add_lexicon_options(commands["lexicon"])
    parser.commands = commands
    return parser


def _port(text: str) -> int:
    """The number of a TCP port. Raises ArgumentTypeError."""
    if not text.isdecimal() or not 0 < int(text) < 1 << 16:
        raise argparse.ArgumentTypeError(f"{text} is no port; choose 1 to 65535.")
    return int(text)


def _host_and_port(text: str) -> tuple[str, int]:
    """The address "host:port" or "[::]:port". Raises ArgumentTypeError."""
    host, _, port = text.rpartition(":")
    if not host:
        raise argparse.ArgumentTypeError(f"{text} is no address; write it like 0.0.0.0:8080.")
    return host.strip("[]"), _port(port)


def _filled(text: str) -> str:
    """The value of an option. Raises ArgumentTypeError for an empty one (an unset variable)."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty; give it a value, or leave it out")
    return text


def _key_and_value(text: str) -> tuple[str, str]:
    """The parts of KEY=VALUE. Raises ArgumentTypeError."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise argparse.ArgumentTypeError(f'{text!r}: write KEY=VALUE, like title="The Mill"')
    return key.strip().lower(), value


def _path(text: str) -> Path:
    return Path(_filled(text))


def _source(text: str) -> Path | str:
    """A path; an address stays as it is, because a path would lose its second slash."""
    return text if "://" in text else _path(text)


def _add_say_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("text", nargs="+", metavar="TEXT", help="what is said")
    command.add_argument(
        "--language",
        type=_filled,
        default="en",
        help="the language of the text: en-GB, de, … (default: en)",
    )
    _add_voice_options(command)
    command.add_argument(
        "--print",
        action="store_true",
        help="print the words and phonemes that the engine is given",
    )
    _add_out_file(command)


def _add_engines_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("action", nargs="?", choices=("install",), help="what to do, if anything")
    command.add_argument("engine", nargs="?", metavar="ENGINE", help="the engine to install")
    command.add_argument(
        "--remove",
        action="store_true",
        help="delete the engine's environment instead; models in the hub's cache stay",
    )


def _add_check_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "files",
        nargs="+",
        type=_path,
        metavar="FILE",
        help="finished audio of any origin, or a folder with the files of a book",
    )
    _add_profile(command, "what the files have to be fit for (default: profile in the settings)")


def _add_lexicon_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("action", choices=("suggest",), help="what to do")
    command.add_argument("source", type=_path, metavar="SOURCE", help="a book")
    command.add_argument("--engine", type=_filled, help=ENGINE_HELP)
    command.add_argument("--voice", type=_filled, help=VOICE_HELP)
    command.add_argument(
        "--most",
        type=int,
        default=200,
        metavar="N",
        help="list at most N words, the most frequent first (default: 200)",
    )
    command.add_argument("--out", type=_path, metavar="FILE", help="write the lexicon to this file")


def _add_sample_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--play", type=_filled, metavar="NAME", help="play a sample of this voice")
    command.add_argument(
        "--text",
        help="the text to say (default: a sentence in its language); with --add, what is said in"
        " the recording",
    )
    _add_out_file(command)


def _add_cloning_options(command: argparse.ArgumentParser) -> None:
    cloning = command.add_argument_group("cloned voices")
    what = cloning.add_mutually_exclusive_group()
    what.add_argument(
        "--add",
        type=_filled,
        metavar="NAME",
        help="add a voice that is cloned from a recording, with --audio and --consent",
    )
    what.add_argument(
        "--check",
        nargs="?",
        const="",
        metavar="NAME",
        help="judge the recordings of all cloned voices, or of one",
    )
    cloning.add_argument(
        "--audio",
        type=_path,
        metavar="FILE",
        help="some seconds of one person who speaks: 8 to 10 s suit all engines",
    )
    cloning.add_argument(
        "--text-file", type=_path, metavar="FILE", help="a file with what is said there"
    )
    cloning.add_argument(
        "--consent", type=_filled, help="who allowed that this voice is cloned, and when"
    )
    cloning.add_argument("--speaker", type=_filled, help="who speaks there")
    cloning.add_argument(
        "--replace", action="store_true", help="replace the voice of this name, if there is one"
    )


def _add_out_file(command: argparse.ArgumentParser) -> None:
    endings = ", ".join(entry.suffix for entry in FORMATS.values())
    command.add_argument(
        "--out",
        type=_path,
        metavar="FILE",
        help=f"write the sound to this file instead of playing it; it ends in {endings}",
    )


def _add_source_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "sources",
        nargs="+",
        type=_source,
        metavar="SOURCE",
        help="an EPUB, Markdown, HTML or text file, or the web address of an article",
    )
    _add_voice_options(command)
    command.add_argument(
        "--cast",
        type=_path,
        metavar="FILE",
        help="the casting file: voices of dialogue, characters, … (default: BOOK.voices.toml)",
    )
    command.add_argument(
        "--set",
        type=_key_and_value,
        action=_AppendByKey,
        dest="metadata",
        metavar="KEY=VALUE",
        help="correct the metadata, for example title=… or cover=FILE; repeat it for other keys and"
        " for lists (default: BOOK.metadata.toml)",
    )
    command.add_argument(
        "--chapters",
        default="",
        metavar="RANGE",
        help="only these chapters, for example 1-3,7 (default: all)",
    )
    command.add_argument(
        "--read",
        choices=tuple(PRESETS),
        help="everything adds imprint, index, notes, code and the like (default: essential)",
    )
    command.add_argument(
        "--credits",
        action=argparse.BooleanOptionalAction,
        help="say title and author before and after the book (default: only for EPUBs)",
    )


def _add_voice_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--engine", type=_filled, help=ENGINE_HELP)
    command.add_argument("--voice", type=_filled, help=VOICE_HELP)
    command.add_argument("--speed", type=float, help="the pace: 1.2 is a fifth faster (default: 1)")


def _add_plot_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "sources",
        nargs="+",
        type=_path,
        metavar="FILE",
        help="an audio file: M4B, MP3, FLAC, WAV, …",
    )
    command.add_argument(
        "--out",
        type=_path,
        metavar="FILE",
        help="write the picture of an only file there (default: FILE.svg beside it)",
    )
    meaning = f"whose loudness and ceiling are drawn as lines (default: {DEFAULT_PROFILE})"
    _add_profile(command, meaning)


def _add_profile(command: argparse.ArgumentParser, meaning: str) -> None:
    command.add_argument("--for", dest="profile", choices=tuple(PROFILES), help=meaning)


def _add_worker_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--scheduler",
        type=_filled,
        metavar="ADDRESS",
        help="the cluster, for example tcp://10.0.0.1:8786 (default: AUDIOMILL_DASK_SCHEDULER)",
    )
    command.add_argument("--engine", type=_filled, help=ENGINE_HELP)
    command.add_argument(
        "--name", type=_filled, help="what the cluster calls it (default: this machine's name)"
    )
    command.add_argument(
        "--processes",
        type=_positive,
        default=1,
        metavar="N",
        help="worker processes for each GPU, or on a machine without one (default: 1)",
    )
    command.add_argument(
        "--encoders",
        type=_whole,
        metavar="N",
        help="how many parts of books each process measures or encodes at a time; 0 for none"
        " (default: its cores but one, 16 at most)",
    )


def _whole(text: str) -> int:
    """A number from 0. Raises ArgumentTypeError."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is no number from 0")
    return int(text)


def _positive(text: str) -> int:
    """A number from 1. Raises ArgumentTypeError."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number from 1")
    return int(text)


def _add_render_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--out",
        type=_path,
        metavar="DIR",
        help="the folder for finished audio (default: library)",
    )
    _add_profile(command, f"what the files are made for (default: {DEFAULT_PROFILE})")
    command.add_argument(
        "--format",
        type=_filled,
        action="append",
        dest="formats",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}; several: m4b,mp3 (default: by --for)",
    )
    command.add_argument(
        "--transcript",
        type=_filled,
        action="append",
        dest="transcripts",
        metavar="FORMAT",
        help=f"write the text with its times, too: {', '.join(TRANSCRIPTS)}; both: vtt,srt",
    )
    command.add_argument(
        "--split",
        action=argparse.BooleanOptionalAction,
        help="write one file for each chapter (default: by --for)",
    )
    command.add_argument(
        "--plot",
        action="store_true",
        help="draw each recording, too: waveform, loudness over time and chapters, as SVG",
    )
    command.add_argument(
        "--store",
        type=_filled,
        metavar="URL",
        help="where rendered segments are kept: a folder, s3://…",
    )
    command.add_argument(
        "--executor",
        choices=("threads", "dask"),
        help="dask: the workers of a cluster render (default: threads of this process)",
    )
    command.add_argument(
        "--priority",
        type=int,
        default=0,
        metavar="N",
        help="on a cluster, books of a higher one go first (default: 0)",
    )
    command.add_argument(
        "--budget",
        type=amount,
        metavar="AMOUNT",
        help="stop before a paid service has cost more, in the currency of its price",
    )
    prefect = command.add_mutually_exclusive_group()
    prefect.add_argument(
        "--prefect",
        action="store_true",
        default=None,
        help="run as a Prefect flow, on a server of our own if none is configured",
    )
    prefect.add_argument(
        "--no-prefect",
        action="store_false",
        dest="prefect",
        help="run without Prefect even if one is configured",
    )
