"""Files beside the audio are made new when their content differs; nobody else's are touched."""

from dataclasses import replace

import pytest

from audiomill.outputs.metadata import sidecars as sidecar_files
from audiomill.outputs.metadata.sidecars import SidecarBook, write_sidecars
from audiomill.outputs.types import OutputUnwritable
from support.killed_runs import killed_at
from support.signals_data import png_cover
from support.tags_data import BOOK_TAGS

BOOK = SidecarBook(BOOK_TAGS, png_cover())
OTHER = replace(BOOK, tags=replace(BOOK_TAGS, description="Another."))
NAMES = ("cover.jpg", "metadata.json", "desc.txt")


def write(folder, book=BOOK, known=None, names=NAMES):
    return write_sidecars(folder, names, book, "digest", known or {}, lambda _records: None)


def test_all_are_written_and_recorded(tmp_path):
    written = write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*NAMES} == {*written.records}
    assert written.kept == ()


def test_the_same_again_writes_nothing(tmp_path):
    records = write(tmp_path).records
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert write(tmp_path, known=records).records == records
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == before


def test_what_differs_is_written_again(tmp_path):
    records = write(tmp_path).records
    again = write(tmp_path, OTHER, records)
    assert (tmp_path / "desc.txt").read_text() == "Another.\n"
    assert again.records["desc.txt"] != records["desc.txt"]
    assert again.records["cover.jpg"] == records["cover.jpg"]


def test_what_is_gone_is_written_again_and_what_has_no_content_removed(tmp_path):
    records = write(tmp_path).records
    (tmp_path / "cover.jpg").unlink()
    none = replace(BOOK, tags=replace(BOOK_TAGS, description=""))
    again = write(tmp_path, none, records)
    assert {path.name for path in tmp_path.iterdir()} == {"cover.jpg", "metadata.json"}
    assert {*again.records} == {"cover.jpg", "metadata.json"}


def test_what_is_not_asked_for_any_more_is_kept_up_to_date_if_it_is_there(tmp_path):
    records = write(tmp_path).records
    (tmp_path / "cover.jpg").unlink()
    again = write(tmp_path, OTHER, records, names=("metadata.json",))
    assert (tmp_path / "desc.txt").read_text() == "Another.\n"
    assert not (tmp_path / "cover.jpg").exists()
    assert again.kept == ()


def test_a_cover_of_the_user_beside_a_book_without_one_is_nothing_to_tell(tmp_path):
    (tmp_path / "cover.jpg").write_text("Mine.")
    assert write(tmp_path, replace(BOOK, cover=None)).kept == ()
    assert (tmp_path / "cover.jpg").read_text() == "Mine."


def test_a_file_of_the_user_stays(tmp_path):
    (tmp_path / "desc.txt").write_text("Mine.")
    written = write(tmp_path)
    assert (tmp_path / "desc.txt").read_text() == "Mine."
    assert written.kept == ("desc.txt",)
    assert "desc.txt" not in written.records


def test_a_file_that_the_user_changed_stays(tmp_path):
    records = write(tmp_path).records
    (tmp_path / "metadata.json").write_text("{}")
    assert write(tmp_path, OTHER, records).kept == ("metadata.json",)
    assert (tmp_path / "metadata.json").read_text() == "{}"


def test_a_link_and_a_folder_stay(tmp_path):
    (tmp_path / "elsewhere").write_text("Mine.")
    (tmp_path / "desc.txt").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "cover.jpg").mkdir()
    assert write(tmp_path).kept == ("cover.jpg", "desc.txt")
    assert (tmp_path / "elsewhere").read_text() == "Mine."


def test_a_file_that_a_killed_run_wrote_is_recorded(tmp_path):
    records = write(tmp_path).records
    assert write(tmp_path).records == records


@pytest.mark.parametrize("n_written", range(3))
def test_what_a_killed_run_has_left_is_ours_whatever_the_book_is_next(tmp_path, n_written):
    records = write(tmp_path).records

    def announce(announced):
        nonlocal records
        records = announced

    with killed_at(sidecar_files, "write_atomically", n_before=n_written):
        other = replace(OTHER, tags=replace(OTHER.tags, publisher="Other"))
        names = ("metadata.json", "desc.txt", "metadata.opf")
        write_sidecars(tmp_path, names, other, "digest", records, announce)
    third = replace(BOOK, tags=replace(BOOK_TAGS, description="A third."))
    again = write(tmp_path, third, records)
    assert again.kept == ()
    assert (tmp_path / "desc.txt").read_text() == "A third.\n"


def test_a_folder_that_is_gone_is_named(tmp_path):
    with pytest.raises(OutputUnwritable, match="is gone"):
        write(tmp_path / "gone")


def test_a_file_that_somebody_puts_there_meanwhile_stays_and_is_named(tmp_path):
    def announce(_records):
        (tmp_path / "desc.txt").write_text("mine")

    written = write_sidecars(tmp_path, ("desc.txt",), BOOK, "digest", {}, announce)
    assert (written.kept, written.records) == (("desc.txt",), {})
    assert (tmp_path / "desc.txt").read_text() == "mine"
