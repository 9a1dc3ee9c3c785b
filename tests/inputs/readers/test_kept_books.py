"""Books that are kept between runs: those that were read, and never those of something else."""

import hashlib
import os
import pickle
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from audiomill.inputs import own_code
from audiomill.inputs.model.book import Limits
from audiomill.inputs.readers.kept_books import MAX_KEPT, BookKey, KeptBooks
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.reading.choices import Reading
from audiomill.inputs.reading.rules import ReadingRules
from support.paths import SAMPLES

LIMITS, RULES = Limits(), ReadingRules()


@pytest.fixture
def path(tmp_path):
    return Path(shutil.copy(SAMPLES / "the-lighthouse-mill.epub", tmp_path / "mill.epub"))


@pytest.fixture
def kept(tmp_path):
    return KeptBooks(tmp_path / "kept")


@pytest.fixture
def book(kept, path):
    """The book of `path`, which is kept."""
    book = read_book(path, LIMITS, RULES)
    kept.keep(kept.key_of(path, LIMITS, RULES), book)
    return book


def found(kept, path, limits=LIMITS, rules=RULES):
    return kept.get(kept.key_of(path, limits, rules))


def test_a_kept_book_is_the_one_that_was_read(kept, path, book):
    assert found(kept, path) == book
    assert len(book.chapters) > 2


def test_what_decides_a_book_finds_no_other(kept, path, book, tmp_path, monkeypatch):
    assert not found(kept, path, limits=replace(LIMITS, max_text_chars=10**6))
    assert not found(kept, path, rules=ReadingRules(Reading(front_matter="speak")))
    assert not found(kept, path.rename(tmp_path / "other.epub"))
    path = (tmp_path / "other.epub").rename(path)
    assert found(kept, path) == book
    with monkeypatch.context() as patched:
        (tmp_path / "inputs").mkdir()  # other code than ours
        patched.setattr(own_code, "_ROOT", tmp_path)
        assert not found(kept, path)
    with path.open("ab") as file:
        file.write(b"\0")
    assert not found(kept, path)


def test_a_file_that_changed_while_it_was_read_is_not_kept(kept, path, book):
    key = kept.key_of(path, LIMITS, ReadingRules(Reading(front_matter="speak")))
    kept.keep(key, replace(book, source_id="0" * 64))
    assert not kept.get(key)


class Harmful:
    def __reduce__(self):
        return os.mkdir, ("made-by-a-pickle",)


def with_digest(data):
    return hashlib.sha256(data).digest() + data


@pytest.mark.parametrize(
    "content",
    [
        lambda _: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1] + b"!",
        lambda _: with_digest(pickle.dumps("no book")),
        lambda _: with_digest(pickle.dumps(Harmful())),
        lambda _: with_digest(pickle.dumps(Path("no class of a book"))),
    ],
)
def test_a_damaged_file_is_as_none(kept, path, book, content, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (file,) = (tmp_path / "kept").iterdir()
    file.write_bytes(content(file.read_bytes()))
    assert not found(kept, path)
    assert not Path("made-by-a-pickle").exists()
    kept.keep(kept.key_of(path, LIMITS, RULES), book)
    assert found(kept, path) == book


def test_the_books_that_were_used_last_stay(kept, path, book, tmp_path):
    first = kept.key_of(path, LIMITS, RULES)
    others = [BookKey(book.source_id, f"{number:064}") for number in range(MAX_KEPT)]
    for age, file in enumerate([first, *others]):
        kept.keep(file, book)
        os.utime(tmp_path / "kept" / file.name, (age, age))
    assert not kept.get(first)
    assert kept.get(others[0]) == book
    kept.keep(first, book)
    assert kept.get(others[0])
    assert not kept.get(others[1])


def test_a_folder_that_cannot_be_written_keeps_nothing(path, tmp_path):
    (tmp_path / "kept").write_bytes(b"")
    kept = KeptBooks(tmp_path / "kept")
    key = kept.key_of(path, LIMITS, RULES)
    kept.keep(key, read_book(path, LIMITS, RULES))
    assert not kept.get(key)


def test_only_epubs_are_kept(kept, tmp_path):
    (tmp_path / "mill.md").write_text("# A Mill\n")
    assert not kept.key_of(tmp_path / "mill.md", LIMITS, RULES)
