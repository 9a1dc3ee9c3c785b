"""A file looked at before it is opened as an EPUB: a zip at all, and of how many entries."""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from pathlib import Path

from inputs.book import SourceCorrupt, SourceTooLarge
from inputs.limits import Limits

LONGEST_RECORD_BYTES = 1024  # of a directory entry with its name; 46 and a short name are usual
# What Python's zip reader raises on damaged files, found by fuzzing: it has no one error type.
ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,  # an encrypted entry; also NotImplementedError, an unknown compression
    ValueError,  # among them names that are not text
    OverflowError,
    KeyError,
    IndexError,
)
KNOWN_STARTS = (
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"Rar!", "a RAR archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive"),
    (b"\x1f\x8b", "a gzip file"),
    (b"{\\rtf", "a rich text document"),
    (b"\xd0\xcf\x11\xe0", "an old Word document"),
    (b"<", "a web page or XML file"),
)
KINDLE_MARK = slice(60, 68)  # where a Kindle or Mobipocket file says so


def open_zip(path: Path, limits: Limits) -> zipfile.ZipFile:
    """The zip reader for a file; raises `SourceCorrupt` with what the file is instead."""
    try:
        _check_directory(path, limits)
        return zipfile.ZipFile(path)
    except ZIP_ERRORS as error:
        with path.open("rb") as file:
            start = file.read(KINDLE_MARK.stop)
        raise SourceCorrupt(_what_it_is(path.name, start)) from error


def _what_it_is(name: str, start: bytes) -> str:
    kind = next((kind for mark, kind in KNOWN_STARTS if start.lstrip().startswith(mark)), None)
    if start[KINDLE_MARK] in {b"BOOKMOBI", b"TEXtREAd"}:
        kind = "a Kindle book"
    if kind:
        return f"“{name}” is {kind}, not an EPUB. Give it its right ending, or find the EPUB."
    if start.startswith(b"PK"):
        return f"“{name}” is cut short or damaged: its zip directory is unreadable. Get it again."
    return f"“{name}” is not an EPUB: it is not a zip archive at all."


def _check_directory(path: Path, limits: Limits) -> None:
    """Refuse a directory of absurd size before Python reads it into memory.

    APPNOTE 4.3.16 (end of central directory) and 4.3.14 (its zip64 form, 20 + 56 bytes before).
    """
    n_bytes = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, n_bytes - (22 + 0xFFFF + 76)))
        tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 22:
        return  # not a zip; the reader says so
    n_entries, n_directory = struct.unpack_from("<HI", tail, at + 10)
    if at >= 76 and tail[at - 20 : at - 16] == b"PK\x06\x07":
        n_entries, n_directory = struct.unpack_from("<QQ", tail, at - 76 + 32)
    most = limits.max_archive_entries
    if n_entries > most or min(n_directory, n_bytes) > most * LONGEST_RECORD_BYTES:
        raise too_many(path.name, n_entries, limits)


def too_many(name: str, n_entries: int, limits: Limits) -> SourceTooLarge:
    """The error for an archive of too many entries."""
    return SourceTooLarge(
        f"“{name}” holds {n_entries:,} files; the limit is {limits.max_archive_entries:,}.\n"
        "If you trust the file, raise max_archive_entries."
    )
