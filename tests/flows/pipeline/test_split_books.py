"""Files of a split book: their parts, their list, no gaps between them, and none too many."""

from dataclasses import replace
from pathlib import Path

import av
import mutagen
import numpy as np
import pytest

from audiomill.flows.job import Job
from audiomill.flows.pipeline.library.entry import LibraryEntry
from audiomill.outputs.types import OutputUnwritable
from support.book_data import rendered, samples_of, source_job
from support.changed_book import ChangedBook
from support.epub_data import Epub, line, nav, page
from support.examples import first_often

BOOK = ChangedBook()
PARTS = {
    "Preface": (),
    "Part One": ("The Sea", "The Hill"),
    "Part Two": ("The Mill",),
    "Afterword": (),
}


def job_with_parts(folder: Path, **choices) -> Job:
    """An EPUB whose parts have pages of their own."""
    pages: dict[str, str] = {}

    def entry(title: str, inner: str = "") -> str:
        name = f"p{len(pages)}.xhtml"
        pages[name] = page(f"<h1>{title}</h1><p>{title} has words of its own.</p>")
        return name

    lines = ""
    for title, chapters in PARTS.items():
        own = entry(title)
        lines += line(title, own, "".join(line(one, entry(one)) for one in chapters))
    source = Epub(pages=pages, nav=nav(lines)).write(folder)
    chosen = {"formats": None, "split": True, "credits": False, "speed": 4.0} | choices
    return source_job(source, **chosen)


def discs_and_tracks(path: Path) -> tuple[str, str]:
    """As ffmpeg's reader, which Audiobookshelf uses, tells them."""
    with av.open(str(path)) as container:
        # FLAC and MP3 have them in the container, Opus in the stream.
        found = {**container.streams.audio[0].metadata, **container.metadata}
    tags = {name.lower(): value for name, value in found.items()}
    disc, track = tags["disc"], tags["track"]
    if "disctotal" in tags:
        disc, track = f"{disc}/{tags['disctotal']}", f"{track}/{tags['tracktotal']}"
    return disc, track


@pytest.mark.prove
@pytest.mark.parametrize("name", ["m4a", "mp3", "flac", "opus"])
def test_parts_are_discs_and_tracks_run_through_the_book(tmp_path, name):
    report = rendered(job_with_parts(tmp_path, formats=[name]))
    names = [file.path.name for file in report.files]
    assert (
        names
        == sorted(names)
        == [
            f"{number:02d} - {title}.{name}"
            for number, title in enumerate(
                ("Preface", "Part One", "The Sea", "The Hill", "Part Two", "The Mill", "Afterword"),
                1,
            )
        ]
    )
    told = [discs_and_tracks(file.path) for file in report.files]
    assert [track for _, track in told] == [f"{number}/7" for number in range(1, 8)]
    assert [disc for disc, _ in told] == ["1/2"] * 4 + ["2/2"] * 3


def test_the_title_of_the_part_is_told_too(tmp_path):
    report = rendered(job_with_parts(tmp_path, formats=["flac"]))
    files = [mutagen.File(file.path) for file in report.files]
    titles = [file.get("discsubtitle", [""])[0] for file in files]
    assert titles == ["", "Part One", "Part One", "Part One", "Part Two", "Part Two", ""]


def test_some_chapters_have_the_parts_and_numbers_of_the_whole_book(tmp_path):
    report = rendered(job_with_parts(tmp_path, formats=["flac"], chapters="6"))
    (file,) = report.files
    assert discs_and_tracks(file.path) == ("2/2", "6/7")


def test_credits_with_files_of_their_own_have_a_disc_as_all_have(tmp_path):
    job = job_with_parts(tmp_path, formats=["flac"], credits=True)
    job = replace(job, delivery=replace(job.delivery, credits_apart=True))
    report = rendered(job)
    discs = [mutagen.File(file.path)["discnumber"] for file in report.files]
    assert discs == [["1"]] * 5 + [["2"]] * 4


@pytest.mark.parametrize(
    ("name", "loudest_error"),
    [("flac", 0), ("mp3", 0.05), *first_often([("m4a", 0.05), ("opus", 0.1)], 2)],
)
def test_the_files_one_after_the_other_are_the_whole_book(tmp_path, name, loudest_error):
    whole = rendered(BOOK.job(tmp_path, formats=[name]))
    split = rendered(BOOK.job(tmp_path, formats=[name], split=True))
    together = samples_of(*(file.path for file in split.files))
    alone = samples_of(whole.files[0].path)
    assert together.size == alone.size
    assert np.abs(together - alone).max() <= loudest_error


