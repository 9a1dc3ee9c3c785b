"""Recordings of cloned voices on servers that keep them as voices of their own.

    first request of a voice ─▶ is it listed? ─▶ upload ─▶ is it listed now?
    each request             ─▶ refused, or spoken by a server that hides it ─▶ is it still listed?

A voice's name follows from the digest of what is sent: so a recording is uploaded once, whoever
uses it, and another one never takes its place.

    Chatterbox TTS Server    POST /upload_reference, `files`; GET /get_reference_files: ["a.wav"]
    Chatterbox TTS API       POST /v1/voices, `voice_file`, `voice_name`, `language`; GET /v1/voices

The first one skips a file that it has, and lists what it refuses under `errors`; it takes 30 s. The
second one answers 409 for a name that it has, and takes 10 MB. It speaks an unknown voice with its
default one.

Sources: `server.py` and `utils.py` of devnen's Chatterbox-TTS-Server of 2026-04; the files `voices`
and `speech` in `app/api/endpoints` and `voice_library.py` of travisvn's chatterbox-tts-api of
2025-12.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

from audiomill.inputs.json_text import parse_json
from audiomill.inputs.languages.codes import primary_subtag
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.openai.cloning import UploadRoute
from audiomill.renderers.reference_voices.clones import Clone
from audiomill.renderers.servers.calls import Call
from audiomill.renderers.servers.client import ServerClient
from audiomill.renderers.servers.replies import NOT_FOUND, Reply, RequestRefused, reason_in
from audiomill.renderers.servers.voices import NoVoices, listed_voices
from audiomill.renderers.speech.wav import SUFFIX

CONFLICT = 409
# Of an upload. 500 is that it cannot be written, 413 and 415 are those of what is in front.
REFUSED = (400, NOT_FOUND, 405, CONFLICT, 413, 415, 422, 500)


def uploaded_name(route: UploadRoute, clone: Clone) -> str:
    """The name of a cloned voice on the server."""
    return route.voice_name(clone.digest, primary_subtag(clone.voice.language))


class VoiceUploads:
    """What one server has of our recordings. Any thread may use it."""

    def __init__(
        self, client: ServerClient, title: str, route: UploadRoute, sample_rate: int
    ) -> None:
        """Sends nothing. `title` is the server's name for people."""
        self._client = client
        self._title = title
        self._route = route
        self._sample_rate = sample_rate
        self._there: set[str] = set()  # names on the server
        self._n_lost = Counter[str]()  # how often the server was found without each
        self._lock = Lock()

    def language_of(self, clone: Clone) -> str:
        """What the server is told to speak with a voice; "" if it is not told."""
        return primary_subtag(clone.voice.language) if self._route.language_field else ""

    @contextmanager
    def at_hand(self, clones: Collection[Clone], waiter: Waiter) -> Generator[None]:
        """The server has these voices, before and after. Raises EngineFailed if it has not."""
        with self._lock:
            n_lost = Counter(self._n_lost)
        for clone in clones:
            self._bring(clone, waiter)
        try:
            yield
        except RequestRefused as refused:
            if refused.status == NOT_FOUND:
                self._check_kept(clones, n_lost, waiter)
            raise
        if self._route.hides_loss:
            self._check_kept(clones, n_lost, waiter)

    def _bring(self, clone: Clone, waiter: Waiter) -> None:
        """Upload the voice unless the server has it. One at a time, so that none is sent twice."""
        name = uploaded_name(self._route, clone)
        with self._lock:
            if name in self._there:
                return
            if name not in self._listed(waiter):
                self._upload(name, clone, waiter)
                if name not in self._listed(waiter):
                    raise EngineFailed(
                        f"{self._title} took the recording of {clone.voice.name}, but does not list"
                        f" it as {name}. Look at the server's log."
                    )
                waiter.tell(f"{self._title} keeps the recording of {clone.voice.name} as {name}.")
            self._there.add(name)

    def _upload(self, name: str, clone: Clone, waiter: Waiter) -> None:
        route = self._route
        file = f"{name}{SUFFIX}" if route.name_field else name
        form = {route.name_field: name, route.language_field: self.language_of(clone)}
        call = Call(
            "POST",
            route.path,
            form={field: value for field, value in form.items() if field},
            files={route.file_field: (file, clone.cleaned_wav(self._sample_rate))},
            accepted=REFUSED,
        )

        def read(reply: Reply) -> None:
            if reply.status >= 300 and reply.status != CONFLICT:  # it came by another way meanwhile
                raise EngineFailed(
                    f"{self._title} does not take the recording of {clone.voice.name}:"
                    f" {reply.status} {_why(reply)}."
                )

        self._client.send(call, read, waiter)

    def _check_kept(self, clones: Collection[Clone], n_lost: Counter[str], waiter: Waiter) -> None:
        """Raise EngineFailed for a voice that the server no longer has, or has only got back.

        `n_lost` is of before. Another thread may have uploaded the voice again by now.
        """
        listed = self._listed(waiter)
        for clone in clones:
            name = uploaded_name(self._route, clone)
            with self._lock:
                if name not in listed:
                    self._there.discard(name)
                    self._n_lost[name] += 1
                is_lost = self._n_lost[name] != n_lost[name]
            if is_lost:
                raise EngineFailed(
                    f"{self._title} no longer has the recording of {clone.voice.name} ({name}):"
                    " it was started anew, or somebody deleted it there. What is finished is kept:"
                    " the same command uploads the voice again, and goes on."
                )

    def _listed(self, waiter: Waiter) -> Sequence[str]:
        def read(reply: Reply) -> Sequence[str]:
            try:
                return [one.name for one in listed_voices(reply.content, self._title)]
            except NoVoices:
                return ()

        return self._client.send(Call("GET", self._route.list_path), read, waiter).value


def _why(reply: Reply) -> str:
    """The reason of a refusal. Chatterbox TTS Server has one for each file, beside a message."""
    try:
        found: Any = parse_json(reply.content)
        return str(found["errors"][0]["error"]).rstrip(".")
    except (ValueError, KeyError, IndexError, TypeError):
        return reason_in(reply)
