"""The engine `elevenlabs`: ElevenLabs' service, by its own protocol.

    first        voices, page by page, and the model: both are checked before anything is spoken
    request ─▶ budget ─▶ client (in flight: as many as the account may) ─▶ samples, times of words

A batch is one request, as with other servers: each segment is stored as soon as it is spoken.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import ceil
from threading import Lock
from typing import get_args

from audiomill.inputs.languages.codes import primary_subtag
from audiomill.renderers.elevenlabs.account import (
    Account,
    ElevenLabsVoice,
    best_voice,
    known_model,
    read_account,
    speaks,
    voice_named,
)
from audiomill.renderers.elevenlabs.errors import NAME, ElevenLabsReader, FormatRefused
from audiomill.renderers.elevenlabs.options import ElevenLabsOptions
from audiomill.renderers.elevenlabs.speech import speech_path, spoken_in, with_phonemes
from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.protocol import EngineLimits, Rendered, Request, Voice
from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.servers.calls import Answer, Call, Server
from audiomill.renderers.servers.remote_renderer import RemoteRenderer
from audiomill.renderers.servers.replies import Reply
from audiomill.renderers.speech.ipa import decomposed_ipa
from audiomill.renderers.speech.wav import ReplyFormat
from audiomill.renderers.takes.seeds import seed_of

# Version of the requests; increment by hand when they change so that the sound does.
SOUND = 1
# A model finds its tone in some sentences, and loses it where each is a request. Longer segments
# cost more when a word in them is edited.
BEST_CHARS, MOST_CHARS = (250, 600), 800
SPEEDS = (0.7, 1.2)
CHARS_PER_S = 14.0
# Both have the same samples. WAV comes first, because a wrong rate shows in its header.
FORMATS: tuple[ReplyFormat, ...] = get_args(ReplyFormat)
KEYS_ARE_AT = "elevenlabs.io, under “API keys”"


class ElevenLabsRenderer(RemoteRenderer):
    """Renders with ElevenLabs, from any number of threads."""

    name = "elevenlabs"
    title = NAME

    def __init__(self, options: ElevenLabsOptions, n_retakes: int = 0) -> None:
        """Sends nothing. `n_retakes`: of a segment whose audio is faulty, at most."""
        self._options = options
        self._known = known_model(options.model)
        self._asking = Lock()
        self._refused_formats: dict[str, str] = {}  # with the reason
        url = options.url.rstrip("/")
        server = Server(
            NAME, url, options.key_variable, "xi-api-key", key_prefix="", keys_are_at=KEYS_ARE_AT
        )
        super().__init__(
            server,
            limits_of(options),
            options.sample_rate,
            options.budget,
            n_retakes=n_retakes,
            reader=ElevenLabsReader(server, lambda: self._account.model.credits_per_char),
        )

    def ask_voices(self) -> tuple[Voice, ...]:
        """The voices of the account, by their ids. Raises EngineFailed."""
        listed = (voice.listed() for voice in self._account.voices)
        return tuple(sorted(listed, key=lambda voice: voice.name))

    def default_voice(self, language: str) -> str:
        """A voice that was recorded in `language` (BCP 47), else the preferred one.

        Raises UnknownVoice if the model does not speak the language.
        """
        self._require_language(language)
        return best_voice(language, self._account.voices).id

    def known_voice(self, name: str) -> str:
        """The voice's id, with the language after "@" if it is told one. Raises UnknownVoice."""
        voice, language = self._parts(name)
        return f"{voice.id}@{language}" if language else voice.id

    def in_language(self, voice: str, language: str) -> str:
        """The voice; one that is told a language is told this one. Raises UnknownVoice.

        Without being told, the model finds the language of a text by itself.
        """
        self._require_language(language)
        known, own_language = self._parts(voice)
        return f"{known.id}@{primary_subtag(language)}" if own_language else voice

    def fingerprint(self, voice: str) -> str:
        """The model, the rate, and what else each request says. Raises UnknownVoice.

        The voice's id and its language are in the key by themselves.
        """
        self._parts(voice)
        said = json.dumps(self._constant(), sort_keys=True)
        digest = hashlib.sha256(said.encode()).hexdigest()[:16]
        return f"elevenlabs sound {SOUND} {self._options.model} {self.sample_rate} Hz {digest}"

    def warnings(self, voices: Sequence[str]) -> Sequence[str]:
        """A warning for each voice with a price of its own, and if the price is not known."""
        lines = list[str]()
        if not self.limits.price_per_million:
            lines.append(
                f"The price of {self._options.model} is not known. Set price_per_million under"
                " [elevenlabs] to see what a book costs, and to use --budget."
            )
        for voice in dict.fromkeys(self._parts(name)[0] for name in voices):
            if voice.price_factor > 1:
                lines.append(
                    f"The voice {voice.name} costs {voice.price_factor:g} times as much as others."
                    " The budget counts that, the expected cost does not."
                )
        return lines

    def own_phonemes(self, phonemes: str, voice: str) -> str:  # noqa: ARG002 - of the model
        """IPA, if the model takes any."""
        return decomposed_ipa(phonemes) if self._known.takes_phonemes else ""

    def model_input(self, request: Request) -> str:
        """The text, with SSML's tags for words that have a pronunciation."""
        return with_phonemes(request.spoken, request.pronunciations)

    def answer_to(self, request: Request, take: int, waiter: Waiter) -> Answer[Rendered]:
        """The answer in the first format that the plan includes. Raises EngineFailed."""
        while True:
            form = self._format()
            try:
                return super().answer_to(request, take, waiter)
            except FormatRefused as error:
                self._refused_formats[form] = str(error)

    def call_of(self, request: Request, take: int = 0) -> Call:
        """A request for speech and times. Some voices cost more than others."""
        voice, _ = self._parts(request.voice)
        path = speech_path(voice.id, f"{self._format()}_{self.sample_rate}")
        n_chars = len(self.model_input(request))
        n_billed = ceil(n_chars * voice.price_factor)
        return Call("POST", path, self.body(request, take), n_chars, n_billed)

    def _format(self) -> str:
        """The first format that was not refused. Raises EngineFailed."""
        for form in FORMATS:
            if form not in self._refused_formats:
                return form
        raise EngineFailed(_no_format(self.sample_rate, self._refused_formats[FORMATS[-1]]))

    def body(self, request: Request, take: int = 0) -> Mapping[str, object]:
        """What the service is sent for `request`."""
        _, language = self._parts(request.voice)
        constant = self._constant()
        settings = {**self._voice_settings(), "speed": request.speed}
        optional = {
            "language_code": language,
            "previous_text": request.before,
            "next_text": request.after,
        }
        return {
            **constant,
            "text": self.model_input(request),
            "voice_settings": settings,
            "seed": seed_of(request.key, take),
            **{name: value for name, value in optional.items() if value},
        }

    def _constant(self) -> Mapping[str, object]:
        """What every request says.

        All settings of the voice are sent, because those in the account may change unnoticed.
        """
        return {
            "model_id": self._options.model,
            "voice_settings": self._voice_settings(),
            "apply_text_normalization": self._options.normalization,
        }

    def _voice_settings(self) -> Mapping[str, object]:
        names = ("stability", "similarity_boost", "style", "use_speaker_boost")
        return {name: getattr(self._options, name) for name in names}

    def _parts(self, name: str) -> tuple[ElevenLabsVoice, str]:
        """The voice, and the language that it is told to speak, or "". Raises UnknownVoice."""
        voices = self._account.voices
        base, at, language = name.rpartition("@")
        if not at:
            return voice_named(name, voices), ""
        if not self._known.takes_language:
            raise UnknownVoice(
                f"{self._options.model} cannot be told a language: leave out @{language}."
            )
        self._require_language(language)
        return voice_named(base, voices), primary_subtag(language)

    def _require_language(self, language: str) -> None:
        """Raise UnknownVoice if the model does not speak the language (BCP 47)."""
        languages = self._account.model.languages
        if languages and not speaks(languages, language):
            raise UnknownVoice(
                f"{self._options.model} does not speak “{language}”, only"
                f" {', '.join(sorted(languages))}. Set another model under [elevenlabs]."
            )

    def spoken_in(self, reply: Reply, request: Request) -> Rendered:
        """The samples in a reply, and when each word sounds."""
        return spoken_in(reply, request.spoken, self.sample_rate)

    @property
    def _account(self) -> Account:
        with self._asking:  # or several threads would ask
            return self._read

    @cached_property
    def _read(self) -> Account:
        return read_account(self._client, self._options, self.limits.max_length)


def limits_of(options: ElevenLabsOptions) -> EngineLimits:
    """The limits of a model. A batch is one request, so that each is stored when it is done."""
    known = known_model(options.model)
    return EngineLimits(
        max_length=min(MOST_CHARS, known.max_chars),
        max_rows=1,
        chars_per_s=CHARS_PER_S,
        exact_bits=16,
        speeds=SPEEDS,
        best_length=BEST_CHARS,
        n_at_once=options.most_in_flight,
        price_per_million=options.price_per_million or known.price,
        is_paid=True,
        context_chars=options.context_chars,
    )


def _no_format(sample_rate: int, reason: str) -> str:
    advice = "" if sample_rate <= 24_000 else " Set sample_rate = 24000 under [elevenlabs]."
    why = f" ({reason})" if reason else ""
    return f"{NAME}'s plan of the account does not include audio of {sample_rate} Hz{why}.{advice}"
