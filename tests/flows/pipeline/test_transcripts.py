"""Transcripts beside finished recordings: exact in time, made once, found again, kept current."""

from pathlib import Path

import av
import numpy as np
import pytest

from audiomill.flows.errors import UsageError
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline import encode_recordings
from audiomill.flows.settings import Settings
from support.book_data import book_job, rendered, samples_of, write_book
from support.transcript_data import read_srt, read_vtt

TEXT = "# One\n\nThe mill stood still. Nobody came in 1914.\n\n# Two\n\nThe end.\n"
SENTENCES = ["One", "The mill stood still.", "Nobody came in 1914.", "Two", "The end."]
SHORTEST_PAUSE_S = 0.2  # between sentences; between words it is 0.06 s


def job_for(folder: Path, text: str = TEXT, **choices):
    return book_job(folder, text, **{"transcripts": ["vtt"]} | choices)


def vtt_of(report):
    paths = [file.path for file in report.files if file.format == "vtt"]
    return [read_vtt(path.read_text())[1] for path in paths]


def texts_of(report):
    return [[cue.text for cue in cues] for cues in vtt_of(report)]


def onsets_ms(path: Path) -> list[float]:
    """When the first tone of each sentence begins."""
    with av.open(str(path)) as opened:
        rate = opened.streams.audio[0].rate  # 48 kHz for Opus
    loud = np.flatnonzero(np.abs(samples_of(path)) > 0.02)
    begins = np.diff(loud, prepend=-rate) > SHORTEST_PAUSE_S * rate
    return list(loud[begins] * 1000 / rate)


def bytes_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def forbid_encoding(monkeypatch):
    """Whatever is encoded from now on fails the test."""

    def encode(*_):
        raise AssertionError("encoded again")

    monkeypatch.setattr(encode_recordings, "encode_recording", encode)


@pytest.mark.parametrize(
    ("split", "formats"),
    [
        (False, ["m4b", "mp3", "opus"]),
        pytest.param(True, ["m4a", "mp3"], marks=pytest.mark.prove),
    ],
)
def test_sentences_begin_with_their_tones_in_the_finished_file(tmp_path, split, formats):
    """Each word is a tone. ffmpeg decodes the files; none adds a delay that it does not declare."""
    text = write_book(tmp_path / "book.md", n_chapters=2, n_sentences=4).read_text()
    text = text.replace(" and", "")  # no sentence of two cues
    job = job_for(tmp_path, text, formats=formats, transcripts=["vtt", "srt"], split=split)
    files = rendered(job).files
    n_files = len(formats) + 2
    for number in range(0, len(files), n_files):
        *recordings, vtt, srt = files[number : number + n_files]
        _, cues = read_vtt(vtt.path.read_text())
        assert [(one.start_ms, one.end_ms, one.text) for one in cues] == [
            (one.start_ms, one.end_ms, one.text) for one in read_srt(srt.path.read_text())
        ]
        starts = {cue.start_ms for cue in cues} - {cue.end_ms for cue in cues}
        for recording in recordings:
            heard = onsets_ms(recording.path)
            assert len(heard) == len(starts) > 4
            np.testing.assert_allclose(sorted(starts), heard, atol=20)


def test_a_transcript_lies_beside_each_recording_and_is_listed(tmp_path):
    whole = rendered(job_for(tmp_path, transcripts=["vtt", "srt"]))
    assert [file.path.name for file in whole.files] == ["book.flac", "book.vtt", "book.srt"]
    assert texts_of(whole) == [SENTENCES]
    assert [file["format"] for file in whole.summary()["files"]] == ["flac", "vtt", "srt"]
    assert whole.audio_s == whole.files[0].duration_s == whole.files[1].duration_s
    assert whole.warnings == ()
    split = rendered(job_for(tmp_path, split=True, formats=["mp3", "flac"]))
    assert [file.path.suffix for file in split.files] == [".mp3", ".flac", ".vtt"] * 2
    assert texts_of(split) == [SENTENCES[:3], SENTENCES[3:]]
    some = rendered(job_for(tmp_path, chapters="2"))
    assert texts_of(some) == [SENTENCES[3:]]


