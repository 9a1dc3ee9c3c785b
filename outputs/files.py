"""Atomic file writes: a file appears whole or not at all.

Content goes into a temporary file next to its target and is renamed once it is on the disk. The
temporary file of "NAME" is ".NAME.3f9a01c2.part"; only a killed run leaves one behind.
What is at a place that a person names (`--out`) is not ours, so it stays.
Knows nothing about the content.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import stat
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from audiomill.inputs.files import file_sha256, read_regular
from audiomill.outputs.no_replace import exchange, rename_to_free
from audiomill.outputs.types import OutputFile, OutputOccupied, OutputUnwritable
from audiomill.renderers.host.durable import sync

_TEMPORARY = re.compile(r"\.(.+)\.[0-9a-f]{8}\.part", re.DOTALL)
_STEM_BYTES = 200  # file systems allow 255 bytes; the token and the suffix need some of them
_FULL = "Free some space there, or choose another place."
_TOO_LARGE = "Choose a place that takes files that large, or split the book."
_FORBIDDEN = "Ask for permission to write there, or choose another place."
_ADVICE = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _TOO_LARGE,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EROFS: "Choose another place.",
}
# Told of a file that is whole, before it appears under its name. So the caller knows a file as its
# own even if the process ends right then. It answers with the SHA-256s of the files that this one
# may replace.
Announce = Callable[[OutputFile], Collection[str]]


def unwritable(path: Path, error: OSError | ValueError) -> OutputUnwritable:
    """An error that names `path`, the reason, and advice that fits the reason."""
    code = error.errno if isinstance(error, OSError) else None
    if code == errno.ENOENT and not path.parent.is_dir():
        return OutputUnwritable(
            f"{path} cannot be written: the folder {path.parent} is gone."
            " Run again: everything rendered is kept."
        )
    if code in (errno.ENOTDIR, errno.EEXIST) and (obstacle := _obstacle(path)):
        return OutputUnwritable(
            f"{path} cannot be written: {obstacle} is no folder. Move it away, or choose another"
            " place."
        )
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    advice = _ADVICE.get(code or 0, "Choose another place.")
    return OutputUnwritable(f"{path} cannot be written ({reason}). {advice}")


def _obstacle(path: Path) -> Path | None:
    """The file where a folder on the way to `path`, or `path` itself, would have to be."""
    return next((one for one in (path, *path.parents) if one.exists() and not one.is_dir()), None)


@contextmanager
def unwritable_errors(path: Path) -> Generator[None]:
    """Turn OSError and ValueError raised in the block into OutputUnwritable about `path`."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise unwritable(path, error) from error


@contextmanager
def temporary_file(path: Path) -> Generator[Path]:
    """Create an empty temporary file next to `path`; remove it afterwards unless published.

    Raises OutputUnwritable if the file cannot be created.
    """
    with unwritable_errors(path):
        temporary = path.with_name(f".{_stem(path.name)}.{secrets.token_hex(4)}.part")
        temporary.touch(exist_ok=False)
    try:
        yield temporary
    finally:
        with suppress(OSError):  # a folder that lets none be removed: `sweep` may later
            temporary.unlink(missing_ok=True)


def publish(paths: Mapping[Path, Path], own: Mapping[Path, Collection[str]] | None = None) -> None:
    """Rename each temporary file to the path it maps to, once all of them are on the disk.

    A reader sees either the old file or the whole new one. `own` has the SHA-256s of the files that
    may be replaced at a path, as they are at this moment; None: whatever is there is replaced.

    Raises OutputOccupied if something else is at a path, OutputUnwritable; no file is renamed then,
    unless the renaming itself failed.
    """
    for temporary, path in paths.items():
        with unwritable_errors(path):
            sync(temporary)
    there = {path: _own_version(path, own[path]) for path in paths.values()} if own else {}
    for temporary, path in paths.items():
        with unwritable_errors(path):
            if own is None:
                temporary.replace(path)
            else:
                _replace_own(temporary, path, there[path])
            sync(path.parent)


def write_atomically(path: Path, content: bytes, own: Collection[str] | None = None) -> None:
    """Write a file, or replace its content; `own` is that of `publish` for the path.

    Raises OutputOccupied, OutputUnwritable; the old file then stays.
    """
    with temporary_file(path) as temporary:
        with unwritable_errors(path):
            temporary.write_bytes(content)
        publish({temporary: path}, None if own is None else {path: own})


