"""The zip file an EPUB is: checked before anything is unpacked, read by forgiving names.

It knows sizes, names and damage; it does not know what an entry means. Nothing is written to disk,
so a name that climbs out of the archive is only a name.
"""

from __future__ import annotations

import posixpath
import unicodedata
import zipfile
from pathlib import Path
from urllib.parse import unquote

from inputs.book import SourceCorrupt, SourceProtected, SourceTooLarge
from inputs.epub_preflight import ZIP_ERRORS, open_zip, too_many
from inputs.limits import MIB, Limits

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