def test_a_split_book_has_a_playlist_of_its_first_format(tmp_path):
    report = rendered(BOOK.job(tmp_path, formats=["mp3", "flac"], split=True))
    (playlist,) = report.lists
    assert playlist.path.name == "The Mill.m3u8"
    names = [
        text for text in playlist.path.read_text("utf-8").splitlines() if not text.startswith("#")
    ]
    assert names == [file.path.name for file in report.files if file.format == "mp3"]
    assert report.summary()["lists"] == [{"path": str(playlist.path), "format": "m3u8"}]
    before = playlist.path.stat().st_mtime_ns
    again = rendered(BOOK.job(tmp_path, formats=["mp3", "flac"], split=True))
    assert again.lists == report.lists
    assert playlist.path.stat().st_mtime_ns == before
    assert rendered(BOOK.job(tmp_path, formats=["mp3"])).lists == ()


def test_a_playlist_that_is_gone_is_written_again_and_one_that_was_changed_stays(
    place, first_split
):
    path = first_split.lists[0].path
    content = path.read_bytes()
    path.unlink()
    again = rendered(BOOK.job(place, formats=["flac"], split=True))
    assert again.result is None
    assert path.read_bytes() == content
    path.write_text("03 - The Mill.flac\n")
    again = rendered(BOOK.job(place, formats=["flac"], split=True))
    assert path.read_text() == "03 - The Mill.flac\n"
    assert any("The Mill.m3u8" in note and "changed" in note for note in again.notes)


def test_a_cue_sheet_is_written_if_it_is_asked_for(tmp_path):
    job = BOOK.job(tmp_path, formats=["flac"])
    assert rendered(job).lists == ()
    with_sheet = replace(job, delivery=replace(job.delivery, cue_sheet=True))
    report = rendered(with_sheet)
    assert report.result is None
    (sheet,) = report.lists
    text = sheet.path.read_text("utf-8")
    assert sheet.path.name == "The Mill.cue"
    assert 'FILE "The Mill.flac" WAVE' in text
    assert text.count("TRACK") == 3
    assert rendered(replace(with_sheet, split=True)).lists[0].format == "m3u8"
    assert sheet.path.is_file()


@pytest.mark.prove
def test_copies_of_the_book_in_one_folder_are_told_where_a_server_scans_it(tmp_path):
    """It would play them one after the other."""

    def told(**choices) -> str:
        return "\n".join(rendered(BOOK.job(tmp_path, **{"split": True} | choices)).notes)

    assert "more than once" not in told(formats=["mp3"])
    assert "more than once: The Mill.mp3, 01 - The Sea.mp3. Keep" in told(
        formats=["mp3"], split=False
    )
    assert "more than once" not in told(formats=["mp3"], profile="podcast", out=tmp_path / "o")
    assert "more than once" not in told(formats=["mp3", "opus"], profile="podcast")
    assert "The Mill.opus" in told(formats=["mp3", "opus"], split=False)


def test_a_removed_chapter_and_a_renamed_one_remove_their_files(place, first):
    choices = {"formats": ["flac", "mp3"], "transcripts": ["vtt"], "split": True}
    rendered(BOOK.job(place, **choices))
    folder = first.files[0].path.parent
    shorter = replace(BOOK, chapters=("The Sea", "The Dune"))
    report = rendered(shorter.job(place, **choices))
    written = {"report.json", "report.html", "metadata.json"}
    there = {path.name for path in folder.iterdir()} - written
    names = ("01 - The Sea", "02 - The Dune")
    made = {f"{name}.{suffix}" for name in names for suffix in ("flac", "mp3", "vtt")}
    assert there == made | {"The Mill.m3u8", "The Mill.flac"}
    assert rendered(shorter.job(place, **choices)).result is None
    (note,) = [note for note in report.notes if note.startswith("Removed")]
    assert "02 - The Hill.flac" in note
    assert first.files[0].path.is_file()


