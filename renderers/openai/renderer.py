"""The engine `openai`: any server that speaks the protocol of OpenAI's `/v1/audio/speech`.

A batch is one text, as with all servers, unless the settings ask for a server's route for several.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path

from audiomill.renderers.engine.display_names import human_name, speaker_name
from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.engine.protocol import EngineLimits, Rendered, Request, Voice
from audiomill.renderers.host.waiting import Waiter
from audiomill.renderers.openai.clone_requests import ServerClones, SpokenBy, with_kwargs
from audiomill.renderers.openai.cloning import UPLOAD_PREFIX
from audiomill.renderers.openai.options import ServerOptions
from audiomill.renderers.openai.profiles import SPEECH_PATH, ServerProfile, profile_named
from audiomill.renderers.openai.speaking import Speaker
from audiomill.renderers.reference_voices.clones import Clone, clone_warnings
from audiomill.renderers.servers.audio import samples_in
from audiomill.renderers.servers.calls import Call, Server
from audiomill.renderers.servers.remote_renderer import (
    IMPATIENT,
    InFlight,
    RemoteRenderer,
)
from audiomill.renderers.servers.replies import Reply
from audiomill.renderers.servers.voices import (
    UNKNOWN_LANGUAGE,
    NoVoices,
    check_listed,
    listed_voices,
    mary_voices,
    named_voices,
    unchecked_warnings,
    voices_in_mix,
)
from audiomill.renderers.takes.seeds import seed_of

# Version of the requests; increment by hand when they change so that the sound does.
SOUND = 1


class ServerRenderer(RemoteRenderer):
    """Renders with a server, from any number of threads."""

    name = "openai"

    def __init__(
        self, options: ServerOptions, cloned_voices: Path | None = None, n_retakes: int = 0
    ) -> None:
        """Sends nothing. `cloned_voices` is the folder of voices, if any.

        `n_retakes`: of a segment whose audio is faulty, at most.

        Raises UnknownEngine if there is no such profile.
        """
        self._options = options
        general = profile_named(options.profile)
        self._model = options.model or general.model
        self._profile = general.of_model(self._model)
        self.title = self._profile.title
        super().__init__(
            server_of(options, self._profile),
            limits_of(options, self._profile),
            options.sample_rate or self._profile.sample_rate,
            options.budget,
            InFlight(n_in_flight(options, self._profile), options.first_in_flight),
            n_retakes=n_retakes if self._profile.varies else 0,
        )
        self._speaker = Speaker(
            self._client,
            self._profile,
            self.sample_rate,
            self.call_in_line,
            self.heard,
            self.usage_of,
        )
        self._clones = ServerClones(
            cloned_voices, self._profile, self._model, self.sample_rate, self._client
        )

    def voices(self) -> Sequence[Voice]:
        """The voices of the settings, of the profile, or as the server lists them; and cloned ones.

        Raises EngineFailed if the server does not answer, or if there are none.
        """
        own = super().voices()
        return tuple(sorted((*own, *self._cloned(own)), key=lambda voice: voice.name))

    def _cloned(self, own: Sequence[Voice]) -> list[Voice]:
        """The cloned voices, without those that the server has a voice for."""
        names = {voice.name for voice in own}
        return [voice for voice in self._clones.listed() if voice.name not in names]

    def default_voice(self, language: str) -> str:
        """The profile's English voice, or the first one that speaks `language` (BCP 47).

        Raises UnknownVoice where each voice has one language and the server does not tell which.
        """
        voices = super().voices() or self.voices()
        primary = language.partition("-")[0].lower()
        default = next((one for one in voices if one.name == self._profile.default_voice), None)
        if default and primary in ("en", _primary(default)):
            return default.name
        spoken = [voice.name for voice in voices if _primary(voice) == primary]
        if not spoken and (default or not any(_primary(one) == UNKNOWN_LANGUAGE for one in voices)):
            raise UnknownVoice(
                f"{self._server.name} does not tell which of its voices speaks {language}. Name"
                " one with --voice: audiomill voices --engine openai"
            )
        return (spoken or [voice.name for voice in voices])[0]

    def known_voice(self, name: str) -> str:
        """The name, unchanged, or a mix of voices that the server takes.

        Raises UnknownVoice, VoiceUnfit.
        """
        if self._profile.mixes and all(map(self._has, voices_in_mix(name))):
            return name
        if not self._has(name):
            self._clones.check(name)
        self._clone(name)
        return super().known_voice(name)

    def display_name(self, voice: str) -> str:
        """The name that is listed; of a mix, which few servers take, those of its voices.

        Raises EngineFailed.
        """
        if not self._profile.mixes:
            return super().display_name(voice)
        name = speaker_name if self._profile.voices_begin_with_letters else human_name
        return " + ".join(map(name, voices_in_mix(voice)))

    def fingerprint(self, voice: str) -> str:
        """The server's kind, its model, and what else each request says: recordings, too.

        Not its url: the same server elsewhere sounds the same. Raises UnknownVoice.
        """
        self.known_voice(voice)
        said = json.dumps(self._constant(), sort_keys=True)
        digest = hashlib.sha256(said.encode()).hexdigest()[:16]
        rate = f"{self.sample_rate} Hz"
        clone = self._clone(voice)
        spoken_by = f" {self._clones.key_of(clone)}" if clone else ""
        server = f"server {self._profile.name} sound {SOUND} {self._model} {rate} {digest}"
        return f"{server}{spoken_by}"

    def warnings(self, voices: Sequence[str]) -> Sequence[str]:
        """What is wrong with recordings and cannot be checked, what lacks, an unknown price."""
        clones = [clone for clone in map(self._clone, voices) if clone]
        unchecked = unchecked_warnings(self._unchecked(voices), self._server.name)
        return (*self._warnings(), *unchecked, *clone_warnings(clones))

    def _unchecked(self, voices: Sequence[str]) -> Sequence[str]:
        """Those that only the settings name, if the server speaks unknown ones with another."""
        is_its_own = self._options.url in ("", self._profile.url)  # else any program may answer
        if not self._profile.substitutes and (is_its_own or not self._profile.is_paid):
            return ()
        return sorted({*voices} & {*self._options.voices} - {*self._profile.voices})

    def speak_all(self, requests: Sequence[Request], take: int, waiter: Waiter) -> list[Rendered]:
        """One take of each, by the best of the server's routes.

        Raises EngineFailed, PartlyRendered.
        """
        voices = {request.voice for request in requests}
        clones = [clone for clone in map(self._clone, voices) if clone]
        with self._clones.at_hand(clones, waiter):
            return self._speaker.speak_all(requests, take, waiter)

    def call_of(self, request: Request, take: int = 0) -> Call:
        """A request for speech. The characters of a server of one's own cost if it has a price."""
        n_chars = len(request.spoken)
        is_paid = self._profile.is_paid or self.limits.price_per_million
        n_billed = n_chars if is_paid else 0
        spoken_by = self._spoken_by(request.voice)
        body = self._body(request, spoken_by, take)
        if spoken_by.files:
            form = {name: str(value) for name, value in body.items()}
            return Call("POST", SPEECH_PATH, None, n_chars, n_billed, form, spoken_by.files)
        return Call("POST", SPEECH_PATH, body, n_chars, n_billed)

    def spoken_in(self, reply: Reply, request: Request) -> Rendered:  # noqa: ARG002
        """The audio in a reply, whatever was asked for."""
        is_pcm = self._profile.response_format == "pcm"
        name = self._server.name
        return Rendered(samples_in(reply, name, self.sample_rate, is_pcm=is_pcm, table="openai"))

    def _body(self, request: Request, spoken_by: SpokenBy, take: int) -> Mapping[str, object]:
        """What is said in a call for `request`. Without a seed, each take is drawn anew."""
        profile = self._profile
        seed = {"seed": seed_of(request.key, take)} if profile.takes_seed else {}
        speed = {"speed": request.speed} if request.speed != 1.0 else {}
        text = {"input": request.spoken}
        body = {**text, **spoken_by.fields, **self._constant(), **speed, **seed}
        return with_kwargs(body) if profile.has_kwargs else body

    def _spoken_by(self, voice: str) -> SpokenBy:
        """What each request says of a voice. Raises VoiceUnfit."""
        clone = self._clone(voice)
        return self._clones.spoken_by(clone) if clone else SpokenBy({"voice": voice})

    def _clone(self, name: str) -> Clone | None:
        """The recording of a cloned voice; None of any other. Raises VoiceUnfit."""
        own = super().voices()
        is_own = any(voice.name == name for voice in own)
        return None if is_own else self._clones.clone(name)

    def _constant(self) -> Mapping[str, object]:
        """What every request says."""
        profile, instructions = self._profile, self._options.instructions
        spoken_how = profile.takes_instructions and instructions
        return {
            "model": self._model,
            "response_format": profile.response_format,
            **profile.constant,
            **({"instructions": instructions} if spoken_how else {}),
        }

    def _warnings(self) -> Iterator[str]:
        if self._profile.is_paid and not price_of(self._options, self._profile):
            yield (
                f"The price of {self._model} is not known. Set openai.price_per_million to see what"
                " a book costs, and to use --budget."
            )
        if self._options.batch > 1 and not self._profile.batch_path:
            yield f"{self._server.name} takes no batches: openai.batch has no effect."

    def ask_voices(self) -> tuple[Voice, ...]:
        """The voices of the settings, of the profile, or as the server lists them.

        None are enough where there are cloned ones. Raises EngineFailed if the server does not
        answer, or lists none, and UnknownVoice if it does not list one of the settings and lists
        all.
        """
        try:
            return self._own_voices()
        except NoVoices:
            if self._clones.listed():
                return ()
            raise

    def _own_voices(self) -> tuple[Voice, ...]:
        names = self._options.voices or self._profile.voices
        if names and not (self._options.voices and self._profile.lists_all):
            return named_voices(names, self._profile.voice_languages)
        if not self._profile.voices_path:
            raise NoVoices(
                f"{self._server.name} does not list its voices. Name those that it has in the"
                ' settings, for example voices = ["alice", "bob"] under [openai].'
            )
        call = Call("GET", self._profile.voices_path.format(model=self._model))
        listed = self._client.send(call, self._listed, IMPATIENT).value
        check_listed(names, listed, self._server.name)
        return named_voices(names, {one.name: one.language for one in listed}) if names else listed

    def _listed(self, reply: Reply) -> tuple[Voice, ...]:
        profile = self._profile
        read = mary_voices if profile.lists_as_mary else listed_voices
        voices = read(reply.content, self._server.name)
        found = [voice for voice in voices if voice.name != profile.no_voice]
        own = tuple(voice for voice in found if not voice.name.startswith(UPLOAD_PREFIX))
        if not own:
            raise NoVoices(
                f"{self._server.name} has no voices of its own yet. Upload one to it, or name those"
                " that it has under [openai] in the settings."
            )
        return own

    def _has(self, name: str) -> bool:
        return any(voice.name == name for voice in self.voices())


