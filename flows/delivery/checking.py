"""Checks finished files against a profile: measures each once, and judges it and all together.

FileSet, one for each folder ─▶ MeasuredFile … ─▶ verdicts, of files and of sets
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from audiomill.flows.delivery.found_files import FileSet, expected_s
from audiomill.flows.execution.run_context import Progress, RunContext, Step
from audiomill.inputs.languages.registry import all_credits_wordings
from audiomill.inputs.metadata.images import Picture
from audiomill.outputs.checking.measured_file import MeasuredFile, cover_beside, measure_file
from audiomill.outputs.checking.requirements import REQUIREMENTS
from audiomill.outputs.checking.streams import Uncheckable
from audiomill.outputs.checking.verdicts import BookFiles, Judgement, judge_book, judge_file

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
            measured.append(_measured(path, context))
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
