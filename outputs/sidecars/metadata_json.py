"""`metadata.json` as Audiobookshelf writes and reads it. It wins there over tags and other files.

Source: advplyr/audiobookshelf, commit 1b46d68, `generators/abmetadataGenerator.js` and
`BookScanner.js`: lists of text, a series as "Name #1", null for what is not known.
"""

from __future__ import annotations

import json
from typing import Any

from audiomill.inputs.book import Series
from audiomill.inputs.metadata.series import series_text
from audiomill.outputs.sidecars.sidecar_book import SidecarBook


def metadata_json(book: SidecarBook) -> bytes:
    """The file's content: what is known of the book, and its chapters in seconds."""
    tags = book.tags
    content: dict[str, Any] = {
        "tags": [],
        "title": tags.album,
        "subtitle": tags.subtitle or None,
        "authors": [*tags.authors],
        "narrators": [*tags.narrators],
        "series": [series_text(_without_spaces(one)) for one in tags.series],
        "genres": [*tags.genres],
        "publishedYear": tags.year or None,
        "publishedDate": tags.date or None,
        "publisher": tags.publisher or None,
        "description": tags.description or None,
        "isbn": tags.isbn or None,
        "asin": tags.asin or None,
        "language": tags.language or None,
        "explicit": False,
        "abridged": False,
    }
    if book.marks:
        content["chapters"] = _chapters(book)
    return (json.dumps(content, ensure_ascii=False, indent=2) + "\n").encode()


def _chapters(book: SidecarBook) -> list[dict[str, Any]]:
    return [
        {
            "id": number,
            "start": round(mark.start / book.sample_rate, 3),
            "end": round(mark.end / book.sample_rate, 3),
            "title": mark.title,
        }
        for number, mark in enumerate(book.marks)
    ]


def _without_spaces(series: Series) -> Series:
    """The series with a place that is read as one: up to the first space."""
    return Series(series.name, series.index.replace(" ", "").replace("#", ""))
