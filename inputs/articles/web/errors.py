"""What can go wrong between an address on the web and its content.

A message is half a sentence: it follows the address.
"""

from __future__ import annotations


class FetchError(Exception):
    """A page was not fetched. `retry_after_s` is when to ask again; None: not before a change."""

    retry_after_s: float | None = None


class Refused(FetchError):
    """The address may not be fetched, or its content may not be read, by our own rules."""


class NotThere(FetchError):
    """The server says that there is nothing to read, or nothing for us."""


class Unavailable(FetchError):
    """The server could not be reached, or had no answer now. It may have one later."""

    def __init__(self, message: str, retry_after_s: float = 0.0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
