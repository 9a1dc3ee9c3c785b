"""Requests spoken by the best of the routes that a server turns out to have.

    batch    ─▶ one call for all ─▶ items that fail ─┐
    request  ─▶ with times of words ─▶ without ◀─────┘

What a profile promises, an older server may lack. It is told once, and then done without.

Several texts in one call, as vLLM-Omni's route for batches takes them:

    {"model": …, "response_format": "wav", "items": [{"input": "One.", "voice": "ryan"}, …]}
    {"results": [{"index": 0, "status": "success", "audio_data": BASE64, "media_type": "audio/wav"},
                 {"index": 1, "status": "error", "error": "…"}], "total": 2, …}

The server makes a request of its own of each item, which fails alone. Neither a batch nor an item
has a seed or times of words.

Source: entrypoints/openai/protocol/audio.py and serving_speech.py of vllm-omni 0.30.0.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TypeAlias, cast

from audiomill.inputs.json_text import JsonInvalid, parse_json
from audiomill.renderers.engine.errors import EngineFailed, PartlyRendered
from audiomill.renderers.engine.protocol import Rendered, Request, Usage
from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.openai.profiles import ServerProfile
from audiomill.renderers.openai.word_times import (
    HeardWord,
    captioned,
    word_timings,
    words_in_header,
)
from audiomill.renderers.servers.calls import Call
from audiomill.renderers.servers.client import ServerClient
from audiomill.renderers.servers.patience import RequestFails
from audiomill.renderers.servers.replies import Reply, RequestRefused, ServerFailing, longest_s

NOT_TAKEN = ("seed",)

NO_ROUTE = (404, 405)

Body: TypeAlias = Mapping[str, object]


def batch_body(bodies: Sequence[Mapping[str, object]]) -> Mapping[str, object]:
    """The body of one call for the requests with these bodies. What all say is said once."""
    first = bodies[0]
    common = {
        name: value
        for name, value in first.items()
        if name not in ("input", *NOT_TAKEN)
        and all(name in body and body[name] == value for body in bodies)
    }
    items = [
        {name: value for name, value in body.items() if name not in (*common, *NOT_TAKEN)}
        for body in bodies
    ]
    return {**common, "items": items}


def item_replies(reply: Reply, n_items: int) -> list[Reply | None]:
    """The audio of each item as a reply of its own; None for an item that has failed.

    Raises ServerFailing if the answer is none of a batch of so many items.
    """
    found: list[Reply | None] = [None] * n_items
    for result in _results(reply):
        index, audio = result.get("index"), result.get("audio_data")
        if not isinstance(index, int) or not 0 <= index < n_items:
            raise ServerFailing(f"a result of item {index!r} of {n_items}", may_be_billed=True)
        if result.get("status") == "success" and isinstance(audio, str):
            headers = {"content-type": str(result.get("media_type", ""))}
            found[index] = _audio(audio, headers)
    return found


def _results(reply: Reply) -> Iterator[Mapping[str, object]]:
    """Raises ServerFailing."""
    try:
        results = parse_json(reply.content)["results"]
    except (JsonInvalid, KeyError, TypeError) as error:
        raise ServerFailing("no results of a batch", may_be_billed=True) from error
    for result in results if isinstance(results, list) else ():
        if isinstance(result, dict):
            yield cast("Mapping[str, object]", result)


def _audio(text: str, headers: Mapping[str, str]) -> Reply | None:
    try:
        return Reply(200, headers, base64.b64decode(text, validate=True))
    except ValueError:
        return None


@dataclass(slots=True)
class _Missing:
    """What the server lacks, of what its profile promises. Thread-safe."""

    names: set[str] = field(default_factory=set[str])
    lock: Lock = field(default_factory=Lock)

    def has(self, name: str) -> bool:
        """False once `note` was called with this name."""
        with self.lock:
            return name not in self.names

    def note(self, name: str, words: str, waiter: Waiter) -> None:
        """The server lacks it, which is told once."""
        with self.lock:
            is_new = name not in self.names
            self.names.add(name)
        if is_new:
            waiter.tell(words)


class Speaker:
    """Sends requests of one profile to one server. Thread-safe."""

    def __init__(
        self,
        client: ServerClient,
        profile: ServerProfile,
        sample_rate: int,
        call_of: Callable[[Request, int], Call],
        heard: Callable[[Reply, Request], Rendered],
        usage_of: Callable[[int], Usage],
    ) -> None:
        """The last three are those of `RemoteRenderer`; `call_of` has the server's usual route."""
        self._client = client
        self._profile = profile
        self._sample_rate = sample_rate
        self._call_of = call_of
        self._heard = heard
        self._usage_of = usage_of
        self._missing = _Missing()

    def speak(self, request: Request, take: int, waiter: Waiter) -> Rendered:
        """One take of a request. Raises EngineFailed, and what stops the run."""
        if self._profile.captions_path and self._missing.has("captions"):
            try:
                return self._captioned(request, take, waiter)
            except RequestFails:
                pass  # its words may be the reason: the usual route has none
            except RequestRefused as refused:
                if refused.status not in NO_ROUTE:
                    raise
                self._without_words("captions", "it is an older one", waiter)
        if self._profile.takes_word_times and self._missing.has("word times"):
            try:
                return self._plain(request, take, waiter, {"word_timestamps": True})
            except RequestRefused as refused:
                if "--forced-aligner" not in refused.reason:
                    raise
                self._without_words("word times", "start it with --forced-aligner", waiter)
        return self._plain(request, take, waiter, {})

    def speak_all(self, requests: Sequence[Request], take: int, waiter: Waiter) -> list[Rendered]:
        """One take of each request, side by side; in one call where the server has such a route.

        Raises EngineFailed, PartlyRendered, and what stops the run.
        """
        if len(requests) < 2:
            return [self.speak(request, take, waiter) for request in requests]
        found = self._batch(requests, take, waiter) if self._missing.has("batches") else None
        return self._rest(requests, found or [None] * len(requests), take, waiter)

    def _plain(self, request: Request, take: int, waiter: Waiter, more: Body) -> Rendered:
        def read(reply: Reply) -> Rendered:
            return self._timed(self._heard(reply, request), request, words_in_header(reply.headers))

        call = self._call_of(request, take)
        whole_call = replace(call, body={**(call.body or {}), **more}) if more else call
        return self._sent(whole_call, read, waiter)

    def _captioned(self, request: Request, take: int, waiter: Waiter) -> Rendered:
        def read(reply: Reply) -> Rendered:
            found = captioned(reply, self._profile.title)
            return self._timed(self._heard(found.audio, request), request, found.words)

        call = self._call_of(request, take)
        body = {**(call.body or {}), "return_timestamps": True}
        call = replace(call, path=self._profile.captions_path, body=body)
        return self._sent(call, read, waiter)

    def _timed(self, heard: Rendered, request: Request, words: Sequence[HeardWord]) -> Rendered:
        duration_s = heard.samples.size / self._sample_rate
        return replace(heard, timings=word_timings(request.spoken, words, duration_s))

    def _sent(self, call: Call, read: Callable[[Reply], Rendered], waiter: Waiter) -> Rendered:
        answer = self._client.send(call, read, waiter)
        return replace(answer.value, usage=self._usage_of(answer.n_billed))

    def _batch(
        self, requests: Sequence[Request], take: int, waiter: Waiter
    ) -> Sequence[Rendered | None] | None:
        """What one call for all makes of each; None if the server does not take the call."""
        calls = [self._call_of(request, take) for request in requests]

        def read(reply: Reply) -> list[Rendered | None]:
            replies = item_replies(reply, len(requests))
            return [self._item(*one) for one in zip(replies, requests, strict=True)]

        call = self._batch_call(calls)
        try:
            answer = self._client.send(call, read, waiter)
        except RequestFails:
            return None
        except RequestRefused as refused:
            if refused.status not in NO_ROUTE:
                raise
            title = self._profile.title
            words = f"{title} takes no batches, as it is an older one: each text is sent alone."
            self._missing.note("batches", words, waiter)
            return None

        n_times = answer.n_billed // max(1, call.n_billed)  # that it may be billed
        return [
            replace(item, usage=self._usage_of(n_times * one.n_billed)) if item else None
            for item, one in zip(answer.value, calls, strict=True)
        ]

    def _batch_call(self, calls: Sequence[Call]) -> Call:
        """One call for the texts of these."""
        return Call(
            "POST",
            self._profile.batch_path,
            batch_body([call.body or {} for call in calls]),
            n_chars=sum(call.n_chars for call in calls),
            n_billed=sum(call.n_billed for call in calls),
            item_chars=tuple(call.n_chars for call in calls),
        )

    def _item(self, reply: Reply | None, request: Request) -> Rendered | None:
        """The audio of an item; None if it has to be asked for again."""
        try:
            longest = longest_s(len(request.spoken))
            return self._heard(replace(reply, longest_s=longest), request) if reply else None
        except ServerFailing:
            return None

    def _rest(
        self,
        requests: Sequence[Request],
        found: Sequence[Rendered | None],
        take: int,
        waiter: Waiter,
    ) -> list[Rendered]:
        """All, once those that are not found are spoken one by one, side by side.

        Raises PartlyRendered.
        """
        with ThreadPoolExecutor(len(requests)) as threads:
            futures = [
                _done(one) if one else threads.submit(self.speak, request, take, waiter)
                for request, one in zip(requests, found, strict=True)
            ]
        errors = [error for future in futures if (error := future.exception())]
        if not errors:
            return [future.result() for future in futures]
        for error in errors:
            if not isinstance(error, EngineFailed):
                raise error
        done = {
            request.key: future.result()
            for request, future in zip(requests, futures, strict=True)
            if not future.exception()
        }
        raise PartlyRendered(str(errors[0]), done) from errors[0]

    def _without_words(self, name: str, why: str, waiter: Waiter) -> None:
        words = f"{self._profile.title} tells no times of words ({why}), so none are kept."
        self._missing.note(name, words, waiter)


def _done(rendered: Rendered) -> Future[Rendered]:
    future: Future[Rendered] = Future()
    future.set_result(rendered)
    return future
