"""What a user says of a book's metadata, where its source is wrong or says nothing.

    BOOK.metadata.toml ─┐
    --set KEY=VALUE ────┴▶ Corrections ─▶ apply_corrections(book) ─▶ Book

A key has one value or several. An empty value takes away what the source says.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from audiomill.inputs.book import Book, Limits, Series
from audiomill.inputs.covers import FittedCover, fit_cover
from audiomill.inputs.decoding import repair_surrogates
from audiomill.inputs.images import UnusableImage
from audiomill.inputs.languages import language_tag
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.metadata.descriptions import plain_description
from audiomill.inputs.metadata.identifiers import asin_in, isbn_in
from audiomill.inputs.metadata.series import series_in, series_text
from audiomill.inputs.suggestions import did_you_mean

# Keys that may have several values, and the fields of `Book` that they correct.
LISTS = {
    "author": "authors",
    "translator": "translators",
    "narrator": "narrators",
    "genre": "subjects",
}
TEXTS = {
    "title": "title",
    "subtitle": "subtitle",
    "title_sort": "title_sort",
    "author_sort": "author_sort",
    "year": "date",
    "original_year": "original_year",
    "language": "language",
    "publisher": "publisher",
    "isbn": "isbn",
    "asin": "asin",
    "description": "description",
    "rights": "rights",
}
SERIES, SERIES_PART, COVER = "series", "series_part", "cover"
KEYS = (*TEXTS, *LISTS, SERIES, SERIES_PART, COVER)
SEVERAL = frozenset({*LISTS, SERIES})
_PLURALS = {f"{name}s": name for name in LISTS}
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")


class CorrectionInvalid(Exception):
    """A correction is wrong. The message names the key, and what would be right."""


@dataclass(frozen=True, slots=True)
class Corrections:
    """Checked values by key. A key without values takes away what the source says.

    The value of `cover` is a path that does not depend on the working directory.
    """

    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def over(self, other: Corrections) -> Corrections:
        """Both; of keys that both have, these."""
        return Corrections({**other.values, **self.values})


def key_named(name: str) -> str:
    """The key that `name` is; "authors" is another name of "author". Raises CorrectionInvalid."""
    key = _PLURALS.get(name, name)
    if key not in KEYS:
        hint = did_you_mean(name, KEYS, n=1)
        raise CorrectionInvalid(f"there is no {name}.{hint} Known: {', '.join(KEYS)}.")
    return key


def checked_corrections(values: Mapping[str, Sequence[str]], folder: Path) -> Corrections:
    """The corrections of these keys and values. A relative path of a cover is one in `folder`.

    Raises CorrectionInvalid.
    """
    checked = dict[str, tuple[str, ...]]()
    for name, texts in values.items():
        key = key_named(name)
        check = _CHECKS.get(key, normalise_spaces)
        filled = [check(text) for text in map(repair_surrogates, texts) if text.strip()]
        # Of a key with one value the last one counts, as of every option.
        checked[key] = tuple(dict.fromkeys(filled) if key in SEVERAL else filled[-1:])
        if key in ("title", "language") and not filled:
            raise CorrectionInvalid(f"{key} is empty, but every book has one.")
    if cover := checked.get(COVER):
        checked[COVER] = (str((folder / cover[0]).absolute()),)
    return Corrections(checked)


def _checked_year(text: str) -> str:
    if not _DATE.fullmatch(text.strip()):
        raise CorrectionInvalid(f"year is {text!r}; write it like 1897 or 1897-05-26.")
    return text.strip()


def _checked_original_year(text: str) -> str:
    if not re.fullmatch(r"\d{4}", text.strip()):
        raise CorrectionInvalid(f"original_year is {text!r}; write it like 1897.")
    return text.strip()


def _checked_language(text: str) -> str:
    tag = language_tag(text)
    if not tag:
        raise CorrectionInvalid(f"language is {text!r}; write a tag like en-GB.")
    return tag


def _checked_isbn(text: str) -> str:
    isbn = isbn_in(text)
    if not isbn:
        raise CorrectionInvalid(
            f"isbn is {text!r}, which is no ISBN: it has 10 or 13 digits, of which the last one"
            " checks the others."
        )
    return isbn


def _checked_asin(text: str) -> str:
    asin = asin_in(text)
    if not asin:
        raise CorrectionInvalid(f"asin is {text!r}, which is no ASIN: it has 10 letters or digits.")
    return asin


_CHECKS: Mapping[str, Callable[[str], str]] = {
    "year": _checked_year,
    "original_year": _checked_original_year,
    "language": _checked_language,
    "isbn": _checked_isbn,
    "asin": _checked_asin,
    "description": lambda text: plain_description(text, keep_lines=True),
    COVER: str.strip,
}


def load_cover(corrections: Corrections, limits: Limits) -> FittedCover | None:
    """The cover that is named, None if none is. Raises CorrectionInvalid."""
    named = corrections.values.get(COVER)
    if not named:
        return None
    path = Path(named[0])
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):  # reading a pipe could wait forever
            raise CorrectionInvalid(f"cover: “{path}” is not a file.")
        if status.st_size > limits.max_entry_bytes:
            raise CorrectionInvalid(f"cover: “{path}” is over max_entry_bytes.")
        return fit_cover(path.read_bytes())
    except UnusableImage as error:
        raise CorrectionInvalid(f"cover: “{path}” is {error}.") from error
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the path
        reason = getattr(error, "strerror", None) or error
        raise CorrectionInvalid(f"cover: “{path}” cannot be read: {reason}.") from error


def apply_corrections(book: Book, corrections: Corrections, limits: Limits) -> Book:
    """The book with what the user says of it. Reads the cover. Raises CorrectionInvalid."""
    values = corrections.values
    if not values:
        return book
    changed: dict[str, Any] = {TEXTS[key]: "".join(values[key]) for key in values if key in TEXTS}
    changed |= {LISTS[key]: values[key] for key in values if key in LISTS}
    book = _with_series(replace(book, **changed), values)
    if COVER in values:
        fitted = load_cover(corrections, limits)
        change = f"the cover “{values[COVER][0]}” is {fitted.change}" if fitted else ""
        warnings = (*book.warnings, change) if fitted and fitted.change else book.warnings
        book = replace(book, cover=fitted.cover if fitted else None, warnings=warnings)
    return book


def _with_series(book: Book, values: Mapping[str, tuple[str, ...]]) -> Book:
    if SERIES in values:
        main, *more = [series_in(text) for text in values[SERIES]] or [Series("")]
        book = replace(book, series=main.name, series_index=main.index, more_series=tuple(more))
    if SERIES_PART not in values:
        return book
    if not book.series and values[SERIES_PART]:
        warning = "series_part is set, but this book is in no series; set series, too"
        return replace(book, warnings=(*book.warnings, warning))
    return replace(book, series_index="".join(values[SERIES_PART]))


def metadata_of(book: Book) -> dict[str, tuple[str, ...]]:
    """What is known of a book, by the keys of corrections; a cover is not among them."""
    found: dict[str, tuple[str, ...]] = {key: (getattr(book, name),) for key, name in TEXTS.items()}
    found |= {key: getattr(book, name) for key, name in LISTS.items()}
    series = (Series(book.series, book.series_index), *book.more_series)
    found[SERIES] = tuple(series_text(one) for one in series)
    return {key: texts for key, texts in found.items() if any(texts)}
