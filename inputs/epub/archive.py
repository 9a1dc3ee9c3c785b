"""Reads the zip archive of an EPUB: limits, tolerant names of entries.

The limits are checked before anything is unpacked. Nothing is written to disk, so entry names that
point outside the archive do no harm. Knows nothing of what an entry means.
"""

from __future__ import annotations

import lzma
import posixpath
import struct
import unicodedata
import zipfile
import zlib
from collections.abc import Generator
from contextlib import closing, suppress
from math import ceil
from pathlib import Path
from urllib.parse import unquote

from audiomill.inputs.epub.packed_entries import (
    UTF_8_FLAG,
    PackedEntry,
    is_whole,
    read_packed,
    unpacked,
)
from audiomill.inputs.model.book import MIB, Limits, SourceCorrupt, SourceProtected, SourceTooLarge

CHUNK_BYTES = 1 << 18  # read at a time, so that the limits stop a zip bomb early
LONGEST_RECORD_BYTES = 1024  # of a directory entry with its name; usually 46 and a short name
# The errors of Python's zip reader on damaged files, found by fuzzing: it has no single type.
ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,  # an encrypted entry; also NotImplementedError, an unknown compression
    ValueError,  # for example names that are not text
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
KINDLE_MAGIC = slice(60, 68)  # the bytes that identify a Kindle or Mobipocket file
KINDLE_TYPES = frozenset((b"BOOKMOBI", b"TEXtREAd"))


class Archive:
    """The entries of one EPUB. Use as a context manager.

    `warnings` collects the faults of the book that do not stop the reading, for people to read.
    """

    def __init__(self, path: Path, limits: Limits) -> None:
        """Open `path` and check its directory, without unpacking anything.

        Raises SourceError if the file is no zip archive or is over a limit, and OSError.
        """
        self.name = path.name
        self.limits = limits
        self.warnings: list[str] = []
        self._n_unpacked = 0
        self._whole = set[str]()  # names of entries that were found to be so
        self._zip = _open_zip(path, limits)
        try:
            # A damaged name can be empty; zipfile's own is_dir() raises for it.
            named = (entry for entry in self._zip.infolist() if entry.filename)
            entries = [_in_utf_8(entry) for entry in named if not entry.filename.endswith("/")]
            self._check_entries(entries)
        except BaseException:
            self._zip.close()
            raise
        self._by_name = {entry.filename: entry for entry in entries}
        self._by_key: dict[str, str] = {}
        for spelled in (str, unquote):  # percent-encoding belongs in links only
            for entry in entries:
                self._by_key.setdefault(_key(spelled(entry.filename)), entry.filename)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
    def names(self) -> list[str]:
        """The names of all entries, as the archive spells them."""
        return list(self._by_name)

    def find(self, name: str) -> str | None:
        """Return the entry that `name` refers to, as the archive spells it, or None.

        Tolerates differences in case, percent-encoding, backslashes, a leading slash and Unicode
        normal forms.
        """
        for candidate in (name, unquote(name)):
            if candidate in self._by_name:
                return candidate
        return self._by_key.get(_key(name)) or self._by_key.get(_key(unquote(name)))

    def read(self, name: str) -> bytes:
        """Return the bytes of an entry, by its exact name.

        Raises SourceCorrupt if it is missing or damaged, SourceProtected if it needs a password,
        and SourceTooLarge if it unpacks to more than the limits allow, whatever size it declares.
        """
        packed = self._packed(name)
        content = unpacked(packed) if packed else None
        if content is None:
            return b"".join(self._parts(name))  # which tells what is wrong, if anything is
        self._whole.add(name)
        self._n_unpacked += len(content)
        self._check_unpacked(self._by_name[name], len(content))
        return content

    def read_start(self, name: str) -> bytes:
        """Return the first CHUNK_BYTES of an entry, or all that it has. Raises as `read`."""
        with closing(self._parts(name)) as parts:
            return next(parts, b"")

    def _parts(self, name: str) -> Generator[bytes]:
        """The bytes of an entry as they are unpacked."""
        entry = self._by_name.get(name)
        if entry is None:
            raise SourceCorrupt("it is not in the archive")
        if entry.flag_bits & 1:
            raise SourceProtected(
                f"“{self.name}” is locked with a password. Unlock it first; it cannot be read so."
            )
        n_bytes = 0
        try:
            with self._zip.open(entry) as stream:
                while part := stream.read(CHUNK_BYTES):
                    n_bytes += len(part)
                    self._n_unpacked += len(part)
                    self._check_unpacked(entry, n_bytes)
                    yield part
        except ZIP_ERRORS as error:
            raise SourceCorrupt(f"it is damaged ({error})") from error

    def read_packed(self, name: str) -> PackedEntry | None:
        """Return an entry as it is packed; None if it cannot be copied so, or is damaged.

        `read` says what is wrong with it.
        """
        packed = self._packed(name)
        return packed if packed and (name in self._whole or is_whole(packed)) else None

    def _packed(self, name: str) -> PackedEntry | None:
        """An entry as it is packed, which may be damaged; None if it is to be read otherwise."""
        entry = self._by_name.get(name)
        if entry is None or self._zip.fp is None:
            return None
        with suppress(OSError):
            return read_packed(self._zip.fp, entry, self.limits.max_entry_bytes)
        return None

    def _check_entries(self, entries: list[zipfile.ZipInfo]) -> None:
        if len(entries) > self.limits.max_archive_entries:
            raise _too_many_entries(self.name, len(entries), self.limits)
        n_bytes = sum(entry.file_size for entry in entries)
        if n_bytes > self.limits.max_archive_bytes:
            raise self._too_large(
                f"would unpack to {ceil(n_bytes / MIB):,} MiB", "max_archive_bytes"
            )
        for entry in entries:
            self._check_ratio(entry, entry.file_size)
        outside = [entry.filename for entry in entries if _points_outside(entry.filename)]
        if outside:
            self.warnings.append(
                f"{len(outside)} names in the archive point outside it (such as {outside[0]!r}); "
                "nothing is written, so they do no harm"
            )

    def _check_ratio(self, entry: zipfile.ZipInfo, n_bytes: int) -> None:
        if n_bytes > MIB and n_bytes > self.limits.max_entry_ratio * max(entry.compress_size, 1):
            raise self._too_large(
                f"holds an entry that unpacks to {n_bytes // max(entry.compress_size, 1)} times "
                f"its size ({entry.filename!r})",
                "max_entry_ratio",
            )

    def _check_unpacked(self, entry: zipfile.ZipInfo, n_bytes: int) -> None:
        """Check the limits again, on the unpacked bytes: the declared sizes may be false."""
        if n_bytes > self.limits.max_entry_bytes:
            raise self._too_large(
                f"holds a very large part ({entry.filename!r})", "max_entry_bytes"
            )
        if self._n_unpacked > self.limits.max_archive_bytes:
            raise self._too_large("unpacks to more than the limit", "max_archive_bytes")
        self._check_ratio(entry, n_bytes)

    def _too_large(self, problem: str, setting: str) -> SourceTooLarge:
        limit = getattr(self.limits, setting)
        shown = f"{limit / MIB:,.0f} MiB" if setting.endswith("bytes") else str(limit)
        return SourceTooLarge(
            f"“{self.name}” {problem}; the limit is {shown}.\n"
            f"If you trust the file, raise {setting}."
        )


