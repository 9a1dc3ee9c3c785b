"""Reads lexicon files, by their endings, and finds those beside a book.

book.epub    book.lexicon.toml, book.lexicon.csv, book.lexicon.pls
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

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
    """The lexicons for one book: those with its name, in its folder."""
    named = (source.with_name(f"{source.stem}.lexicon{ending}") for ending in ENDINGS)
    return tuple(path for path in named if path.is_file())


def _read(path: Path) -> list[LexiconEntry]:
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise LexiconError(f"{path}: the name of a lexicon ends in one of {known}.")
    data = _bytes(path)
    if ending == ".pls":
        lexicon = read_pls(data, str(path))
        if lexicon.faults:
            raise LexiconError(f"{lexicon.faults[0]}.")
        return [*lexicon.entries]
    text = _text(data, path)
    entries = read_toml(text, str(path)) if ending == ".toml" else read_csv(text, str(path))
    require_distinct(entries)
    patterns = [entry for entry in entries if entry.is_pattern]
    for entry in patterns:
        compiled(entry)
    if sum(n_parts(entry.written) for entry in patterns) > MAX_PATTERN_PARTS:
        raise LexiconError(f"{path}: its patterns are too large together. Leave some out.")
    return entries


def _bytes(path: Path) -> bytes:
    try:
        if not path.is_file():  # reading a pipe could wait forever
            raise LexiconError(f"{path}: there is no such lexicon. Check the name.")
        if path.stat().st_size > MAX_BYTES:
            raise LexiconError(f"{path}: a lexicon has {MAX_BYTES >> 20} MiB at most.")
        return path.read_bytes()
    except OSError as error:
        raise LexiconError(f"{path}: it cannot be read: {error.strerror or error}.") from error


def _text(data: bytes, path: Path) -> str:
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise LexiconError(f"{path}:{line}: this is not UTF-8. Save the file as UTF-8.") from error
