"""The key of a server of speech, in a file of its own."""

from __future__ import annotations

from pathlib import Path

from audiomill.flows.errors import UsageError
from audiomill.inputs.files import read_regular


def read_key(path: Path, option: str) -> str:
    """The key in a file that an option or a setting names, without white space around it.

    Raises UsageError.
    """
    try:
        key = read_regular(path).decode().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{option} {path} cannot be read: {error}.") from error
    if not key.isascii():
        raise UsageError(f"{option} {path}: a key is of ASCII.")
    return key
