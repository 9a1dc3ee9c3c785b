"""Writes the report of a run beside its files: as JSON, and as a page of the same data."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from audiomill.flows.pipeline.library.entry import LibraryEntry
from audiomill.flows.pipeline.reporting.earlier_report import (
    load_report,
    tells_of_the_same,
    with_check_noted,
    with_earlier,
)
from audiomill.flows.pipeline.reporting.report import Report
from audiomill.flows.pipeline.reporting.report_page import page_of


def save_report(entry: LibraryEntry, report: Report, reused_from: Iterable[Path]) -> None:
    """Write the report, unless the one that is there tells of the same files. It may know more.

    `reused_from` are other folders with the same audio. Raises OutputUnwritable.
    """
    content, is_new = report.full(), True
    if report.result is None:
        there, now = load_report(report.path), json.loads(_as_json(content))
        is_new = not tells_of_the_same(there, now)
        paths = [folder / report.path.name for folder in (entry.folder, *reused_from)]
        known = with_earlier(now, paths) if is_new else there
        content = with_check_noted(known)
        is_new = is_new or content is not known
    # The page first: whether both are up to date is seen by the report file.
    if is_new or not report.page_path.exists():
        entry.write_report(report.page_path.name, page_of(report, content))
    if is_new:
        entry.write_report(report.path.name, _as_json(content))


def _as_json(content: dict[str, Any]) -> bytes:
    text = json.dumps(content, ensure_ascii=False, indent=1)
    # A file name need not be valid text. Its other bytes are surrogates, which UTF-8 cannot encode;
    # they are written as escapes, which JSON can read.
    return text.encode(errors="backslashreplace")
