"""Faulty audio is found, with the time at which it is heard, and clean audio is never suspected."""

import json
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audiomill.flows.pipeline import report_files
from audiomill.flows.pipeline.planning.plan import ChapterPlan, PlannedSegment
from audiomill.flows.pipeline.planning.recordings import ChapterPlace
from audiomill.flows.pipeline.report_files import OTHER_CHECK
from audiomill.flows.pipeline.suspects import find_suspects
from audiomill.flows.pipeline.usual_sound import PlacedSegment, usual_by_voice
from audiomill.flows.prefect import flow_page
from audiomill.outputs.audio.joining import Clip, measure_joined
from audiomill.renderers.engine.faults import Fault
from audiomill.renderers.engine.protocol import Request
from audiomill.renderers.engine.registry import ENGINES
from audiomill.renderers.espeak.renderer import SAMPLE_RATE
from audiomill.renderers.store.store import Miss
from audiomill.renderers.takes.traits import ShardTraits
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import rendered, samples_of, source_job
from support.examples import first_often
from support.faulty_engine import SPOILED, spoiled_job, spoiling_engine
from support.paths import SAMPLES
from support.spoiled_sound import (
    broken_off,
    changed_level,
    clipped,
    cut_onset,
    half_silent,
    off_centre,
    repeated,
    said_again,
    with_end_noise,
    with_hole,
)

HOLE = with_hole(3.0)
FAULTS = {
    "half gone": (broken_off(1 / 2), Fault.TOO_SHORT),
    "third gone": (broken_off(2 / 3), Fault.TOO_SHORT),
    "half silent": (half_silent, Fault.TOO_SHORT),
    "hole": (HOLE, Fault.HOLE),
    "hole longer than a comma's pause": (with_hole(0.7), Fault.HOLE),
    "quarter again": (said_again(1 / 4, 1 / 2), Fault.TOO_LONG),
    "runaway": (repeated(5), Fault.TOO_LONG),
    "clipped": (clipped, Fault.CLIPPED),
    "louder": (changed_level(12.0), Fault.TOO_LOUD),
    "quieter": (changed_level(-12.0), Fault.TOO_QUIET),
    "cut onset": (cut_onset, Fault.CUT_ONSET),
    "off centre": (off_centre, Fault.OFFSET),
    "end noise": (with_end_noise, Fault.END_NOISE),
}
# Texts in four languages. The table in one of them has many pauses for its length.
CLEAN = sorted(Path(__file__).with_name("cases").glob("clean/*.md"))


@pytest.fixture
def engine():
    engine = spoiling_engine()
    yield engine
    engine.spoil = None
    del ENGINES["spoiling"]


def suspects_on_disk(report) -> list[dict]:
    return json.loads(report.path.read_text())["suspects"]


def hole_in(report) -> dict:
    (hole,) = (one for one in suspects_on_disk(report) if one["fault"] == Fault.HOLE)
    return hole


