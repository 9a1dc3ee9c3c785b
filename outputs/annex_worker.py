"""A process of the annex, which does what comes through a pipe. Knows no work.

It ends when its owner closes the pipe, or dies.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Generic, Protocol, TypeVar, cast

from outputs.heaps import keep_heaps_small

T = TypeVar("T")
Order = TypeVar("Order")
T_co = TypeVar("T_co", covariant=True)
Order_contra = TypeVar("Order_contra", contravariant=True)


class Through(Protocol):
    """What work passes the items it goes over through, so that it can be stopped between them."""

    def __call__(self, items: Iterable[T], /) -> Iterator[T]:
        """The items."""
        ...


class Work(Protocol[Order_contra, T_co]):
    """A function of a module, where a process can import it; order and result are pickled."""

    def __call__(self, order: Order_contra, through: Through, /) -> T_co:
        """Do it. Raises Lacking if this is the wrong process for that."""
        ...


class Lacking(Exception):
    """Something is not to be had in a process of the annex: the work must be done elsewhere."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What came of work: its result, or the error that it raised."""

    result: T | None
    error: BaseException | None

    def value(self) -> T:
        """The result. Raises the error."""
        if self.error is not None:
            raise self.error
        return cast("T", self.result)


def main() -> None:
    """Do what comes through the pipe whose descriptor is the argument, until it is closed."""
    keep_heaps_small()
    through = partial(_while_owned, os.getppid())
    # An owner that is gone wants nothing, and what is half sent by then is no order.
    with suppress(EOFError, OSError), Connection(int(sys.argv[1])) as pipe:
        while True:
            work, order = pipe.recv()
            pipe.send(_answer(work, order, through))


def _while_owned(owner: int, items: Iterable[T]) -> Iterator[T]:
    """The items, until the owner is dead: who is at work does not see the pipe's end."""
    for item in items:
        if os.getppid() != owner:
            raise Lacking("an owner")
        yield item


def _answer(work: Work[Order, T], order: Order, through: Through) -> Answer[T]:
    try:
        return Answer(work(order, through), None)
    except BaseException as error:  # noqa: BLE001 - it is raised again, by whoever gave the order
        error.add_note("".join(traceback.format_exception(error)))
        return Answer(None, error)
