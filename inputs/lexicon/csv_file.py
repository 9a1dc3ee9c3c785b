"""Lexicons in CSV (RFC 4180): the first row names the columns, each other row is an entry.

word,say,language
Worcester,Wooster,en
Nguyen,/wˈɪn/,
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from audiomill.inputs.lexicon.entries import LexiconEntry, LexiconError
from audiomill.inputs.lexicon.fields import entry_of, require_known


def read_csv(text: str, file: str) -> list[LexiconEntry]:
    """The entries of a lexicon; `file` is its name in messages. Raises LexiconError.

    Columns are separated by commas, semicolons or tabs, whichever the first row has.
    """
    return [*_entries(text, file)]


def _entries(text: str, file: str) -> Iterator[LexiconEntry]:
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = [name.strip().lower() for name in next(rows, [])]
        for name in columns:
            require_known(name, f"{file}:1")
        last = rows.line_num
        for row in rows:
            line, last = last + 1, rows.line_num
            if len(row) > len(columns) and any(row[len(columns) :]):
                raise LexiconError(
                    f"{file}:{line}: there are {len(row)} values for {len(columns)} columns."
                    " Put a value that has the separator in it into quotation marks."
                )
            values = {name: value for name, value in zip(columns, row, strict=False) if value}
            if values:
                yield entry_of(values, file, line)
    except csv.Error as error:
        raise LexiconError(f"{file}:{rows.line_num}: this is not valid CSV: {error}.") from error
