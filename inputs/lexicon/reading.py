"""Reads lexicon files, by their endings, and finds those beside a book.

book.epub    book.lexicon.toml, book.lexicon.csv, book.lexicon.pls
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from audiomill.inputs.files import read_regular, read_text
from audiomill.inputs.lexicon.csv_file import read_csv
from audiomill.inputs.lexicon.entries import LexiconEntry, LexiconError, require_distinct
from audiomill.inputs.lexicon.pattern_size import n_parts
from audiomill.inputs.lexicon.patterns import compiled
from audiomill.inputs.lexicon.pls import read_pls
from audiomill.inputs.lexicon.toml_file import read_toml

ENDINGS = (".toml", ".csv", ".pls")
MAX_PATTERN_PARTS = 200_000  # some 60 MB
MAX_BYTES = 256 << 20  # a million entries have about 40 MB


def read_lexicons(paths: Iterable[Path]) -> tuple[LexiconEntry, ...]:
    """The entries of all files, in order. Raises LexiconError."""
    return tuple(entry for path in paths for entry in _read(path))


def lexicons_beside(source: Path) -> tuple[Path, ...]:
    """The lexicons for one book: those with its name, in its folder.

    What has such a name and is no file is refused when it is read.
    """
    named = (source.with_name(f"{source.stem}.lexicon{ending}") for ending in ENDINGS)
    return tuple(path for path in named if os.path.lexists(path))


def _read(path: Path) -> list[LexiconEntry]:
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise LexiconError(f"{path}: the name of a lexicon ends in one of {known}.")
    entries = _parsed(path, ending)
    if ending == ".pls":
        return entries
    require_distinct(entries)
    patterns = [entry for entry in entries if entry.is_pattern]
    for entry in patterns:
        compiled(entry)
    if sum(n_parts(entry.written) for entry in patterns) > MAX_PATTERN_PARTS:
        raise LexiconError(f"{path}: its patterns are too large together. Leave some out.")
    return entries


def _parsed(path: Path, ending: str) -> list[LexiconEntry]:
    try:
        if ending == ".pls":
            return _of_pls(read_regular(path, MAX_BYTES), path)
        text = read_text(path, MAX_BYTES)
    except FileNotFoundError as error:
        raise LexiconError(f"{path}: there is no such lexicon. Check the name.") from error
    except OSError as error:
        raise LexiconError(f"{path}: it cannot be read: {error.strerror or error}.") from error
    return read_toml(text, str(path)) if ending == ".toml" else read_csv(text, str(path))


def _of_pls(data: bytes, path: Path) -> list[LexiconEntry]:
    lexicon = read_pls(data, str(path))
    if lexicon.faults:
        raise LexiconError(f"{lexicon.faults[0]}.")
    return [*lexicon.entries]
