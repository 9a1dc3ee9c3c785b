"""Checks finished files against a profile: finds them, measures each once, and judges them.

FILE, FOLDER … ─▶ FileSet, one for each folder ─▶ MeasuredFile … ─▶ verdicts, of files and of sets
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from audiomill.flows.execution.run_context import Progress, RunContext, Step
from audiomill.inputs.credits.wording import OTHER, WORDINGS
from audiomill.inputs.images import Picture
from audiomill.outputs.checking.covers import cover_beside
from audiomill.outputs.checking.measured_file import (
    MeasuredFile,
    Uncheckable,
    looked_at,
    measure_file,
)
from audiomill.outputs.checking.values import BookFiles
from audiomill.outputs.checking.verdicts import Judgement, judge_book, judge_file
from audiomill.outputs.delivery.requirements import REQUIREMENTS

# Of files in a folder that are looked at; one that is named may end in anything.
SUFFIXES = (
    *(".aac", ".aif", ".aiff", ".flac", ".m4a", ".m4b", ".mka", ".mp3", ".mp4", ".oga", ".ogg"),
    *(".opus", ".wav", ".wma", ".aa", ".aax"),
)
UNKNOWN_S = 600.0  # how long a file is taken to be that does not tell
_ALL_WORDINGS = (OTHER, *WORDINGS.values())
OPENING = frozenset(one.opening_title.lower() for one in _ALL_WORDINGS)
CLOSING = frozenset(one.closing_title.lower() for one in _ALL_WORDINGS)


@dataclass(frozen=True, slots=True)
class FileSet:
    """Files that belong together: of one folder, or named in one command."""

    folder: Path | None  # None: named one by one
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """One file and the verdicts on it."""

    file: MeasuredFile
    verdicts: tuple[Judgement, ...]

    @property
    def passed(self) -> bool:
        """Whether no rule is broken."""
        return not any(one.is_failure for one in self.verdicts)


@dataclass(frozen=True, slots=True)
class CheckedSet:
    """The files of one set that could be read, and the verdicts on all of them together."""

    folder: Path | None
    files: tuple[CheckedFile, ...]
    together: tuple[Judgement, ...]
    unreadable: tuple[str, ...]  # messages

    @property
    def passed(self) -> bool:
        """Whether no rule is broken, neither by a file nor by all together."""
        broken = any(one.is_failure for one in self.together)
        return not broken and all(one.passed for one in self.files)


def find_sets(paths: Sequence[Path]) -> tuple[FileSet, ...]:
    """The files that `paths` name, in order; each folder with audio below a path is a set.

    Raises Uncheckable for a folder without audio, and one that cannot be read.
    """
    named = tuple(dict.fromkeys(path for path in paths if not path.is_dir()))
    sets = [FileSet(None, named)] if named else []
    for path in paths:
        if path.is_dir():
            found = [*_sets_below(path)]
            if not found:
                raise Uncheckable(
                    f"There is no audio in {path}. Name a folder with finished files."
                )
            sets += found
    return tuple(sets)


def check_sets(sets: Sequence[FileSet], profile: str, context: RunContext) -> list[CheckedSet]:
    """Measure and judge all files. One that cannot be read does not stop the others.

    Raises Interrupted, EncoderMissing.
    """
    context.progress.begin(Step.CHECK, sum(map(_expected_s, chain(*(one.paths for one in sets)))))
    return [_check_set(one, profile, context) for one in sets]


def _sets_below(folder: Path) -> Iterator[FileSet]:
    def unreadable(error: OSError) -> None:
        raise Uncheckable(f"{error.filename} cannot be read ({error.strerror}).") from error

    for name, folders, files in os.walk(folder, onerror=unreadable):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        audio = [Path(name) / one for one in sorted(files) if _is_audio(one)]
        if audio:
            yield FileSet(Path(name), tuple(audio))


def _is_audio(name: str) -> bool:
    return not name.startswith(".") and Path(name).suffix.lower() in SUFFIXES


def _expected_s(path: Path) -> float:
    """How long a file says that it is, for the progress only."""
    with suppress(Uncheckable):
        return looked_at(path)[0].duration_s or UNKNOWN_S
    return 0.0


def _check_set(files: FileSet, profile: str, context: RunContext) -> CheckedSet:
    required = REQUIREMENTS[profile]
    measured: list[MeasuredFile] = []
    unreadable: list[str] = []
    for path in files.paths:
        try:
            measured.append(_measured(path, context))
        except Uncheckable as error:
            unreadable.append(str(error))
    checked = (CheckedFile(one, judge_file(required.of_file, one)) for one in measured)
    is_book = len(measured) > 1 or (files.folder is not None and measured)
    together = judge_book(required.of_book, _book(files, measured)) if is_book else ()
    return CheckedSet(files.folder, tuple(checked), together, tuple(unreadable))


def _measured(path: Path, context: RunContext) -> MeasuredFile:
    progress: Progress = context.progress

    def advance(seconds: float) -> None:
        context.check()
        progress.advance(Step.CHECK, seconds)

    return measure_file(path, advance)


def _book(files: FileSet, measured: Sequence[MeasuredFile]) -> BookFiles:
    return BookFiles(tuple(measured), _cover(files, measured), OPENING, CLOSING)


def _cover(files: FileSet, measured: Iterable[MeasuredFile]) -> Picture | str | None:
    """The cover of the folder, or else the first that is embedded."""
    folder = files.folder or files.paths[0].parent
    embedded = next((one.cover for one in measured if one.cover is not None), None)
    try:
        return cover_beside(folder) or embedded
    except OSError:
        return embedded
