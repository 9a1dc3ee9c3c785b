"""What a user says of a book's metadata, where its source is wrong or says nothing.

    BOOK.metadata.toml ─┐
    --set KEY=VALUE ────┴▶ Corrections ─▶ apply_corrections(book) ─▶ Book

A key has one value or several. An empty value takes away what the source says.

novel.epub
novel.metadata.toml    title = "The Mill"
                       author = ["Ann Ode", "Bo Li"]
                       series = "Mills"
                       series_part = 2
                       cover = "front.jpg"
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from audiomill.inputs.files import read_text
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.messages import did_you_mean
from audiomill.inputs.metadata.checked_values import CHECKS, CorrectionInvalid, is_visible, shown
from audiomill.inputs.metadata.covers import FittedCover, fit_cover_file
from audiomill.inputs.metadata.images import UnusableImage
from audiomill.inputs.metadata.source_metadata import series_in, series_text
from audiomill.inputs.model.book import Book, LanguageSource, Limits, Series
from audiomill.inputs.model.surrogates import repair_surrogates
from audiomill.inputs.toml_text import TomlInvalid, load_toml

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
# What else people call them, for a hint.
_MEANT = {
    **dict.fromkeys(("name", "album"), "title"),
    **dict.fromkeys(("writer", "creator", "artist", "by"), "author"),
    **dict.fromkeys(("reader", "composer", "voice"), "narrator"),
    **dict.fromkeys(("date", "published", "release_date"), "year"),
    **dict.fromkeys(("subject", "subjects", "tag", "tags"), "genre"),
    **dict.fromkeys(("part", "index", "series_index", "volume", "book"), "series_part"),
    **dict.fromkeys(("summary", "comment", "blurb"), "description"),
    **dict.fromkeys(("copyright", "licence", "license"), "rights"),
    **dict.fromkeys(("picture", "image"), COVER),
}
FILE_ENDING = ".metadata.toml"
MAX_FILE_BYTES = 1 << 20
_CURLY = re.compile(r"=[ \t]*\[?[ \t]*[“”„«‘’‚]")  # where a value begins, as word processors quote


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
        meant = _MEANT.get(name.lower().replace("-", "_").replace(" ", "_"))
        hint = f" Did you mean {meant}?" if meant else did_you_mean(name, KEYS, n=1)
        raise CorrectionInvalid(f"there is no {name}.{hint} Known: {', '.join(KEYS)}.")
    return key


def checked_corrections(values: Mapping[str, Sequence[str]], folder: Path) -> Corrections:
    """The corrections of these keys and values. A relative path of a cover is one in `folder`.

    Raises CorrectionInvalid.
    """
    checked = dict[str, tuple[str, ...]]()
    for name, texts in values.items():
        key = key_named(name)
        if key in checked:
            raise CorrectionInvalid(f"{key} and {key}s are one key; write one of them.")
        filled = [_checked(key, text) for text in map(repair_surrogates, texts) if text.strip()]
        # Of a key with one value the last one counts, as of every option.
        checked[key] = tuple(dict.fromkeys(filled) if key in SEVERAL else filled[-1:])
        if key in ("title", "language") and not filled:
            raise CorrectionInvalid(f"{key} is empty, but every book has one.")
    if cover := checked.get(COVER):
        checked[COVER] = (str((folder / cover[0]).absolute()),)
    return Corrections(checked)


def _checked(key: str, text: str) -> str:
    """The value as it is kept. Raises CorrectionInvalid."""
    value = CHECKS.get(key, normalise_spaces)(text)
    if not is_visible(value):
        raise CorrectionInvalid(f"{key} is {shown(text)}, of which nothing can be seen.")
    return value


def load_cover(corrections: Corrections, limits: Limits) -> FittedCover | None:
    """The cover that is named, None if none is. Raises CorrectionInvalid."""
    named = corrections.values.get(COVER)
    if not named:
        return None
    path = Path(named[0])
    try:
        return fit_cover_file(path, limits.max_entry_bytes)
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
    if "language" in changed:
        changed["language_source"] = LanguageSource.SET
    changed = _without_stale(book, changed)
    book = _with_series(replace(book, **changed), values)
    if COVER in values:
        fitted = load_cover(corrections, limits)
        change = f"the cover “{values[COVER][0]}” is {fitted.change}" if fitted else ""
        book = replace(book, cover=fitted.cover if fitted else None)
        book = _warned(book, change) if fitted and fitted.change else book
    return book


def _without_stale(book: Book, changed: Mapping[str, Any]) -> dict[str, Any]:
    """`changed`, and nothing that is derived from what it replaces: names to sort by, a number."""
    stale = dict[str, Any]()
    if changed.get("title", book.title) != book.title:
        stale["title_sort"] = ""
    if changed.get("authors", book.authors) != book.authors:
        stale["author_sort"] = ""
    if "isbn" in changed and book.identifier == book.isbn:
        stale["identifier"] = changed["isbn"]
    return {**stale, **changed}


def _with_series(book: Book, values: Mapping[str, tuple[str, ...]]) -> Book:
    if SERIES in values:
        book = _in_series(book, values[SERIES], has_part=SERIES_PART in values)
    if SERIES_PART not in values:
        return book
    if not book.series and values[SERIES_PART]:
        return _warned(book, "series_part is set, but this book is in no series; set series, too")
    return replace(book, series_index="".join(values[SERIES_PART]))


def _in_series(book: Book, texts: Sequence[str], *, has_part: bool) -> Book:
    """The book in these series. The source's place in another series is none in these."""
    main, *more = [series_in(text) for text in texts] or [Series("")]
    index = main.index
    is_renamed = bool(main.name) and not index and bool(book.series_index)
    if is_renamed and main.name.casefold() == book.series.casefold():
        index = book.series_index
    elif is_renamed and not has_part:
        book = _warned(
            book,
            f"the book's place {book.series_index} in “{book.series}” is left out, as it is now in"
            f" “{main.name}”; set series_part, too",
        )
    return replace(book, series=main.name, series_index=index, more_series=tuple(more))


