"""Small files, written whole or not at all. Knows bytes, not what they mean."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from outputs.chapter import OutputUnwritable


def write_atomically(path: Path, content: bytes) -> None:
    """Put `content` in place of what `path` holds. Raises OutputUnwritable.

    A temporary name in the same folder, fsync, rename: whoever looks finds the old or the new.
    """
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise OutputUnwritable(
            f"{path} cannot be written ({error.strerror}): free some space or choose another place."
        ) from error
