"""What already has the name of a book's folder, or of one above it: it stays, and is named."""

import os

import pytest

from audiomill.outputs.types import OutputUnwritable
from support.book_data import rendered
from support.changed_book import ChangedBook

BOOK = ChangedBook()


def job_in(folder):
    return BOOK.job(folder, formats=["flac"])


@pytest.mark.parametrize("kind", ["file", "folder with files", "broken link"])
def test_a_book_gets_the_next_free_name_beside_what_has_its_own(tmp_path, kind):
    taken = tmp_path / "library" / "Ann Author" / "The Mill"
    taken.parent.mkdir(parents=True)
    if kind == "file":
        taken.write_text("mine")
    elif kind == "broken link":
        taken.symlink_to("elsewhere")
    else:
        taken.mkdir()
        (taken / "The Mill.flac").write_text("mine")
    report = rendered(job_in(tmp_path))
    assert report.files[0].path == taken.with_name("The Mill (2)") / "The Mill.flac"
    assert os.path.lexists(taken)
    assert rendered(job_in(tmp_path)).result is None


@pytest.mark.parametrize("name", ["library", "library/Ann Author", "library/.audiomill"])
def test_a_file_where_a_folder_has_to_be_is_named(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine")
    with pytest.raises(OutputUnwritable, match=rf"{path} is no folder\. Move it away"):
        rendered(job_in(tmp_path))
    assert path.read_text() == "mine"


def test_a_file_that_took_the_place_of_a_finished_book_is_named(place, first_run):
    folder = first_run(job_in(place)).path.parent
    folder.rename(place / "elsewhere")
    folder.write_text("mine")
    with pytest.raises(OutputUnwritable, match=rf"{folder} is no folder"):
        rendered(job_in(place))
    assert folder.read_text() == "mine"
