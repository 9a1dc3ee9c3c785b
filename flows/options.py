"""The options of `audiomill render`, with their types, meanings, defaults and choices.

RenderOptions ─▶ flows/option_values.py           the command line, and so completion
              ─▶ flows/prefect/audiobook.py       the parameters of the flow, and their form
              ─▶ flows/pipeline/api.py             the arguments of audiomill.render
              ─▶ flows/job.py                     those of `PassedOn`, as fields of the job
              ─▶ docs/reference_pages.py          the table of them in docs/python.md

An option that is None or missing comes from the settings, or else from the profile. What only the
command line has is beside it: `--prefect` in `flows/cli/options.py`, `--json` in
`flows/cli/parser.py`. Imports nothing slow: `--help` reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypedDict, get_args, get_type_hints

from audiomill.inputs.reading.choices import PRESETS
from audiomill.outputs.checking.profiles import DEFAULT_PROFILE, PROFILES
from audiomill.outputs.formats.registry import FORMATS, READALONGS, TRANSCRIPTS
from audiomill.renderers.engine.declaration import Runs
from audiomill.renderers.engine.registry import ENGINES, engine_names

AUTO = "auto"  # stands for the best engine that can speak here
EXECUTORS = ("threads", "dask", "server")

# The types that options have. The command line and the form of the flow have a rule for each.
Text = str | None
Folder = str | Path | None  # or file
Number = float | None
Whole = int
Switch = bool
YesNo = bool | None
Names = str | Sequence[str] | None  # "m4b,mp3" or ["m4b", "mp3"]
Values = Mapping[str, str | Sequence[str]] | None  # {"title": "The Mill"}


Follow = Literal["sentence", "word"]


def _no_choices() -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class Option:
    """The help of an option, and the values it takes. `meaning` has no capital and no full stop.

    `default` says what applies without it. `choices` are the values that are offered; no other is
    taken if `is_closed`. `least` is the lowest number.
    """

    meaning: str
    default: str = ""
    flag: str = ""  # "" for --name
    metavar: str = ""  # "" for what argparse makes of the name
    choices: Callable[[], Iterable[str]] = _no_choices
    is_closed: bool = False
    least: float | None = None

    def flag_of(self, name: str) -> str:
        """The option on the command line. `name` is its name in Python."""
        return self.flag or f"--{name.replace('_', '-')}"

    @property
    def sentence(self) -> str:
        """The meaning and the default, for a page."""
        default = f" Default: {self.default}." if self.default else ""
        return f"{self.meaning[0].upper()}{self.meaning[1:]}.{default}"


def _engine_choices() -> Iterable[str]:
    return (AUTO, *engine_names())


def _own_engines() -> str:
    """Those of this process that come with audiomill: to look for others takes `--help` 20 ms."""
    return ", ".join((AUTO, *(name for name, one in ENGINES.items() if one.runs is Runs.HERE)))


class VoiceOptions(TypedDict, total=False):
    """Who speaks, and how fast."""

    engine: Annotated[
        Text,
        Option(
            f"what speaks: {_own_engines()}, or one that audiomill engines lists",
            AUTO,
            choices=_engine_choices,
        ),
    ]
    voice: Annotated[
        Text, Option("a name that audiomill voices lists, or a mix", "by the language")
    ]
    speed: Annotated[Number, Option("the pace: 1.2 is a fifth faster", "1")]


class SourceOptions(VoiceOptions, total=False):
    """Options of what is spoken of a source."""

    cast: Annotated[
        Folder,
        Option(
            "the casting file: voices of dialogue, characters, …",
            "BOOK.voices.toml",
            metavar="FILE",
        ),
    ]
    metadata: Annotated[
        Values,
        Option(
            "correct the metadata, for example title=… or cover=FILE",
            "BOOK.metadata.toml",
            flag="--set",
            metavar="KEY=VALUE",
        ),
    ]
    chapters: Annotated[
        str,
        Option("only these chapters, for example 1-3,7", "all", metavar="RANGE"),
    ]
    read: Annotated[
        Text,
        Option(
            "what is read: everything adds imprint, index, notes, code and the like",
            "essential",
            choices=lambda: PRESETS,
            is_closed=True,
        ),
    ]
    credits: Annotated[
        YesNo, Option("say title and author before and after the book", "only for EPUBs")
    ]


class ListenOptions(SourceOptions, total=False):
    """Options that tell what is spoken, and where it is kept: those of `listen`."""

    store: Annotated[
        Text, Option("where rendered segments are kept: a folder, s3://…", metavar="URL")
    ]


class InspectOptions(ListenOptions, total=False):
    """Options that tell what a source would be, and where it is finished: those of `inspect`."""

    out: Annotated[Folder, Option("the folder for finished audio", "library", metavar="DIR")]
    profile: Annotated[
        Text,
        Option(
            "what the files are made for",
            DEFAULT_PROFILE,
            flag="--for",
            choices=lambda: PROFILES,
            is_closed=True,
        ),
    ]


class JobOptions(InspectOptions, total=False):
    """Options of what is made, and for how much."""

    formats: Annotated[
        Names,
        Option(
            f"the files to make: {', '.join((*FORMATS, *READALONGS))}",
            "by what they are made for",
            flag="--format",
            metavar="FORMAT",
            choices=lambda: (*FORMATS, *READALONGS),
        ),
    ]
    transcripts: Annotated[
        Names,
        Option(
            f"write the text with its times, too: {', '.join(TRANSCRIPTS)}",
            flag="--transcript",
            metavar="FORMAT",
            choices=lambda: TRANSCRIPTS,
        ),
    ]
    follow: Annotated[
        Text,
        Option(
            "what an EPUB with its sound marks while it is heard",
            "sentence",
            choices=lambda: get_args(Follow),
            is_closed=True,
        ),
    ]
    split: Annotated[YesNo, Option("write one file for each chapter", "by what they are made for")]
    plot: Annotated[
        Switch,
        Option("draw each recording, too: waveform, loudness over time and chapters, as SVG"),
    ]
    check_speech: Annotated[
        YesNo, Option("have Whisper write down all speech, and report what is not as in the text")
    ]
    budget: Annotated[
        Number,
        Option(
            "stop before a paid service has cost more, in the currency of its price",
            metavar="AMOUNT",
            least=0,
        ),
    ]


class RenderOptions(JobOptions, total=False):
    """All options of a render. The last ones decide which machines render."""

    executor: Annotated[
        Text,
        Option(
            "who renders: threads of this process, by dask the workers of a cluster, or a server of"
            " speech",
            "threads",
            choices=lambda: EXECUTORS,
            is_closed=True,
        ),
    ]
    priority: Annotated[
        Whole, Option("on a cluster, books of a higher one go first", "0", metavar="N")
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOn:
    """The options that the job has as they are: no setting or file decides with them.

    Their types and defaults stand here once more, as fields of the job.
    """

    chapters: str = ""  # "1-3,7"; "": all
    follow: Follow = "sentence"  # what a book with its sound shows while it is heard
    plot: bool = False  # a picture beside each recording


@dataclass(frozen=True, slots=True)
class Declared:
    """An option with its type: one of those above."""

    type: Any
    option: Option


@cache
def declared(group: type) -> Mapping[str, Declared]:
    """The options of a group, for example `VoiceOptions`, by name and in order."""
    hints = get_type_hints(group, include_extras=True)
    found = {name: Declared(*get_args(hint)) for name, hint in hints.items()}
    return MappingProxyType(found)


def require_declared(names: Iterable[str], group: type) -> None:
    """Raise TypeError for a name that is no option of a group, as Python does for an argument."""
    for name in names:
        if name not in declared(group):
            raise TypeError(f"there is no option {name}; there are {', '.join(declared(group))}")
