"""Decodes text files: byte order marks and encodings. Knows nothing of what the text means."""

from __future__ import annotations

import re

from audiomill.inputs.markup.encodings import BOMS, is_binary
from audiomill.inputs.model.book import SourceCorrupt

_LINE_END = re.compile(r"\r\n?|[\u2028\x0b\x0c]")


def decode_text(data: bytes, name: str) -> tuple[str, tuple[str, ...]]:
    """Return (text with Unix line ends, warnings).

    The byte order mark decides; without one the text is UTF-8, or else windows-1252. A NUL, which
    no text has, becomes a space. Raises SourceCorrupt if `data` is not text.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return _tidy(data[len(mark) :].decode(encoding, "replace")), ()
    if is_binary(data):
        raise SourceCorrupt(f"“{name}” holds binary data, not text. Check what kind of file it is.")
    try:
        return _tidy(data.decode("utf-8")), ()
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    warning = f"“{name}” is not UTF-8; it was read as windows-1252. Check its accents."
    return _tidy(text), (warning,)


def _tidy(text: str) -> str:
    return _LINE_END.sub("\n", text).replace("\0", " ")
