"""Tells reports that a run has written from files of the same name that somebody else has."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path

from audiomill.outputs.files import read_file

MAX_BYTES = 1 << 28  # of a report; one of 30 hours has some 5 MB
# What is in every report of versions that did not record the reports that they had written.
_MARKS = {".json": b'"realtime_factor"', ".html": b"made by audiomill."}


def is_own_report(path: Path, digests: Collection[str] | None) -> bool:
    """Whether a report may be written to `path`: there is none, or one that a run has written.

    `digests` are the recorded SHA-256s; None if no report of that name is recorded.
    """
    try:
        content = read_file(path, MAX_BYTES)
    except FileNotFoundError:
        return True
    except OSError:  # a folder, a link, a larger file, one that cannot be read
        return False
    if digests is None:
        return _MARKS[path.suffix] in content
    return hashlib.sha256(content).hexdigest() in digests
