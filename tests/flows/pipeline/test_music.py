"""Music in finished files: times to the sample, loudness, and what is made again for it."""

import json
from dataclasses import replace
from pathlib import Path

import mutagen.id3
import numpy as np
import pytest

from audiomill.flows.errors import UsageError
from audiomill.flows.job import Job
from audiomill.outputs.audio.loudness import integrated_lufs
from audiomill.outputs.audio.music import Music
from audiomill.outputs.targets import Mastering
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import book_job, rendered, samples_of
from support.music_data import write_piece
from support.signals_data import measured
from support.transcript_data import read_vtt

RATE = ToneRenderer.sample_rate
TEXT = "".join(
    f"# {title}\n\n{' '.join(['The mill stood still, and nobody came.'] * 3)}\n\n"
    for title in ("One", "Two", "Three")
)
STING_S = 1.25


def job_for(folder: Path, music: Music | None = None, **choices) -> Job:
    job = book_job(folder, TEXT, **{"formats": ["mp3"], "transcripts": ["vtt"]} | choices)
    mastering = Mastering(target_lufs=-16.0, ceiling_dbtp=-2.0)
    return replace(job, mastering=mastering, music=music or Music())


@pytest.fixture(scope="module")
def pieces(tmp_path_factory) -> Music:
    folder = tmp_path_factory.mktemp("music")
    theme = write_piece(folder / "theme.flac", 30, 44100, level=0.02)
    sting = write_piece(folder / "sting.wav", STING_S, 48000)
    return Music(
        intro=theme,
        outro=theme,
        sting=sting,
        intro_alone_s=5,
        intro_under_voice_s=4,
        outro_under_voice_s=3,
        outro_alone_s=6,
    )


@pytest.fixture(scope="module")
def reports(pieces, tmp_path_factory):
    """The same book without and with music."""
    folder = tmp_path_factory.mktemp("books")
    return rendered(job_for(folder / "plain")), rendered(job_for(folder / "music", pieces))


def cues(report):
    return read_vtt(report.files[1].path.read_text())[1]


def marks_ms(report) -> list[tuple[int, int]]:
    frames = mutagen.id3.ID3(report.files[0].path).getall("CHAP")
    return sorted((one.start_time, one.end_time) for one in frames)


def test_chapters_cues_and_length_move_by_the_music(reports):
    plain, with_music = reports
    told = json.loads(with_music.path.read_text())["music"]
    sting_ms = 1000 * (told[1]["end_s"] - told[1]["start_s"])
    assert sting_ms == pytest.approx(1000 * STING_S, abs=10)
    lead_ms = 500
    shifts = np.cumsum([5000 - lead_ms, sting_ms, sting_ms])
    spoken, moved = cues(plain), cues(with_music)
    chapters = [sum(start <= cue.start_ms for start, _ in marks_ms(plain)) - 1 for cue in spoken]
    for at, before, after in zip(chapters, spoken, moved, strict=True):
        assert after.start_ms - before.start_ms == pytest.approx(shifts[at], abs=1)
        assert after.end_ms - before.end_ms == pytest.approx(shifts[at], abs=1)
    assert moved[0].start_ms == pytest.approx(5000, abs=40)  # after some quiet
    starts = np.array([start for start, _ in marks_ms(plain)])
    expected = starts + np.array([0, *shifts[:-1]])
    assert [start for start, _ in marks_ms(with_music)] == pytest.approx(list(expected), abs=1)
    n_samples = samples_of(with_music.files[0].path).size
    assert n_samples / RATE == pytest.approx(moved[-1].end_ms / 1000 + 6, abs=0.1)
    assert with_music.files[0].duration_s == n_samples / RATE
    assert marks_ms(with_music)[-1][1] == pytest.approx(1000 * n_samples / RATE, abs=1)


def test_the_file_is_at_the_target_and_music_at_its_levels(reports):
    _, report = reports
    samples = samples_of(report.files[0].path)
    assert integrated_lufs([measured(samples, sample_rate=RATE)]) == pytest.approx(-16, abs=0.5)
    alone = integrated_lufs([measured(samples[: 4 * RATE], sample_rate=RATE)])
    after = integrated_lufs([measured(samples[-6 * RATE : -3 * RATE], sample_rate=RATE)])
    assert alone == pytest.approx(after, abs=0.7)
    assert -22 < alone < -17
    assert np.abs(samples[-20:]).max() < 0.01  # faded out


def test_the_report_names_the_music_and_its_times(reports, pieces):
    plain, with_music = (json.loads(report.path.read_text()) for report in reports)
    assert plain["music"] == []
    told = with_music["music"]
    assert [one["use"] for one in told] == ["intro", "sting", "sting", "outro"]
    assert told[0]["file"] == str(pieces.intro)
    assert (told[0]["start_s"], told[0]["end_s"]) == (0, 9)
    starts = [one["start_s"] for one in with_music["work"]["chapters"]]
    assert [one["start_s"] for one in told[1:3]] == starts[1:]
    assert told[3]["end_s"] == pytest.approx(with_music["audio_s"], abs=0.001)


@pytest.mark.prove
def test_other_music_is_encoded_again_and_nothing_is_rendered_again(tmp_path):
    path, short = write_piece(tmp_path / "a.wav", 2), {"formats": ["flac"], "speed": 4.0}
    job = job_for(tmp_path / "book", Music(intro=path, intro_alone_s=1), **short)
    first = rendered(job)
    assert first.rendered > 0
    assert rendered(job).result is None
    write_piece(path, 2, level=0.1)
    second = rendered(job)
    assert (second.rendered, second.result is None) == (0, False)
    third = rendered(replace(job, music=replace(job.music, intro_alone_s=0.5)))
    assert (third.rendered, third.result is None) == (0, False)
    without = rendered(replace(job, music=Music()))
    assert without.rendered == 0
    plain = rendered(job_for(tmp_path / "plain", **short))
    assert [one.sha256 for one in without.files] == [one.sha256 for one in plain.files]


@pytest.mark.prove
def test_each_recording_of_a_split_book_has_its_own_music(tmp_path):
    path = write_piece(tmp_path / "a.wav", 3)
    job = job_for(
        tmp_path, Music(intro=path, intro_alone_s=2), split=True, formats=["flac"], speed=4.0
    )
    files = [file for file in rendered(job).files if file.format == "flac"]
    assert len(files) == 3
    for file in files:
        assert np.abs(samples_of(file.path)[: RATE // 4]).max() > 0.01


def test_music_that_cannot_be_played_stops_the_run_before_rendering(tmp_path):
    job = job_for(tmp_path, Music(intro=tmp_path / "gone.mp3"))
    with pytest.raises(UsageError, match=r"gone\.mp3"):
        rendered(job)
    assert not list((tmp_path / "store").rglob("*"))
