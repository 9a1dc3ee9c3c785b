"""Cleans text for tags, chapter titles and pages, and makes file and folder names from titles.

Text on pages and in feeds has no character that XML 1.0 forbids, and is not too long. Durations and
positions are written there as players show them.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import PurePath

ELLIPSIS = "…"
UNTITLED = "Untitled"
# Of a name without its suffix. File systems allow 255 bytes; a track number, the suffix and the
# additions of a temporary file need some of them.
MAX_BYTES = 200
LEADING = ". "  # not at the beginning of a name: hidden files, ".."
_SUBSTITUTES = str.maketrans(
    {"/": "-", "\\": "-", "|": "-", '"': "'", "<": "(", ">": ")", "?": "", "*": ""}
)
# Marks that change the direction of text can make one name look like another.
_INVISIBLE = str.maketrans(
    dict.fromkeys([*range(0x200E, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF])
)
_YEAR = re.compile(r"^(\(?\d{4}\)?) *- *(?=.)", re.ASCII)
_ASIN = re.compile(r"\[([A-Z0-9]{10})\]")
# Device names on Windows, with any suffix.
_SUPERSCRIPTS = "¹²³"
_RESERVED = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [port + digit for port in ("COM", "LPT") for digit in f"0123456789{_SUPERSCRIPTS}"]
)
# Controls and lone surrogates: the categories Cc and Cs, whose characters never change.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
MAX_LINE_CHARS = 255
# What XML 1.0 forbids (2.2).
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# The only ones of these that are neither controls nor surrogates. one_line takes those.
_NO_CHARACTERS: dict[int, None] = {0xFFFE: None, 0xFFFF: None}


def one_line(text: str) -> str:
    """The text on one line: each control character and run of white space becomes one space."""
    return " ".join(_printable(text).split())


def many_lines(text: str) -> str:
    """The text with its line breaks, but without other controls and without blank ends."""
    lines = _printable("\n".join(text.splitlines()), keep="\n").split("\n")
    return "\n".join(" ".join(line.split()) for line in lines).strip()


def capped(text: str, n_bytes: int, ellipsis: str = ELLIPSIS) -> str:
    """The text cut to `n_bytes` of UTF-8, with an ellipsis if anything was cut.

    Never cuts inside a character or before a combining mark.
    """
    if len(text.encode()) <= n_bytes:
        return text
    room = n_bytes - len(ellipsis.encode())
    cut = len(text.encode()[:room].decode(errors="ignore"))
    while cut and unicodedata.combining(text[cut]):
        cut -= 1
    return text[:cut].rstrip() + ellipsis


def library_folder(
    title: str, authors: Sequence[str], series: str = "", ending: str = ""
) -> PurePath:
    """A book's folder in the library: "Author/Series/Title", without what the book does not have.

    `ending` is added to the title; it must be safe itself. A series without an author has no
    folder: servers would take its name for the author's.
    """
    names = [author for author in map(one_line, authors) if author]
    folder = PurePath(shelf_name(title, ending))
    if not names:
        return folder
    above = PurePath(safe_name(", ".join(names)))
    return above / safe_name(series) / folder if one_line(series) else above / folder


def shelf_name(title: str, ending: str = "") -> str:
    """A title as `safe_name`, in which Audiobookshelf finds no year and no ASIN.

    It takes "1984 - A Novel" for a book of 1984, and ten letters in brackets for an ASIN.
    """
    name = safe_name(title, ending)
    name = _ASIN.sub(r"(\1)", name)
    return _YEAR.sub(r"\1, ", name)


def split_name(number: int, total: int, title: str, ending: str = "", part: str = "") -> str:
    """A name such as "03 - Title": all numbers are as wide as `total`, at least two digits.

    `ending` is added to the title; it must be safe itself. `part` is added to the number, as in
    "03b - Title".
    """
    width = max(2, len(str(total)))
    return f"{number:0{width}d}{part} - {safe_name(title, ending)}"


def safe_name(title: str, ending: str = "") -> str:
    """The title and `ending` as one path component without a suffix; "Untitled" if that is nothing.

    Of a name that is too long the title is cut, never `ending`, which must be safe itself.
    Characters that this system's file names cannot have, for example curly quotes where the locale
    is ISO-8859-1, become underscores.
    """
    name = unicodedata.normalize("NFC", one_line(title).translate(_INVISIBLE))
    encoding = sys.getfilesystemencoding()
    name = "".join(one if _is_in(encoding, one) else "_" for one in name)
    name = name.replace(": ", " - ").replace(":", "-").translate(_SUBSTITUTES)
    room = MAX_BYTES - len(ending.encode())
    name = _trimmed(capped(one_line(name).lstrip(LEADING), room, ellipsis="") + ending)
    if name.split(".")[0].rstrip().upper() in _RESERVED:
        stem, dot, rest = name.partition(".")
        name = f"{stem.rstrip()}_{dot}{rest}"
    return name or UNTITLED


def _is_in(encoding: str, character: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _printable(text: str, keep: str = "") -> str:
    """The text with controls as spaces, except `keep`, and lone surrogates as U+FFFD."""

    def shown(match: re.Match[str]) -> str:
        character = match.group()
        if character >= "\ud800":
            return "\N{REPLACEMENT CHARACTER}"
        return character if character in keep else " "

    return _UNPRINTABLE.sub(shown, text)


def _trimmed(name: str) -> str:
    """The name without leading dots (hidden files, "..") and without endings that Windows drops."""
    return name.lstrip(LEADING).rstrip(". ")


def line(text: str, max_chars: int = MAX_LINE_CHARS) -> str:
    """The text on one line, cut with an ellipsis to `max_chars`."""
    clean = one_line(text.translate(_NO_CHARACTERS))
    return capped(clean, len(clean[:max_chars].encode()))


def prose(text: str, max_bytes: int | None = None) -> str:
    """The text with its line breaks, cut with an ellipsis to `max_bytes` of UTF-8."""
    clean = many_lines(text.translate(_NO_CHARACTERS))
    return clean if max_bytes is None else capped(clean, max_bytes)


def counted(n: int, noun: str, grouping: str = "") -> str:
    """A number with its noun: "1 file", "1200 files", and grouped by ",": "1,200 files"."""
    return f"{n:{grouping}} {noun}{'' if n == 1 else 's'}"


def duration_in_seconds(duration_s: float) -> int:
    """The duration in whole seconds, at least one: 0 would stand for an unknown one."""
    return max(1, round(duration_s))


def duration(seconds: float) -> str:
    """A duration such as "1 h 5 min", "12 min" or "40 s"."""
    whole = duration_in_seconds(seconds)
    minutes = round(whole / 60)
    if whole < 60:
        return f"{whole} s"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{minutes} min"


def clock(seconds: float) -> str:
    """A position such as "1:02:03" or "12:03", cut to seconds as in players."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
