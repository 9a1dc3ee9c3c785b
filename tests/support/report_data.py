"""Report files for tests of the page: what `report.json` of a run holds."""

from __future__ import annotations

from typing import Any

from audiomill.outputs.pages.report_content import ReportContent, read_content


def report_json(text: str = "word", *, n_chapters: int = 3, **changed: Any) -> dict[str, Any]:
    """A report in which every text of the book is `text`."""
    chapters = [
        {
            "title": text,
            "level": 1 + number % 3,
            "is_credits": number == 0,
            "words": 1234,
            "recording": "A Book",
            "at_s": 60.0 * number,
            "start_s": 60.0 * number,
            "duration_s": 60.0,
            "loudness_lufs": -18.94,
        }
        for number in range(n_chapters)
    ]
    spent = {"reading_s": 1.0, "synthesis_s": 6.0, "encoding_s": 3.0}
    place = {"recording": "A Book", "at_s": 61.25}
    return {
        "title": text,
        "authors": [text],
        "language": "en-GB",
        "source": text,
        "engine": "espeak",
        "voice": text,
        "speed": 1.0,
        "cast": None,
        "settings": {"profile": "acx", "formats": ["m4b", "mp3"], "split": True},
        "audio_s": 60.0 * n_chapters,
        "wall_s": 10.0,
        "realtime_factor": 18.0,
        "segments": 12,
        "rendered": 10,
        "cached": 2,
        "repeated": 0,
        "extra_takes": 0,
        "files": [
            {"path": f"/x/A Book.{form}", "format": form, "duration_s": 180.0, "chapters": 3}
            | {"bytes": 31_400_000}
            for form in ("m4b", "mp3")
        ],
        "other_files": [{"path": f"/x/{text}.opus", "format": "opus", "outdated": True}],
        "credits": [{"title": text, "text": text, "spoken": text}],
        "remarks": [{"text": text, "done": "spelled out", "where": text} | place],
        "suspects": [
            {"fault": "clipped", "words": "by 3 dB", "chapter": text, "text": text} | place
        ],
        "skipped_text": [{"reason": "script", "where": text, "text": text}],
        "warnings": [text],
        "notes": [text],
        "voices": [
            {"voice": text, "parts": [text], "segments": 12, "words": 100, "spoken_s": 60.0}
        ],
        "work": {"chapters": chapters, "spent": spent, "gain_db": -1.25, "true_peak_dbtp": -1.5},
    } | changed


def content_of(text: str = "word", **changed: Any) -> ReportContent:
    return read_content(report_json(text, **changed))
