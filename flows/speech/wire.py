"""Requests of OpenAI's protocol for speech, and of Kokoro-FastAPI's for captions, and errors.

Fields that are not known are passed over: clients of many servers send those of each. Sources:
OpenAI's API reference, "Create speech"; Kokoro-FastAPI, `/dev/captioned_speech` and `lang_code`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from http import HTTPStatus
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from audiomill.flows.speech.text_plan import TextToSpeak
from audiomill.inputs.languages.declaration import words
from audiomill.inputs.messages import did_you_mean
from audiomill.outputs.formats.streams import DEFAULT_FORMAT, STREAM_FORMATS

MAX_CHARACTERS = 100_000  # of a text: two hours of speech
RETRY_AFTER_S = 5  # told to a client that has to wait
MAX_NAME_CHARACTERS = 1_000  # of a voice, which may be a mix of many
# What programs ask for that know OpenAI's own models and voices only: the default speaks.
OPENAI_MODELS = frozenset(("tts-1", "tts-1-hd", "gpt-4o-mini-tts"))
OPENAI_VOICES = words("alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse")


class RequestError(Exception):
    """A request that cannot be answered as it is asked. The message says what would be right."""

    def __init__(
        self,
        message: str,
        status: HTTPStatus = HTTPStatus.BAD_REQUEST,
        *,
        param: str | None = None,
        code: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """`param` is the field that is wrong; `code` tells programs what happened."""
        super().__init__(message)
        self.status, self.param, self.code = status, param, code
        self.headers = dict(headers or {})

    def body(self) -> dict[str, Any]:
        """The JSON of an error, as OpenAI's clients read it."""
        kind = "invalid_request_error" if self.status < 500 else "server_error"
        return {
            "error": {
                "message": str(self),
                "type": kind,
                "param": self.param,
                "code": self.code,
            }
        }


def too_many_requests(message: str, code: str | None = None) -> RequestError:
    """The error of a client that may ask again in some seconds."""
    headers = {"Retry-After": str(RETRY_AFTER_S)}
    return RequestError(message, HTTPStatus.TOO_MANY_REQUESTS, code=code, headers=headers)


class Framing(Enum):
    """How the audio is put into the body of an answer: a function of `framing.py` each."""

    RAW = "raw"
    EVENTS = "events"
    CAPTIONED_LINES = "captioned lines"
    CAPTIONED_WHOLE = "captioned whole"


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    """A text to say, and how its audio is sent."""

    text: TextToSpeak
    format: str  # of STREAM_FORMATS
    framing: Framing
    has_words: bool = False  # their times are wanted


def _named(value: object) -> object:
    """A voice by its name, or as {"id": …}."""
    return value.get("id") if isinstance(value, dict) else value  # pyright: ignore


Name = Annotated[str, Field(max_length=MAX_NAME_CHARACTERS)]


class _SpeechBody(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    input: str = Field(max_length=MAX_CHARACTERS)
    model: Name = ""
    voice: Annotated[Name, BeforeValidator(_named)] = ""
    response_format: Name = DEFAULT_FORMAT
    speed: Annotated[float, Field(ge=0.1, le=10.0, strict=False)] | None = None
    stream_format: Literal["audio", "sse"] = "audio"
    language: Name = ""
    lang_code: Name = ""
    as_book: bool = False

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, fields: object) -> object:
        """Programs send null for what their user has not chosen."""
        if not isinstance(fields, dict):
            return fields
        named = cast("dict[str, object]", fields)
        return {name: value for name, value in named.items() if value is not None}


Body = TypeVar("Body", bound=_SpeechBody)


class _CaptionedBody(_SpeechBody):
    stream: bool = True
    return_timestamps: bool = True


def read_request(content: bytes, engines: tuple[str, ...]) -> SpeechRequest:
    """The request in a body. `engines` are the names that `model` may have. Raises RequestError."""
    body = _read(_SpeechBody, content)
    framing = Framing.EVENTS if body.stream_format == "sse" else Framing.RAW
    return SpeechRequest(_text(body, engines), body.response_format, framing)


def read_captioned_request(content: bytes, engines: tuple[str, ...]) -> SpeechRequest:
    """The request for captions in a body. Raises RequestError."""
    body = _read(_CaptionedBody, content)
    framing = Framing.CAPTIONED_LINES if body.stream else Framing.CAPTIONED_WHOLE
    text = _text(body, engines)
    return SpeechRequest(text, body.response_format, framing, has_words=body.return_timestamps)


def _read(form: type[Body], content: bytes) -> Body:
    try:
        return form.model_validate_json(content)
    except ValidationError as error:
        raise _of_field(error) from error


def _text(body: _SpeechBody, engines: tuple[str, ...]) -> TextToSpeak:
    if not body.input.strip():
        raise RequestError("input is empty: send a text.", param="input")
    if body.response_format not in STREAM_FORMATS:
        raise RequestError(
            f"response_format {body.response_format}: choose one of {', '.join(STREAM_FORMATS)}."
            f"{did_you_mean(body.response_format, STREAM_FORMATS, n=1)}",
            param="response_format",
        )
    return TextToSpeak(
        text=body.input,
        engine=_engine(body.model, engines),
        voice="" if body.voice in OPENAI_VOICES else body.voice,
        speed=body.speed,
        language=body.language or body.lang_code,
        as_book=body.as_book,
    )


def _engine(model: str, engines: tuple[str, ...]) -> str:
    if not model or model in OPENAI_MODELS:
        return ""
    if model not in engines:
        raise RequestError(
            f"There is no model {model}. Those of this server: {', '.join(engines)}."
            f"{did_you_mean(model, engines, n=1)}",
            HTTPStatus.NOT_FOUND,
            param="model",
            code="model_not_found",
        )
    return model


def _of_field(error: ValidationError) -> RequestError:
    first = error.errors()[0]
    field = ".".join(str(part) for part in first["loc"])
    if not field:
        return RequestError(f"The body is no JSON object: {first['msg']}.")
    if first["type"] == "missing":
        return RequestError(f"{field} is missing.", param=field)
    return RequestError(f"{field}: {first['msg']}.", param=field)
