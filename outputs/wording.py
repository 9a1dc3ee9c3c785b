"""What text may hold once it stands in a tag, a chapter mark or a name. Knows no file format."""

from __future__ import annotations

import unicodedata

ELLIPSIS = "…"


def one_line(text: str) -> str:
    """The text on one line: controls and every run of white space become one space."""
    return " ".join(_printable(text).split())


def many_lines(text: str) -> str:
    """The text with its line breaks, without other controls, and without blank ends."""
    lines = _printable("\n".join(text.splitlines()), keep="\n").split("\n")
    return "\n".join(" ".join(line.split()) for line in lines).strip()


def capped(text: str, n_bytes: int, ellipsis: str = ELLIPSIS) -> str:
    """The text itself if it fits `n_bytes` of UTF-8, else as much as does, and an ellipsis.

    Never cut inside a character or before a combining mark.
    """
    if len(text.encode()) <= n_bytes:
        return text
    room = n_bytes - len(ellipsis.encode())
    cut = len(text.encode()[:room].decode(errors="ignore"))
    while cut and unicodedata.combining(text[cut]):
        cut -= 1
    return text[:cut].rstrip() + ellipsis


def _printable(text: str, keep: str = "") -> str:
    """Controls become spaces; halves of characters (lone surrogates) become U+FFFD."""
    return "".join(_printable_character(character, keep) for character in text)


def _printable_character(character: str, keep: str) -> str:
    match unicodedata.category(character):
        case "Cc":
            return character if character in keep else " "
        case "Cs":
            return "\N{REPLACEMENT CHARACTER}"
        case _:
            return character
