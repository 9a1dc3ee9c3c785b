"""A process of the annex, which does what comes through a pipe. Knows no work.

It ends when its owner closes the pipe, or dies.
"""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Generic, NoReturn, Protocol, TypeVar, cast

from outputs.heaps import keep_heaps_small

T = TypeVar("T")
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
    """Do what comes through the pipe whose descriptor is the argument, until it is closed.

    What other arguments name is imported before.
    """
    keep_heaps_small()
    signal.signal(signal.SIGTERM, _stop)
    for module in sys.argv[2:]:
        importlib.import_module(module)
    through = partial(_while_owned, os.getppid())
    # An owner that is gone wants nothing, and what is half sent by then is no order.
    with suppress(EOFError, OSError), Connection(int(sys.argv[1])) as pipe:
        while True:
            pipe.send_bytes(_answer(pipe.recv_bytes(), through))


def _stop(*_: object) -> NoReturn:
    """Leave what is being done in order: an encoder is ended by whoever started it."""
    sys.exit(128 + signal.SIGTERM)


def _while_owned(owner: int, items: Iterable[T]) -> Iterator[T]:
    """The items, until the owner is dead: who is at work does not see the pipe's end."""
    for item in items:
        if os.getppid() != owner:
            raise Lacking("an owner")
        yield item


def _answer(message: bytes, through: Through) -> bytes:
    """What came of the work and order that are pickled in `message`, pickled."""
    try:
        work, order = pickle.loads(message)  # noqa: S301 - from our owner
        return pickle.dumps(Answer(work(order, through), None))
    except Exception as error:  # noqa: BLE001 - it is raised again, by whoever gave the order
        error.add_note("".join(traceback.format_exception(error)))
        return _told(error)


def _told(error: Exception) -> bytes:
    """The error as an answer. One that does not survive that is done again where it is needed."""
    try:
        told = pickle.dumps(Answer(None, error))
        pickle.loads(told)  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - a class that is not ours may raise anything
        return pickle.dumps(Answer(None, Lacking(f"words for a {type(error).__name__}")))
    return told
