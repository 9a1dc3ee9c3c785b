"""The report of a run that only gave files other metadata: the earlier one, brought up to date.

What was skipped, how loud the audio is and how long it took to make is known from the run that
made the audio, and stays true.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

from audiomill.flows.pipeline.library.records import MAX_BYTES
from audiomill.flows.pipeline.reporting.report import Report
from audiomill.outputs.files import read_file

# What such a run knows better than the earlier one.
_NEW = (
    *("title", "source", "files", "audio_s", "lists", "retagged"),
    *("notes", "other_files", "report"),
)


def retagged_content(
    report: Report, folders: Iterable[Path], titles: Sequence[str]
) -> dict[str, Any]:
    """The content of the report file, from the earlier one in the first of `folders` that has one.

    `titles` are those of the run's chapters.
    """
    now = report.full()
    for folder in folders:
        if earlier := _loaded(folder / report.path.name):
            _retitle(earlier, titles)
            return now | earlier | {name: now[name] for name in _NEW}
    return now


def _loaded(path: Path) -> dict[str, Any]:
    """The report in `path`; {} if there is none that can be read."""
    try:
        loaded = json.loads(read_file(path, MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", loaded) if isinstance(loaded, dict) else {}


def _retitle(report: dict[str, Any], titles: Sequence[str]) -> None:
    """Give the chapters in `report` other titles, if it has as many."""
    work = report.get("work")
    chapters = cast("dict[str, Any]", work).get("chapters") if isinstance(work, dict) else None
    if isinstance(chapters, list) and len(cast("list[Any]", chapters)) == len(titles):
        for chapter, title in zip(cast("list[Any]", chapters), titles, strict=True):
            if isinstance(chapter, dict):
                chapter["title"] = title
