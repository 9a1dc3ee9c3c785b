"""Runs in this process that end where they call a function, as if they were killed there."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest


class Killed(BaseException):
    """Ends a run at once: only what is on the disk is left."""


@contextmanager
def killed_at(
    place: object, name: str, *, n_before: int = 0, is_done: bool = False
) -> Iterator[None]:
    """The block is killed as it calls `place.name`, after so many calls of it.

    Before this call does anything, or right after it is done.
    """
    function, n_left = getattr(place, name), n_before

    def killed(*arguments: object, **options: object) -> object:
        nonlocal n_left
        n_left -= 1
        if n_left >= 0:
            return function(*arguments, **options)
        if is_done:
            function(*arguments, **options)
        raise Killed

    with pytest.MonkeyPatch.context() as patched, pytest.raises(Killed):
        patched.setattr(place, name, killed)
        yield
