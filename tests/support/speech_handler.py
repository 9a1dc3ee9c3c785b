"""Answers the requests that a stand-in for a server of speech gets, faults and refusals first.

down? ─▶ route? ─▶ key, fields ─▶ slots, faults ─▶ quota ─▶ the work ─▶ cut? ─▶ audio or a lie
"""

from __future__ import annotations

import json
import select
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from support import speech_uploads
from support.loopback import Handler
from support.speech_answers import Speech, lie_instead
from support.speech_checks import Body, refusal_of
from support.speech_profiles import BATCH, CAPTIONS, SPEECH
from support.speech_replies import Refusal, Reply, pieces_of, reply_of
from support.speech_uploads import Form
from support.spoiled_sound import SPOILS

if TYPE_CHECKING:
    from support.speech_server import SpeechServer

KEY = "sk-test-0123456789"
LONGEST_HANG_S, DRIP_S, STALL_S = 300.0, 0.02, 2.0
MOST_ITEMS = 32  # of a batch


@dataclass(frozen=True, slots=True)
class SpeechRequest:
    """A request that was answered, or was not."""

    path: str
    body: dict[str, Any]
    headers: dict[str, str]
    status: int  # 0: the connection was cut


class SpeechHandler(Handler):
    """One connection. `speech` is the stand-in that is asked."""

    speech: SpeechServer
    end: Callable[[int], None]  # notes a request with its status, and frees its slot
    too_many = "Rate limit reached"  # what is said where requests are too many

    def do_GET(self) -> None:
        self.speech.lists_asked.append(self.path)
        self.end = lambda _: None
        if self.speech.behaviour.is_down:
            self.reset()
            return
        self.send(self.listed())

    def listed(self) -> Reply:
        """What is at the path."""
        found = self.speech.profile.page(urlsplit(self.path).path, self.speech.library)
        return self.refused(found) if isinstance(found, Refusal) else reply_of(found)

    def do_POST(self) -> None:
        raw = self.body()
        headers = {name.lower(): value for name, value in self.headers.items()}
        body: dict[str, Any] = {}
        if headers.get("content-type", "").startswith("multipart/form-data"):
            form = speech_uploads.read_form(headers["content-type"], raw)
            if self.speech.profile.uploads:
                self.end = lambda _: None
                self.send(self.uploaded(form))
                return
            body = speech_uploads.body_of(form)
        else:
            with suppress(ValueError):
                body = self.read(raw)
        with ExitStack() as held, suppress(ConnectionError):
            has_slot = held.enter_context(self.speech.slot())

            def end(status: int) -> None:
                self.speech.requests.append(SpeechRequest(self.path, body, headers, status))
                held.close()

            self.end = end
            self.answer(body, has_slot=has_slot)

    def read(self, raw: bytes) -> dict[str, Any]:
        """The body of a request. Raises ValueError."""
        return json.loads(raw)

    def uploaded(self, form: Form) -> Reply:
        """The answer to a recording that is to be kept."""
        if self.path != self.speech.profile.uploads_to:
            return self.refused(Refusal(404, "Not Found"))
        if status := self.speech.behaviour.proxy_refuses:
            page = b"<html><head><title>Refused</title></head><body>nginx</body></html>"
            return Reply(page, "text/html", status)
        return self.speech.take(form)

    def answer(self, body: Body, *, has_slot: bool) -> None:
        """Answer the request, or cut the connection."""
        if self.speech.behaviour.is_down:
            self.reset()
            return
        body = self.speech.kept(body)
        if refusal := self.refusal(body):
            self.send(self.refused(refusal), is_cut=refusal.status == 200)
        else:
            self.work(body, has_slot=has_slot)

    def work(self, body: Body, *, has_slot: bool) -> None:
        """Speak, unless there is trouble or a fault."""
        how, texts = self.speech.behaviour, self.texts(body)
        fault = self.speech.fault("\n".join(texts)) if has_slot else ""
        if refusal := self.trouble(texts, fault, has_slot=has_slot):
            self.send(self.refused(refusal))
            return
        if fault == "stall":
            time.sleep(STALL_S)
        n_billed = self.n_billed(texts)
        if not self.speech.bill(n_billed):
            self.send(self.refused(self.no_quota(n_billed)))
        elif fault in ("hang", "drip"):
            self.hang(drips=fault == "drip")
        else:
            with self.speech.model_lock if self.speech.profile.one_at_a_time else nullcontext():
                time.sleep(how.latency_s)
            self.say(body, texts, fault)

    def say(self, body: Body, texts: list[str], fault: str) -> None:
        """Send the audio, or cut it."""
        if fault == "cut":
            self.reset()
            return
        is_cut = fault == "cut in body"
        if not is_cut and not lie_instead(self.speech.behaviour.lie, self.speech.profile):
            self.speech.spoken.extend(texts)
        self.send(self.spoken(body), is_cut=is_cut)

    def refusal(self, body: Body) -> Refusal | None:
        """Why the server does not take the request, if so."""
        profile, how = self.speech.profile, self.speech.behaviour
        has = {SPEECH: True, BATCH: profile.has_batches, CAPTIONS: profile.has_captions}
        if not has.get(self.path) or (how.is_older and self.path != SPEECH):
            return Refusal(404, "Not Found")
        key = self.headers.get("Authorization")
        if profile.needs_key and key != f"Bearer {KEY}":
            if not key:
                return Refusal(401, "You didn't provide an API key.")
            return Refusal(401, "Incorrect API key provided", "invalid_api_key")
        if self.path == BATCH:
            n_items = len(body.get("items", ()))
            words = f"Batch contains {n_items} items, not 1 to {MOST_ITEMS}."
            return None if 1 <= n_items <= MOST_ITEMS else Refusal(400, words)
        knows_words = profile.has_batches and not how.is_older
        if knows_words and body.get("word_timestamps") and not how.has_aligner:
            words = "requires the server to be launched with --forced-aligner."
            return Refusal(400, f"word_timestamps=true {words}")
        return refusal_of(profile, body)

    def trouble(self, texts: list[str], fault: str, *, has_slot: bool) -> Refusal | None:
        """Why the server cannot take the request now, if so."""
        how = self.speech.behaviour
        if not has_slot or fault == "429":
            headers = {"Retry-After": how.retry_after} if how.retry_after else {}
            return Refusal(429, self.too_many, "rate_limit_exceeded", headers=headers)
        broken = how.fails_on if self.path != BATCH else ()
        broken += how.no_captions_of if self.path == CAPTIONS else ()
        if fault == "500" or set(texts) & set(broken):
            return Refusal(500, "The server had an error")
        return Refusal(503, "The server is overloaded") if fault == "503" else None

    def n_billed(self, texts: list[str]) -> int:
        return sum(map(len, texts))

    def no_quota(self, _n_billed: int) -> Refusal:
        """Why so many characters are not spoken."""
        return Refusal(429, "You exceeded your current quota", "insufficient_quota")

    def speech_of(self, body: Body) -> Speech:
        return Speech(self.speech.profile, self.speech.behaviour, body)

    def texts(self, body: Body) -> list[str]:
        """What is spoken, and billed, for the request."""
        if self.path != BATCH:
            return [body["input"]]
        items = self.speech_of(body).items()
        return [one.body["input"] for one in items if not one.item_error()]

    def spoken(self, body: Body) -> Reply:
        """The audio for the request, or a lie."""
        profile, made = self.speech.profile, self.speech_of(body)
        if instead := lie_instead(made.how.lie, profile):
            return instead
        if self.path == BATCH:
            return made.batch()
        samples = made.samples()
        if spoil := self.speech.spoil(body["input"]):
            samples = SPOILS[spoil](samples, profile.sample_rate)
        return made.captions(samples) if self.path == CAPTIONS else made.reply(samples)

    def refused(self, refusal: Refusal) -> Reply:
        if refusal.status == 200:  # noticed too late: the headers are sent, and no more
            return Reply(b"", "audio/wav", is_chunked=True)
        return reply_of(self.speech.profile.error(refusal), refusal.status, refusal.headers)

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
        pieces = pieces_of(reply.content[: len(reply.content) // (2 if is_cut else 1)])
        write = self.chunk if reply.is_chunked else self.wfile.write
        pieces += [b""] if reply.is_chunked and not is_cut else []
        self.close_connection = self.close_connection or is_cut
        # Before the last bytes: whoever has them may look at what was noted, and ask again.
        if not pieces:
            self.end(0 if is_cut else reply.status)
        self.end_headers()
        for n_left, piece in zip(reversed(range(len(pieces))), pieces, strict=True):
            if n_left == 0:
                self.end(0 if is_cut else reply.status)
            write(piece)

    def headers_of(self, reply: Reply) -> Mapping[str, str]:
        length = {"Content-Length": str(len(reply.content))}
        if reply.is_chunked:
            length = {"Transfer-Encoding": "chunked"}
        return {"Content-Type": reply.media_type, **length, **reply.headers}
