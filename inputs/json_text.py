"""Reads JSON that comes from outside: a small text may be a deep or a huge tree of values.

A value may be of any type, whatever a specification says: `fields_of`, `items_of` and `number_of`
take one of another type for none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, cast

MAX_VALUES = 1_000_000  # each takes up to 100 bytes of memory, of which a text has only two

# An escape, a pair of them that is one character, or half of such a pair alone, which no file and
# no terminal takes (RFC 8259, 8.2).
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)",
    re.DOTALL,
)


class JsonInvalid(ValueError):
    """A text that is no JSON, or has more values than are read. The message says why."""


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text of at most `MAX_VALUES` values. Raises JsonInvalid.

    Half of a surrogate pair becomes U+FFFD.
    """
    try:
        decoded = text if isinstance(text, str) else text.decode(json.detect_encoding(text))
        _check_size(decoded)
        return json.loads(_without_halves(decoded))
    except RecursionError as error:
        raise JsonInvalid("its values are nested too deeply") from error
    except ValueError as error:  # UnicodeDecodeError, a number of 5,000 digits
        raise JsonInvalid(str(error)) from error


def fields_of(value: object) -> Mapping[str, Any]:
    """The fields of an object; none of any other value."""
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def items_of(value: object) -> Sequence[Any]:
    """The items of a list; none of any other value."""
    return cast(Sequence[Any], value) if isinstance(value, list) else ()


def number_of(value: object) -> float | None:
    """A number; None for any other value, NaN and what is infinite or has hundreds of digits."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if isfinite(value) else None
    except OverflowError:
        return None


def _check_size(text: str) -> None:
    if text.count("[") + text.count("{") + text.count(",") > MAX_VALUES:
        raise JsonInvalid(f"it has over {MAX_VALUES:,} values")


def _without_halves(text: str) -> str:
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return _ESCAPE.sub(lambda escape: r"\ufffd" if escape["half"] else escape[0], text)
