"""Headers of the show's files: their media types, and how long they may be kept.

Sources: RFC 9110 (media types), RFC 9111 (caches), RFC 8246 (immutable); WebVTT is always UTF-8.
"""

from __future__ import annotations

import re

from audiomill.outputs.formats.registry import FORMATS, TRANSCRIPTS
from audiomill.outputs.podcast.feed import CHAPTERS_TYPE
from audiomill.outputs.readalong.web.assets import READER

FEED_TYPE = "application/rss+xml"
_OTHER = "application/octet-stream"
# By the end of the name, the longer ones first.
_TYPES = {
    ".chapters.json": CHAPTERS_TYPE,
    ".xml": FEED_TYPE,
    ".rss": FEED_TYPE,
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    **{entry.suffix: entry.media_type for entry in FORMATS.values()},
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".png": "image/png",
    ".webp": "image/webp",
    ".gif": "image/gif",
    **{one.suffix: one.media_type for one in TRANSCRIPTS.values()},
    ".json": "application/json",
}
# Audio and pictures, whose name holds a hash of their content (`content_name`), and the reader.
_SUFFIXES = "|".join(re.escape(entry.suffix) for entry in FORMATS.values())
_NAMED_BY_CONTENT = re.compile(
    rf"-[0-9a-f]{{12}}(?:{_SUFFIXES}|\.(?:jpe?g|png|webp|gif))$|^{READER}/[^/]+$"
)
_FOR_GOOD = "max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"  # it may be kept, and is asked for by its ETag


def media_type(name: str) -> str:
    """The media type of a file of the show, by its name."""
    return next((one for end, one in _TYPES.items() if name.lower().endswith(end)), _OTHER)


def is_for_other_sites(name: str) -> bool:
    """Whether web players of other sites may read a file: transcripts and chapters.

    Source: docs/tags of github.com/Podcastindex-org/podcast-namespace.
    """
    ends = (".chapters.json", *(one.suffix for one in TRANSCRIPTS.values()))
    return name.lower().endswith(ends)


def cache_control(name: str) -> str:
    """The header `Cache-Control` of a file."""
    return _FOR_GOOD if _NAMED_BY_CONTENT.search(name) else _ASK_AGAIN
