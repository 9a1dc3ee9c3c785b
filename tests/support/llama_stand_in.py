"""A stand-in for llama-server with an Orpheus model, faithful to its wire format.

    GET /props      POST /tokenize /completion, streamed

Which is what a renderer asks for. Its format is that of `tools/server` of llama.cpp: 503 while the
model is loading, error objects, events of a stream without "[DONE]", ids in `tokens`, `stop_type`,
`timings`. As published GGUF files do, it does not know the end of speech (128258) as an end: it
goes on with other tokens until it is cut off or `n_predict` is reached. A text is "spoken" in a
frame for two or three letters.
"""

import json
import random
import re
import threading
import time
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field

from audiomill.renderers.orpheus.codes import tokens_of
from audiomill.renderers.orpheus.prompt import BEGIN, END, END_OF_SPEECH
from support.loopback import Handler, answering
from support.speech_profiles import FORMS
from support.speech_replies import filled

MODEL = "/models/orpheus-3b-0.1-ft-q4_k_m.gguf"
SPECIAL = re.compile(r"<custom_token_(\d+)>|<\|begin_of_text\|>|<\|eot_id\|>")


@dataclass
class LlamaStandIn:
    """What the server does. Tests change it, and read what it has seen."""

    n_slots: int = 4
    n_ctx: int = 4096
    model_path: str = MODEL
    is_orpheus: bool = True
    api_key: str = ""
    loading: int = 0  # requests that find the model loading
    is_down: bool = False  # cuts every connection
    # What befalls the next completions, in order: "endless", "phase", "short", "cut" (the
    # connection), "full" (the context), "error" (within the stream), "busy", "html" (502), "page"
    # (200), "no ids" (as builds of before 2025), "empty ids", "control".
    faults: deque = field(default_factory=deque)
    lie: str = ""  # one of them, which befalls every completion
    # Texts with one of these words are never spoken right.
    cursed: tuple = ()
    token_delay_s: float = 0.0
    requests: list = field(default_factory=list)  # (path, body)
    n_cancelled: int = 0
    most_at_once: int = 0
    n_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self):
        self.slots = threading.Semaphore(self.n_slots)

    def completions(self):
        return [body for path, body in self.requests if path == "/completion"]

    @contextmanager
    def slot(self):
        with self.slots:
            with self.lock:
                self.n_at_once += 1
                self.most_at_once = max(self.most_at_once, self.n_at_once)
            try:
                yield
            finally:
                with self.lock:
                    self.n_at_once -= 1


def tokenize(text: str, *, parse_special: bool = True) -> list[int]:
    """A token for each byte, and one for each special word if they are parsed."""
    ids, at = [], 0
    for match in SPECIAL.finditer(text) if parse_special else ():
        ids += text[at : match.start()].encode()
        words = {"<|begin_of_text|>": 128_000, "<|eot_id|>": 128_009}
        ids.append(words.get(match[0]) or 128_256 + int(match[1]))
        at = match.end()
    return ids + list(text[at:].encode())


def text_of(prompt: list[int]) -> str:
    """The text of a prompt, without the speaker. Fails if it is no prompt of Orpheus."""
    assert tuple(prompt[: len(BEGIN)]) == BEGIN
    assert tuple(prompt[-len(END) :]) == END
    return bytes(prompt[len(BEGIN) : -len(END)]).decode().partition(": ")[2]


def frames_for(text: str, seed: int) -> list[list[int]]:
    """The codes that the model draws for a text with a seed. Fast speech, so that tests are."""
    draw = random.Random(f"{text} {seed}")
    n_frames = max(2, round(len(text) * draw.uniform(0.35, 0.5)))
    return [[draw.randrange(4096) for _ in range(7)] for _ in range(n_frames)]