def _open_zip(path: Path, limits: Limits) -> zipfile.ZipFile:
    """Return the zip reader of a file.

    Raises SourceCorrupt, naming the format of the file, if it is no zip archive.
    """
    try:
        _check_directory(path, limits)
        return zipfile.ZipFile(path)
    except ZIP_ERRORS as error:
        with path.open("rb") as file:
            start = file.read(KINDLE_MAGIC.stop)
        raise SourceCorrupt(_not_zip_message(path.name, start)) from error


def _not_zip_message(name: str, start: bytes) -> str:
    kind = next((kind for magic, kind in KNOWN_STARTS if start.lstrip().startswith(magic)), None)
    if start[KINDLE_MAGIC] in KINDLE_TYPES:
        kind = "a Kindle book"
    if kind:
        return f"“{name}” is {kind}, not an EPUB. Give it its right ending, or find the EPUB."
    if start.startswith(b"PK"):
        return f"“{name}” is cut short or damaged: its zip directory is unreadable. Get it again."
    return f"“{name}” is not an EPUB: it is not a zip archive at all."


def _check_directory(path: Path, limits: Limits) -> None:
    """Raise SourceTooLarge for an absurdly large directory, before Python reads it into memory.

    Reads the end of central directory (APPNOTE 4.3.16) and its zip64 form (4.3.14), which is
    20 + 56 bytes before it.
    """
    n_bytes = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, n_bytes - (22 + 0xFFFF + 76)))
        tail = file.read()
    end_record = tail.rfind(b"PK\x05\x06")
    if end_record < 0 or len(tail) < end_record + 22:
        return  # not a zip archive: zipfile raises the error
    n_entries, n_directory_bytes = struct.unpack_from("<HI", tail, end_record + 10)
    if end_record >= 76 and tail[end_record - 20 : end_record - 16] == b"PK\x06\x07":
        n_entries, n_directory_bytes = struct.unpack_from("<QQ", tail, end_record - 76 + 32)
    most = limits.max_archive_entries
    if n_entries > most or min(n_directory_bytes, n_bytes) > most * LONGEST_RECORD_BYTES:
        raise _too_many_entries(path.name, n_entries, limits)


def _too_many_entries(name: str, n_entries: int, limits: Limits) -> SourceTooLarge:
    return SourceTooLarge(
        f"“{name}” holds {n_entries:,} files; the limit is {limits.max_archive_entries:,}.\n"
        "If you trust the file, raise max_archive_entries."
    )


def _in_utf_8(entry: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """The entry, named by its name in UTF-8 if a zip tool did not set the UTF-8 flag.

    `orig_filename` stays: the reader of archives compares it with the entry's own header.
    """
    if not entry.flag_bits & UTF_8_FLAG:
        with suppress(UnicodeError):
            entry.filename = entry.filename.encode("cp437").decode("utf-8")
    return entry


def _key(name: str) -> str:
    """The name without the differences that `Archive.find` tolerates."""
    path = posixpath.normpath("/" + name.replace("\\", "/")).lstrip("/")
    return unicodedata.normalize("NFC", path).casefold()


def _points_outside(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or parts[0] == "" or parts[0].endswith(":")
