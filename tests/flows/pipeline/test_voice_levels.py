"""The voices of a book are as loud as the one that reads most of it, whoever renders when."""

from dataclasses import replace
from pathlib import Path

import pytest

from audiomill.flows.job import Job
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.pipeline.planning.plan import make_plan
from audiomill.flows.pipeline.planning.voices import level_requests, voice_gains_db
from audiomill.outputs.audio.loudness import LoudnessMeter, integrated_lufs
from audiomill.renderers.engine.protocol import Request
from audiomill.renderers.engine.registry import open_renderer
from support.book_data import book_job, rendered, samples_of

SOFT, LOUD = "en-us+klatt2", "en-us"  # 7 LU apart
SENTENCE = (
    "“Nobody has rowed across the bay in such a wind,” said Ruth, and shut the door of the mill."
)
TEXT = "# The Pier\n\n" + "\n\n".join(
    f"## Part {part}\n\n" + "\n\n".join(f"{SENTENCE} It was winter {part}." for _ in range(3))
    for part in ("one", "two", "three")
)


def job_for(folder: Path, **choices) -> Job:
    (folder / "pier.voices.toml").write_text(f'dialogue = "{SOFT}"\nnarrator = "{LOUD}"\n')
    return book_job(folder, TEXT, name="pier.md", engine="espeak", **choices)


def levels(report):
    """The loudness of each voice in the finished file."""
    job, chapters = report.job, report.result.chapters
    voices = {segment.id: segment.voice for segment in read_manuscript(job).segments}
    audio = samples_of(report.files[0].path)
    meters, start = {}, 0
    for chapter in chapters:
        for cue in chapter.cues:
            meter = meters.setdefault(voices[cue.segment_id], LoudnessMeter(chapter.sample_rate))
            meter.add(audio[start + cue.start : start + cue.end])
        start += chapter.n_samples
    return {voice: integrated_lufs([meter.measured()]) for voice, meter in meters.items()}


@pytest.mark.prove
def test_a_soft_voice_is_raised_to_the_level_of_the_others(tmp_path):
    report = rendered(job_for(tmp_path))
    gains_db = report.result.gains_db
    assert list(gains_db) in ([SOFT], [LOUD])  # whichever reads less
    (gain_db,) = gains_db.values()
    assert abs(gain_db) > 5
    heard = levels(report)
    assert heard[SOFT] == pytest.approx(heard[LOUD], abs=0.5)
    # The same book from the store, in windows of another size, is the same file.
    again = rendered(replace(job_for(tmp_path), out=tmp_path / "again", window_s=10.0))
    assert again.files[0].sha256 == report.files[0].sha256
    assert again.result.gains_db == gains_db


@pytest.mark.prove
def test_several_voices_end_within_one_loudness_unit(tmp_path):
    """Measured over all that each says in the file."""
    voices = ("en-us", "en-us+f2", "en-us+f3", "en-gb+m7")
    lines = "\n\n".join(
        f"“Nobody has rowed across the bay in winter {part}, for the wind is strong,” said {name}."
        f" The door of the mill was shut for the {part} time that day."
        for part in ("one", "two", "three", "four")
        for name in ("Ann", "Ben", "Cat")
    )
    table = "\n".join(
        f'{name} = "{voice}"' for name, voice in zip(("Ann", "Ben", "Cat"), voices[1:], strict=True)
    )
    (tmp_path / "many.voices.toml").write_text(f'narrator = "{voices[0]}"\n[characters]\n{table}\n')
    report = rendered(book_job(tmp_path, f"# Many\n\n{lines}\n", name="many.md", engine="espeak"))
    heard = levels(report)
    assert set(heard) == set(voices)
    assert max(heard.values()) - min(heard.values()) < 1.0


def test_no_chapter_is_measured_before_its_voices_can_be_measured(tmp_path):
    job = replace(job_for(tmp_path), window_s=5.0)
    plan = make_plan(read_manuscript(job), job, open_renderer("espeak"))
    measured = {request.key for _, requests in plan.level_requests for request in requests}
    rendered = {
        request.key
        for window in plan.windows[: plan.levels_window + 1]
        for batch in window.batches
        for request in batch.requests
    }
    assert measured <= rendered
    assert len(plan.windows) > plan.levels_window > 0
    assert min(chapter.last_window for chapter in plan.chapters) >= plan.levels_window


def request(voice, n_characters=300):
    return Request("0" * 64, "x" * n_characters, voice, 1.0)


def test_the_first_half_minute_of_each_voice_is_measured():
    limits = open_renderer("espeak").limits
    requests = [request(voice) for voice in ("a", "b", "b", "b", "a", "b")]
    by_voice = level_requests(requests, limits)
    assert [(voice, len(chosen)) for voice, chosen in by_voice] == [("b", 2), ("a", 2)]
    assert level_requests([request("a")] * 3, limits) == ()
    assert level_requests([request("a"), request("b", 60)], limits) == ()  # too little of one


def test_only_voices_that_are_apart_get_a_gain():
    levels_lufs = {"main": -20.0, "close": -20.4, "soft": -25.04, "loud": -16.0, "whisper": -40.0}
    expected = {"soft": 5.0, "loud": -4.0, "whisper": 8.0}
    assert voice_gains_db(levels_lufs) == expected
    assert voice_gains_db({"main": -20.0, "silent": float("-inf")}) == {}
    assert voice_gains_db({"silent": float("-inf"), "main": -20.0}) == {}
    assert voice_gains_db({}) == {}
