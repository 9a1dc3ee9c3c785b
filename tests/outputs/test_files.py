"""Atomic writes: a file appears whole or not at all, and leftovers are swept."""

import errno
import hashlib
import os
import posix
from pathlib import Path

import pytest

from audiomill.outputs import files, no_replace
from audiomill.outputs.files import publish, sweep, temporary_file, unwritable, write_atomically
from audiomill.outputs.no_replace import rename_to_free
from audiomill.outputs.types import OutputOccupied, OutputUnwritable
from audiomill.renderers.host.durable import fsync, sync
from support.case_files import each_row


def touched(folder: Path, *names: str) -> list[Path]:
    paths = [folder / name for name in names]
    for path in paths:
        path.touch()
    return sorted(paths)


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "a.json"
    write_atomically(path, b"old and long")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_only_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    write_atomically(path, b"old")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputUnwritable, match="Free some space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_no_file_appears_before_all_are_on_the_disk(tmp_path):
    first, second = tmp_path / "1", tmp_path / "2"
    with temporary_file(first) as temporary, temporary_file(second) as lost:
        lost.unlink()
        with pytest.raises(OutputUnwritable, match="2 cannot be written"):
            publish({temporary: first, lost: second})
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x" * 250, "本" * 83, "nul\0", "half\ud800"])
def test_any_name_is_written_or_refused_with_our_own_error(tmp_path, name):
    try:
        write_atomically(tmp_path / name, b"x")
    except OutputUnwritable:
        assert not list(tmp_path.iterdir())
    else:
        assert [path.name for path in tmp_path.iterdir()] == [name]


@each_row
def test_advice_fits_the_error(code, advice):
    error = OSError(getattr(errno, code), os.strerror(getattr(errno, code)))
    message = str(unwritable(Path("/books/a.m4b"), error))
    assert message.startswith(f"/books/a.m4b cannot be written ({error.strerror}). ")
    assert advice in message
    assert "\n" not in message


def test_sweep_removes_only_temporary_files_of_killed_runs(tmp_path):
    kept = touched(tmp_path, "book.m4b", "x.part", ".hidden.part", ".a.zz23abcd.part")
    stale = touched(tmp_path, ".book.m4b.0123abcd.part", ".c0ffee.json.89abcdef.part")
    assert sweep(tmp_path) == stale
    assert sorted(tmp_path.iterdir()) == kept


def test_sweep_of_one_name_leaves_other_names_alone(tmp_path):
    kept = touched(tmp_path, ".b.json.0123abcd.part", ".a.json.x.0123abcd.part", "a.json")
    stale = touched(tmp_path, ".a.json.0123abcd.part", ".a.json.4567abcd.part")
    assert sweep(tmp_path, "a.json") == stale
    assert sorted(tmp_path.iterdir()) == kept
    long = "本" * 80
    with temporary_file(tmp_path / long) as temporary:
        assert sweep(tmp_path, long) == [temporary]


def test_sweep_skips_what_it_cannot_remove(tmp_path):
    (tmp_path / ".a.json.0123abcd.part").mkdir()  # a folder: unlink fails even for root
    (stale,) = touched(tmp_path, ".b.json.0123abcd.part")
    assert sweep(tmp_path) == [stale]
    assert sweep(tmp_path / "gone") == []


# At a file that is to be replaced before and after its content, and at last.
N_LOOKS = {"ours": 3, "nothing": 2}
OLD = hashlib.sha256(b"old").hexdigest()
# How file systems without hard links, and without a rename that replaces nothing, say so.
LACKS = {"nothing": (), "links": ("link",), "links and RENAME_NOREPLACE": ("link", "renameat2")}


@pytest.fixture(params=LACKS)
def lacks(request, monkeypatch) -> None:
    """A file system that lacks what names files without replacing any."""

    def no_links(*_args: object, **_options: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    if "link" in LACKS[request.param]:
        monkeypatch.setattr(os, "link", no_links)
    if "renameat2" in LACKS[request.param]:
        monkeypatch.setattr(no_replace, "_renameat2", lambda *_args: errno.EINVAL)


@pytest.mark.usefixtures("lacks")
def test_only_a_free_name_is_taken(tmp_path):
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(b"new")
    target.symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        rename_to_free(source, target)
    assert source.read_bytes() == b"new"
    target.unlink()
    rename_to_free(source, target)
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("target", b"new")]


