"""Our figures and verdicts are those of another program, which shares no code with ours."""

from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pytest
import soundfile

from audiomill.outputs.checking.measured_file import measure_file
from audiomill.outputs.checking.requirements import CHAPTERS_FROM_S, REQUIREMENTS
from audiomill.outputs.checking.verdicts import BOOK_VALUES, BookFiles, judge_file
from audiomill.outputs.checking.wording import off_words
from audiomill.outputs.ffmpeg.decoding import FileChapter
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from support import acx_by_hand
from support.case_files import rows_of
from support.finished_files import RECIPES, made_file

pytestmark = pytest.mark.prove

CASES = Path(__file__).with_name("cases") / "other_meters.txt"
WITHIN = dict(rows_of(CASES, "WITHIN"))
FAILURES = {name: {*measures} for name, measures in rows_of(CASES, "FAILURES")}


@pytest.mark.parametrize("name", RECIPES)
def test_both_measure_and_judge_alike(tmp_path, name):
    path = made_file(tmp_path, name, RECIPES[name])
    ours, found = measure_file(path), acx_by_hand.figures(find_ffmpeg(), path)
    for figure, tolerance in WITHIN.items():
        assert getattr(ours.signal, figure) == pytest.approx(found[figure], abs=tolerance), figure
    if found["sample_rate"] >= 44_100:  # below, pyloudnorm's filters are others
        assert ours.signal.lufs == pytest.approx(found["pyloudnorm_lufs"], abs=0.1)
    theirs = acx_by_hand.verdicts(found)
    verdicts = judge_file(REQUIREMENTS["acx"].of_file, ours)
    judged = {one.requirement.measure: one.passed for one in verdicts}
    if found["codec"] == "mp3":
        assert {figure: judged[figure] for figure in theirs} == theirs
    else:  # the other program takes all packets for those of an MP3
        measures = theirs.keys() & judged.keys() - {"bit_rate_kbps", "bit_rate_mode"}
        assert {one: judged[one] for one in measures} == {one: theirs[one] for one in measures}
        assert not judged["codec"]
        assert not judged["bit_rate_mode"]
    if name in FAILURES:
        failed = {one for one, passed in theirs.items() if not passed}
        assert FAILURES[name] <= failed
        assert failed - FAILURES[name] <= {"bit_rate_kbps"}


# What is heard of distortion, however it came about.
DISTORTION = {"clipped": 3, "flat_tops": 9.0, "dropouts": 1, "mono_loss_s": 2.0}


def test_advice_is_told_but_breaks_no_rule(tmp_path):
    file = measure_file(made_file(tmp_path, "joint", RECIPES["joint stereo"]))
    verdicts = judge_file(REQUIREMENTS["acx"].of_file, file)
    assert [one.requirement.measure for one in verdicts if not one.passed] == ["channel_mode"]
    assert not any(one.is_failure for one in verdicts)
    distorted = replace(file.signal, **DISTORTION)
    uneven = replace(file, signal=distorted, chapter_lufs=(-16.0, -20.0))
    for profile, requirements in REQUIREMENTS.items():
        verdicts = judge_file(requirements.of_file, uneven)
        advice = {one.requirement.measure for one in verdicts if not (one.passed or one.is_failure)}
        assert {*DISTORTION, "chapter_spread_lu"} <= advice, profile


def test_what_has_no_sound_breaks_a_rule(tmp_path):
    """As a file, and as a chapter of one; a long pause is told."""
    soundfile.write(tmp_path / "silent.flac", np.zeros(24_000), 24_000)
    silent = measure_file(tmp_path / "silent.flac")
    heard = measure_file(made_file(tmp_path, "heard", RECIPES["FLAC"]))
    in_chapter = replace(heard, chapter_lufs=(heard.signal.lufs, -inf))
    with_pause = replace(heard, signal=replace(heard.signal, pause_s=15.0))

    def told(file):
        verdicts = judge_file(REQUIREMENTS["archive"].of_file, file)
        others = ("title", "artist", "album", "cover_kind", "lufs")
        return [
            (one.requirement.measure, one.is_failure, off_words(one))
            for one in verdicts
            if not (one.passed or one.requirement.measure in others)
        ]

    assert told(silent) == told(in_chapter) == [("silent_chapters", True, "1 too many")]
    assert told(with_pause) == [("pause_s", False, "5.0 s too long")]
    assert told(heard) == []
    book = BookFiles((silent, heard), None, frozenset(), frozenset())
    assert BOOK_VALUES["loudness_spread_db"](book) == 0


def test_marks_are_asked_of_a_long_file_that_is_a_whole_book(tmp_path):
    """In every profile, but for ACX, whose files are chapters."""
    short = measure_file(made_file(tmp_path, "joint", RECIPES["joint stereo"]))
    n_samples = round(CHAPTERS_FROM_S * short.signal.sample_rate)
    long = replace(short, signal=replace(short.signal, n_samples=n_samples))
    marks = (FileChapter("One", 0.0, 1.0),)
    marked = replace(long, streams=replace(long.streams, chapters=marks))

    def verdict(profile, file, *, is_whole_book=True):
        verdicts = judge_file(REQUIREMENTS[profile].of_file, file, is_whole_book=is_whole_book)
        return [one.passed for one in verdicts if one.requirement.measure == "chapters"]

    for profile in REQUIREMENTS.keys() - {"acx"}:
        assert verdict(profile, long) == [False], profile
        assert verdict(profile, marked) == [True], profile
        assert verdict(profile, short) == verdict(profile, long, is_whole_book=False) == []
    assert verdict("acx", long) == []
