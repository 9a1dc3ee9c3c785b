"""A book's place in the library: its folder, its lock, and what is known of the files in it.

library/
  .audiomill/<hash>.lock   held (flock) while a run works on the book; the kernel lets go of it
  .audiomill/<hash>.json   what each finished file was made from, and its SHA-256
  <folder>/                  finished files and report.json
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from flows.products import Product
from flows.progress import say
from flows.watch import Watch
from inputs.book import Book
from outputs.chapter import OutputFile, OutputUnwritable
from outputs.encoding import sweep
from outputs.files import write_atomically
from outputs.naming import library_folder

LOOK_AGAIN_S = 0.1


@dataclass(frozen=True, slots=True)
class Shelf:
    """One book's place, held by this run."""

    folder: Path
    _records: Path
    _source: dict[str, str]

    def open(self) -> None:
        """Make the folder, now that there is something to put into it. Raises OutputUnwritable."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(self.folder, error) from error

    def holds(self, product: Product) -> OutputFile | None:
        """The finished file, if it is whole and was made from just this."""
        record = _load(self._records).get("files", {}).get(product.name)
        path = self.folder / product.name
        if record is None or record["fingerprint"] != product.fingerprint or not path.is_file():
            return None
        if _sha256(path) != record["sha256"]:
            return None
        return OutputFile(
            path, record["format"], record["duration_s"], record["chapters"], record["sha256"]
        )

    def record(self, product: Product, file: OutputFile) -> None:
        """Remember what `file` was made from."""
        records = _load(self._records)
        files = records.get("files", {}) | {
            product.name: {
                "fingerprint": product.fingerprint,
                "sha256": file.sha256,
                "format": file.format,
                "duration_s": file.duration_s,
                "chapters": file.chapters,
            }
        }
        _save(self._records, {"source": self._source, "files": files})


@contextmanager
def shelf_for(book: Book, source: Path, library: Path, watch: Watch) -> Generator[Shelf]:
    """Hold the book's place in `library` while the block runs, waiting for another run to let go.

    A folder of the same name that holds another book's files, or a person's own, is left alone
    and the next free name is taken. Raises OutputUnwritable, Interrupted.
    """
    identity = {"path": str(source.resolve()), "id": book.source_id}
    hidden = _hidden(library)
    for number in count(1):
        place = library_folder(book.title, book.authors)
        place = place if number == 1 else place.with_name(f"{place.name} ({number})")
        folder = library / place
        records = hidden / f"{hashlib.sha256(str(place).encode()).hexdigest()[:24]}.json"
        with _locked(records.with_suffix(".lock"), book.title, watch):
            if _is_ours(folder, records, identity):
                if folder.is_dir():
                    sweep(folder)
                try:
                    yield Shelf(folder, records, identity)
                except BaseException:
                    _leave_nothing(folder, library)
                    raise
                return


def _leave_nothing(folder: Path, library: Path) -> None:
    """Remove the folder, and its author's, if nothing was put into them."""
    for empty in (folder, *folder.parents):
        if empty == library:
            return
        try:
            empty.rmdir()
        except OSError:
            return  # there is something in it, or it was never made


def _hidden(library: Path) -> Path:
    hidden = library / ".audiomill"
    try:
        hidden.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(library, error) from error
    return hidden


def _unwritable(path: Path, error: OSError) -> OutputUnwritable:
    return OutputUnwritable(
        f"Cannot write to {path}: {error.strerror}. Choose another place with --out."
    )


@contextmanager
def _locked(path: Path, name: str, watch: Watch) -> Generator[None]:
    """Hold `path`'s kernel lock, which goes with this process however it ends."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise _unwritable(path.parent.parent, error) from error
    try:
        _acquire(descriptor, name, watch)
        yield
    finally:
        os.close(descriptor)


def _acquire(descriptor: int, name: str, watch: Watch) -> None:
    is_told = False
    while True:
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not is_told:
                say(f"Another run is working on {name}; waiting for it.")
                is_told = True
        watch.check()
        time.sleep(LOOK_AGAIN_S)


def _is_ours(folder: Path, records: Path, identity: dict[str, str]) -> bool:
    """Whether `folder` is free, or holds files made from this source before."""
    known = _load(records).get("source", {})
    if known:
        return known.get("path") == identity["path"] or known.get("id") == identity["id"]
    if folder.is_dir() and any(folder.iterdir()):
        return False
    _save(records, {"source": identity, "files": {}})
    return True


def _load(records: Path) -> dict[str, Any]:
    """What is written in `records`; nothing if it is not there or not whole."""
    try:
        loaded = json.loads(records.read_bytes())
    except (OSError, ValueError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def _save(records: Path, content: dict[str, Any]) -> None:
    write_atomically(records, json.dumps(content, indent=1).encode())


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
