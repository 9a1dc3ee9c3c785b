"""Exit codes and messages of errors. Scripts rely on the exit codes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
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
from audiomill.flows.errors import UsageError
from audiomill.flows.execution.executor import ExecutorError
from audiomill.flows.execution.run_context import Interrupted
from audiomill.flows.prefect_server.api import PrefectUnreachable
from audiomill.inputs.model.book import SourceError
from audiomill.outputs.checking.streams import Uncheckable
from audiomill.outputs.types import NamedEncoderUnfit, OutputError
from audiomill.renderers.engine.errors import RenderError, StoreError, UnknownEngine

T = TypeVar("T")
R = TypeVar("R")

# The first match counts. UnknownEngine is a RenderError too, but wrong usage: the engines are known
# beforehand. Which voices there are is the state of an engine or of a server.
EXIT_CODES: tuple[tuple[type[Exception], int], ...] = (
    (UsageError, EXIT_USAGE),
    (UnknownEngine, EXIT_USAGE),
    (SourceError, EXIT_SOURCE),
    (Uncheckable, EXIT_SOURCE),
    (RenderError, EXIT_RENDER),
    (ExecutorError, EXIT_RENDER),
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


@dataclass(frozen=True, slots=True)
class Failure:
    """An error as `--json` prints it. Scripts rely on the names."""

    message: str
    exit_code: int
    source: str | None  # None: the error is not about one source


def failure(error: Exception, source: object = None) -> Failure:
    """One of `EXPECTED_ERRORS` as data."""
    shown = None if source is None else str(source)
    return Failure(error_message(error), exit_code(error), shown)


def try_each(sources: Sequence[T], work: Callable[[T], R], n_at_once: int = 1) -> list[R | Failure]:
    """The result of `work` for each source, or its failure; `n_at_once` of them in threads.

    A source that fails is reported on stderr and does not stop the others; Interrupted does. The
    error of an only source is raised.
    """
    interrupted = threading.Event()

    def outcome(source: T) -> R | Failure | None:
        if interrupted.is_set():
            return None
        try:
            return work(source)
        except EXPECTED_ERRORS as error:
            if len(sources) == 1:
                raise
            say(f"audiomill: {error_message(error)}")
            if isinstance(error, Interrupted):
                interrupted.set()
            return failure(error, source)

    if n_at_once == 1:  # in this thread, which alone can handle signals
        outcomes = [outcome(source) for source in sources]
    else:
        with ThreadPoolExecutor(n_at_once) as threads:
            outcomes = list(threads.map(outcome, sources))
    return [one for one in outcomes if one is not None]


def failures_of(outcomes: Iterable[object]) -> list[Failure]:
    """The failures among the results of `try_each`."""
    return [outcome for outcome in outcomes if isinstance(outcome, Failure)]


def results_of(outcomes: Iterable[R | Failure]) -> list[R]:
    """The results of `try_each` without the failures."""
    return [outcome for outcome in outcomes if not isinstance(outcome, Failure)]


def exit_code_of(outcomes: Iterable[object]) -> int:
    """The exit code of a run: of an interruption, else of the first failure, else 0."""
    codes = [one.exit_code for one in failures_of(outcomes)]
    return EXIT_INTERRUPTED if EXIT_INTERRUPTED in codes else next(iter(codes), 0)
