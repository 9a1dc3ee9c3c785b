"""What text may hold once it stands in a tag, a chapter mark or a name. Knows no file format."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import PurePath

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


# Names of files and folders from titles.

UNTITLED = "Untitled"
# File systems stop at 255 bytes; a number before the title, the suffix, and what a temporary
# name adds need some of them.
MAX_BYTES = 200
_INSTEAD = str.maketrans(
    {"/": "-", "\\": "-", "|": "-", '"': "'", "<": "(", ">": ")", "?": "", "*": ""}
)
# Marks that turn the direction of text around can make one name look like another.
_INVISIBLE = str.maketrans(
    dict.fromkeys([*range(0x200E, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF])
)
_SUPERSCRIPTS = "¹²³"
_RESERVED = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [port + digit for port in ("COM", "LPT") for digit in f"0123456789{_SUPERSCRIPTS}"]
)


def library_folder(title: str, authors: Sequence[str]) -> PurePath:
    """Where a book lies in the library: "Author/Title", or "Title" without an author."""
    named = [author for author in map(one_line, authors) if author]
    folder = PurePath(safe_name(title))
    return PurePath(safe_name(", ".join(named))) / folder if named else folder


def split_name(number: int, total: int, title: str) -> str:
    """As in "03 - Title": numbers as wide as the last one, and two digits at least."""
    width = max(2, len(str(total)))
    return f"{number:0{width}d} - {safe_name(title)}"


def safe_name(title: str) -> str:
    """The title as one path component without a suffix; "Untitled" if nothing is left of it."""
    name = unicodedata.normalize("NFC", one_line(title).translate(_INVISIBLE))
    name = name.replace(": ", " - ").replace(":", "-").translate(_INSTEAD)
    name = _trimmed(capped(_trimmed(one_line(name)), MAX_BYTES, ellipsis=""))
    if name.split(".")[0].rstrip().upper() in _RESERVED:
        stem, dot, rest = name.partition(".")
        name = f"{stem.rstrip()}_{dot}{rest}"
    return name or UNTITLED


def _trimmed(name: str) -> str:
    """Without dots that hide a file or climb a folder, and without the ends Windows drops."""
    return name.lstrip(". ").rstrip(". ")