class LlamaHandler(Handler):
    state: LlamaStandIn

    def do_GET(self):
        self._answer(None)

    def do_POST(self):
        try:
            values = json.loads(self.body())
        except ValueError as error:
            self._error(400, f"parse error: {error}", "invalid_request_error")
        else:
            self._answer(values)

    def _answer(self, body):
        state = self.state
        if state.is_down:
            self.close_connection = True
            return
        with state.lock:
            state.requests.append((self.path, body))
            is_loading = state.loading > 0
            state.loading -= is_loading
        if state.api_key and self.headers.get("Authorization") != f"Bearer {state.api_key}":
            self._error(401, "Invalid API Key", "authentication_error")
        elif is_loading:
            self._error(503, "Loading model", "unavailable_error")
        else:
            routes = {
                "/props": lambda _: self._json(props(state)),
                "/tokenize": self._tokenize,
                "/completion": self._completion,
            }
            routes.get(self.path, self._unknown)(body)

    def _unknown(self, _body):
        self._error(404, "File Not Found", "not_found_error")

    def _tokenize(self, body):
        parse = body.get("parse_special", True) and self.state.is_orpheus
        self._json({"tokens": tokenize(body["content"], parse_special=parse)})

    def _completion(self, body):
        state = self.state
        with state.lock:
            fault = state.faults.popleft() if state.faults else state.lie
        prompt = body["prompt"]
        if fault == "html":
            self._send(502, b"<html><body>Bad Gateway</body></html>", "text/html")
        elif fault == "page":
            self._send(200, b"<!DOCTYPE html>\n<html><body>Sign in</body></html>", "text/html")
        elif fault == "busy":
            self._error(503, "no slot available", "unavailable_error")
        elif len(prompt) >= state.n_ctx:
            self._error(
                400,
                f"request ({len(prompt)} tokens) exceeds the available context size"
                f" ({state.n_ctx} tokens), try increasing it",
                "exceed_context_size_error",
                n_prompt_tokens=len(prompt),
                n_ctx=state.n_ctx,
            )
        else:
            with state.slot():
                text = text_of(prompt)
                if any(word in text for word in state.cursed):
                    fault = "endless"
                self._generate(body, text, fault)

    def _generate(self, body, text, fault):
        assert body["stream"]
        assert body["return_tokens"]
        tokens = list(self._tokens(text, body["seed"], fault))
        drawn, room = tokens[: body["n_predict"]], self.state.n_ctx - len(body["prompt"])
        is_full = fault == "full" or room < len(drawn)
        self._stream(drawn[: 7 if fault == "full" else room], body, fault, is_full)

    def _tokens(self, text, seed, fault):
        frames = frames_for(text, seed)
        audio = tokens_of(frames)
        noise = random.Random(seed)
        if fault == "phase":
            del audio[3]  # one token is missing: all that follow are of another place
        if fault == "short":
            audio = audio[:7]
        if fault == "control":
            audio[3:3] = [128_257, 128_263]  # control tokens amid a frame count for nothing
        yield from audio
        if fault == "endless":
            yield from tokens_of([[noise.randrange(4096) for _ in range(7)]] * 5000)
        yield END_OF_SPEECH
        yield 128_262  # end of what the model says, and then what comes to its mind
        yield from (noise.randrange(128_000) for _ in range(5000))

    def _stream(self, drawn, body, fault, is_full):
        self.begin_chunks({"Content-Type": "text/event-stream"})
        try:
            self.chunk(b": ping\n\n")
            for number, token in enumerate(drawn):
                if fault in ("cut", "error") and number == 10:
                    if fault == "error":
                        error = {"code": 500, "message": "Compute error.", "type": "server_error"}
                        self._event({"error": error})
                        self.chunk(b"")
                    self.close_connection = True
                    return
                self._event(partial(token, number + 1, body) | self._ids(fault))
                time.sleep(self.state.token_delay_s)
            self._event(final(len(drawn), body, is_full) | self._ids(fault))
            self.chunk(b"")
        except OSError:  # the client has had enough: its slot is free at once
            self.close_connection = True
            with self.state.lock:
                self.state.n_cancelled += 1

    def _ids(self, fault):
        return {"no ids": {"tokens": None}, "empty ids": {"tokens": []}}.get(fault, {})

    def _event(self, values):
        told = {name: value for name, value in values.items() if value is not None}
        self.chunk(f"data: {json.dumps(told)}\n\n".encode())

    def _json(self, values, status=200):
        self._send(status, json.dumps(values).encode(), "application/json; charset=utf-8")

    def _error(self, code, message, kind, **more):
        self._json({"error": {"code": code, "message": message, "type": kind, **more}}, code)

    def _send(self, status, content, kind):
        self.reply(status, content, {"Server": "llama.cpp", "Content-Type": kind})


def props(state):
    return filled(FORMS["llama-props"], vars(state) | {"name": state.model_path.rpartition("/")[2]})


def partial(token, n, body):
    content = f"<custom_token_{token - 128_256}>" if token >= 128_256 else "a"
    values = {"content": content, "tokens": [token], "n": n, "n_given": len(body["prompt"])}
    return filled(FORMS["llama-token"], values)


def final(n, body, is_full):
    values = {"n": n, "n_given": len(body["prompt"]), "is_full": is_full, "ms": 10.0 * n}
    return filled(FORMS["llama-end"], values)


@contextmanager
def llama_stand_in(**options):
    """The stand-in's state and its address, while it runs."""
    state = LlamaStandIn(**options)
    with answering(LlamaHandler, state=state) as server:
        yield state, server.url
