"""Report files for tests of the page: what `report.json` of a run holds."""

import json
from pathlib import Path
from typing import Any

from audiomill.outputs.pages.report_content import ReportContent, read_content

REPORT = Path(__file__).with_name("report.json").read_text("utf-8")


def report_json(text: str = "word", *, n_chapters: int = 3, **changed: Any) -> dict[str, Any]:
    """A report in which every text of the book is `text`."""
    report = json.loads(REPORT.replace("TEXT", json.dumps(text)[1:-1]))
    chapters = [
        {"title": text, "level": 1 + number % 3, "is_credits": number == 0, "words": 1234}
        | {"recording": "A Book", "at_s": 60.0 * number, "start_s": 60.0 * number}
        | {"duration_s": 60.0, "loudness_lufs": -18.94}
        for number in range(n_chapters)
    ]
    report["work"]["chapters"] = chapters
    return report | {"audio_s": 60.0 * n_chapters} | changed


def content_of(text: str = "word", **changed: Any) -> ReportContent:
    return read_content(report_json(text, **changed))
