"""A book for ACX: too long chapters in parts, and a retail sample that is no part of the book."""

import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mutagen
import numpy as np
import pytest

from audiomill.flows.cli.checking import check_sets, find_sets
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.pipeline.report import Report
from audiomill.outputs.checking.profiles import DeliveryChoices, MasteringChoices
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from support.acx_by_hand import judged_figures, verdicts
from support.book_data import WORDS, book_job, rendered, samples_of
from support.picture_data import halves, saved

pytestmark = pytest.mark.prove

RATE = 22050  # of espeak


def text_of(n_paragraphs: dict[str, int]) -> str:
    """A book with so many paragraphs of two sentences in each chapter."""

    def sentence(generator: random.Random) -> str:
        return " ".join(generator.choices(WORDS, k=generator.randint(4, 9))).capitalize() + "."

    lines = ["# The Mill"]
    for title, number in n_paragraphs.items():
        own = random.Random(title)
        lines += [f"## {title}", *(f"{sentence(own)} {sentence(own)}" for _ in range(number))]
    return "\n\n".join(lines)


BOOK = {"Dedication": 1, "The Sea": 8, "The Hill": 2}


@pytest.fixture(autouse=True, scope="module")
def _shared_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A store for all runs: each sentence is spoken once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUDIOMILL_STORE", str(tmp_path_factory.mktemp("store")))
        yield


def made(
    folder: Path,
    n_paragraphs: dict[str, int] | None = None,
    mastering: MasteringChoices | None = None,
    **choices: Any,
) -> Report:
    """The report of a run of `BOOK` in `folder`, with these choices of `[delivery]` and options.

    It is read fast, where a test does not say otherwise.
    """
    names = DeliveryChoices.__dataclass_fields__
    delivery = DeliveryChoices(**{name: choices.pop(name) for name in [*choices] if name in names})
    settings = {
        "delivery": delivery,
        "mastering": mastering or MasteringChoices(),
        "store": os.environ["AUDIOMILL_STORE"],
    }
    chosen = {"engine": "espeak", "formats": None, "speed": 2.0, "name": "mill.md"} | choices
    return rendered(book_job(folder, text_of(n_paragraphs or BOOK), settings=settings, **chosen))


def names_of(report: Report) -> list[str]:
    return [file.path.name for file in report.files]


def paths_of(report: Report) -> list[Path]:
    return [file.path for file in report.files]


def test_parts_one_after_the_other_are_the_whole_book(tmp_path: Path) -> None:
    """At one gain, which may differ by a trace, as loudness is measured in blocks."""
    choices = {"formats": ["flac"], "split": True, "mastering": MasteringChoices(target_lufs=-30)}
    whole = made(tmp_path, **choices)
    before = samples_of(*paths_of(whole))
    longest_s = max(file.duration_s for file in whole.files)
    parted = made(tmp_path, **choices, max_file_s=longest_s / 2.5)
    assert names_of(parted) == [
        "01 - Dedication.flac",
        *(f"02{part} - The Sea.flac" for part in "abc"),
        "03 - The Hill.flac",
    ]
    after = samples_of(*paths_of(parted))
    assert after.size == before.size
    gain = float(after @ before) / float(before @ before)
    assert abs(20 * np.log10(gain)) < 0.05
    assert np.abs(after - gain * before).max() <= 1.1 / 32768
    lengths_s = [file.duration_s for file in parted.files[1:4]]
    assert max(lengths_s) <= longest_s / 2.5
    assert max(lengths_s) - min(lengths_s) < longest_s / 6
    (note,) = [note for note in parted.notes if note.startswith("Removed")]
    assert "02 - The Sea.flac" in note


def test_titles_and_tracks_run_on_over_the_parts(tmp_path: Path) -> None:
    report = made(tmp_path, formats=["flac"], transcripts=["vtt"], split=True, max_file_s=10.0)
    tags = [mutagen.File(path) for path in paths_of(report) if path.suffix == ".flac"]
    n_parts = len(tags) - 2
    assert n_parts > 1
    assert [one["title"] for one in tags] == [
        ["Dedication"],
        *([f"The Sea ({number}/{n_parts})"] for number in range(1, n_parts + 1)),
        ["The Hill"],
    ]
    assert [one["tracknumber"] for one in tags] == [[str(n)] for n in range(1, n_parts + 3)]
    assert {one["tracktotal"][0] for one in tags} == {str(n_parts + 2)}
    (playlist,) = report.lists
    listed = [line for line in playlist.path.read_text().splitlines() if line[:1] != "#"]
    assert listed == [path.name for path in paths_of(report) if path.suffix == ".flac"]
    assert report.full()["ledger"] is not None


