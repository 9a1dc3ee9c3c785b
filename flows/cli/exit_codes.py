"""Exit codes and messages of errors. Scripts rely on the exit codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from audiomill.flows.console import (
    EXIT_INTERRUPTED,
    EXIT_OUTPUT,
    EXIT_RENDER,
    EXIT_SOURCE,
    EXIT_USAGE,
    INTERRUPTED,
    ResultUnwritable,
    say,
)
from audiomill.flows.job import UsageError
from audiomill.flows.pipeline.run_context import Interrupted
from audiomill.flows.prefect_server import PrefectUnreachable
from audiomill.inputs.book import SourceError
from audiomill.outputs.types import NamedEncoderUnfit, OutputError
from audiomill.renderers.base import RenderError, StoreError, UnknownEngine, UnknownVoice

T = TypeVar("T")
R = TypeVar("R")

# The first match counts: UnknownVoice is a RenderError too, but its exit code is wrong usage.
EXIT_CODES: tuple[tuple[type[Exception], int], ...] = (
    (UsageError, EXIT_USAGE),
    (UnknownEngine, EXIT_USAGE),
    (UnknownVoice, EXIT_USAGE),
    (SourceError, EXIT_SOURCE),
    (RenderError, EXIT_RENDER),
    (PrefectUnreachable, EXIT_RENDER),
    (StoreError, EXIT_OUTPUT),
    (NamedEncoderUnfit, EXIT_USAGE),
    (OutputError, EXIT_OUTPUT),
    (ResultUnwritable, EXIT_OUTPUT),
    (Interrupted, EXIT_INTERRUPTED),
)

# Any other error is a bug and shows its traceback.
EXPECTED_ERRORS = tuple(kind for kind, _ in EXIT_CODES)


def exit_code(error: Exception) -> int:
    """The exit code of one of `EXPECTED_ERRORS`."""
    return next(code for kind, code in EXIT_CODES if isinstance(error, kind))


def error_message(error: Exception) -> str:
    """The message for the user."""
    return str(error) or INTERRUPTED


def try_each(items: Sequence[T], work: Callable[[T], R]) -> tuple[list[R], int]:
    """The results of `work`, and the first failure's exit code, or 0.

    An item that fails is reported on stderr and does not stop the others. Raises the error if there
    is only one item, and Interrupted.
    """
    results: list[R] = []
    codes: list[int] = []
    for item in items:
        try:
            results.append(work(item))
        except EXPECTED_ERRORS as error:
            if len(items) == 1 or isinstance(error, Interrupted):
                raise
            say(f"audiomill: {error_message(error)}")
            codes.append(exit_code(error))
    return results, next(iter(codes), 0)
