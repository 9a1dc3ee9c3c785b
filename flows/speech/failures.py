"""What can go wrong with a text, as an error for the program that sent it."""

from __future__ import annotations

from collections.abc import Awaitable
from http import HTTPStatus
from typing import TypeVar

from audiomill.flows.errors import UsageError
from audiomill.flows.execution.executor import ExecutorError
from audiomill.flows.speech.wire import RequestError
from audiomill.inputs.model.book import SourceError
from audiomill.outputs.types import OutputError
from audiomill.renderers.engine.errors import (
    EngineMissing,
    RenderError,
    StoreError,
    UnknownEngine,
    UnknownVoice,
)

FAILURES = (UsageError, SourceError, RenderError, StoreError, OutputError, ExecutorError)
T = TypeVar("T")


async def answerable(result: Awaitable[T]) -> T:
    """The result; what it raises becomes an error for the client. Raises RequestError."""
    try:
        return await result
    except FAILURES as error:
        raise failure(error) from error


def failure(error: Exception) -> RequestError:
    """The error for the client that one of FAILURES becomes."""
    match error:
        case UnknownEngine():
            status = HTTPStatus.NOT_FOUND
            return RequestError(str(error), status, param="model", code="model_not_found")
        case UnknownVoice():
            return RequestError(str(error), param="voice", code="voice_not_found")
        case UsageError() | SourceError():
            return RequestError(str(error))
        case EngineMissing():
            return RequestError(str(error), HTTPStatus.SERVICE_UNAVAILABLE, param="model")
        case ExecutorError():
            return RequestError(str(error), HTTPStatus.SERVICE_UNAVAILABLE)
        case _:
            return RequestError(str(error), HTTPStatus.INTERNAL_SERVER_ERROR)
