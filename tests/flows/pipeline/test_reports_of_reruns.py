"""Reports tell of the files as they are, whichever run has made them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from lxml import html

from audiomill.flows.cli.render import _say_outcome
from audiomill.flows.pipeline import pipeline
from audiomill.flows.pipeline.library.entry import LibraryEntry
from audiomill.flows.pipeline.report import Report
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.outputs.types import OutputUnwritable
from support.book_data import book_job, rendered
from support.changed_book import ChangedBook
from support.killed_runs import killed_at

BOOK = ChangedBook()
LEVELS = ("loudness_lufs", "rms_db", "true_peak_dbtp")


def told(report: Report) -> dict:
    return json.loads(report.path.read_text())


def page_of(report: Report) -> html.HtmlElement:
    return html.document_fromstring(report.page_path.read_bytes().decode())


def levels_in(content: dict) -> list[tuple[float, ...]]:
    return [tuple(file[name] for name in LEVELS) for file in content["files"]]


def test_the_report_names_the_one_ffmpeg_that_wrote_all(tmp_path, monkeypatch, capsys):
    """Also if it is not ours; and a run that encodes nothing keeps the name."""
    own = find_ffmpeg()
    other, broken = tmp_path / "bin" / "ffmpeg", tmp_path / "broken"
    other.parent.mkdir()
    other.symlink_to(own)
    broken.write_text("no program")
    job = BOOK.job(tmp_path, formats=["flac", "m4b"])
    with monkeypatch.context() as patched:
        patched.setenv("PATH", str(other.parent), prepend=":")
        patched.setattr("imageio_ffmpeg.get_ffmpeg_exe", lambda: str(broken))
        report = rendered(job)
    assert told(report)["ffmpeg"]["path"] == str(other)
    assert told(report)["ffmpeg"]["version"]
    _say_outcome(report)
    assert f"Warning: {other} encodes, because {broken} does not run" in capsys.readouterr().err
    titled = replace(BOOK, has_cover=True).job(tmp_path, formats=["flac", "m4b"])
    assert told(rendered(titled))["ffmpeg"]["path"] == str(other)


CHANGES = {
    "cover": replace(BOOK, has_cover=True),
    "chapters": replace(BOOK, chapters=("A", "B", "C")),
    "title": replace(BOOK, title="The Old Mill"),
    "author": replace(BOOK, author="Ben Writer"),
}


@pytest.mark.parametrize("split", [False, pytest.param(True, marks=pytest.mark.prove)])
def test_after_changes_of_tags_both_reports_tell_of_the_new_files(tmp_path, split):
    choices = {"formats": ["flac", "mp3"], "split": split}
    before = told(rendered(BOOK.job(tmp_path, **choices)))
    for book in CHANGES.values():
        assert_both_reports_tell(rendered(book.job(tmp_path, **choices)), book, before)


def assert_both_reports_tell(after: Report, book: ChangedBook, before: dict) -> None:
    assert after.result is None
    now, page = told(after), page_of(after)
    assert (now["title"], now["authors"]) == (book.title, [book.author])
    assert [file["path"] for file in now["files"]] == [str(file.path) for file in after.files]
    assert [one["title"] for one in now["work"]["chapters"]] == [*book.chapters]
    recordings = {file.path.stem for file in after.files}
    assert {one["recording"] for one in now["work"]["chapters"]} == recordings
    assert levels_in(now) == levels_in(before)
    assert (now["wall_s"], now["ledger"]) == (before["wall_s"], before["ledger"])
    assert now["page"] == str(after.page_path)
    assert page.findtext(".//h1/bdi") == book.title
    assert book.author in page.xpath("string(//header)")
    names = page.xpath("//*[@id='files']//tbody//a/@href")
    assert len(names) == len(after.files)
    assert len(page.xpath("//*[@id='chapters']//tbody/tr")) == 3
    rows = page.xpath("//*[@id='chapters']//tbody/tr")
    assert all("−" in row.xpath("string(td[last()])") for row in rows)


def test_a_rerun_without_changes_leaves_both_reports_as_they_are(place, first):
    before = first.path.read_bytes(), first.page_path.read_bytes()
    again = rendered(BOOK.job(place, formats=["flac"]))
    assert (first.path.read_bytes(), first.page_path.read_bytes()) == before
    assert levels_in(again.full()) == levels_in(first.full())
    first.page_path.unlink()
    rendered(BOOK.job(place, formats=["flac"]))
    assert first.path.read_bytes() == before[0]
    assert page_of(first).findtext(".//h1/bdi") == "The Mill"


def test_a_run_that_was_killed_before_its_report_gets_one_by_the_next(tmp_path):
    job = BOOK.job(tmp_path, formats=["flac"], split=True)
    with killed_at(pipeline, "make_report"):
        rendered(job)
    report = rendered(job)
    assert report.result is None
    content = told(report)
    assert len(content["files"]) == 3
    assert all(-40 < lufs < -10 for lufs, _, _ in levels_in(content))
    assert [one["title"] for one in content["work"]["chapters"]] == [*BOOK.chapters]
    assert len(page_of(report).xpath("//*[@id='chapters']//tbody/tr")) == 3


def test_the_report_of_an_earlier_text_does_not_stay(place, first):
    job = replace(BOOK, chapters=BOOK.chapters[:2]).job(place, formats=["flac"])
    with killed_at(pipeline, "make_report"):
        rendered(job)
    content = told(rendered(job))
    assert len(content["work"]["chapters"]) == 2
    assert content["segments"] == 2
    assert content["ledger"] is None  # that of the earlier text would be wrong


def test_another_format_of_the_same_audio_keeps_what_is_known_of_the_first(place, first):
    before = told(first)
    both = told(rendered(BOOK.job(place, formats=["flac", "mp3"])))
    assert levels_in(both)[0] == levels_in(before)[0]
    assert [one["file"] for one in both["work"]["levels"]] == ["The Mill.flac", "The Mill.mp3"]
    assert len(both["work"]["chapters"]) == 3


def test_a_transcript_alone_tells_how_loud_the_finished_chapters_are(place, first):
    before = told(first)
    later = told(rendered(BOOK.job(place, formats=["flac"], transcripts=["vtt"])))
    for name in ("chapters", "gain_db", "loudness_lufs", "true_peak_dbtp"):
        assert later["work"][name] == before["work"][name]


@pytest.mark.prove
def test_files_that_the_run_did_not_encode_are_told_with_their_levels(tmp_path):
    """Each file has its own level, so a changed chapter encodes its own file only."""
    reports = []
    for last in ("It was late.", "It was late, and nobody was left to hear the owl."):
        text = f"# One\n\nThe mill turned all night.\n\n# Two\n\n{last}\n"
        job = book_job(tmp_path, text, formats=None, profile="acx", credits=False)
        reports.append(rendered(job))
    before, now = (one.full()["work"] for one in reports)
    assert len(reports[1].result.recorded) == 1
    assert [one["file"] for one in now["levels"]] == ["01 - One.mp3", "02 - Two.mp3"]
    assert now["levels"][0] == before["levels"][0]
    assert now["chapters"][0] == before["chapters"][0]
    assert now["chapters"][1]["duration_s"] > before["chapters"][1]["duration_s"]
    assert now["loudness_lufs"] is None  # of both as one: not measured
    assert now["true_peak_dbtp"] == max(one["true_peak_dbtp"] for one in now["levels"])


def test_a_changed_file_is_told_as_changed_without_levels(place, first):
    first.files[0].path.write_bytes(b"mine")
    again = rendered(BOOK.job(place, formats=["flac"]))
    (file,) = told(again)["files"]
    assert "changed since" in page_of(again).xpath("string(//*[@id='files']//tbody/tr)")
    assert file["changed"]
    assert file["bytes"] == 4
    assert "loudness_lufs" not in file


@pytest.mark.parametrize("name", ["report.json", "report.html"])
@pytest.mark.parametrize("kind", ["own", "changed", "folder"])
def test_a_report_of_somebody_else_stays_and_is_told(place, first, name, kind):
    path = first.path.with_name(name)
    if kind == "folder":
        path.unlink()
        path.mkdir()
    else:
        content = path.read_text()
        path.write_text(content + " mine" if kind == "changed" else "mine")
    before = path.read_text() if path.is_file() else None
    again = rendered(replace(BOOK, has_cover=True).job(place, formats=["flac", "mp3"]))
    assert (path.read_text() if path.is_file() else None) == before
    assert any(name in note and "Left as" in note for note in again.notes)
    other = again.page_path if name == "report.json" else again.path
    assert "The Mill.mp3" in other.read_text()


def test_a_report_that_a_killed_run_was_writing_is_ours(place, first):
    with killed_at(LibraryEntry, "write_report", is_done=True):
        rendered(BOOK.job(place, formats=["flac", "mp3"]))
    again = rendered(BOOK.job(place, formats=["flac", "opus"]))
    assert not any("Left as they are" in note for note in again.notes)
    assert "The Mill.opus" in first.path.read_text()
    assert "The Mill.opus" in first.page_path.read_text()


def test_a_page_that_could_not_be_written_is_written_by_the_next_run(place, first, monkeypatch):
    write = LibraryEntry.write_report

    def full(self, name: str, content: bytes) -> None:
        if name == "report.html":
            raise OutputUnwritable("The disk is full.")
        write(self, name, content)

    job = BOOK.job(place, formats=["flac", "mp3"])
    with monkeypatch.context() as patched, pytest.raises(OutputUnwritable):
        patched.setattr(LibraryEntry, "write_report", full)
        rendered(job)
    rendered(job)
    assert "The Mill.mp3" in first.page_path.read_text()
    assert [one["format"] for one in told(first)["files"]] == ["flac", "mp3"]


def reports_unrecorded(folder: Path) -> None:
    """Make the records those of a version that knew neither reports nor levels."""
    (path,) = (folder / "library" / ".audiomill").glob("*.json")
    records = json.loads(path.read_text())
    del records["reports"], records["pending"]
    for record in records["files"].values():
        del record["levels"]
    path.write_text(json.dumps(records))


def test_reports_of_versions_that_did_not_record_them_are_ours(place, first):
    before = told(first)
    reports_unrecorded(place)
    retagged = rendered(CHANGES["chapters"].job(place, formats=["flac"]))
    now = told(retagged)
    assert [one["title"] for one in now["work"]["chapters"]] == ["A", "B", "C"]
    assert now["ledger"] == before["ledger"]
    assert not any("Left as" in note for note in retagged.notes)


def test_an_earlier_report_that_is_none_of_ours_does_no_harm(place, first):
    content = told(first)
    content["work"], content["remarks"] = [3], {"where": 2}
    first.path.write_text(json.dumps(content))
    again = rendered(CHANGES["chapters"].job(place, formats=["flac"]))
    assert page_of(again).findtext(".//h1/bdi") == "The Mill"
