"""Another voice or speed is another edition; what has become outdated or is replaced is told."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import mutagen.flac
import pytest

from audiomill.flows.job import Job
from audiomill.flows.pipeline.library.records import Edition
from audiomill.flows.pipeline.report import Report
from audiomill.outputs.checking.profiles import MasteringChoices
from support.book_data import book_job, rendered, samples_of

TEXT = "# Poems\n\nRoses are red and violets are blue.\n\n## Second\n\nSugar is sweet.\n"
EDITED = TEXT.replace("violets", "all the violets")


def job_for(folder: Path, text: str = TEXT, **choices) -> Job:
    return book_job(folder, text, **{"name": "poems.md"} | choices)


def render(folder: Path, text: str = TEXT, **choices) -> Report:
    return rendered(job_for(folder, text, **choices))


def test_another_speed_or_voice_is_an_edition_of_its_own_that_is_told_and_found_again(
    place, first_run
):
    plain = first_run(job_for(place))
    (path,) = (file.path for file in plain.files)
    before = path.read_bytes()
    choices = [{"speed": 2.0}, {"voice": "reed", "formats": ["mp3"]}]
    fast, reed = (render(place, **one) for one in choices)
    assert path.read_bytes() == before
    assert samples_of(fast.files[0].path).size < 0.6 * samples_of(path).size
    names = [report.path.parent.name for report in (plain, fast, reed)]
    assert names == ["Poems", "Poems (sine, speed 2)", "Poems (reed)"]
    assert all(report.path.is_file() for report in (plain, fast, reed))
    assert plain.notes == ()
    (note,) = fast.notes
    assert str(plain.path.parent) in note
    assert str(fast.path.parent) in note
    assert json.loads(fast.path.read_text())["notes"] == [note]
    # The default voice by its name is the same edition.
    for one, made in zip(({"voice": "sine"}, *choices), (plain, fast, reed), strict=True):
        again = render(place, **one)
        assert (again.result, again.notes, again.files) == (None, (), made.files)


def test_files_of_two_editions_can_be_told_apart_wherever_they_are(place, first_run):
    plain, fast = first_run(job_for(place)), render(place, speed=2.0)
    paths = [report.files[0].path for report in (plain, fast)]
    assert [path.name for path in paths] == ["Poems.flac", "Poems (sine, speed 2).flac"]
    albums = [mutagen.flac.FLAC(path)["album"] for path in paths]
    assert albums == [["Poems"], ["Poems (sine, speed 2)"]]
    tracks = render(place, speed=2.0, split=True)
    assert [file.path.name for file in tracks.files] == ["01 - Poems.flac", "02 - Second.flac"]
    assert {file.path.parent for file in tracks.files} == {paths[1].parent}
    assert mutagen.flac.FLAC(tracks.files[0].path)["album"] == albums[1]


def test_an_edition_stays_where_it_is_when_the_first_one_is_deleted(place, first_run):
    plain, fast = first_run(job_for(place)), render(place, speed=2.0)
    shutil.rmtree(plain.path.parent)
    assert render(place, speed=2.0).files == fast.files
    # The plain name is free again.
    assert render(place, voice="reed").path == plain.path


def test_editions_of_two_books_of_one_name_do_not_mix(place, first_run):
    first_run(job_for(place))
    other = render(place, EDITED, name="other.md")
    fast = render(place, EDITED, name="other.md", speed=2.0)
    first = render(place, speed=2.0)
    assert render(place, TEXT.replace("red", "green"), name="other.md").path == other.path
    names = [report.path.parent.name for report in (other, fast, first)]
    assert names == ["Poems (2)", "Poems (2) (sine, speed 2)", "Poems (sine, speed 2)"]


def test_an_edited_text_replaces_its_own_edition_and_says_so(tmp_path):
    render(tmp_path, speed=2.0)
    plain = render(tmp_path, voice="reed")
    fast = render(tmp_path, EDITED, speed=2.0)
    (note,) = fast.notes
    assert "Poems.flac" in note
    assert "earlier text" in note
    assert plain.files[0].path.read_bytes()
    assert render(tmp_path, voice="reed").result is None
    assert len(list((tmp_path / "library").rglob("*.flac"))) == 2


def test_other_levels_replace_the_file_and_are_told(place, first_run):
    quiet = first_run(job_for(place))
    loud = render(place, settings={"mastering": MasteringChoices(target_lufs=-12.0)})
    assert loud.files[0].path == quiet.files[0].path
    assert any("Poems.flac" in note for note in loud.notes)


@pytest.mark.parametrize("as_old_records", [False, pytest.param(True, marks=pytest.mark.prove)])
def test_a_format_left_over_from_an_earlier_text_is_told_until_it_is_made_again(
    tmp_path, as_old_records
):
    render(tmp_path, formats=["flac", "mp3"])
    if as_old_records:
        forget_editions(tmp_path)
    left = tmp_path / "library" / "Poems" / "Poems.mp3"
    before = left.read_bytes()
    for _ in range(2):  # also if nothing has changed since
        report = render(tmp_path, EDITED)
        assert [(one.path, one.is_outdated) for one in report.other_files] == [(left, True)]
        assert any("Poems.mp3" in note and "not of this run" in note for note in report.notes)
    assert left.read_bytes() == before
    assert json.loads(report.path.read_text())["other_files"] == [
        {"path": str(left), "format": "mp3", "outdated": True}
    ]
    render(tmp_path, EDITED, formats=["mp3"])
    again = render(tmp_path, EDITED)
    assert [one.is_outdated for one in again.other_files] == [False]
    assert again.notes == ()


def test_whole_split_and_some_chapters_of_one_text_are_all_current(place, first_run):
    first_run(job_for(place))
    render(place, split=True, formats=["mp3"])
    report = render(place, chapters="2")
    names = sorted(one.path.name for one in report.other_files)
    assert names == ["01 - Poems.mp3", "02 - Second.mp3", "Poems.flac", "Poems.m3u8"]
    assert not any(one.is_outdated for one in report.other_files)
    assert report.notes == ()


def forget_editions(folder: Path) -> None:
    """Make the records those of a version that knew no editions and wrote nothing beside audio."""
    for sidecar in (folder / "library").rglob("metadata.json"):
        sidecar.unlink()
    for path in (folder / "library" / ".audiomill").glob("*.json"):
        records = json.loads(path.read_text())
        old = {
            name: {key: one for key, one in file.items() if key != "source_id"}
            for name, file in records["files"].items()
        }
        path.write_text(json.dumps({"origin": records["origin"], "files": old}))


@pytest.mark.parametrize("choices", [{}, {"chapters": "2"}, {"split": True, "speed": 2.0}])
def test_a_library_from_before_editions_stays_valid(tmp_path, choices):
    made = render(tmp_path, **choices)
    forget_editions(tmp_path)
    again = render(tmp_path, **choices)
    assert again.result is None
    assert again.files == made.files
    other = render(tmp_path, **choices | {"speed": 3.0})
    assert other.path.parent != made.path.parent


def test_an_edited_text_finds_its_edition_in_an_old_library_by_the_report(tmp_path):
    made = render(tmp_path, speed=2.0)
    forget_editions(tmp_path)
    assert render(tmp_path, EDITED).path.parent != made.path.parent
    assert render(tmp_path, EDITED, speed=2.0).path.parent == made.path.parent


def test_the_name_of_an_edition_can_be_a_folder_and_is_short():
    mix = "+".join(f"af_voice{n}(0.5)" for n in range(50))
    endings = {Edition("kokoro", mix + one, 1.25).ending for one in ("", "+af_sky")}
    assert len(endings) == 2
    assert all(len(ending) < 80 and "/" not in ending for ending in endings)
    assert Edition("espeak", "en+a/b", 1.0).ending == " (en+a-b)"
    assert replace(Edition("tone", "reed", 1.0), speed=0.8).ending == " (reed, speed 0.8)"


SERIES = "---\nauthor: Ann Ode\nseries: Valley\nseries_index: 2\n---\n\n# Poems\n\nA mill.\n"


def test_a_book_of_a_series_has_its_folder_there(tmp_path):
    report = render(tmp_path, SERIES)
    assert report.path.parent == tmp_path / "library" / "Ann Ode" / "Valley" / "Poems"