@pytest.mark.parametrize("own", [(), (OLD,)])
@pytest.mark.parametrize("there", ["nothing", "ours", "theirs", "a link to ours", "a folder"])
def test_only_a_file_of_ours_is_replaced(tmp_path, there, own):
    path, other = tmp_path / "a", tmp_path / "other"
    other.write_bytes(b"old")
    match there:
        case "ours":
            path.write_bytes(b"old")
        case "theirs":
            path.write_bytes(b"mine")
        case "a link to ours":
            path.symlink_to(other)
        case "a folder":
            path.mkdir()
        case _:
            pass
    before = sorted((one.name, one.lstat()[:2]) for one in tmp_path.iterdir())
    if there == "nothing" or (there == "ours" and own):
        write_atomically(path, b"new", own)
        assert path.read_bytes() == b"new"
        assert sorted(tmp_path.iterdir()) == [path, other]
    else:
        with pytest.raises(OutputOccupied, match="stays as it is"):
            write_atomically(path, b"new", own)
        assert sorted((one.name, one.lstat()[:2]) for one in tmp_path.iterdir()) == before


@pytest.mark.parametrize("before", N_LOOKS)
@pytest.mark.parametrize("kind", ["a file", "a folder", "nothing"])
def test_what_comes_after_the_last_look_stays(tmp_path, monkeypatch, kind, before):
    """As if a person had put it there between our last look and our renaming."""
    path, theirs = tmp_path / "a", tmp_path / "theirs"
    if before == "ours":
        path.write_bytes(b"old")
    looked = files._version
    n_looks = 0

    def look(at: Path) -> tuple[int, ...] | None:
        nonlocal n_looks
        found = looked(at)
        n_looks += at == path
        if at == path and n_looks == N_LOOKS[before]:
            path.unlink(missing_ok=True)
            _put(kind, theirs, path)
        return found

    monkeypatch.setattr(files, "_version", look)
    if kind == "nothing":
        write_atomically(path, b"new", (OLD,))
        assert path.read_bytes() == b"new"
    else:
        with pytest.raises(OutputOccupied, match="stays as it is"):
            write_atomically(path, b"new", (OLD,))
        assert path.is_dir() or path.read_bytes() == b"mine"
    assert [*tmp_path.iterdir()] == [path]


def _put(kind: str, theirs: Path, path: Path) -> None:
    if kind == "a folder":
        path.mkdir()
    elif kind == "a file":
        theirs.write_bytes(b"mine")
        theirs.rename(path)


def test_a_file_whose_other_name_cannot_be_removed_has_its_name(tmp_path, monkeypatch):
    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(Path, "unlink", refuse)
    write_atomically(tmp_path / "a", b"new", ())
    assert (tmp_path / "a").read_bytes() == b"new"


def test_none_of_several_files_appears_if_one_name_is_taken(tmp_path):
    first, second = tmp_path / "1", tmp_path / "2"
    second.write_bytes(b"mine")
    with temporary_file(first) as one, temporary_file(second) as two:
        with pytest.raises(OutputOccupied, match="2 was put there"):
            publish({one: first, two: second}, {first: (), second: ()})
        assert not first.exists()
    assert second.read_bytes() == b"mine"


def test_a_folder_that_cannot_be_synced_is_passed_over_but_no_file(tmp_path, monkeypatch):
    """Folders of /proc say EINVAL, as those of some network file systems do."""
    monkeypatch.setattr(os, "fsync", posix.fsync)  # here the disk is waited for
    with pytest.raises(OSError, match="Invalid argument"):
        sync(Path("/proc/self/status"))
    sync(Path("/proc/self"))
    sync(tmp_path)
    path = tmp_path / "closed"
    path.touch()
    descriptor = os.open(path, os.O_RDONLY)
    fsync(descriptor)
    os.close(descriptor)
    with pytest.raises(OSError, match="Bad file descriptor"):
        fsync(descriptor)
