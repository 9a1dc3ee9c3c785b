"""Reads JSON that comes from outside: a small text may be a deep or a huge tree of values."""

from __future__ import annotations

import json
from typing import Any

MAX_VALUES = 1_000_000  # each takes up to 100 bytes of memory, of which a text has only two


class JsonInvalid(ValueError):
    """A text that is no JSON, or has more values than are read. The message says why."""


def parse_json(text: str | bytes) -> Any:
    """The value of a JSON text of at most `MAX_VALUES` values. Raises JsonInvalid."""
    if isinstance(text, str):
        n_values = text.count("[") + text.count("{") + text.count(",")
    else:
        n_values = text.count(b"[") + text.count(b"{") + text.count(b",")
    if n_values > MAX_VALUES:
        raise JsonInvalid(f"it has over {MAX_VALUES:,} values")
    try:
        return json.loads(text)
    except RecursionError as error:
        raise JsonInvalid("its values are nested too deeply") from error
    except ValueError as error:  # UnicodeDecodeError, a number of 5,000 digits
        raise JsonInvalid(str(error)) from error
