"""Writes the files beside the audio, and leaves alone what others have put there or changed.

no file of that name          written
ours, and made from the same  left as it is
ours, made from other data    written again; removed if there is nothing to say any more
not ours, or changed          left as it is, and named
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from audiomill.outputs.files import read_file, unwritable_errors, write_atomically
from audiomill.outputs.metadata.sidecars import VERSION, SidecarBook, sidecar_content
from audiomill.outputs.profiles import SIDECARS, Sidecar
from audiomill.outputs.types import OutputOccupied

MAX_BYTES = 1 << 24  # of a file of ours; covers have at most 1 MiB
OTHER = "other"


@dataclass(frozen=True, slots=True)
class SidecarRecord:
    """A file that was written: its SHA-256, and the digest of what it was made from."""

    sha256: str
    made_from: str
    before: str = ""  # the SHA-256 of what it replaces, which a killed run may have left there


@dataclass(frozen=True, slots=True)
class WrittenSidecars:
    """The records of all files that are ours now, and the names of those that are not."""

    records: dict[str, SidecarRecord]
    kept: tuple[str, ...] = ()


def write_sidecars(
    folder: Path,
    names: Iterable[Sidecar],
    book: SidecarBook,
    audio_digest: str,
    known: Mapping[str, SidecarRecord],
    announce: Callable[[dict[str, SidecarRecord]], None],
) -> WrittenSidecars:
    """Bring the files with these names up to date; `known` are the records of earlier ones.

    Those are kept up to date, too, if they are not asked for any more: servers go on reading them.
    `audio_digest` is that of the audio, on which the chapters depend. `announce` gets the records
    before anything is written. Raises OutputUnwritable.
    """
    records, kept, wanted = dict(known), list[str](), tuple(names)
    contents = dict[Path, tuple[bytes, str]]()  # and the SHA-256 of what they replace
    ours: list[Sidecar] = [one for one in SIDECARS if one in known and one not in wanted]
    for name in (*wanted, *ours):
        if name not in wanted and not (folder / name).exists():
            continue
        path, made_from = folder / name, _digest_of(name, book, audio_digest)
        sha256 = _sha256(path)
        record = known.get(name)
        if record and (record.sha256, record.made_from) == (sha256, made_from):
            continue
        content = sidecar_content(name, book)
        digest = hashlib.sha256(content).hexdigest()
        if not content and record is None:
            continue
        own = (record.sha256, record.before) if record else ()
        if sha256 and sha256 not in (digest, *own):
            kept.append(name)
            records.pop(name, None)
            continue
        if not content:
            records.pop(name, None)
            with unwritable_errors(path):
                path.unlink(missing_ok=True)
            continue
        if sha256 != digest:
            contents[path] = content, sha256
        records[name] = SidecarRecord(digest, made_from, "" if sha256 == digest else sha256)
    if contents:
        announce(records)
    for path, (content, before) in contents.items():
        try:
            write_atomically(path, content, [before] if before else [])
        except OutputOccupied:  # somebody has been faster
            kept.append(path.name)
            records.pop(path.name)
    return WrittenSidecars(records, tuple(kept))


def _digest_of(name: Sidecar, book: SidecarBook, audio_digest: str) -> str:
    """A digest of what decides the file's content."""
    cover = hashlib.sha256(book.cover.data).hexdigest() if book.cover else ""
    made_from = (cover,) if name == "cover.jpg" else (asdict(book.tags), audio_digest)
    return hashlib.sha256(repr((VERSION, name, made_from)).encode()).hexdigest()


def _sha256(path: Path) -> str:
    """The SHA-256 of a file; "" if there is none, and OTHER of what is no file of ours."""
    try:
        content = read_file(path, MAX_BYTES)
    except FileNotFoundError:
        return ""
    except OSError:  # a folder, a link, a larger file, one that cannot be read
        return OTHER
    return hashlib.sha256(content).hexdigest()
