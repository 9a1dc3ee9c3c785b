"""Chapter marks are contiguous, with titles and times that every format can store."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.metadata.chapters import (
    MAX_TITLE_BYTES,
    Mark,
    book_marks,
    ffmetadata,
    mark_title,
    milliseconds,
)
from audiomill.outputs.types import Loudness, MeasuredChapter
from support.examples import few_examples

RATE = 24000
ANYTHING = st.text(st.characters(), max_size=300)


def chapter(n_samples: int, title: str = "T") -> MeasuredChapter:
    loudness = Loudness(np.empty(0), n_samples)
    return MeasuredChapter(title, 1, n_samples, RATE, loudness, ())


def test_vorbis_comments_hold_a_thousand_marks_in_a_hundred_hours():
    """CHAPTER000 to CHAPTER999, and 99:59:59.999."""
    hours = [Mark("T", hour * 3600 * RATE, (hour + 1) * 3600 * RATE) for hour in range(1100)]
    assert FORMATS["opus"].tag_style.held_marks(hours, RATE) == hours[:100]
    minutes = [Mark("T", n * 60 * RATE, (n + 1) * 60 * RATE) for n in range(1100)]
    assert FORMATS["flac"].tag_style.held_marks(minutes, RATE) == minutes[:1000]
    assert FORMATS["m4b"].tag_style.held_marks(minutes, RATE) == minutes


@given(
    levels=st.lists(st.integers(1, 4), min_size=1001, max_size=1300),
    name=st.sampled_from(["flac", "opus"]),
)
@few_examples(5)
def test_of_too_many_marks_the_upper_levels_stay(levels, name):
    marks = [Mark("T", n * RATE, (n + 1) * RATE, level) for n, level in enumerate(levels)]
    held = FORMATS[name].tag_style.held_marks(marks, RATE)
    assert len(held) <= 1000
    assert held[0].start == 0
    starts = {one.start for one in held}
    lowest_lost = min(
        (one.level for one in marks[1:] if one.start not in starts and one.start < held[-1].start),
        default=5,
    )
    assert all(one.level < lowest_lost for one in held[1:])
    assert [one.end for one in held[:-1]] == [one.start for one in held[1:]]


def test_wav_and_aiff_hold_what_their_numbers_can_say():
    """A position of 32 bits; 32,767 numbers of markers."""
    hours = [Mark("T", hour * 3600 * RATE, (hour + 1) * 3600 * RATE) for hour in range(60)]
    assert FORMATS["wav"].tag_style.held_marks(hours, RATE) == hours[:50]
    seconds = [Mark("T", n * RATE, (n + 1) * RATE) for n in range(40_000)]
    assert FORMATS["aiff"].tag_style.held_marks(seconds, RATE) == seconds[:32_767]
    assert FORMATS["wav"].tag_style.held_marks(seconds, RATE) == seconds


@given(st.lists(st.tuples(ANYTHING, st.one_of(st.integers(0, 60), st.integers(0, 10**6)))))
def test_marks_are_in_order_distinct_and_within_the_audio(chapters):
    marks = book_marks(chapter(n, title) for title, n in chapters)
    total = sum(n for _, n in chapters)
    audible = [title for title, n in chapters if n >= RATE / 1000]
    assert [mark.title for mark in marks] == list(map(mark_title, audible))
    for mark, after in pairwise(marks):
        assert milliseconds(mark.start, RATE) < milliseconds(after.start, RATE)
        assert mark.start < mark.end == after.start
    if marks:
        assert marks[-1].end == total


def test_a_chapter_without_audio_gets_no_mark_and_leaves_no_gap():
    marks = book_marks([chapter(100, "a"), chapter(0, "b"), chapter(200, "c")])
    assert marks == (Mark("a", 0, 100), Mark("c", 100, 300))
    assert book_marks([chapter(0)]) == ()


def test_special_characters_are_escaped():
    text = ffmetadata([Mark("a=b;c#d\\e", 0, 7)], RATE)
    assert text == (
        ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/24000\nSTART=0\nEND=7\ntitle=a\\=b\\;c\\#d\\\\e\n"
    )


@given(ANYTHING)
def test_a_mark_title_is_one_line_that_every_format_can_store(title):
    clean = mark_title(title)
    assert clean
    assert "\n" not in clean
    assert "\x00" not in clean
    assert len(clean.encode("utf-8")) <= MAX_TITLE_BYTES


@pytest.mark.parametrize(("n", "ms"), [(0, 0), (11, 0), (12, 1), (24, 1), (36, 2), (24000, 1000)])
def test_milliseconds_round_half_up(n, ms):
    assert milliseconds(n, RATE) == ms
