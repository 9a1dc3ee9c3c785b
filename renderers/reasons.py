"""Why something has failed, in few words. Knows no kind of error."""

from __future__ import annotations


def first_line(error: BaseException) -> str:
    """Of what an error says; what it is, where it says nothing."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def reason_of(error: BaseException) -> str:
    """The same for the middle of a sentence, without the stop that may be at its end."""
    return first_line(error).rstrip(".")
