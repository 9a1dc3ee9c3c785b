"""The Orpheus engine: a llama-server says tokens, SNAC makes them sound here. Knows no store.

    request ─▶ llama-server, as many at a time as it has slots ─▶ codes ─▶ SNAC ─▶ samples
               (seed of the request's key)                         (noise of the same seed)

Nothing is sent before a voice is known: a name that the model does not know would be spoken by a
voice that nobody has chosen. The server is asked for its model when a key is made, unless the
settings name it; PyTorch and SNAC are loaded by the first `render`.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from audiomill.inputs.languages.codes import primary_subtag
from audiomill.renderers.engine.errors import (
    EngineFailed,
    EngineMissing,
    RenderError,
    UnknownVoice,
    first_line,
)
from audiomill.renderers.engine.protocol import (
    Batch,
    EngineLimits,
    Rendered,
    Request,
    Samples,
    Usage,
    Voice,
)
from audiomill.renderers.engine.text_renderer import TextRenderer, silence
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.host.waiting import UNATTENDED, Waiter, unattended
from audiomill.renderers.orpheus.llama_server import LlamaServer
from audiomill.renderers.orpheus.options import OrpheusOptions
from audiomill.renderers.orpheus.prompt import SAMPLE_RATE, Sampling, n_letters
from audiomill.renderers.orpheus.snac_files import snac_folder, weights_hash
from audiomill.renderers.orpheus.speaking import OrpheusSpeaker, TakeSeed
from audiomill.renderers.orpheus.voices import OrpheusVoices, languages_of_model
from audiomill.renderers.takes.retaking import Retaker

if TYPE_CHECKING:
    from audiomill.renderers.orpheus.snac import SnacDecoder

SOUND = 1  # version of the samples; increment by hand when they change with the same tokens
# A key needs the model's name: a server that is starting has that long to load it.
STARTING = unattended(outage_s=30.0)
AT_ONCE = unattended(outage_s=0.0)  # for what is only told: it is asked once


class OrpheusRenderer(TextRenderer):
    """Orpheus 3B through llama-server, with SNAC in this process. Any thread may use it."""

    name = "orpheus"
    title = "Orpheus"
    sample_rate = SAMPLE_RATE
    limits = EngineLimits(
        max_length=280,  # letters, some 20 s: longer ones run away more often
        length=n_letters,
        max_rows=1,  # so that each is stored when it is spoken
        chars_per_s=14.0,
        exact_bits=16,
        speeds=(1.0, 1.0),
        n_at_once=32,  # more than most servers have slots; the others wait here
    )

    def __init__(self, options: OrpheusOptions, n_retakes: int = 0) -> None:
        """Sends nothing. `n_retakes`: of a segment whose audio is faulty, at most."""
        self._options = options
        self._voices = OrpheusVoices(options.voices)
        self._server = LlamaServer(options.url, options.key_variable)
        self._sampling = Sampling(options.temperature, options.top_p, options.repeat_penalty)
        self.limits = replace(self.limits, n_retakes=n_retakes)
        self._retaker = Retaker(self.limits)
        self._lock = threading.Lock()
        self._speaker: OrpheusSpeaker | None = None
        self._decoder: SnacDecoder | None = None
        self._snac_hash = ""

    def voices(self) -> Sequence[Voice]:
        """The voices that Orpheus's models know, and those of the settings."""
        return self._voices.voices

    def default_voice(self, language: str) -> str:
        """The first voice of the language (BCP 47). Raises UnknownVoice."""
        return self._voices.for_language(language)

    def known_voice(self, name: str) -> str:
        """The name, unchanged. Raises UnknownVoice."""
        return self._voices.check(name)

    def in_language(self, voice: str, language: str) -> str:
        """The voice, which speaks the language of its model only. Raises UnknownVoice."""
        own = self._voices.language(voice)
        if primary_subtag(own) != primary_subtag(language):
            raise UnknownVoice(f"Orpheus's voice {voice} speaks {own} only.")
        return voice

    def warnings(self, voices: Sequence[str]) -> Sequence[str]:
        """Voices of another language than the server's model, as far as its name tells."""
        model = self._options.model
        with suppress(RenderError):  # which a run says when it makes keys
            model = model or self._connect(AT_ONCE).facts.model
        spoken = languages_of_model(model) or {"en"}
        own = {one.partition(":")[0] for one in self._options.voices}
        return [
            f"The voice {voice} speaks {self._voices.language(voice)}, and the model {model} seems"
            f" to speak {' and '.join(sorted(spoken))}."
            for voice in voices
            if model and voice not in own and self._voices.language(voice) not in spoken
        ]

    def fingerprint(self, voice: str) -> str:
        """Versions, the model, the codec's weights, and how tokens are drawn.

        The model is what the settings name, else the server is asked. Raises RenderError.
        """
        self._voices.check(voice)
        codec, sampling = self._codec_hash(), self._sampling
        model = self._options.model or self._connect(STARTING).facts.model
        return (
            f"orpheus sound {SOUND} {model} snac {codec} t {sampling.temperature:g}"
            f" p {sampling.top_p:g} r {sampling.repeat_penalty:g}"
        )

    def server_words(self) -> str:
        """What the server has loaded, for people. Raises EngineFailed."""
        facts = self._connect(AT_ONCE).facts
        return f"{facts.model} at {self._options.url}, {facts.n_slots} texts at a time"

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:
        """Render the requests one by one. Raises RenderError, and what stops the run."""
        for request in batch.requests:
            self._voices.check(request.voice)
            if request.speed != 1:
                raise EngineFailed(
                    f"Orpheus speaks at speed 1 only, not {request.speed:g}. Leave out --speed."
                )
        decoder, speaker = self._loaded_decoder(), self._connect(waiter)

        def speak(requests: Sequence[Request], take: int) -> list[Rendered]:
            return [_rendered(request, take, speaker, decoder, waiter) for request in requests]

        return self._retaker.rendered(batch.requests, self.sample_rate, speak, batch.first_take)

    def _connect(self, waiter: Waiter) -> OrpheusSpeaker:
        """The server, once its model is loaded and is Orpheus. Raises EngineFailed, what stops."""
        with self._lock:
            if self._speaker is None:
                facts = self._server.facts(waiter)
                self._server.check_model(waiter)
                client = self._server.speaking_client(facts)
                self._speaker = OrpheusSpeaker(self._server, client, facts, self._sampling)
            return self._speaker

    def _codec_hash(self) -> str:
        with self._lock:
            self._snac_hash = self._snac_hash or weights_hash(snac_folder(self._options.snac))
        return self._snac_hash

    def _loaded_decoder(self) -> SnacDecoder:
        try:
            from audiomill.renderers.orpheus.snac import SnacDecoder
        except ImportError as error:
            raise EngineMissing(
                f"SNAC cannot be loaded: {first_line(error)}. {this_installation().hint('orpheus')}"
            ) from error
        with self._lock:
            folder = snac_folder(self._options.snac)
            self._decoder = self._decoder or SnacDecoder(folder, self._options.device)
        return self._decoder


def _rendered(
    request: Request, take: int, speaker: OrpheusSpeaker, decoder: SnacDecoder, waiter: Waiter
) -> Rendered:
    """One request's audio: its parts, one after the other. The model tells no times of words."""
    source = TakeSeed(request.key, take)
    parts = [*speaker.parts(request.spoken, request.voice, source, waiter)]
    if not parts:
        return silence(SAMPLE_RATE)
    pieces: list[Samples] = [decoder.decode(part.codes, part.seed) for part in parts]
    usage = Usage(n_takes=1 + sum(part.n_failed for part in parts))
    return Rendered(np.concatenate(pieces), usage=usage)
