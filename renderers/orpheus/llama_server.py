"""llama-server, as much of it as Orpheus needs: properties, ids of a text, a stream of tokens.

    GET  /props        slots, context of each, the file of the model
    POST /tokenize     the ids of a text
    POST /completion   a stream of events: "data: {…}", each with the ids of new tokens

Errors are {"error": {"code", "message", "type"}}, also within a stream. While the model is loading,
everything is answered by 503. Source: `tools/server` of ggml-org/llama.cpp (README.md,
server-task.cpp, server-http.cpp), as in llama-cpp-python 0.3.36. Knows no voices and no audio.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from audiomill.inputs.json_text import JsonInvalid, parse_json
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.orpheus.codes import FIRST_CODE
from audiomill.renderers.orpheus.prompt import END_OF_SPEECH
from audiomill.renderers.servers.calls import Call, Server
from audiomill.renderers.servers.client import ServerClient
from audiomill.renderers.servers.replies import Reply, ServerFailing, error_in_success
from audiomill.renderers.servers.spending import Spending

NAME = "llama-server"  # for people
FIRST_CODE_NAME = "<custom_token_10>"
NO_IDS = f"{NAME} does not send the ids of its tokens. Update it: builds of 2025 and later do."
LIMIT = "limit"  # `stop_type` of a stream that was cut off, by n_predict or by the context
MAX_QUESTIONS = 16  # at a time, of those that need no slot


@dataclass(frozen=True, slots=True)
class ServerFacts:
    """What a server tells of itself."""

    n_slots: int  # texts that it speaks at the same time
    slot_tokens: int  # the context of each: prompt and speech
    model: str  # the name of its file


@dataclass(frozen=True, slots=True)
class Completion:
    """The tokens of a stream, up to the end of speech or of the stream."""

    tokens: tuple[int, ...]  # without the end of speech
    has_end: bool  # False if the model was cut off: what it said is not the whole text


@dataclass(frozen=True, slots=True)
class _TokenEvent:
    tokens: tuple[int, ...]
    stop_type: str  # "" before the last event: then eos, limit or word


class LlamaServer:
    """A client of one server. Any thread may use it."""

    def __init__(self, url: str, key_variable: str) -> None:
        """Sends nothing."""
        self._server = Server(NAME, url.rstrip("/"), key_variable)
        self._questions = ServerClient(self._server, MAX_QUESTIONS, Spending(0.0, None))

    def facts(self, waiter: Waiter) -> ServerFacts:
        """What the server tells of itself; waits while it loads its model. Raises EngineFailed."""
        return self._questions.send(Call("GET", "/props"), self._facts, waiter).value

    def check_model(self, waiter: Waiter) -> None:
        """Raise EngineFailed unless the model has Orpheus's tokens."""
        found = self.token_ids(FIRST_CODE_NAME, waiter, parse_special=True)
        if found != [FIRST_CODE]:
            raise EngineFailed(
                f"The model at {self._server.url} is not Orpheus: it reads {FIRST_CODE_NAME} as"
                f" {found[:8]}, not as [{FIRST_CODE}]. Start llama-server with an Orpheus GGUF."
            )

    def token_ids(self, text: str, waiter: Waiter, *, parse_special: bool = False) -> list[int]:
        """The ids of a text, in which nothing is special by default. Raises EngineFailed."""
        body = {"content": text, "add_special": False, "parse_special": parse_special}
        call = Call("POST", "/tokenize", body, len(text))
        return self._questions.send(call, self._tokens, waiter).value

    def speaking_client(self, facts: ServerFacts) -> ServerClient:
        """A client for completions, as many at a time as there are slots from the beginning."""
        n_slots = facts.n_slots
        return ServerClient(self._server, n_slots, Spending(0.0, None), first_in_flight=n_slots)

    def _facts(self, reply: Reply) -> ServerFacts:
        props = self._object(reply)
        settings = props.get("default_generation_settings")
        n_ctx = settings.get("n_ctx") if isinstance(settings, dict) else None
        n_slots, path = props.get("total_slots"), props.get("model_path")
        if not (isinstance(n_ctx, int) and isinstance(n_slots, int) and isinstance(path, str)):
            raise EngineFailed(
                f"{self._server.url} is no llama-server: its /props lacks slots, context or model."
            )
        return ServerFacts(max(1, n_slots), n_ctx, PurePosixPath(path.replace("\\", "/")).name)

    def _tokens(self, reply: Reply) -> list[int]:
        tokens = self._object(reply).get("tokens")
        if not isinstance(tokens, list) or not all(isinstance(one, int) for one in tokens):
            raise EngineFailed(
                f"{self._server.url} is no llama-server: its /tokenize gives no tokens."
            )
        return tokens

    def _object(self, reply: Reply) -> Mapping[str, Any]:
        try:
            values = parse_json(reply.content)
        except JsonInvalid:
            values = None
        if not isinstance(values, dict):
            begins = " ".join(reply.content[:60].decode("utf-8", "replace").split())
            raise EngineFailed(f"{self._server.url} is no llama-server: it answers {begins!r}.")
        return values


def is_end(line: str) -> bool:
    """Whether a line of a stream has the end of speech, or is the stream's last one.

    Published GGUF files do not mark the end of speech as an end of the text: without this the model
    would go on until it is out of tokens.
    """
    try:
        event = _event(line)
    except (ServerFailing, EngineFailed):
        return True
    return event is not None and (bool(event.stop_type) or END_OF_SPEECH in event.tokens)


def completion_in(reply: Reply) -> Completion:
    """The tokens of a stream. Raises ServerFailing if it broke off, EngineFailed if it is none."""
    if words := error_in_success(reply):
        raise EngineFailed(
            f"{NAME} answers with {words} instead of tokens. Look at orpheus.url in the settings,"
            " and at its log."
        )
    tokens: list[int] = []
    for event in _events(reply.content.decode("utf-8", "replace")):
        tokens += event.tokens
        if END_OF_SPEECH in event.tokens:
            return Completion(tuple(tokens[: tokens.index(END_OF_SPEECH)]), has_end=True)
        if event.stop_type:
            has_end = event.stop_type != LIMIT
            if not (tokens or has_end):
                raise EngineFailed(NO_IDS)
            return Completion(tuple(tokens), has_end)
    raise ServerFailing("the stream of tokens has no end")


def _events(text: str) -> Iterator[_TokenEvent]:
    for line in text.splitlines():
        event = _event(line)
        if event is not None:
            yield event


def _event(line: str) -> _TokenEvent | None:
    """The event of a line; None for other lines. Raises ServerFailing, EngineFailed."""
    kind, _, data = line.partition(":")
    if kind not in ("data", "error") or not data.strip():
        return None
    try:
        values = parse_json(data)
    except JsonInvalid as error:
        raise ServerFailing("an event of the stream is no JSON") from error
    failure = values.get("error") if isinstance(values, dict) else None
    if kind == "error" or failure is not None:
        message = failure.get("message") if isinstance(failure, dict) else data.strip()[:80]
        raise ServerFailing(f"the stream says: {message}")
    tokens = values.get("tokens") if isinstance(values, dict) else None
    if not isinstance(tokens, list):
        raise EngineFailed(NO_IDS)
    stop = str(values.get("stop_type") or LIMIT) if values.get("stop") else ""
    return _TokenEvent(tuple(one for one in tokens if isinstance(one, int)), stop)
