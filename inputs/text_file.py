"""A text file's bytes to its characters. Knows encodings and limits, not what the text means."""

from __future__ import annotations

import re
from pathlib import Path

from inputs.book import SourceCorrupt, SourceTooLarge
from inputs.limits import Limits
from inputs.markup_parse import BOMS

_LINE_END = re.compile(r"\r\n?|[\u2028\x0b\x0c]")


def decode_text(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """(text with Unix line ends, warnings), by byte order mark, as UTF-8, or as windows-1252.

    Raises SourceCorrupt if `data` holds NUL bytes, as no text does.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _LINE_END.sub("\n", data[len(mark) :].decode(encoding, "replace")), ()
    if b"\0" in data:
        raise SourceCorrupt(f"“{name}” holds binary data, not text. Check what kind of file it is.")
    try:
        return _LINE_END.sub("\n", data.decode("utf-8")), ()
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    warning = f"“{name}” is not UTF-8; it was read as windows-1252. Check its accents."
    return _LINE_END.sub("\n", text), (warning,)


def refuse_too_long(n_chars: int, name: str, limits: Limits) -> None:
    """Raise SourceTooLarge if a text of `n_chars` is over the limit."""
    if n_chars > limits.max_text_chars:
        raise SourceTooLarge(
            f"“{name}” has {n_chars:,} characters of text; the limit is"
            f" {limits.max_text_chars:,}. Split it, or raise max_text_chars."
        )


def title_from(path: Path) -> str:
    """What to call a text that does not say: its file's name, as words."""
    return re.sub(r"[-_\s]+", " ", path.stem).strip() or path.name
