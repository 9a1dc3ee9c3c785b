"""Values between commas, as options of the benchmark take them. Knows no option."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


class WrongOrder(Exception):
    """Asked for in a way that cannot be met. The message says what would be right."""


def listed(text: str, option: str, read: Callable[[str], T]) -> tuple[T, ...]:
    """Each once, in their order. Raises WrongOrder, in which `option` is named."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    try:
        values = tuple(dict.fromkeys(read(word) for word in words))
    except ValueError as error:
        raise WrongOrder(f"{option} {text}: {error}.") from error
    if not values:
        raise WrongOrder(f"{option} names nothing.")
    return values


def frames(word: str) -> int:
    """A number of frames. Raises ValueError."""
    if not word.isdecimal():
        raise ValueError(f"{word} is no number of frames")
    return int(word)


def one_of(known: Sequence[str]) -> Callable[[str], str]:
    """What takes only words that are `known`, and raises ValueError for others."""

    def read(word: str) -> str:
        if word not in known:
            raise ValueError(f"unknown {word}; known: {', '.join(known)}")
        return word

    return read
