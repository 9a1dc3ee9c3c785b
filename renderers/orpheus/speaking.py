"""Speaks one text through a server: prompt, tokens, checks, another try. Knows no requests.

    text ─▶ ids ─▶ /completion ─▶ tokens ─▶ codes          what is wrong is tried again with another
                    │  cut at the end of speech            seed; what stays wrong, in halves
                    └─ no end, out of phase, too short ──▶

The model is autoregressive: now and then it does not end, leaves its frames, or falls silent at
once. None of that may become audio.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from audiomill.inputs.segmentation.lengths import split_at_clauses
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.text_renderer import has_speech
from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.orpheus.codes import CodeReader, OutOfPhase, SnacCodes
from audiomill.renderers.orpheus.llama_server import (
    Completion,
    LlamaServer,
    ServerFacts,
    completion_in,
    is_end,
)
from audiomill.renderers.orpheus.prompt import (
    Sampling,
    completion_body,
    least_frames,
    max_tokens,
    prompt_ids,
    said_by,
)
from audiomill.renderers.servers.calls import Call
from audiomill.renderers.servers.client import ServerClient
from audiomill.renderers.takes.seeds import seed_of

MAX_TOKEN_BYTES, MAX_OTHER_BYTES = 2 << 10, 1 << 20  # of the events of a stream
MAX_TRIES = 4  # of a text in one take, each with another seed
SHORTEST_PART = 20  # characters: a text that is not longer is not halved


class _NotSpoken(Exception):
    """The tokens are not the text's speech. The message is a part of a sentence."""


@dataclass(frozen=True, slots=True)
class TakeSeed:
    """Where the seeds of one take of a segment come from. No two takes or tries share one."""

    key: str
    take: int = 0

    def of_try(self, number: int) -> int:
        """The seed of a try: that of the segment's key for the first one of the first take."""
        return seed_of(self.key, self.take * MAX_TRIES + number)

    def of_half(self, number: int) -> TakeSeed:
        """The source of a half's seeds."""
        return TakeSeed(f"{self.key} half {number}", self.take)


@dataclass(frozen=True, slots=True)
class OrpheusPart:
    """The codes of a text, or of a part of it, and a seed for the noise of its sound."""

    codes: SnacCodes
    seed: int
    n_failed: int  # tries before it that were not kept


@dataclass(frozen=True, slots=True)
class OrpheusSpeaker:
    """A server with what it told of itself. Any thread may use it."""

    server: LlamaServer
    client: ServerClient  # for completions
    facts: ServerFacts
    sampling: Sampling

    def parts(
        self, text: str, voice: str, source: TakeSeed, waiter: Waiter
    ) -> Iterator[OrpheusPart]:
        """The parts of a text, in order; one, unless the model cannot say the text whole.

        Raises EngineFailed, and what stops the run.
        """
        if not has_speech(text):
            return
        try:
            yield self._part(text, voice, source, waiter)
        except _NotSpoken as error:
            halves = _halves(text)
            if not halves:
                raise EngineFailed(
                    f"Orpheus does not say {text[:60]!r}, in {MAX_TRIES} tries with other seeds:"
                    f" {error}."
                ) from error
            n_lost = MAX_TRIES
            for number, half in enumerate(halves):
                for part in self.parts(half, voice, source.of_half(number), waiter):
                    yield replace(part, n_failed=part.n_failed + n_lost)
                    n_lost = 0

    def _part(self, text: str, voice: str, source: TakeSeed, waiter: Waiter) -> OrpheusPart:
        """Raises _NotSpoken, EngineFailed, and what stops the run."""
        prompt = prompt_ids(self.server.token_ids(said_by(voice, text), waiter))
        n_predict = max_tokens(text)
        self._check_context(len(prompt) + n_predict + 1)
        failure = _NotSpoken("")
        for number in range(MAX_TRIES):
            seed = source.of_try(number)
            body = completion_body(prompt, n_predict, seed, self.sampling)
            # A slow CPU says a token or two a second.
            call = Call(
                "POST",
                "/completion",
                body,
                n_predict,
                max_bytes=MAX_OTHER_BYTES + MAX_TOKEN_BYTES * n_predict,
                is_enough=is_end,
            )
            completion = self.client.send(call, completion_in, waiter).value
            try:
                return OrpheusPart(_codes(text, completion), seed, number)
            except _NotSpoken as error:
                failure = error
        raise failure

    def _check_context(self, n_tokens: int) -> None:
        facts = self.facts
        if n_tokens > facts.slot_tokens:
            raise EngineFailed(
                f"The context of a slot of llama-server is too small: {facts.slot_tokens} tokens,"
                f" where {n_tokens} are needed. Start it with a larger --ctx-size:"
                f" {(n_tokens + 512) * facts.n_slots} or more for its {facts.n_slots} slots."
            )


def _codes(text: str, completion: Completion) -> SnacCodes:
    """The codes of a completion. Raises _NotSpoken if it cannot be the text's speech."""
    reader = CodeReader()
    try:
        reader.add_all(completion.tokens)
    except OutOfPhase as error:
        raise _NotSpoken(str(error)) from error
    if not completion.has_end:
        raise _NotSpoken("it does not come to an end")
    codes = reader.codes()
    if codes.n_frames < least_frames(text):
        raise _NotSpoken(f"it ends after {codes.n_frames} frames")
    return codes


def _halves(text: str) -> list[str]:
    """Both halves of a text, cut at the best place near the middle; none of a short one."""
    n_characters = len(text.strip())
    if n_characters <= SHORTEST_PART:
        return []
    spans = split_at_clauses(text, 0, len(text), lambda first, last: last - first < n_characters)
    return [text[first:last] for first, last in spans]
