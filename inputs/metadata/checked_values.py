"""Values of metadata as users write them: checked, and in the one form in which a book has them.

Each function raises CorrectionInvalid, whose message names the key and shows what would be right.
"""

from __future__ import annotations

import datetime
import re
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.metadata.source_metadata import asin_in, isbn_in, series_in

_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?", re.ASCII)
_NO_PLACE = re.compile(r"[\s#]")
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Mn", "Me"))  # categories of Unicode
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")  # letters and signs without ink
_MAX_SHOWN = 80


class CorrectionInvalid(Exception):
    """A correction is wrong. The message names the key, and what would be right."""


def shown(text: str) -> str:
    """A value in a message: its beginning, with escapes if nothing of it can be seen."""
    text = text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"
    return repr(text) if is_visible(text) else ascii(text)


def is_visible(text: str) -> bool:
    """Whether anything of the text would be seen, once it is printed."""
    return any(unicodedata.category(c) not in _UNSEEN and c not in _FILLERS for c in text)


def _with_own_digits(text: str) -> str:
    """The text with the digits of any script as those of ASCII, as tags have them."""
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text).strip()


def _checked_year(text: str) -> str:
    date = _with_own_digits(text)
    if not _DATE.fullmatch(date):
        raise CorrectionInvalid(f"year is {shown(text)}; write it like 1897 or 1897-05-26.")
    year, month, day = (*date.split("-"), "01", "01")[:3]
    try:
        datetime.date(int(year), int(month), int(day))
    except ValueError as error:
        raise CorrectionInvalid(f"year is {shown(text)}; there is no such day.") from error
    return date


def _checked_original_year(text: str) -> str:
    year = _with_own_digits(text)
    if not re.fullmatch(r"\d{4}", year, re.ASCII) or year == "0000":
        raise CorrectionInvalid(f"original_year is {shown(text)}; write it like 1897.")
    return year


def _checked_language(text: str) -> str:
    tag = language_tag(text)
    if not tag:
        raise CorrectionInvalid(f"language is {shown(text)}; write a tag like en-GB.")
    return tag


def _checked_isbn(text: str) -> str:
    isbn = isbn_in(_with_own_digits(text))
    if not isbn:
        raise CorrectionInvalid(
            f"isbn is {shown(text)}, which is no ISBN: it has 10 or 13 digits, of which the last"
            " one checks the others."
        )
    return isbn


def _checked_asin(text: str) -> str:
    asin = asin_in(_with_own_digits(text))
    if not asin:
        raise CorrectionInvalid(
            f"asin is {shown(text)}, which is no ASIN: it has 10 letters or digits."
        )
    return asin


def _checked_series(text: str) -> str:
    name = normalise_spaces(text)
    if re.fullmatch(r"#\S*", name):
        raise CorrectionInvalid(
            f"series is {shown(text)}, which has no name; write it like Coast #2, or set"
            " series_part."
        )
    found = series_in(name)
    return f"{found.name} #{_with_own_digits(found.index)}" if found.index else name


def _checked_part(text: str) -> str:
    part = _with_own_digits(text).removeprefix("#").strip()
    if _NO_PLACE.search(part):
        raise CorrectionInvalid(f"series_part is {shown(text)}; write it like 2 or 3.5.")
    return normalise_spaces(part)


def _checked_cover(text: str) -> str:
    path = text.strip()
    if _ADDRESS.match(path):
        raise CorrectionInvalid(
            f"cover is {shown(text)}, an address. Save the picture, and name its file."
        )
    with suppress(RuntimeError):  # nobody of that name, or no home
        return str(Path(path).expanduser())  # a shell leaves "cover=~/…" as it is
    return path


def _checked_description(text: str) -> str:
    # Imported here: few corrections have one, and it needs all that reads HTML.
    from audiomill.inputs.metadata.descriptions import plain_description

    return plain_description(text, keep_lines=True)


CHECKS: Mapping[str, Callable[[str], str]] = {
    "year": _checked_year,
    "original_year": _checked_original_year,
    "language": _checked_language,
    "isbn": _checked_isbn,
    "asin": _checked_asin,
    "description": _checked_description,
    "series": _checked_series,
    "series_part": _checked_part,
    "cover": _checked_cover,
}
