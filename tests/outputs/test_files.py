"""Atomic writes: a file appears whole or not at all, and leftovers are swept."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from audiomill.outputs.files import publish, sweep, temporary_file, unwritable, write_atomically
from audiomill.outputs.types import OutputUnwritable


def touched(folder: Path, *names: str) -> list[Path]:
    paths = [folder / name for name in names]
    for path in paths:
        path.touch()
    return sorted(paths)


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write_atomically(path, b"old and long")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_only_the_old_file(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "a.json"
    write_atomically(path, b"old")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputUnwritable, match="Free some space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_no_file_appears_before_all_are_on_the_disk(tmp_path: Path) -> None:
    first, second = tmp_path / "1", tmp_path / "2"
    with temporary_file(first) as temporary, temporary_file(second) as lost:
        lost.unlink()
        with pytest.raises(OutputUnwritable, match="2 cannot be written"):
            publish({temporary: first, lost: second})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x" * 250, "本" * 83, "nul\0", "half\ud800"])
def test_any_name_is_written_or_refused_with_our_own_error(tmp_path: Path, name: str) -> None:
    try:
        write_atomically(tmp_path / name, b"x")
    except OutputUnwritable:
        assert not list(tmp_path.iterdir())
    else:
        assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (errno.ENOSPC, "Free some space"),
        (errno.EDQUOT, "Free some space"),
        (errno.EFBIG, "files that large"),
        (errno.EACCES, "permission"),
        (errno.EPERM, "permission"),
        (errno.EROFS, "another place"),
        (errno.ENOTDIR, "another place"),
    ],
)
def test_advice_fits_the_error(code: int, advice: str) -> None:
    message = str(unwritable(Path("/books/a.m4b"), OSError(code, os.strerror(code))))
    assert message.startswith(f"/books/a.m4b cannot be written ({os.strerror(code)}). ")
    assert advice in message
    assert "\n" not in message


def test_sweep_removes_only_temporary_files_of_killed_runs(tmp_path: Path) -> None:
    kept = touched(tmp_path, "book.m4b", "x.part", ".hidden.part", ".a.zz23abcd.part")
    stale = touched(tmp_path, ".book.m4b.0123abcd.part", ".c0ffee.json.89abcdef.part")
    assert sweep(tmp_path) == stale
    assert sorted(tmp_path.iterdir()) == kept


def test_sweep_of_one_name_leaves_other_names_alone(tmp_path: Path) -> None:
    kept = touched(tmp_path, ".b.json.0123abcd.part", ".a.json.x.0123abcd.part", "a.json")
    stale = touched(tmp_path, ".a.json.0123abcd.part", ".a.json.4567abcd.part")
    assert sweep(tmp_path, "a.json") == stale
    assert sorted(tmp_path.iterdir()) == kept
    long = "本" * 80
    with temporary_file(tmp_path / long) as temporary:
        assert sweep(tmp_path, long) == [temporary]


def test_sweep_skips_what_it_cannot_remove(tmp_path: Path) -> None:
    (tmp_path / ".a.json.0123abcd.part").mkdir()  # a folder: unlink fails even for root
    (stale,) = touched(tmp_path, ".b.json.0123abcd.part")
    assert sweep(tmp_path) == [stale]
    assert sweep(tmp_path / "gone") == []