def server_of(options: ServerOptions, profile: ServerProfile) -> Server:
    """Where the server is. At another address than usual, a proxy may have the key."""
    return Server(
        profile.title,
        (options.url or profile.url).rstrip("/"),
        options.key_variable or profile.key_variable,
        no_such_voice=profile.no_such_voice,
        keys_are_at="" if options.url else profile.keys_are_at,
    )


def limits_of(options: ServerOptions, profile: ServerProfile) -> EngineLimits:
    """The limits of a server. A batch is one call."""
    n_rows = max(1, options.batch) if profile.batch_path else 1
    return EngineLimits(
        max_length=profile.max_chars,
        max_rows=n_rows,
        chars_per_s=profile.chars_per_s,
        exact_bits=16,
        speeds=profile.speeds,
        n_at_once=ceil(n_in_flight(options, profile) / n_rows),
        price_per_million=price_of(options, profile),
        is_paid=profile.is_paid,
    )


def n_in_flight(options: ServerOptions, profile: ServerProfile) -> int:
    """How many texts a server may get at a time."""
    return 1 if profile.one_at_a_time else options.most_in_flight


def price_of(options: ServerOptions, profile: ServerProfile) -> float:
    """The price of a million characters; 0 if it is not known, or there is none."""
    model = options.model or profile.model
    return options.price_per_million or profile.prices.get(model, 0.0)


def _primary(voice: Voice) -> str:
    return voice.language.partition("-")[0]
