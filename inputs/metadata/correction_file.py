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
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from audiomill.inputs.metadata.checked_values import CorrectionInvalid
from audiomill.inputs.metadata.corrections import (
    KEYS,
    SEVERAL,
    Corrections,
    checked_corrections,
    key_named,
)

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
        content = _load(path)
        values = {name: _texts(name, value) for name, value in content.items()}
        return checked_corrections(values, path.parent)
    except FileNotFoundError:
        return Corrections()
    except OSError as error:
        raise CorrectionInvalid(f"“{path}” cannot be read: {error.strerror or error}.") from error
    except CorrectionInvalid as error:
        raise CorrectionInvalid(f"“{path}”: {error}") from error
    except UnicodeDecodeError as error:
        raise CorrectionInvalid(
            f"“{path}” is not valid TOML: it is not UTF-8. Save it in that encoding."
        ) from error
    # ValueError: not TOML, or a number of thousands of digits.
    except (ValueError, RecursionError) as error:
        raise CorrectionInvalid(f"“{path}” is not valid TOML: {error}.") from error


def _load(path: Path) -> Mapping[str, object]:
    if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe could wait forever
        raise CorrectionInvalid("it is not a file.")
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise CorrectionInvalid(f"it has more than {MAX_BYTES:,} bytes.")
    text = data.decode("utf-8-sig")
    try:
        return tomllib.loads(text, parse_float=str)  # so that 1.10 stays as it is
    except tomllib.TOMLDecodeError as error:
        if _CURLY.search(text):
            raise ValueError(f'{error}; quotation marks are straight there: title = "…"') from error
        raise


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
