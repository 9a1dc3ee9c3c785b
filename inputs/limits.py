"""How much a source may ask of the machine. Knows sizes, not formats."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps that keep a hostile or broken file from filling memory.

    Each can be raised in the settings under the name given here (`max_text_chars`, …).
    """

    max_file_bytes: int = 1024 * MIB  # the source as it lies on disk
    max_text_chars: int = 20_000_000  # all the text; War and Peace has 3.2 million
    max_archive_entries: int = 20_000
    max_archive_bytes: int = 4096 * MIB  # all entries of an EPUB, unpacked
    max_entry_bytes: int = 64 * MIB  # one entry that we read (text, cover, OPF), unpacked
    max_entry_ratio: int = 200  # unpacked to packed, for entries over 1 MiB
