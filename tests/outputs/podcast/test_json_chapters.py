"""Chapters as Podcasting 2.0 wants them: seconds, a title, and a link to the web."""

import json

from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.podcast.publishing import json_chapters
from audiomill.outputs.podcast.show import EpisodeChapter
from support.podcast_data import numbered


def test_chapters_have_times_titles_and_links():
    chapters = (
        EpisodeChapter(0.0, "A “first”"),
        EpisodeChapter(61.23456, "Second", "https://news.example/ä"),
        EpisodeChapter(3600.0, " ", "javascript:alert(1)"),
    )
    assert json.loads(json_chapters(numbered(1, chapters=chapters))) == {
        "version": "1.2.0",
        "title": "Article 1",
        "chapters": [
            {"startTime": 0.0, "title": "A “first”"},
            {"startTime": 61.235, "title": "Second", "url": "https://news.example/%C3%A4"},
            {"startTime": 3600.0, "title": "Untitled"},
        ],
    }


@given(st.lists(st.tuples(st.floats(0, 1e6), st.text(st.characters()), st.text()), max_size=4))
def test_any_chapters_are_valid_json_in_their_order(chapters):
    given_ = tuple(EpisodeChapter(*one) for one in sorted(chapters))
    read = json.loads(json_chapters(numbered(1, chapters=given_)).decode("utf-8"))["chapters"]
    starts = [one["startTime"] for one in read]
    assert len(starts) == len(given_)
    assert starts == sorted(starts)
    assert all(abs(a - b.start_s) <= 0.0005001 for a, b in zip(starts, given_, strict=True))
    assert all(isinstance(one["title"], str) and one["title"] for one in read)
