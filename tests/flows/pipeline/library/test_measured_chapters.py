"""Chapters that an earlier run has measured: used only for the same plan and the same shards."""

import base64
import hashlib
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from audiomill.flows.job import Job
from audiomill.flows.pipeline import render_book
from audiomill.flows.pipeline.library.measured_chapters import SHA256_BYTES, MeasuredChapters
from support.book_data import book_job, rendered

TEXT = "# Book\n\n## First\n\nThe mill stood. Nobody came.\n\n## Second\n\nThe sea was far.\n"


@pytest.fixture
def measured(monkeypatch):
    """The names of chapters that are measured, in any order."""
    names, measure = [], render_book.measure_chapter

    def counted(job, store, chapter, *others):
        names.append(chapter.title)
        return measure(job, store, chapter, *others)

    monkeypatch.setattr(render_book, "measure_chapter", counted)
    return names


def job_in(folder: Path, text: str = TEXT, formats: tuple[str, ...] = ("flac",)) -> Job:
    return book_job(folder, text, formats=formats)


def kept_in(folder: Path) -> Path:
    (path,) = (folder / "library" / ".audiomill").glob("*.measured")
    return path


def sound_of(report) -> list[bytes]:
    return [file.path.read_bytes() for file in report.files if file.format == "flac"]


def test_a_finished_book_is_not_measured_again(place, first_run, measured):
    first = first_run(job_in(place))
    assert sorted(measured) == ["First", "Second"]
    measured.clear()
    again = rendered(replace(job_in(place), formats=("flac", "wav")))
    assert not measured
    work, before = again.full()["work"], first.full()["work"]
    assert work["chapters"] == before["chapters"]
    alone = rendered(replace(job_in(place / "alone"), formats=("wav",)))
    assert again.files[1].path.read_bytes() == alone.files[0].path.read_bytes()


def test_a_changed_sentence_measures_its_chapter_only(place, first_run, measured):
    first_run(job_in(place))
    measured.clear()
    text = TEXT.replace("sea was far", "sea was near")
    changed = rendered(job_in(place, text))
    assert measured == ["Second"]
    measured.clear()
    assert sound_of(changed) == sound_of(rendered(job_in(place / "alone", text)))


def test_another_take_under_the_same_key_is_measured(place, first_run, measured):
    """As when an engine whose takes differ has rendered a damaged shard again."""
    first_run(job_in(place))
    measured.clear()
    content = kept_in(place).read_bytes()[SHA256_BYTES:]
    kept = json.loads(content)
    for chapter in kept.values():
        chapter["shards"] = "ab" * 32
    save(kept_in(place), kept)
    rendered(replace(job_in(place), formats=("wav",)))
    assert sorted(measured) == ["First", "Second"]


def save(path: Path, kept: object) -> None:
    content = json.dumps(kept).encode()
    path.write_bytes(hashlib.sha256(content).digest() + content)


def _without_cue(chapter):
    chapter["cues"].pop()


def _cue_outside(chapter):
    chapter["cues"][0][2] = chapter["n_samples"] + 1


def _other_segment(chapter):
    chapter["cues"][0][0] = 7


def _no_number(chapter):
    chapter["powers"] = base64.b64encode(np.full(3, np.nan).tobytes()).decode()


def _too_few(chapter):
    chapter["traits"].pop()


def _far_off(chapter):
    chapter["traits"][0][0] = 1e300


@pytest.mark.parametrize(
    "forge", [_without_cue, _cue_outside, _other_segment, _no_number, _too_few, _far_off]
)
def test_what_is_forged_counts_as_absent(place, first_run, forge):
    job = job_in(place)
    first_run(job)
    path = kept_in(place)
    kept = json.loads(path.read_bytes()[SHA256_BYTES:])
    for chapter in kept.values():
        forge(chapter)
    save(path, kept)
    assert sound_of(rendered(replace(job, formats=("flac", "wav"))))
    restored = json.loads(path.read_bytes()[SHA256_BYTES:])
    assert restored != kept


@pytest.mark.parametrize("content", [b"", b"{}", b"\0" * 40, b"x" * 100])
def test_a_damaged_file_counts_as_absent(tmp_path, content):
    path = tmp_path / "a.measured"
    path.write_bytes(content)
    kept = MeasuredChapters(path)
    kept.keep([], with_others=True)
    assert path.read_bytes() == content
