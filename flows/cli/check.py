"""`audiomill check`: whether finished files are as those they are made for ask."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from audiomill.flows.cli.checking import CheckedFile, CheckedSet, check_sets, find_sets
from audiomill.flows.console import EXIT_CHECK, EXIT_SOURCE, format_duration, put, put_json, say
from audiomill.flows.execution.progress import terminal_progress
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.signals import stop_on_signals
from audiomill.flows.settings import load_settings
from audiomill.outputs.checking.verdicts import Judgement
from audiomill.outputs.checking.wording import (
    WORDS,
    measured_words,
    off_words,
    remedy,
    required_words,
)
from audiomill.outputs.text import counted

PASSED, ADVICE, FAILED = "ok", "advice", "fail"


def run(arguments: argparse.Namespace) -> int:
    """Check all files and print the verdicts. A file that cannot be read stops no other."""
    profile = arguments.profile or load_settings().profile
    sets = find_sets(arguments.files)
    with (
        stop_on_signals(RunContext()) as context,
        terminal_progress() as progress_of,
        progress_of("") as progress,
    ):
        checked = check_sets(sets, profile, context.with_progress(progress))
    if arguments.json:
        put_json(_as_json(profile, checked))
    else:
        for line in _lines(profile, checked):
            put(line)
    for message in (message for one in checked for message in one.unreadable):
        say(f"audiomill: {message}")
    return _exit_code(checked)


def _exit_code(checked: Sequence[CheckedSet]) -> int:
    if any(one.unreadable for one in checked):
        return EXIT_SOURCE
    return 0 if all(one.passed for one in checked) else EXIT_CHECK


def _lines(profile: str, checked: Sequence[CheckedSet]) -> Iterator[str]:
    for one in checked:
        for file in one.files:
            length = format_duration(file.file.signal.length_s)
            yield f"{file.file.path} ({length}): {_summary(profile, file.verdicts)}"
            yield from _table(file.verdicts)
            yield ""
        if one.folder or len(one.files) + len(one.unreadable) > 1:
            yield _set_line(profile, one)
            yield from _table(one.together)
            yield ""


def _set_line(profile: str, checked: CheckedSet) -> str:
    """A line such as "book, 3 files: 1 file failed, 2 rules for all together failed for acx"."""
    n_unreadable = len(checked.unreadable)
    n_files = len(checked.files) + n_unreadable
    n_together = sum(one.is_failure for one in checked.together)
    broken = [
        words
        for n, words in (
            (n_unreadable, f"{counted(n_unreadable, 'file')} cannot be read"),
            (checked.n_failed, f"{counted(checked.n_failed, 'file')} failed"),
            (n_together, f"{counted(n_together, 'rule')} for all together failed"),
        )
        if n
    ]
    name = checked.folder or "All files together"
    outcome = ", ".join(broken) or "passed"
    return (
        f"{name}, {counted(n_files, 'file')}: {outcome} for {profile}{_advised(checked.together)}"
    )


def _summary(profile: str, verdicts: Sequence[Judgement]) -> str:
    n_failed = sum(one.is_failure for one in verdicts)
    outcome = f"{n_failed} failed" if n_failed else "passed"
    return f"{outcome} for {profile}{_advised(verdicts)}"


def _advised(verdicts: Sequence[Judgement]) -> str:
    n = sum(not (one.passed or one.is_failure) for one in verdicts)
    return f", {n} not as advised" if n else ""


def _table(verdicts: Sequence[Judgement]) -> Iterator[str]:
    rows = [
        (
            f"{_state(one):6}",
            WORDS[one.requirement.measure].name,
            measured_words(one),
            required_words(one),
            *(() if one.passed else (off_words(one),)),
        )
        for one in verdicts
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(4)] if rows else []
    for row, verdict in zip(rows, verdicts, strict=True):
        cells = [f"{cell:{width}}" for cell, width in zip(row, widths, strict=False)]
        yield "  ".join(("", *cells, *row[4:])).rstrip()
        if not verdict.passed:
            yield f"          {remedy(verdict)}"


def _state(verdict: Judgement) -> str:
    if verdict.passed:
        return PASSED
    return FAILED if verdict.requirement.is_rule else ADVICE


def _as_json(profile: str, checked: Sequence[CheckedSet]) -> dict[str, Any]:
    return {
        "profile": profile,
        "passed": all(one.passed for one in checked),
        "sets": [
            {
                "folder": str(one.folder) if one.folder else None,
                "passed": one.passed,
                "requirements": _rows(one.together),
                "files": [_file(file) for file in one.files],
                "unreadable": list(one.unreadable),
            }
            for one in checked
        ],
    }


def _file(checked: CheckedFile) -> dict[str, Any]:
    return {
        "path": str(checked.file.path),
        "passed": checked.passed,
        "measures": asdict(checked.file.signal),
        "requirements": _rows(checked.verdicts),
    }


def _rows(verdicts: Iterable[Judgement]) -> list[dict[str, Any]]:
    return [
        {
            "measure": one.requirement.measure,
            "rule": one.requirement.is_rule,
            "source": one.requirement.source,
            "passed": one.passed,
            "value": one.value,
            "least": one.least,
            "most": one.most,
            "one_of": list(one.requirement.one_of),
            "off_by": one.off_by,
            "measured": measured_words(one),
            "required": required_words(one),
            "remedy": "" if one.passed else remedy(one),
        }
        for one in verdicts
    ]
