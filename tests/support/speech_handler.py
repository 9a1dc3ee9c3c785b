"""Answers the requests that a stand-in for a server of speech gets, faults and refusals first.

down? ─▶ route? ─▶ key, fields ─▶ slots, faults ─▶ quota ─▶ the work ─▶ cut? ─▶ audio or a lie
"""

from __future__ import annotations

import json
import select
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, nullcontext, suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from support import speech_answers as answers
from support.loopback import Handler
from support.speech_audio import SPOILS
from support.speech_checks import Body, voice_in
from support.speech_profile import BATCH, CAPTIONS, MODELS, SPEECH
from support.speech_replies import Refusal, Reply, json_reply, pieces_of
from support.speech_uploads import KEPT, Form, body_of, read_form

if TYPE_CHECKING:
    from support.speech_server import SpeechServer

KEY = "sk-test-0123456789"
LONGEST_HANG_S, DRIP_S = 300.0, 0.02


class SpeechHandler(Handler):
    """One connection. `speech` is the stand-in that is asked."""

    speech: SpeechServer
    end: Callable[[int], None]  # notes a request with its status, and frees its slot

    def do_GET(self) -> None:
        speech, url = self.speech, urlsplit(self.path)
        speech.lists_asked.append(self.path)
        self.end = lambda _: None
        if speech.is_down:
            self.reset()
            return
        profile, body = speech.profile, None
        if url.path == profile.voices_path and profile.voice_list:
            body = profile.voice_list(profile.voices)
        if profile.uploads and url.path == profile.uploads.list_path:
            body = profile.uploads.listed(profile.voices, speech.library)
        if url.path == MODELS and profile.models:
            entry = {"object": "model", "created": 1_686_935_002, "owned_by": speech.kind}
            data = [{"id": name, **entry} for name in profile.models]
            body = {"object": "list", "data": data}
        if body is None:
            body = profile.page(profile, url.path) or Refusal(404, "Not Found")
        if isinstance(body, str):
            self.send(Reply(body.encode(), "text/html; charset=utf-8"))
            return
        self.send(self.refused(body) if isinstance(body, Refusal) else json_reply(body))

    def do_POST(self) -> None:
        began_s = time.monotonic()
        raw = self.body()
        headers = {name.lower(): value for name, value in self.headers.items()}
        if self.is_form:
            form = read_form(headers["content-type"], raw)
            if self.speech.profile.uploads:
                self.end = lambda _: None
                self.send(self.uploaded(form))
                return
            body = body_of(form)
        else:
            try:
                body = json.loads(raw)
            except ValueError:
                body = {}
        with ExitStack() as held, suppress(ConnectionError):
            has_slot = held.enter_context(self.speech.slot())

            def end(status: int) -> None:
                self.speech.note(self.path, body, headers, status, began_s)
                held.close()

            self.end = end
            self.answer(body, has_slot=has_slot)

    @property
    def is_form(self) -> bool:
        return self.headers.get("content-type", "").startswith("multipart/form-data")

    def uploaded(self, form: Form) -> Reply:
        """The answer to a recording that is to be kept."""
        speech, routes = self.speech, self.speech.profile.uploads
        if routes is None or self.path != routes.path:
            return self.refused(Refusal(404, "Not Found"))
        if status := speech.behaviour.proxy_refuses:
            page = b"<html><head><title>Refused</title></head><body>nginx</body></html>"
            return Reply(page, "text/html", status)
        return speech.take(routes, form)

    def answer(self, body: Body, *, has_slot: bool) -> None:
        """Answer the request, or cut the connection."""
        if self.speech.is_down:
            self.reset()
            return
        if len(self.speech.spoken) >= self.speech.behaviour.forgets_after:
            self.speech.behave(forgets_after=float("inf"))
            self.speech.library.clear()
        if kept := self.speech.library.get(voice_in(body)):
            body = {**body, KEPT: kept}
        if refusal := self.refusal(body):
            self.send(self.refused(refusal), is_cut=refusal.status == 200)
        else:
            self.work(body, has_slot=has_slot)

    def work(self, body: Body, *, has_slot: bool) -> None:
        """Speak, unless there is trouble or a fault."""
        how = self.speech.behaviour
        texts = self.texts(body)
        fault = self.speech.fault("\n".join(texts)) if has_slot else ""
        if refusal := self.trouble(texts, fault, has_slot=has_slot):
            self.send(self.refused(refusal))
            return
        if fault == "stall":
            time.sleep(how.stall_s)
        n_chars = sum(map(len, texts))
        if not self.speech.bill(n_chars):
            self.send(self.refused(self.no_quota(n_chars)))
            return
        if fault in ("hang", "drip"):
            self.hang(drips=fault == "drip")
            return
        with self.speech.model_lock if self.speech.profile.one_at_a_time else nullcontext():
            time.sleep(how.latency_s + how.char_latency_s * n_chars)
        if fault == "cut":
            self.reset()
            return
        is_cut = fault == "cut in body"
        if not is_cut and not answers.lie_instead(how.lie, self.speech.profile):
            self.speech.spoken.extend(texts)
        self.send(self.spoken(body), is_cut=is_cut)

    def refusal(self, body: Body) -> Refusal | None:
        """Why the server does not take the request, if so."""
        profile, path = self.speech.profile, self.path
        routes = [SPEECH]
        if not self.speech.behaviour.is_older:
            routes += [BATCH] * profile.has_batches + [CAPTIONS] * profile.has_captions
        if path not in routes:
            return Refusal(404, "Not Found")
        if profile.needs_key and self.headers.get("Authorization") != f"Bearer {KEY}":
            if not self.headers.get("Authorization"):
                return Refusal(401, "You didn't provide an API key.")
            return Refusal(401, "Incorrect API key provided", "invalid_api_key")
        if path == BATCH:
            n_items = len(body.get("items", ()))
            if 1 <= n_items <= answers.MAX_ITEMS:
                return None
            return Refusal(400, f"Batch contains {n_items} items, not 1 to {answers.MAX_ITEMS}.")
        if self.asks_in_vain(body):
            words = "requires the server to be launched with --forced-aligner."
            return Refusal(400, f"word_timestamps=true {words}")
        return next(filter(None, (check(body) for check in profile.checks)), None)

    def asks_in_vain(self, body: Body) -> bool:
        """Whether vLLM-Omni is asked for times of words that it cannot find."""
        how = self.speech.behaviour
        knows = self.speech.profile.has_batches and not how.is_older
        return bool(knows and body.get("word_timestamps") and not how.has_aligner)

    def trouble(self, texts: list[str], fault: str, *, has_slot: bool) -> Refusal | None:
        """Why the server cannot take the request now, if so."""
        how = self.speech.behaviour
        if not has_slot or fault == "429":
            headers = {"Retry-After": how.retry_after} if how.retry_after else {}
            return Refusal(429, "Rate limit reached", "rate_limit_exceeded", headers=headers)
        broken = how.fails_on if self.path != BATCH else ()
        broken += how.no_captions_of if self.path == CAPTIONS else ()
        if fault == "500" or set(texts) & set(broken):
            return Refusal(500, "The server had an error")
        return Refusal(503, "The server is overloaded") if fault == "503" else None

    def no_quota(self, n_chars: int) -> Refusal:  # noqa: ARG002 - others tell it
        """Why so many characters are not spoken."""
        return Refusal(429, "You exceeded your current quota", "insufficient_quota")

    def texts(self, body: Body) -> list[str]:
        """What is spoken, and billed, for the request."""
        speech = self.speech
        if self.path != BATCH:
            return [body["input"]]
        items = answers.items_of(body)
        return [
            item["input"]
            for item in items
            if not answers.item_error(speech.profile, speech.behaviour, item)
        ]

    def spoken(self, body: Body) -> Reply:
        profile, how = self.speech.profile, self.speech.behaviour
        if instead := answers.lie_instead(how.lie, profile):
            return instead
        if self.path == BATCH:
            return answers.batch_reply(profile, how, body)
        samples = answers.samples_of(profile, how, body)
        if spoil := self.speech.spoil(body["input"]):
            samples = SPOILS[spoil](samples, profile.sample_rate)
        if self.path == CAPTIONS:
            return answers.captions_reply(profile, how, body, samples)
        return answers.speech_reply(profile, how, body, samples)

    def refused(self, refusal: Refusal) -> Reply:
        if refusal.status == 200:  # noticed too late: the headers are sent, and no more
            return Reply(b"", "audio/wav", is_chunked=True)
        body = self.speech.profile.error(refusal)
        if isinstance(body, str):
            html = "text/html; charset=utf-8"
            return Reply(body.encode(), html, refusal.status, refusal.headers)
        return json_reply(body, refusal.status, refusal.headers)

    def hang(self, *, drips: bool) -> None:
        """Send nothing, or a byte now and then, until the client hangs up."""
        if drips:
            self.send_response(200)
            self.send_header("Content-Type", "audio/wav")
            self.end_headers()
        for _ in range(round(LONGEST_HANG_S / DRIP_S)):
            if select.select([self.connection], [], [], DRIP_S)[0]:
                break
            if drips:
                self.wfile.write(b"R")
        self.reset()

    def reset(self) -> None:
        """End the connection without an answer."""
        self.end(0)
        super().reset()

    def send(self, reply: Reply, *, is_cut: bool = False) -> None:
        """Send the reply, or half of it."""
        self.send_response(reply.status)
        for name, value in self.headers_of(reply).items():
            self.send_header(name, value)
        size = len(reply.content) // (2 if is_cut else 1)
        pieces = pieces_of(reply.content[:size])
        if reply.is_chunked:
            pieces = [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces]
            pieces += [] if is_cut else [b"0\r\n\r\n"]
        self.close_connection = self.close_connection or is_cut
        # Before the last bytes: whoever has them may look at what was noted, and ask again.
        if not pieces:
            self.end(0 if is_cut else reply.status)
        self.end_headers()
        for n_left, piece in zip(reversed(range(len(pieces))), pieces, strict=True):
            if n_left == 0:
                self.end(0 if is_cut else reply.status)
            self.wfile.write(piece)

    def headers_of(self, reply: Reply) -> Mapping[str, str]:
        length = {"Content-Length": str(len(reply.content))}
        if reply.is_chunked:
            length = {"Transfer-Encoding": "chunked"}
        return {"Content-Type": reply.media_type, **length, **reply.headers}
