"""The whole pipeline in this process: every word is in the output, in order, in the right place."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import av
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audiomill.flows.errors import UsageError
from audiomill.flows.execution.run_context import BOOK_STEPS, Interrupted, RunContext, Step
from audiomill.flows.job import Job
from audiomill.inputs.model.book import SkipReason, SourceEmpty
from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.tone.renderer import WORD, ToneRenderer, word_period
from support.book_data import Recorder, book_job, rendered, samples_of, write_book
from support.case_files import each_row_apart
from support.examples import few_examples
from support.picture_data import noise_picture, pixels_of, saved
from support.tone_words import tone_periods

RATE = ToneRenderer.sample_rate


def job_for(folder: Path, text: str, **choices) -> Job:
    """It is read fast: encoding takes as long as there is sound."""
    return book_job(folder, text, **{"speed": 4.0} | choices)


# Long-drawn words, as “noooo”, are said shorter than they are printed.
WORDS = st.text("abcdefghijklmnop", min_size=8, max_size=12).filter(
    lambda word: not re.search(r"(.)\1\1", word)
)


@settings(few_examples(8), suppress_health_check=[*HealthCheck])
@given(
    chapters=st.lists(
        st.lists(st.lists(WORDS, min_size=1, max_size=6), min_size=1, max_size=4),
        min_size=1,
        max_size=3,
    )
)
def test_every_word_is_spoken_once_and_in_order(tmp_path, chapters):
    """Words are recognised by pitch in the finished file, which ffmpeg decodes."""
    text = "\n\n".join(
        f"# Chapter {name}\n\n"
        + " ".join(" ".join(words).capitalize() + "." for words in sentences)
        for name, sentences in zip(("one", "two", "three"), chapters, strict=False)
    )
    report = rendered(job_for(tmp_path, text))
    written = " ".join(line.removeprefix("# ") for line in text.splitlines() if line)
    periods = tone_periods(samples_of(report.files[0].path))
    expected = [word_period(word) for word in WORD.findall(written)]
    assert len(periods) == len(expected)
    # With 16 bits and short tones, the period of a low tone may be off by one sample.
    assert max(abs(one - other) for one, other in zip(periods, expected, strict=True)) <= 1


def test_each_segment_is_rendered_cached_or_repeated(tmp_path):
    text = "# One\n\nThe mill turned.\n\nThe mill stood.\n\n# Two\n\nThe mill turned.\n\nThe end."
    first = rendered(job_for(tmp_path, text))
    more = rendered(job_for(tmp_path, f"{text}\n\nThe mill stood.\n\nReally."))
    again = rendered(job_for(tmp_path, f"{text}\n\nThe mill stood.\n\nReally."))
    counts = [
        (one.segments, one.rendered, one.cached, one.repeated) for one in (first, more, again)
    ]
    assert counts == [(6, 5, 0, 1), (8, 1, 5, 2), (8, 0, 6, 2)]


def test_a_store_in_a_bucket_makes_the_same_book(tmp_path, request):
    text = "# One\n\n" + " ".join(f"Word {n}." for n in range(30)) + "\n\n# Two\n\nThe end."
    local = rendered(job_for(tmp_path, text))
    bucket = f"memory://{request.node.name}"
    job = replace(job_for(tmp_path, text), store=bucket, out=tmp_path / "remote")
    remote = rendered(job)
    assert remote.rendered == local.rendered > 30
    assert remote.files[0].path.read_bytes() == local.files[0].path.read_bytes()
    assert rendered(replace(job, out=tmp_path / "again")).rendered == 0


def test_a_report_counts_what_the_store_and_the_file_hold(tmp_path):
    report = rendered(job_for(tmp_path, "# T\n\nOne. Two. One. Two. Three.\n"))
    # A repeated sentence is rendered once. It does not count as cached.
    assert (report.segments, report.rendered, report.cached) == (6, 4, 0)
    assert len(list((tmp_path / "store").rglob("*.shard"))) == 4
    n_samples = samples_of(report.files[0].path).size
    assert report.audio_s == n_samples / RATE
    on_disk = json.loads(report.path.read_text())
    assert on_disk["audio_s"] == round(report.audio_s, 3)
    assert sum(chapter["duration_s"] for chapter in on_disk["work"]["chapters"]) == pytest.approx(
        n_samples / RATE, abs=0.001
    )


@pytest.mark.prove
def test_many_single_chapters_of_a_long_title_have_files_of_their_own(tmp_path):
    text = f"# {'A Long Title ' * 20}\n\n" + "".join(
        f"## {number}\n\nOne.\n\n" for number in range(1, 41)
    )
    lists = [",".join(map(str, range(first, 41, 2))) for first in (1, 2)]
    reports = [rendered(job_for(tmp_path, text, chapters=chosen)) for chosen in lists]
    assert len({report.files[0].path for report in reports}) == 2
    assert len({report.path for report in reports}) == 2
    assert all(report.files[0].path.is_file() and report.path.is_file() for report in reports)


@each_row_apart
def test_a_file_is_encoded_again_only_if_it_would_differ(tmp_path, change, is_new):
    rendered(job_for(tmp_path, "# T\n\nOne. Two.\n"))
    assert (
        rendered(job_for(tmp_path, "# T\n\nOne. Two.\n", **change)).result is not None
    ) == is_new


@pytest.mark.parametrize(
    ("formats", "n_passes"), [(("flac",), 1), (("m4b", "mp3"), 2), (("m4a", "m4b"), 1)]
)
def test_progress_ends_at_its_total(tmp_path, formats, n_passes):
    recorder = Recorder()
    text = write_book(tmp_path / "text.md", 2, 4).read_text()
    report = rendered(job_for(tmp_path, text, formats=formats), RunContext(recorder))
    assert set(recorder.totals) == set(BOOK_STEPS)
    for step in BOOK_STEPS:
        assert recorder.done[step] == pytest.approx(recorder.totals[step])
    assert recorder.totals[Step.ENCODE] == pytest.approx(n_passes * report.audio_s)


def test_a_stopped_run_stops_and_is_resumed_by_the_next(tmp_path):
    text = write_book(tmp_path / "text.md", 3, 12).read_text()
    context = RunContext()

    class StopSoon(Recorder):
        def advance(self, step: Step, audio_s: float) -> None:
            super().advance(step, audio_s)
            context.stop.set()

    with pytest.raises(Interrupted):
        rendered(job_for(tmp_path, text), context.with_progress(StopSoon()))
    n_kept = len(list((tmp_path / "store").rglob("*.shard")))
    assert n_kept > 0
    recorder = Recorder()
    report = rendered(job_for(tmp_path, text), RunContext(recorder))
    assert report.rendered + n_kept == report.segments
    # What the store has is no work of this run, so that its pace is that of what it renders.
    assert recorder.done[Step.RENDER] == pytest.approx(recorder.totals[Step.RENDER])
    assert 0 < recorder.totals[Step.RENDER] < report.audio_s * report.rendered / report.segments * 2
    assert list(tmp_path.rglob("*.part")) == list(tmp_path.rglob("*.tmp")) == []


@pytest.mark.parametrize(
    "formats", [["m4b", "mp3"], pytest.param(["opus"], marks=pytest.mark.prove)]
)
def test_a_library_folder_that_vanishes_is_the_reason_that_is_named(tmp_path, formats):
    text = write_book(tmp_path / "text.md", 2, 4).read_text()

    class RemoveFolder(Recorder):
        def advance(self, step: Step, audio_s: float) -> None:
            super().advance(step, audio_s)
            if step is Step.ENCODE:
                shutil.rmtree(tmp_path / "library", ignore_errors=True)

    with pytest.raises(OutputUnwritable, match=r"folder .* is gone\. Run again") as raised:
        rendered(job_for(tmp_path, text, formats=formats), RunContext(RemoveFolder()))
    assert "ffmpeg" not in str(raised.value)
    assert rendered(job_for(tmp_path, text, formats=formats)).rendered == 0


def test_an_engine_that_fails_stops_all_stages_and_leaves_no_folder(tmp_path, monkeypatch):
    text = write_book(tmp_path / "text.md", 3, 12).read_text()
    render = ToneRenderer.render

    def broken(self, batch, waiter):
        if any("owl" in request.spoken for request in batch.requests):
            raise EngineFailed("It broke.")
        return render(self, batch, waiter)

    monkeypatch.setattr(ToneRenderer, "render", broken)
    with pytest.raises(EngineFailed, match="It broke"):
        rendered(job_for(tmp_path, text))
    assert [path.name for path in (tmp_path / "library").iterdir()] == [".audiomill"]
    monkeypatch.undo()
    assert rendered(job_for(tmp_path, text)).files[0].path.is_file()


def test_an_engine_that_returns_too_few_segments_is_an_error(tmp_path, monkeypatch):
    render = ToneRenderer.render
    monkeypatch.setattr(ToneRenderer, "render", lambda *given: render(*given)[1:])
    with pytest.raises(EngineFailed, match="returned"):
        rendered(job_for(tmp_path, "# T\n\nOne. Two.\n"))


def test_chapters_are_numbered_as_inspect_lists_them(tmp_path):
    """A chapter without text to speak is neither listed nor counted."""
    text = "```\ncode\n```\n\n# One\n\nFirst.\n\n# Two\n\nSecond.\n\n# Three\n\nThird.\n"
    report = rendered(job_for(tmp_path, text, chapters="2-3", split=True))
    assert [file.path.name for file in report.files] == [
        "02 - Two (chapters 2-3).flac",
        "03 - Three (chapters 2-3).flac",
    ]
    left_out = [one for one in report.skipped if one.reason is SkipReason.NOT_CHOSEN]
    assert [(one.text, one.where) for one in left_out] == [("One", "chapter 1")]


def test_a_book_without_text_to_speak_is_refused_with_what_was_skipped(tmp_path):
    with pytest.raises(SourceEmpty, match="1 x code"):
        rendered(job_for(tmp_path, "```\nprint(1)\n```\n"))


def test_text_that_the_voice_cannot_speak_is_listed_and_the_rest_is_spoken(tmp_path):
    text = "# T\n\nBefore.\n\nꦲꦤ\n\nAfter.\n"
    report = rendered(job_for(tmp_path, text, engine="espeak", speed=1.0))
    assert [one.text for one in report.skipped] == ["ꦲꦤ"]
    assert any("ꦲꦤ" in warning for warning in report.warnings)
    assert report.audio_s > 3


def test_a_book_that_the_voice_cannot_speak_is_refused(tmp_path):
    with pytest.raises(EngineFailed, match="knows its script"):
        rendered(job_for(tmp_path, "ꦲꦤ\n", engine="espeak", name="ꦲꦤ.md"))


def test_a_language_that_the_engine_does_not_speak_is_a_warning(tmp_path):
    report = rendered(job_for(tmp_path, "---\nlanguage: fil\n---\n\nMabuhay.\n", engine="espeak"))
    assert any("fil" in warning and "--voice" in warning for warning in report.warnings)


@pytest.mark.parametrize("speed", [0.01, 40.0])
def test_a_speed_that_the_engine_does_not_have_is_refused_before_reading(tmp_path, speed):
    with pytest.raises(UsageError, match="speaks at"):
        rendered(job_for(tmp_path, "Text.", engine="espeak", speed=speed))


def test_what_a_format_cannot_hold_is_scaled_or_left_out_and_told(tmp_path, monkeypatch):
    """FLAC has 24 bits for the size of a picture."""
    monkeypatch.setattr("audiomill.outputs.formats.vorbis.MAX_VORBIS_MARKS", 2)
    cover = saved(noise_picture(2500, 2400), "PNG", compress_level=0)
    assert len(cover) > 1 << 24
    (tmp_path / "cover.png").write_bytes(cover)
    chapters = "# A\n\nOne.\n\n# B\n\nTwo.\n\n# C\n\nThree."
    text = f"---\ncover: cover.png\n---\n{chapters}"
    report = rendered(job_for(tmp_path, text, formats=[*FORMATS]))
    assert [file.format for file in report.files] == [*FORMATS]
    pictures = set()
    for file in report.files:
        with av.open(str(file.path)) as container:
            pictures.add(bytes(next(iter(container.demux(container.streams.video[0])))))
    (picture,) = pictures
    height, width, _ = pixels_of(picture).shape
    assert max(height, width) <= 3000
    assert abs(width / height - 2500 / 2400) < 0.01
    assert len(picture) <= 1 << 20
    n_marks = {file.format: file.chapters for file in report.files}
    assert n_marks == dict.fromkeys(FORMATS, 3) | {"flac": 2, "opus": 2}
    assert json.loads(report.path.read_text())["warnings"] == [*report.warnings]
    (scaled,) = (one for one in report.warnings if "chapters" not in one)
    told = [one for one in report.warnings if one != scaled]
    assert "2500 × 2400" in scaled
    assert [warning.partition(" ")[0] for warning in told] == ["book.flac", "book.opus"]
    assert all("2 of 3 chapters" in warning and "--split" in warning for warning in told)
    job = job_for(tmp_path, chapters, formats=["flac", "opus"], split=True)
    assert rendered(job).warnings == ()


def test_partial_files_of_a_killed_run_are_removed(tmp_path):
    text = "# T\n\nOne.\n"
    first = rendered(job_for(tmp_path, text))
    (records,) = (tmp_path / "library" / ".audiomill").glob("*.json")
    left = [
        records.with_name(f".{records.name}.0123abcd.part"),
        first.files[0].path.with_name(".T.flac.0123abcd.part"),
    ]
    for path in left:
        path.write_bytes(b"half")
    rendered(job_for(tmp_path, text))
    assert [path for path in left if path.exists()] == []
