"""The chapters of an episode as a file: JSON chapters 1.2 of Podcasting 2.0.

Source: docs/examples/chapters/jsonChapters.md of github.com/Podcastindex-org/podcast-namespace.
"""

from __future__ import annotations

import json

from audiomill.outputs.pages.clean_text import line
from audiomill.outputs.podcast.show import Episode, EpisodeChapter
from audiomill.outputs.podcast.urls import web_url
from audiomill.outputs.text import UNTITLED

_VERSION = "1.2.0"


def json_chapters(episode: Episode) -> bytes:
    """The file as UTF-8. Times are in seconds, to the millisecond."""
    chapters = [_chapter(chapter) for chapter in episode.chapters]
    content = {"version": _VERSION, "title": line(episode.title) or UNTITLED, "chapters": chapters}
    return json.dumps(content, ensure_ascii=False, indent=1).encode() + b"\n"


def _chapter(chapter: EpisodeChapter) -> dict[str, float | str]:
    url = web_url(chapter.link)
    said = {"startTime": round(chapter.start_s, 3), "title": line(chapter.title) or UNTITLED}
    return said | ({"url": url} if url else {})