def test_a_finished_book_gets_a_transcript_without_rendering_or_encoding(tmp_path, monkeypatch):
    rendered(job_for(tmp_path, transcripts=[]))
    before = bytes_in(tmp_path / "library")
    forbid_encoding(monkeypatch)
    report = rendered(job_for(tmp_path))
    assert report.rendered == 0
    assert texts_of(report) == [SENTENCES]
    after = bytes_in(tmp_path / "library")
    assert after["book.flac"] == before["book.flac"]
    assert rendered(job_for(tmp_path)).result is None


def test_a_transcript_is_written_anew_if_text_that_sounds_alike_changes(
    place, first_run, monkeypatch
):
    """The audio stays: what the engine is given is the same."""
    first_run(job_for(place))
    forbid_encoding(monkeypatch)
    report = rendered(job_for(place, TEXT.replace("1914", "nineteen fourteen")))
    assert report.rendered == 0
    assert texts_of(report)[0][2] == "Nobody came in nineteen fourteen."
    assert any("Replaced" in note and "book.vtt" in note for note in report.notes)


def test_a_transcript_follows_the_audio(place, first_run):
    first_run(job_for(place))
    report = rendered(job_for(place, TEXT.replace("still", "there until the evening")))
    (cues,) = vtt_of(report)
    assert cues[1].text == "The mill stood there until the evening."
    np.testing.assert_allclose(
        [cue.start_ms for cue in cues], onsets_ms(report.files[0].path), atol=20
    )


def test_a_changed_transcript_stays_and_one_that_is_gone_is_made_again(
    place, first_run, monkeypatch
):
    report = first_run(job_for(place))
    path = report.files[1].path
    path.write_text("WEBVTT\n")
    forbid_encoding(monkeypatch)
    again = rendered(job_for(place))
    assert path.read_text() == "WEBVTT\n"
    assert any("book.vtt" in note for note in again.notes)
    path.unlink()
    again = rendered(job_for(place))
    assert texts_of(again) == [SENTENCES]
    assert again.notes == ()


def test_a_transcript_of_an_earlier_text_is_told(place, first_run):
    first_run(job_for(place))
    report = rendered(job_for(place, TEXT.replace("end", "beginning"), transcripts=[]))
    (other,) = report.other_files
    assert (other.path.name, other.is_outdated) == ("book.vtt", True)


def test_credits_and_characters_are_in_the_transcript(tmp_path):
    text = "---\nauthor: Ann Day\n---\n# Night\n\n“Come in,” said Emma. He nodded.\n"
    (tmp_path / "book.voices.toml").write_text('[characters]\nEmma = "reed"\n')
    (cues,) = vtt_of(rendered(job_for(tmp_path, text, credits=True)))
    assert [(cue.speaker, cue.text) for cue in cues if cue.speaker] == [("Emma", "“Come in,”")]
    assert "Ann Day" in cues[0].text + cues[1].text
    assert "said Emma." in [cue.text for cue in cues]


def test_an_unknown_format_of_a_transcript_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"transcript vt\. Known: vtt, .*lrc\. Did you mean vtt"):
        job_for(tmp_path, transcripts=["vt"])


def test_the_setting_asks_for_transcripts_and_an_empty_list_for_none(tmp_path):
    settings = Settings(transcripts="vtt, srt")
    assert make_job(settings, tmp_path / "b.md", engine="tone").transcripts == ("vtt", "srt")
    assert make_job(settings, tmp_path / "b.md", engine="tone", transcripts=[]).transcripts == ()
    assert make_job(Settings(), tmp_path / "b.md", engine="tone").transcripts == ()
