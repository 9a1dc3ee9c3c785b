"""Why something has failed, as a part of a sentence. Knows no kind of error."""

from __future__ import annotations


def reason_of(error: BaseException) -> str:
    """The first line of what an error says; what it is, where it says nothing."""
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
