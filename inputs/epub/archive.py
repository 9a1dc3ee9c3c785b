"""The zip file an EPUB is: checked before anything is unpacked, read by forgiving names.

It knows sizes, names and damage; it does not know what an entry means. Nothing is written to disk,
so a name that climbs out of the archive is only a name.
"""

from __future__ import annotations

import lzma
import posixpath
import struct
import unicodedata
import zipfile
import zlib
from pathlib import Path
from urllib.parse import unquote

from audiomill.inputs.book import MIB, Limits, SourceCorrupt, SourceProtected, SourceTooLarge
from audiomill.inputs.markup.parser import local_name, parse_xml

# A file looked at before it is opened as an EPUB:

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


CHUNK_BYTES = 1 << 18


class Archive:
    """The entries of one EPUB. Use as a context manager.

    `warnings` gathers what was odd but survivable, for people to read.
    """

    def __init__(self, path: Path, limits: Limits) -> None:
        """Open `path` and check its directory, unpacking nothing; raises SourceError, OSError."""
        self.name = path.name
        self.limits = limits
        self.warnings: list[str] = []
        self._n_unpacked = 0
        self._zip = open_zip(path, limits)
        try:
            # A damaged name can be empty, for which zipfile's own is_dir() raises.
            named = (entry for entry in self._zip.infolist() if entry.filename)
            entries = [entry for entry in named if not entry.filename.endswith("/")]
            self._check(entries)
        except BaseException:
            self._zip.close()
            raise
        self._by_name = {entry.filename: entry for entry in entries}
        self._by_key: dict[str, str] = {}
        for alias_of in (_aliases, _decoded):
            for entry in entries:
                for alias in alias_of(entry):
                    self._by_key.setdefault(_key(alias), entry.filename)

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
    def names(self) -> list[str]:
        """All entries, as the archive spells them."""
        return list(self._by_name)

    def find(self, name: str) -> str | None:
        """The entry that `name` means, as the archive spells it.

        Forgives case, percent-encoding, backslashes, a leading slash and Unicode forms.
        """
        for candidate in (name, unquote(name)):
            if candidate in self._by_name:
                return candidate
        return self._by_key.get(_key(name)) or self._by_key.get(_key(unquote(name)))

    def read(self, name: str) -> bytes:
        """The bytes of an entry, by its exact name.

        Raises `SourceCorrupt` if it is damaged and `SourceTooLarge` if it unpacks to more than
        it said, or more than the limits allow.
        """
        entry = self._by_name.get(name)
        if entry is None:
            raise SourceCorrupt("it is not in the archive")
        if entry.flag_bits & 1:
            raise SourceProtected(
                f"“{self.name}” is locked with a password. Unlock it first; it cannot be read so."
            )
        parts: list[bytes] = []
        n_bytes = 0
        try:
            with self._zip.open(entry) as stream:
                while part := stream.read(CHUNK_BYTES):
                    n_bytes += len(part)
                    self._n_unpacked += len(part)
                    self._check_unpacked(entry, n_bytes)
                    parts.append(part)
        except ZIP_ERRORS as error:
            raise SourceCorrupt(f"it is damaged ({error})") from error
        return b"".join(parts)

    def _check(self, entries: list[zipfile.ZipInfo]) -> None:
        if len(entries) > self.limits.max_archive_entries:
            raise too_many(self.name, len(entries), self.limits)
        n_bytes = sum(entry.file_size for entry in entries)
        if n_bytes > self.limits.max_archive_bytes:
            raise self._too_large(f"would unpack to {n_bytes / MIB:,.0f} MiB", "max_archive_bytes")
        for entry in entries:
            self._check_ratio(entry, entry.file_size)
        odd = [entry.filename for entry in entries if _climbs(entry.filename)]
        if odd:
            self.warnings.append(
                f"{len(odd)} names in the archive point outside it (such as {odd[0]!r}); "
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
        """The same limits again, on bytes in hand: what a directory declares may be false."""
        if n_bytes > self.limits.max_entry_bytes:
            raise self._too_large(
                f"holds a very large part ({entry.filename!r})", "max_entry_bytes"
            )
        if self._n_unpacked > self.limits.max_archive_bytes:
            raise self._too_large("unpacks to more than the limit", "max_archive_bytes")
        self._check_ratio(entry, n_bytes)

    def _too_large(self, what: str, setting: str) -> SourceTooLarge:
        limit = getattr(self.limits, setting)
        shown = f"{limit / MIB:,.0f} MiB" if setting.endswith("bytes") else str(limit)
        return SourceTooLarge(
            f"“{self.name}” {what}; the limit is {shown}.\nIf you trust the file, raise {setting}."
        )


def _aliases(entry: zipfile.ZipInfo) -> list[str]:
    """The entry's name, and what it was before a zip tool wrote UTF-8 without saying so."""
    try:
        meant = entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return [entry.filename]
    return list(dict.fromkeys((entry.filename, meant)))


def _decoded(entry: zipfile.ZipInfo) -> list[str]:
    """The entry's name without the percent-encoding that belongs in links."""
    return [unquote(entry.filename)]


def _key(name: str) -> str:
    """A name without what writers of EPUBs get wrong about names."""
    path = posixpath.normpath("/" + name.replace("\\", "/")).lstrip("/")
    return unicodedata.normalize("NFC", path).casefold()


def _climbs(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or parts[0] == "" or parts[0].endswith(":")


# Whether an EPUB is encrypted, and by whom; knows META-INF and no cipher.

ENCRYPTION = "META-INF/encryption.xml"
# Fonts are scrambled with these and the text is not (EPUB 3.3, 4.3; Adobe's older way).
FONT_ALGORITHMS = frozenset(
    ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
)
LICENCES = {
    "META-INF/license.lcpl": "Readium LCP",
    "META-INF/rights.xml": "Adobe ADEPT",
    "META-INF/sinf.xml": "Apple FairPlay",
}


def check_protection(archive: Archive) -> None:
    """Raise `SourceProtected` if anything but fonts is encrypted."""
    name = archive.find(ENCRYPTION)
    if name is None:
        return
    try:
        algorithms = _algorithms(archive.read(name))
    except SourceCorrupt as error:
        archive.warnings.append(f"{name} could not be read: {error}")
        return
    if algorithms - FONT_ALGORITHMS:
        raise protected(archive)


def protected(archive: Archive) -> SourceProtected:
    """The error to raise for an encrypted book, naming the scheme where it is known."""
    scheme = licence(archive)
    return SourceProtected(
        f"“{archive.name}” is encrypted (DRM{': ' + scheme if scheme else ''}) and cannot be read."
        "\nAsk the seller for a copy without protection."
    )


def licence(archive: Archive) -> str | None:
    """The scheme whose licence lies in the archive, if one does."""
    return next((scheme for name, scheme in LICENCES.items() if archive.find(name)), None)


def _algorithms(data: bytes) -> set[str]:
    """How resources are encrypted (XML Encryption, 3.1); one that names no way is not."""
    return {
        (method.get("Algorithm") or "").strip()
        for node in parse_xml(data).iter()
        if local_name(node) == "encrypteddata"
        for method in node
        if local_name(method) == "encryptionmethod"
    }
