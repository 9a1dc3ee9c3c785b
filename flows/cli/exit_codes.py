"""Exit codes and messages of errors. Scripts rely on the exit codes."""

from __future__ import annotations

from audiomill.flows.console import (
    EXIT_INTERRUPTED,
    EXIT_OUTPUT,
    EXIT_RENDER,
    EXIT_SOURCE,
    EXIT_USAGE,
    ResultUnwritable,
)
from audiomill.flows.job import UsageError
from audiomill.flows.pipeline.run_context import Interrupted
from audiomill.flows.prefect_server import PrefectUnreachable
from audiomill.inputs.book import SourceError
from audiomill.outputs.types import OutputError
from audiomill.renderers.base import RenderError, StoreError, UnknownEngine, UnknownVoice

# The first match counts: UnknownVoice is a RenderError too, but its exit code is wrong usage.
EXIT_CODES: tuple[tuple[type[Exception], int], ...] = (
    (UsageError, EXIT_USAGE),
    (UnknownEngine, EXIT_USAGE),
    (UnknownVoice, EXIT_USAGE),
    (SourceError, EXIT_SOURCE),
    (RenderError, EXIT_RENDER),
    (PrefectUnreachable, EXIT_RENDER),
    (StoreError, EXIT_OUTPUT),
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
    return str(error) or "interrupted"