def test_files_that_were_changed_or_are_of_other_formats_stay(tmp_path):
    first = rendered(BOOK.job(tmp_path, formats=["flac", "mp3"], split=True))
    by_name = {file.path.name: file.path for file in first.files}
    changed = by_name["03 - The Mill.flac"]
    changed.write_bytes(changed.read_bytes() + b"my own tag")
    own = changed.with_name("04 - My notes.flac")
    own.write_bytes(b"mine")
    shorter = replace(BOOK, chapters=BOOK.chapters[:2])
    report = rendered(shorter.job(tmp_path, formats=["flac"], split=True))
    assert changed.read_bytes().endswith(b"my own tag")
    assert own.read_bytes() == b"mine"
    assert by_name["03 - The Mill.mp3"].is_file()
    assert any("03 - The Mill.flac" in note and "they stay" in note for note in report.notes)
    assert not any(note.startswith("Removed") for note in report.notes)


def test_a_run_that_fails_removes_nothing(place, first_split, monkeypatch):

    def full(*_args):
        raise OutputUnwritable("The disk is full.")

    monkeypatch.setattr("audiomill.flows.pipeline.companion_files.write_list", full)
    shorter = replace(BOOK, title="The Mill", chapters=BOOK.chapters[:2])
    with pytest.raises(OutputUnwritable, match="full"):
        rendered(shorter.job(place, formats=["flac"], split=True))
    assert first_split.files[2].path.is_file()


@pytest.mark.parametrize("name", ["01 - The Sea.flac", "The Mill.m3u8"])
def test_a_file_of_the_users_own_is_not_overwritten(place, first, name):
    """Their folder is ours: the whole book is in it."""
    own = first.files[0].path.with_name(name)
    own.write_bytes(b"somebody's own")
    before = {path: path.read_bytes() for path in own.parent.iterdir()}
    with pytest.raises(OutputUnwritable, match=r"not a file that audiomill made.*--out"):
        rendered(BOOK.job(place, formats=["flac"], split=True))
    assert {path: path.read_bytes() for path in own.parent.iterdir()} == before
    own.unlink()
    assert len(rendered(BOOK.job(place, formats=["flac"], split=True)).files) == 3


def test_a_file_whose_run_was_killed_before_recording_it_is_made_again(tmp_path, monkeypatch):
    record = LibraryEntry.record_finished

    def killed(self, finished, lengths=None):
        if finished := list(finished):
            raise KeyboardInterrupt
        record(self, finished, lengths)

    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(LibraryEntry, "record_finished", killed)
        rendered(BOOK.job(tmp_path, formats=["flac"]))
    report = rendered(BOOK.job(tmp_path, formats=["flac"]))
    assert report.files[0].path.is_file()


def test_two_books_of_one_title_keep_their_lists_apart(place, first_split):
    other_folder = place / "other"
    other_folder.mkdir()
    other = replace(BOOK, chapters=("Zwei",))
    job = replace(other.job(other_folder, formats=["flac"], split=True), out=place / "library")
    two = rendered(job)
    assert first_split.lists[0].path != two.lists[0].path
    assert len([*first_split.lists[0].path.parent.glob("*.flac")]) == 3
    assert len([*two.lists[0].path.parent.glob("*.flac")]) == 1


def test_an_over_long_title_has_files_and_a_list(tmp_path):
    long = replace(BOOK, title="Mühle " * 100, chapters=("Kapitel " * 60, "B", "C"))
    report = rendered(long.job(tmp_path, formats=["flac"], split=True))
    names = [file.path.name for file in (*report.files, *report.lists)]
    assert all(len(name.encode()) <= 255 for name in names)
    assert all(file.path.is_file() for file in (*report.files, *report.lists))


@pytest.mark.parametrize("kind", ["playlist", "cue"])
def test_a_disk_that_fills_up_while_a_list_is_written_keeps_all_files(tmp_path, monkeypatch, kind):
    job = BOOK.job(tmp_path, formats=["flac"], split=kind == "playlist")
    job = replace(job, delivery=replace(job.delivery, cue_sheet=True))
    write_bytes = Path.write_bytes

    def full(path, content):
        if ".m3u8." in path.name or ".cue." in path.name:
            write_bytes(path, content[:10])
            raise OSError(28, "No space left on device")
        return write_bytes(path, content)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        with pytest.raises(OutputUnwritable, match="Free some space"):
            rendered(job)
    assert not [*tmp_path.rglob("*.part")]
    again = rendered(job)
    assert again.result is None  # the audio was kept
    assert again.lists[0].path.is_file()