def _warned(book: Book, warning: str) -> Book:
    return replace(book, warnings=(*book.warnings, warning))


def metadata_of(book: Book) -> dict[str, tuple[str, ...]]:
    """What is known of a book, by the keys of corrections; a cover is not among them."""
    found: dict[str, tuple[str, ...]] = {key: (getattr(book, name),) for key, name in TEXTS.items()}
    found |= {key: getattr(book, name) for key, name in LISTS.items()}
    series = (Series(book.series, book.series_index), *book.more_series)
    found[SERIES] = tuple(series_text(one) for one in series)
    return {key: texts for key, texts in found.items() if any(texts)}


def correction_file_of(source: Path) -> Path:
    """The path of the file that corrects the metadata of the book at `source`."""
    return source.with_name(source.stem + FILE_ENDING)


def load_correction_file(source: Path) -> Corrections:
    """The corrections beside the book at `source`; none without a file. Raises CorrectionInvalid.

    A relative path of a cover is one from the folder of the file.
    """
    if not source.name:
        return Corrections()
    path = correction_file_of(source)
    try:
        content = load_toml(path, MAX_FILE_BYTES, parse_float=str)  # so that 1.10 stays as it is
        values = {name: _texts(name, value) for name, value in content.items()}
        return checked_corrections(values, path.parent)
    except FileNotFoundError:
        return Corrections()
    except OSError as error:
        raise CorrectionInvalid(f"“{path}” cannot be read: {error.strerror or error}.") from error
    except CorrectionInvalid as error:
        raise CorrectionInvalid(f"“{path}”: {error}") from error
    except TomlInvalid as error:
        raise CorrectionInvalid(f"{error.at(path)}{_hint(path)}") from error


def _hint(path: Path) -> str:
    """What is probably wrong in a file that is no TOML; "" if unknown."""
    has_curly = _CURLY.search(read_text(path, MAX_FILE_BYTES))
    return ' Quotation marks are straight there: title = "…".' if has_curly else ""


def _texts(name: str, value: object) -> tuple[str, ...]:
    """The texts of a value: text, a number, or a list of them. Raises CorrectionInvalid."""
    if isinstance(value, dict) and name not in KEYS:
        raise CorrectionInvalid(
            f"[{name}] is a table, but there are none here. Write title = … and the other keys"
            " without a line in brackets above them."
        )
    if isinstance(value, list):
        if key_named(name) not in SEVERAL:
            raise CorrectionInvalid(f"{name} has one value, not a list.")
        return tuple(_text(name, one) for one in cast(list[object], value))
    return (_text(name, value),)


def _text(name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | datetime.date):
        raise CorrectionInvalid(f"{name} must be text, in quotation marks, or a number.")
    return str(value)
