"""Reads a key from a file."""

from __future__ import annotations

from pathlib import Path

from audiomill.flows.job import UsageError
from audiomill.inputs.files import read_regular


def read_key(path: Path) -> str:
    """The key in a file, without white space around it. Raises UsageError."""
    try:
        key = read_regular(path).decode().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--key-file {path} cannot be read: {error}.") from error
    if not key.isascii():
        raise UsageError(f"--key-file {path}: a key is of ASCII.")
    return key
