"""Checks finished files against a profile: measures each once, and judges it and all together.

named files and folders ─▶ FileSet, one for each folder ─▶ MeasuredFile … ─▶ verdicts, of files and
of sets
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from audiomill.flows.execution.run_context import Progress, RunContext, Step
from audiomill.inputs.languages.registry import all_credits_wordings
from audiomill.inputs.metadata.images import Picture
from audiomill.outputs.checking.measured_file import MeasuredFile, cover_beside, measure_file
from audiomill.outputs.checking.requirements import REQUIREMENTS
from audiomill.outputs.checking.streams import Uncheckable, open_streams
from audiomill.outputs.checking.verdicts import BookFiles, Judgement, judge_book, judge_file
from audiomill.outputs.formats.registry import FORMATS

OPENING = frozenset(one.opening_title.lower() for one in all_credits_wordings())
CLOSING = frozenset(one.closing_title.lower() for one in all_credits_wordings())


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
    def n_failed(self) -> int:
        """How many files break a rule."""
        return sum(not one.passed for one in self.files)

    @property
    def passed(self) -> bool:
        """Whether all could be read, and no rule is broken by a file or by all together."""
        broken = any(one.is_failure for one in self.together)
        return not (broken or self.n_failed or self.unreadable)


def check_sets(sets: Sequence[FileSet], profile: str, context: RunContext) -> list[CheckedSet]:
    """Measure and judge all files. One that cannot be read does not stop the others.

    Raises Interrupted, EncoderMissing.
    """
    context.progress.begin(Step.CHECK, sum(map(expected_s, chain(*(one.paths for one in sets)))))
    return [_check_set(one, profile, context) for one in sets]


def _check_set(files: FileSet, profile: str, context: RunContext) -> CheckedSet:
    required = REQUIREMENTS[profile]
    measured: list[MeasuredFile] = []
    unreadable: list[str] = []
    for path in files.paths:
        try:
            measured.append(_measure(path, context))
        except Uncheckable as error:
            unreadable.append(str(error))
    is_alone = len(files.paths) == 1 or files.folder is None
    checked = (
        CheckedFile(one, judge_file(required.of_file, one, is_whole_book=is_alone))
        for one in measured
    )
    is_book = len(measured) > 1 or (files.folder is not None and measured)
    together = judge_book(required.of_book, _book(files, measured)) if is_book else ()
    return CheckedSet(files.folder, tuple(checked), together, tuple(unreadable))


def _measure(path: Path, context: RunContext) -> MeasuredFile:
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


# Of files in a folder that are looked at; one that is named may end in anything.
SUFFIXES = (
    *(entry.suffix for entry in FORMATS.values()),
    *(".aac", ".aif", ".mka", ".mp4", ".oga", ".ogg", ".wma", ".aa", ".aax"),
)
UNKNOWN_S = 600.0  # how long a file is taken to be that does not tell


@dataclass(frozen=True, slots=True)
class FileSet:
    """Files that belong together: of one folder, or named in one command."""

    folder: Path | None  # None: named one by one
    paths: tuple[Path, ...]


def find_sets(paths: Sequence[Path]) -> tuple[FileSet, ...]:
    """The files that `paths` name, in order; each folder with audio below a path is a set.

    Raises Uncheckable for a folder without audio, and one that cannot be read.
    """
    named = tuple(dict.fromkeys(path for path in paths if not _is_folder(path)))
    sets = [FileSet(None, named)] if named else []
    for path in dict.fromkeys(paths):
        if _is_folder(path):
            found = [*_sets_below(path)]
            if not found:
                raise Uncheckable(
                    f"There is no audio in “{path}”. Name a folder with finished files."
                )
            sets += found
    return tuple(sets)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError as error:
        raise Uncheckable(f"{path} cannot be read ({error.strerror}).") from error


def expected_s(path: Path) -> float:
    """How long a file says that it is, for the progress only."""
    with suppress(Uncheckable):
        return open_streams(path)[0].duration_s or UNKNOWN_S
    return 0.0


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
