"""What engines have in common that take plain text only, in one language for each voice.

A subclass adds its name, its sample rate, its limits, its voices and `render`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np

from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.display_names import human_name
from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.engine.protocol import Batch, Rendered, Request, Voice
from audiomill.renderers.host.waiting import UNATTENDED, Waiter

MOST_LISTED = 12  # voices in a message
UNSPOKEN_S = 0.050  # silence for text that has nothing to say
# Engines' tokenizers and C libraries do not expect them: control characters could begin commands
# (U+0001) or end the text (U+0000), and lone surrogates cannot be encoded.
_UNSPEAKABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")


class TextRenderer(ABC):
    """Implements `Renderer` for an engine that has no dictionary and takes no phonemes."""

    name: str
    title: str

    @abstractmethod
    def voices(self) -> Sequence[Voice]:
        """Implement `Renderer.voices`."""

    @abstractmethod
    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:
        """Implement `Renderer.render`."""

    def known_voice(self, name: str) -> str:
        """The name, unchanged. Raises UnknownVoice."""
        names = [voice.name for voice in self.voices()]
        if name not in names:
            raise UnknownVoice(unknown_voice(self.name, name, names))
        return name

    def display_name(self, voice: str) -> str:
        """The name that is listed for the voice, or one made of its own."""
        base = voice.partition("@")[0]  # without the language that it is told to speak
        shown = (one.display_name for one in self.voices() if one.name in (voice, base))
        return next(filter(None, shown), "") or human_name(base)

    def in_language(self, voice: str, language: str) -> str:  # noqa: ARG002 - the same for all
        """The voice, unchanged: the engine finds the language of a text by itself."""
        return voice

    def warnings(self, voices: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """No warnings."""
        return ()

    def prefetch(self, requests: Sequence[Request]) -> None:  # noqa: B027 - most have none
        """Do nothing: there is no work to do ahead."""

    def normalized_text(self, spoken: str) -> str:
        """The text, unchanged."""
        return spoken

    def own_phonemes(self, phonemes: str, voice: str) -> str:  # noqa: ARG002
        """Always "": the engine takes text only."""
        return ""

    def model_input(self, request: Request) -> str:
        """The text."""
        return request.spoken

    def known_words(self, words: Sequence[str], voice: str) -> None:  # noqa: B027
        """Always None: there is no dictionary that could be asked."""

    def phonemes(self, texts: Sequence[str], voice: str) -> Sequence[str]:  # noqa: ARG002
        """An empty text for each."""
        return ["" for _ in texts]


def with_silence(
    requests: Sequence[Request],
    sample_rate: int,
    speak: Callable[[Sequence[Request]], Sequence[Rendered]],
) -> list[Rendered]:
    """What `speak` makes of the requests that have something to say; of the others, silence.

    Raises what `speak` raises.
    """
    said = [request for request in requests if has_speech(request.spoken)]
    spoken = iter(speak(said) if said else ())
    return [
        next(spoken) if has_speech(request.spoken) else silence(sample_rate) for request in requests
    ]


def silence(sample_rate: int) -> Rendered:
    """The audio of a text that has nothing to say: no letter or digit, or none that is known."""
    return Rendered(np.zeros(round(UNSPOKEN_S * sample_rate), np.float32))


def speakable(text: str) -> str:
    """`text` with a space for each character that engines do not expect; positions stay."""
    return _UNSPEAKABLE.sub(" ", text)


def has_speech(text: str) -> bool:
    """Whether there is anything to say: for marks alone most models make something up."""
    return any(map(str.isalnum, text))


def unknown_voice(engine: str, name: str, known: Sequence[str]) -> str:
    """The message for a voice that the engine does not have."""
    if len(known) <= MOST_LISTED:
        listed = f"Choose one of: {', '.join(known)}."
    else:
        listed = f"audiomill voices --engine {engine} lists the {len(known)} that it has."
    return f"{engine} has no voice {name!r}.{did_you_mean(name, known)} {listed}"
