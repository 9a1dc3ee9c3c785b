"""What engines have in common that are one server: its voices, and requests until it answers.

    request ─▶ budget ─▶ client (in flight: as many as the server likes) ─▶ samples

A batch is one request, and many batches are under way: so each segment is stored as soon as it is
spoken, and what was paid for is not lost with another one that fails.

A subclass says how its server lists voices, what it is sent, and what is in a reply.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from threading import Lock

from audiomill.inputs.languages.codes import primary_subtag
from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.engine.protocol import Batch, EngineLimits, Rendered, Request, Usage, Voice
from audiomill.renderers.engine.text_renderer import TextRenderer, with_silence
from audiomill.renderers.host.waiting import UNATTENDED, Waiter, unattended
from audiomill.renderers.servers.calls import Answer, Call, ReplyReader, Server
from audiomill.renderers.servers.client import ServerClient
from audiomill.renderers.servers.patience import FIRST_CONTACT_S
from audiomill.renderers.servers.replies import Reply, ServerFailing
from audiomill.renderers.servers.spending import Spending
from audiomill.renderers.servers.voices import UNKNOWN_LANGUAGE
from audiomill.renderers.takes.retaking import Retaker

IMPATIENT = unattended(
    outage_s=FIRST_CONTACT_S
)  # a list of voices is not waited for as long as a book


@dataclass(frozen=True, slots=True)
class InFlight:
    """How many texts a server gets at a time: at most, and before it is known how many it likes."""

    most: int
    first: int = 2


class RemoteRenderer(TextRenderer):
    """Renders with one server, from any number of threads."""

    def __init__(
        self,
        server: Server,
        limits: EngineLimits,
        sample_rate: int,
        budget: float | None = None,
        in_flight: InFlight | None = None,
        *,
        n_retakes: int = 0,
        reader: ReplyReader | None = None,
    ) -> None:
        """Sends nothing. `budget`: in the currency of the limits' price.

        `in_flight`: of texts, where calls have several. None: as many as the limits' calls.
        `n_retakes`: of a segment whose audio is faulty, at most.
        `reader`: for a server that tells more than others.
        """
        self._server = server
        self.limits = replace(limits, is_elsewhere=True, n_retakes=n_retakes)
        self.sample_rate = sample_rate
        spending = Spending(limits.price_per_million, budget)
        texts = in_flight or InFlight(limits.n_at_once)
        self._client = ServerClient(server, texts.most, spending, texts.first, reader)
        self._list_lock = Lock()
        self._retaker = Retaker(self.limits)

    @abstractmethod
    def ask_voices(self) -> tuple[Voice, ...]:
        """The voices that can be listed, sorted by name. Raises EngineFailed."""

    @abstractmethod
    def call_of(self, request: Request, take: int = 0) -> Call:
        """What the server is sent for a take of `request`. Without a seed each is drawn anew."""

    @abstractmethod
    def spoken_in(self, reply: Reply, request: Request) -> Rendered:
        """The samples in a reply, and what it tells of them. Raises ServerFailing, RenderError."""

    def close(self) -> None:
        """Close the connections to the server. Nothing can be rendered afterwards."""
        self._client.close()

    def voices(self) -> Sequence[Voice]:
        """The voices that are known, asked for once. Raises EngineFailed."""
        with self._list_lock:  # or several threads would ask
            return self._voices

    def default_voice(self, language: str) -> str:
        """The first voice that speaks `language` (BCP 47), or any language. Raises UnknownVoice."""
        for wanted in (primary_subtag(language), UNKNOWN_LANGUAGE):
            for voice in self.voices():
                if primary_subtag(voice.language) == wanted:
                    return voice.name
        raise UnknownVoice(
            f"{self._server.name} has no voice that is known to speak {language}. Name one with"
            f" --voice: audiomill voices --engine {self.name}"
        )

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:
        """Have the server speak each request. Raises UnknownVoice, EngineFailed."""

        def speak(requests: Sequence[Request], take: int) -> list[Rendered]:
            return with_silence(
                requests, self.sample_rate, lambda said: self.speak_all(said, take, waiter)
            )

        return self._retaker.rendered(batch.requests, self.sample_rate, speak, batch.first_take)

    def speak_all(self, requests: Sequence[Request], take: int, waiter: Waiter) -> list[Rendered]:
        """One take of each request, all of which have something to say. Raises EngineFailed."""
        return [self._speak(request, take, waiter) for request in requests]

    def usage_of(self, n_billed: int) -> Usage:
        """What one request took for which so many units may be billed."""
        return Usage(n_characters_billed=n_billed)

    def _speak(self, request: Request, take: int, waiter: Waiter) -> Rendered:
        answer = self.answer_to(request, take, waiter)
        return replace(answer.value, usage=self.usage_of(answer.n_billed))

    def answer_to(self, request: Request, take: int, waiter: Waiter) -> Answer[Rendered]:
        """The server's answer. Raises UnknownVoice, EngineFailed, and what stops the run."""
        call = self.call_in_line(request, take)
        return self._client.send(call, lambda reply: self.heard(reply, request), waiter)

    def call_in_line(self, request: Request, take: int) -> Call:
        """The call for a take: a further one goes before segments that have not begun."""
        return replace(self.call_of(request, take), continues=take > 0)

    def heard(self, reply: Reply, request: Request) -> Rendered:
        """What is in a reply, if it has samples. Raises ServerFailing, RenderError."""
        spoken = self.spoken_in(reply, request)
        if not spoken.samples.size:
            raise ServerFailing("audio without a sample", may_be_billed=True)
        return spoken

    @cached_property
    def _voices(self) -> tuple[Voice, ...]:
        return self.ask_voices()