def _own_version(path: Path, own: Collection[str]) -> tuple[int, ...] | None:
    """The version of the file at `path`; None if there is none.

    Raises OutputOccupied if it is none of `own`, OutputUnwritable.
    """
    with unwritable_errors(path):
        before = _version(path)
        if before is None:
            return None
        is_own = own and stat.S_ISREG(path.lstat().st_mode) and file_sha256(path) in own
        if not is_own or _version(path) != before:
            raise _occupied(path)
        return before


def _replace_own(temporary: Path, path: Path, there: tuple[int, ...] | None) -> None:
    """Rename a file to a path where that version is, or nothing. Raises OutputOccupied, OSError."""
    now = _version(path)
    if now is None:
        _take_name(temporary, path)
    elif now != there:
        raise _occupied(path)
    else:
        _replace_version(temporary, path, now)


def _take_name(temporary: Path, path: Path) -> None:
    try:
        rename_to_free(temporary, path)
    except FileExistsError as error:
        raise _occupied(path) from error


def _replace_version(temporary: Path, path: Path, there: tuple[int, ...]) -> None:
    """Replace that version of a file. What came in its place since the last look is put back."""
    new = _version(temporary)
    try:
        if not exchange(temporary, path):
            temporary.replace(path)
            return
    except FileNotFoundError:  # somebody has removed it
        _take_name(temporary, path)
        return
    if _version(temporary) != there:
        exchange(temporary, path)
        if _version(temporary) != new:  # yet another one had come: the latest stays
            exchange(temporary, path)
        raise _occupied(path)
    temporary.unlink()


def _version(path: Path) -> tuple[int, ...] | None:
    """Facts that change when the file at `path` is replaced or written to; None without one."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _occupied(path: Path) -> OutputOccupied:
    return OutputOccupied(
        f"{path} was put there or changed during the run, so it stays as it is. Move away what you"
        " want to keep, and run again: everything rendered is kept."
    )


def read_file(path: Path, max_bytes: int) -> bytes:
    """The content of a regular file that others may have put there. Raises OSError.

    Follows no link, does not wait for a named pipe, and reads no device and no larger file.
    """
    return read_regular(path, max_bytes, os.O_NOFOLLOW)


def sweep(folder: Path, name: str | None = None) -> list[Path]:
    """Remove temporary files that killed runs left in `folder`; return those removed.

    With `name`, only the temporary files of that name. The caller must hold the lock on them.
    Files that the system refuses to remove stay.
    """
    removed: list[Path] = []
    with suppress(OSError):  # leftovers do no harm, so a failure here must not stop the run
        for path in sorted(folder.iterdir()):
            match = _TEMPORARY.fullmatch(path.name)
            if match and (name is None or match[1] == _stem(name)) and _is_removed(path):
                removed.append(path)
    return removed


def _stem(name: str) -> str:
    """The start of `name`, short enough to leave room for the token and the suffix."""
    return os.fsencode(name)[:_STEM_BYTES].decode(errors="ignore")


def _is_removed(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def require_new(path: Path) -> None:
    """Make sure that nothing is at `path`, and that a file can be written there, before the work.

    Makes the folders to it. Raises OutputOccupied, OutputUnwritable.
    """
    with unwritable_errors(path):
        is_there = os.path.lexists(path)
        path.exists()  # which, unlike `lexists`, tells of a name that cannot be looked up
    if is_there:
        raise OutputOccupied(
            f"{path} is there already, so it stays as it is. Name another with --out, or move it"
            " away."
        )
    _make_folder(path)
    with temporary_file(path):
        pass


def write_new(path: Path, content: bytes) -> None:
    """Write a file where nothing is, and the folders to it.

    Raises OutputOccupied for what has come there meanwhile, OutputUnwritable.
    """
    _make_folder(path)
    write_atomically(path, content, own=())


def _make_folder(path: Path) -> None:
    with unwritable_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)


def write_output(
    path: Path,
    format_name: str,
    content: bytes,
    duration_s: float,
    n_chapters: int,
    announce: Announce,
) -> OutputFile:
    """Write `content` to `path`, about so many seconds of audio.

    Raises OutputOccupied if a file is there that it may not replace, OutputUnwritable.
    """
    digest = hashlib.sha256(content).hexdigest()
    file = OutputFile(path, format_name, duration_s, n_chapters, digest)
    write_atomically(path, content, announce(file))
    return file