@pytest.mark.prove
@pytest.mark.parametrize(("spoil", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_found_and_nothing_else(tmp_path, engine, spoil, fault):
    engine.spoil = spoil
    report = rendered(spoiled_job(tmp_path))
    found = suspects_on_disk(report)
    assert fault in {one["fault"] for one in found}
    assert {one["text"] for one in found} == {SPOILED}
    assert {one["chapter"] for one in found} == {"After it"}
    (warning,) = report.warnings
    assert warning.startswith("1 segment may sound wrong (1 ")


def test_without_times_of_words_speech_that_comes_again_is_found(tmp_path, engine):
    engine.spoil, engine.is_timed = said_again(1 / 3, 2 / 3), False
    found = suspects_on_disk(rendered(spoiled_job(tmp_path, speed=1.0)))
    assert [(one["fault"], one["text"]) for one in found] == [(Fault.REPEATED, SPOILED)]


def test_the_time_is_that_of_the_fault_in_the_finished_file(tmp_path, engine):
    engine.spoil = HOLE
    report = rendered(spoiled_job(tmp_path))
    audio = np.abs(samples_of(report.files[0].path))
    hole = hole_in(report)
    at = round(hole["at_s"] * SAMPLE_RATE)
    second = SAMPLE_RATE
    assert audio[at - second // 20 : at].max() > 0.01
    assert audio[at : at + round(2.9 * second)].max() < 0.002
    assert audio[at + round(2.9 * second) : at + round(3.2 * second)].max() > 0.01
    assert "1 silence inside" in report.warnings[0]


@pytest.mark.prove
def test_the_time_is_that_in_the_file_of_a_chapter_where_the_book_is_split(tmp_path, engine):
    engine.spoil = HOLE
    in_whole = hole_in(rendered(spoiled_job(tmp_path)))
    split = rendered(spoiled_job(tmp_path, split=True))
    lengths = [samples_of(file.path).size / SAMPLE_RATE for file in split.files]
    starts = [0.0, *accumulate(lengths)]
    in_chapter = hole_in(split)
    start = starts[in_whole["chapter_number"] - 1]
    assert in_whole["at_s"] - in_chapter["at_s"] == pytest.approx(start, abs=0.002)
    assert start > 10


def test_a_fault_in_a_shard_of_an_earlier_run_is_found(tmp_path, engine):
    engine.spoil = broken_off(1 / 2)
    first = suspects_on_disk(rendered(spoiled_job(tmp_path)))
    engine.spoil = None
    again = rendered(spoiled_job(tmp_path, formats=("wav",)))
    assert again.rendered == 0
    assert suspects_on_disk(again) == first != []


def test_an_unchanged_book_renders_nothing_and_its_report_stays(tmp_path, engine, monkeypatch):
    engine.spoil = changed_level(-12.0)
    before = rendered(spoiled_job(tmp_path)).path.read_bytes()
    again = rendered(spoiled_job(tmp_path))
    assert again.rendered == 0
    assert again.path.read_bytes() == before
    # Except that it says so if the suspects are those of another version's check.
    monkeypatch.setattr(report_files, "SUSPECTS_VERSION", 1000)
    noted = [rendered(spoiled_job(tmp_path)) for _ in range(2)][-1]
    told, page = json.loads(noted.path.read_text()), noted.page_path.read_text()
    assert told["suspects"] == json.loads(before)["suspects"]
    assert [one for one in told["warnings"] if "another version" in one] == [OTHER_CHECK]
    assert "another version" in page
    noted.files[0].path.unlink()
    anew = rendered(spoiled_job(tmp_path))
    assert OTHER_CHECK not in json.loads(anew.path.read_text())["warnings"]


def test_the_page_of_a_run_lists_the_suspects(tmp_path, engine):
    engine.spoil = clipped
    report = rendered(spoiled_job(tmp_path))
    row = next(line for line in flow_page.report_markdown(report).splitlines() if "clipped" in line)
    assert row.startswith("| 0:00:")
    assert "| After it | clipped" in row
    assert SPOILED in row


@pytest.mark.prove
@pytest.mark.parametrize("speed", [0.8, 1.0, 2.0])
def test_clean_books_have_no_suspects(tmp_path, speed):
    assert len(CLEAN) == 4
    for source in CLEAN:
        assert no_suspects(tmp_path, source, speed=speed)


@pytest.mark.parametrize(
    ("name", "choices"),
    first_often(
        [
            ("bench-corpus.md", {"speed": 2.5}),
            ("the-lighthouse-mill.epub", {"speed": 0.5, "chapters": "3-4"}),
            ("the-lighthouse-mill.epub", {"speed": 0.5}),
        ],
        2,
    ),
)
def test_clean_samples_have_no_suspects(tmp_path, name, choices):
    assert no_suspects(tmp_path, SAMPLES / name, **choices)


def no_suspects(folder: Path, source: Path, **choices: Any) -> bool:
    report = rendered(source_job(source, folder, engine="espeak", **choices))
    assert report.result.suspects == ()
    return report.rendered > 5


def placed(onset_db: float) -> PlacedSegment:
    """A second of speech that begins so loudly."""
    request = Request("key", "Swimming, and so on, as it was said.", "joe", 1.0)
    traits = ShardTraits(0, 24_000, -20.0, 0.0, 0, 0, 0, 0, onset_db, 0.0, 23_000, -80.0)
    return PlacedSegment(PlannedSegment("s1", request, 0.0), (), traits, 30.0, 24_000, None)


def test_sound_after_the_last_word_is_found_without_reading_the_shard_again():
    """Its length is as usual: the word times alone tell.

    A click after a word is no speech. A short text may go on for longer.
    """
    words = "Said {} times by all who were there, and once by one who was not."
    requests = [Request(f"{n}", words.format(n), "joe", 1.0) for n in range(22)]
    requests.append(Request("22", "Said by all who were there, and once.", "joe", 1.0))
    segments = tuple(PlannedSegment(one.key, one, 0.5) for one in requests)
    tone = np.sin(np.arange(24_000) * 0.05, dtype=np.float32) / 4
    clicked = tone * ((np.arange(24_000) < 13_200) | (np.arange(24_000) > 23_280))
    ends_s = [0.95, *[0.9] * 18, 1.1, 0.55, 0.55, 0.11]
    sounds = [*[tone] * 21, clicked, tone[:14_400]]
    clips = [
        Clip(one.key, sound, 0.5, last_word_s=(end_s - 0.1, end_s))
        for one, sound, end_s in zip(requests, sounds, ends_s, strict=True)
    ]
    plan, place = ChapterPlan(1, "All", 1, segments, 0), ChapterPlace("all", 0)
    chapter = measure_joined("All", 1, clips, 24_000)

    def unread(request: Request) -> Miss:
        pytest.fail(f"{request.spoken} was read")

    (found,) = find_suspects([plan], [chapter], ToneRenderer.limits, {}, [place], unread)
    assert (found.fault, found.text) == (Fault.TOO_LONG, words.format(20))
    assert found.words == "it goes on for 0.4 s after its last word"


def test_a_voice_that_begins_in_silence_may_begin_a_segment_with_an_s():
    (usual,) = usual_by_voice([placed(-75.0)] * 19 + [placed(-24.0)], ToneRenderer.limits).values()
    assert -24.0 < usual.onset_db < -15.0
