"""Reads the file beside a book that corrects its metadata.

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
from pathlib import Path
from typing import cast

from audiomill.inputs.files import read_text
from audiomill.inputs.metadata.checked_values import CorrectionInvalid
from audiomill.inputs.metadata.corrections import (
    KEYS,
    SEVERAL,
    Corrections,
    checked_corrections,
    key_named,
)
from audiomill.inputs.toml_text import TomlInvalid, load_toml

ENDING = ".metadata.toml"
MAX_BYTES = 1 << 20
_CURLY = re.compile(r"=[ \t]*\[?[ \t]*[“”„«‘’‚]")  # where a value begins, as word processors quote


def correction_file_of(source: Path) -> Path:
    """The path of the file that corrects the metadata of the book at `source`."""
    return source.with_name(source.stem + ENDING)


def load_correction_file(source: Path) -> Corrections:
    """The corrections beside the book at `source`; none without a file. Raises CorrectionInvalid.

    A relative path of a cover is one from the folder of the file.
    """
    if not source.name:
        return Corrections()
    path = correction_file_of(source)
    try:
        content = load_toml(path, MAX_BYTES, parse_float=str)  # so that 1.10 stays as it is
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
    has_curly = _CURLY.search(read_text(path, MAX_BYTES))
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
