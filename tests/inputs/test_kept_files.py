"""Files that are kept for later runs: whole, few, and nobody else's."""

import errno
import os
from pathlib import Path

from audiomill.inputs.kept_files import keep_file


def test_those_that_were_written_or_touched_last_stay(tmp_path):
    folder = tmp_path / "cache" / "books"
    for number, name in enumerate(("first", "second", "third")):
        keep_file(folder / name, name.encode(), 3)
        os.utime(folder / name, (number, number))
    os.utime(folder / "first", (9, 9))
    keep_file(folder / "fourth", b"4", 3)
    assert {one.name: one.read_bytes() for one in folder.iterdir()} == {
        "first": b"first",
        "third": b"third",
        "fourth": b"4",
    }
    assert folder.stat().st_mode & 0o077 == 0


def test_what_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch):
    keep_file(tmp_path / "book", b"old", 3)

    def full(path, content):
        path.touch()
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(Path, "write_bytes", full)
    keep_file(tmp_path / "book", b"new", 3)
    assert [one.name for one in tmp_path.iterdir()] == ["book"]
    assert (tmp_path / "book").read_bytes() == b"old"