def test_parts_are_found_again_without_rendering_or_measuring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIOMILL_STORE", str(tmp_path / "store"))
    choices = {"formats": ["flac"], "split": True, "max_file_s": 20.0}
    first = made(tmp_path, **choices)
    shutil.rmtree(tmp_path / "store")
    again = made(tmp_path, **choices)
    assert again.result is None
    assert again.files == first.files
    titled = made(tmp_path, **choices, metadata={"title": "The Old Mill"})
    assert titled.result is None
    assert len(titled.retagged) == len(first.files)
    assert names_of(titled) == names_of(first)


def test_a_book_that_changes_has_other_parts_and_no_old_ones(tmp_path: Path) -> None:
    made(tmp_path, formats=["flac"], split=True, max_file_s=20.0)
    shorter = made(tmp_path, {**BOOK, "The Sea": 2}, formats=["flac"], split=True, max_file_s=20.0)
    folder = shorter.files[0].path.parent
    assert names_of(shorter)[1] == "02 - The Sea.flac"
    assert sorted(path.name for path in folder.glob("*.flac")) == names_of(shorter)
    records = json.loads(next((tmp_path / "library" / ".audiomill").glob("*.json")).read_text())
    assert {*records["files"]} >= {*names_of(shorter)}
    assert not [name for name in records["files"] if name.startswith("02a")]


def test_a_change_in_another_chapter_leaves_the_parts_as_they_are(tmp_path: Path) -> None:
    """Where each file has its own level. A new chapter before them gives them other names only."""
    choices = {"formats": ["flac"], "split": True, "max_file_s": 10.0}
    per_file = MasteringChoices(per_file=True)
    first = made(tmp_path, mastering=per_file, **choices)
    longer = made(tmp_path, {**BOOK, "The Hill": 3}, mastering=per_file, **choices)
    assert longer.result is not None
    assert [specs[0].name for specs in longer.result.recorded] == ["03 - The Hill.flac"]
    assert [file.sha256 for file in longer.files[:-1]] == [file.sha256 for file in first.files[:-1]]
    book = {"Motto": 1, **BOOK, "The Hill": 3}
    with_motto = made(tmp_path, book, mastering=per_file, **choices)
    assert with_motto.result is not None
    assert "03a - The Sea.flac" in with_motto.retagged
    assert {specs[0].name for specs in with_motto.result.recorded}.isdisjoint(with_motto.retagged)
    assert not [name for name in names_of(with_motto) if name.startswith("02a")]


def test_a_file_of_the_whole_book_has_no_parts(tmp_path: Path) -> None:
    report = made(tmp_path, formats=["flac"], split=False, max_file_s=10.0)
    assert names_of(report) == ["The Mill.flac"]
    assert report.files[0].chapters == 3


def test_a_part_by_itself_has_the_numbers_of_its_chapter(tmp_path: Path) -> None:
    report = made(tmp_path, formats=["flac"], split=True, max_file_s=20.0, chapters="2")
    assert {name[:2] for name in names_of(report)} == {"02"}
    assert (tmp_path / "library" / "The Mill" / "report (chapter 2).json").is_file()


# --- the retail sample


