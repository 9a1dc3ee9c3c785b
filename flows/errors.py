"""The error of a wrong option or setting."""

from __future__ import annotations


class UsageError(Exception):
    """A wrong option or setting. The message says what would be right."""
