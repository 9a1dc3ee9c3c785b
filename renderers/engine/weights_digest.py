"""The digest of an engine's weights, which is a part of the key of each segment."""

from __future__ import annotations

from pathlib import Path

from audiomill.inputs.files import file_sha256
from audiomill.renderers.host.file_facts import file_facts


def weights_sha256(path: Path) -> str:
    """The hexadecimal SHA-256 of a file. Raises OSError.

    A large file is read again only if it has changed.
    """
    return file_facts().find(path, "sha256", file_sha256)