def test_the_sample_is_the_beginning_of_the_text_and_no_part_of_the_book(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audiomill.flows.pipeline.retail_sample.LEAST_CHAPTER_S", 20.0)
    without = made(tmp_path / "without", formats=["flac"], split=True, speed=1.0)
    report = made(tmp_path, formats=["flac"], split=True, sample_s=24.0, speed=1.0)
    assert names_of(report) == names_of(without)
    (sample,) = report.samples
    assert sample.path.name == "Retail sample.flac"
    assert 0.75 * 24 <= sample.duration_s <= 24
    sea = samples_of(report.files[1].path)
    heard = samples_of(sample.path)
    np.testing.assert_array_equal(heard[: heard.size - RATE], sea[: heard.size - RATE])
    assert report.audio_s == without.audio_s
    assert "sample" not in report.lists[0].path.read_text().lower()
    tags = mutagen.File(sample.path)
    assert tags["title"] == ["Retail sample"]
    assert tags["album"] == ["The Mill"]
    assert "tracknumber" not in tags
    assert "Retail sample" not in json.dumps(report.full()["work"]["chapters"])
    again = made(tmp_path, formats=["flac"], split=True, sample_s=24.0, speed=1.0)
    assert (again.result, again.samples) == (None, report.samples)


def test_a_short_book_is_its_own_sample(tmp_path: Path) -> None:
    book = {"One": 1, "Two": 1}
    report = made(tmp_path, book, formats=["flac"], split=True, sample_s=295.0)
    (sample,) = report.samples
    assert sample.duration_s == pytest.approx(report.audio_s, abs=0.001)


@pytest.mark.parametrize("split", [True, False])
def test_a_sample_that_is_not_asked_for_any_more_is_removed(tmp_path: Path, split: bool) -> None:
    choices: dict[str, Any] = {"formats": ["flac"], "split": split}
    path = made(tmp_path, **choices, sample_s=10.0).samples[0].path
    chapter = made(tmp_path, **choices, sample_s=10.0, chapters="1")
    assert (chapter.samples, path.is_file()) == ((), True)
    report = made(tmp_path, **choices)
    assert not path.is_file()
    assert any("Retail sample.flac" in note for note in report.notes)
    path.write_bytes(b"somebody's own")
    made(tmp_path, **choices)
    assert path.read_bytes() == b"somebody's own"


def test_a_sample_that_was_changed_stays(tmp_path: Path) -> None:
    path = made(tmp_path, formats=["flac"], split=True, sample_s=10.0).samples[0].path
    path.write_bytes(path.read_bytes() + b"mine")
    made(tmp_path, formats=["flac"], split=True)
    assert path.read_bytes().endswith(b"mine")


def test_a_new_author_gives_the_sample_other_tags_without_encoding(tmp_path: Path) -> None:
    first = made(tmp_path, formats=["flac"], split=True, sample_s=10.0)
    named = made(
        tmp_path, formats=["flac"], split=True, sample_s=10.0, metadata={"author": "Ann Ode"}
    )
    assert named.result is None
    (sample,) = named.samples
    assert mutagen.File(sample.path)["artist"] == ["Ann Ode"]
    np.testing.assert_array_equal(samples_of(sample.path), samples_of(first.samples[0].path))


def test_a_sample_that_is_gone_is_made_again_alone(tmp_path: Path) -> None:
    """With what the limiter takes, as at this speed, in the gain of the book."""
    first = made(tmp_path, formats=["flac"], split=True, sample_s=10.0)
    first.samples[0].path.unlink()
    times = [path.stat().st_mtime_ns for path in paths_of(first)]
    again = made(tmp_path, formats=["flac"], split=True, sample_s=10.0)
    assert again.samples[0].sha256 == first.samples[0].sha256
    assert [path.stat().st_mtime_ns for path in paths_of(again)] == times


@pytest.mark.parametrize("name", ["max_file_s", "sample_s"])
def test_what_has_no_pause_in_time_is_made_and_told(tmp_path: Path, name: str) -> None:
    report = made(tmp_path, {"One": 1}, formats=["flac"], split=True, **{name: 2.0})
    assert [one for one in report.warnings if f"more than delivery.{name} (2 s)" in one]
    assert all(file.path.is_file() for file in (*report.files, *report.samples))


# --- for ACX


def made_for_acx(folder: Path, n_paragraphs: dict[str, int], **choices: Any) -> Report:
    cover = folder / "cover.png"
    cover.write_bytes(saved(halves(2400, 2000), "PNG"))
    metadata = {"cover": str(cover), "author": "Ann Ode", "narrator": "Ben Li"}
    return made(folder, n_paragraphs, profile="acx", metadata=metadata, speed=1.0, **choices)


def test_a_book_with_a_too_long_chapter_passes_for_acx(tmp_path: Path) -> None:
    report = made_for_acx(tmp_path, {**BOOK, "The Sea": 17}, max_file_s=50.0, sample_s=72.0)
    names = names_of(report)
    assert names[0] == "00 - Opening credits.mp3"
    assert "02a - The Sea.mp3" in names
    assert "02b - The Sea.mp3" in names
    assert names[-1] == "04 - Closing credits.mp3"
    assert names == sorted(names)
    assert all(file.duration_s <= 50 for file in report.files)
    assert 60 <= report.samples[0].duration_s <= 72
    assert_passes_for_acx(report)


def test_two_channels_pass_for_acx(tmp_path: Path) -> None:
    assert_passes_for_acx(made_for_acx(tmp_path, {"The Sea": 3}, sample_s=12.0, channels=2))


def assert_passes_for_acx(report: Report) -> None:
    """By `audiomill check`, and by a program that shares no code with it."""
    (sample,) = report.samples
    (checked,) = check_sets(find_sets([sample.path.parent]), "acx", RunContext())
    failed = [
        (one.file.path.name, verdict)
        for one in checked.files
        for verdict in one.verdicts
        if not verdict.passed
    ]
    assert not failed
    failed_together = {one.requirement.measure for one in checked.together if not one.passed}
    assert failed_together <= ({"retail_sample_s"} if sample.duration_s < 60 else set())
    names = {*names_of(report), "Retail sample.mp3"}
    assert {one.file.path.name for one in checked.files} == names
    for file in (*report.files, sample):
        by_hand = verdicts(judged_figures(find_ffmpeg(), file.path))
        assert all(by_hand.values()), (file.path.name, by_hand)
