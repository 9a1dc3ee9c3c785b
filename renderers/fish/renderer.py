"""The engine `fish`: Fish Audio's service, or fish-speech at home, and what differs between them.

    voice ─▶ is it there? (the service refuses an unknown one, fish-speech makes up another voice)
    request ─▶ POST /v1/tts ─▶ WAV

The service is paid by bytes of UTF-8.

Sources: docs.fish.audio in 2026, fish-audio-sdk 1.3.0, and fish-speech of 2026-04.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.errors import EngineFailed, UnknownEngine, UnknownVoice
from audiomill.renderers.engine.protocol import EngineLimits, Rendered, Request, Usage, Voice
from audiomill.renderers.fish import voices as fish_voices
from audiomill.renderers.fish.options import FishOptions
from audiomill.renderers.host.threads import MadeOnce
from audiomill.renderers.servers.audio import samples_in
from audiomill.renderers.servers.calls import Call, Server
from audiomill.renderers.servers.references import SentReference
from audiomill.renderers.servers.remote_renderer import IMPATIENT, RemoteRenderer
from audiomill.renderers.servers.replies import MAX_LIST_PAGES, NOT_FOUND, Reply
from audiomill.renderers.speech.wav import WAV
from audiomill.renderers.takes.seeds import seed_of

# Version of the requests; increment by hand when they change so that the sound does.
SOUND = 1
LICENCE_WARNING = (
    "The models that fish-speech runs may not be used commercially without a licence of Fish Audio."
)
# What is sent to both. Numbers and abbreviations have become words, and one chunk is one segment.
CONSTANT: Mapping[str, object] = MappingProxyType({"format": WAV, "normalize": False})


class FishRenderer(RemoteRenderer):
    """Renders with one of the two servers, from any number of threads."""

    name = "fish"

    def __init__(
        self,
        options: FishOptions,
        references: Sequence[SentReference] = (),
        n_retakes: int = 0,
    ) -> None:
        """Sends nothing. `references`: cloned voices, for fish-speech. Raises UnknownEngine."""
        self._profile = PROFILES[options.profile]
        self.title = self._profile.title
        self._model = model_of(options)
        self._is_local = options.profile == "local"
        self._options = options
        known = references if self._is_local else ()
        self._references = {one.voice.name: one for one in known}
        self._public_voices = MadeOnce(self._public_voice)
        url = (options.url or self._profile.url).rstrip("/")
        key_variable = options.key_variable or self._profile.key_variable
        # At another address a proxy may have the key.
        keys_are_at = "" if options.url else self._profile.keys_are_at
        server = Server(self._profile.title, url, key_variable, keys_are_at=keys_are_at)
        limits, rate = limits_of(options), options.sample_rate
        super().__init__(server, limits, rate, options.budget, n_retakes=n_retakes)

    def warnings(self, voices: Sequence[str]) -> Sequence[str]:  # noqa: ARG002 - the same for all
        """The licence of the models of fish-speech."""
        return (LICENCE_WARNING,) if self._is_local else ()

    def ask_voices(self) -> tuple[Voice, ...]:
        """Those of the account, or those of the server and cloned ones. Raises EngineFailed."""
        if self._is_local:
            call = Call("GET", "/v1/references/list?format=json")  # it prefers msgpack
            listed = self._client.send(call, fish_voices.references, IMPATIENT).value
        else:
            listed = self._own_voices()
        cloned = (one.voice for one in self._references.values())
        return tuple(sorted((*listed, *cloned), key=lambda voice: voice.name))

    def known_voice(self, name: str) -> str:
        """The name, unchanged; of the service, the id of any voice. Raises UnknownVoice."""
        is_listed = any(voice.name == name for voice in self.voices())
        if not is_listed and not self._is_local and fish_voices.ID.fullmatch(name):
            return self._public_voices.of(name).name
        return super().known_voice(name)

    def display_name(self, voice: str) -> str:
        """The title of the voice. Raises EngineFailed, UnknownVoice."""
        is_listed = any(one.name == voice for one in self.voices())
        if not is_listed and not self._is_local and fish_voices.ID.fullmatch(voice):
            return self._public_voices.of(voice).display_name or voice
        return super().display_name(voice)

    def fingerprint(self, voice: str) -> str:
        """The kind of server, the model, what each request says, and a cloned voice's recording.

        Raises UnknownVoice.
        """
        self.known_voice(voice)
        said = json.dumps(dict(self._profile.constant), sort_keys=True)
        digest = hashlib.sha256(said.encode()).hexdigest()[:16]
        reference = self._references.get(voice)
        clone = f" {reference.digest}" if reference else ""
        what = f"fish {self._options.profile} sound {SOUND} {self._model}"
        return f"{what} {self.sample_rate} Hz {digest}{clone}"

    def call_of(self, request: Request, take: int = 0) -> Call:
        """A request for speech. The service is told the model in a header."""
        n_bytes = 0 if self._is_local else n_bytes_of(request.spoken)
        headers = {} if self._is_local else {"model": self._model}
        n_chars = len(request.spoken)
        return Call("POST", "/v1/tts", self.body(request, take), n_chars, n_bytes, headers=headers)

    def usage_of(self, n_billed: int) -> Usage:
        """Bytes of UTF-8."""
        return Usage(n_bytes_billed=n_billed)

    def body(self, request: Request, take: int = 0) -> Mapping[str, object]:
        """What the server is sent for `request`."""
        own: dict[str, object] = {"text": request.spoken, **self._profile.constant}
        if reference := self._references.get(request.voice):
            audio = base64.b64encode(reference.recording).decode()
            own["references"] = [{"audio": audio, "text": reference.text}]
        else:
            own["reference_id"] = request.voice
        if self._profile.takes_seed:
            own["seed"] = seed_of(request.key, take)
        if not self._is_local:
            own["sample_rate"] = self.sample_rate
        if request.speed != 1.0:
            own["prosody"] = {"speed": request.speed}
        return own

    def spoken_in(self, reply: Reply, request: Request) -> Rendered:  # noqa: ARG002
        """The WAV in a reply."""
        name = self._server.name
        return Rendered(samples_in(reply, name, self.sample_rate, is_pcm=False, table="fish"))

    def _own_voices(self) -> tuple[Voice, ...]:
        """All pages of the account's voices."""
        found: list[Voice] = []
        n_listed = 0
        for page in range(1, MAX_LIST_PAGES + 1):
            call = Call("GET", fish_voices.own_voices_path(page))
            part = self._client.send(call, fish_voices.voice_page, IMPATIENT).value
            found += part.voices
            n_listed += part.n_listed
            if not part.n_listed or n_listed >= part.total:
                return tuple(found)
        raise EngineFailed("Fish Audio lists voices without an end. Look at its url.")

    def _public_voice(self, name: str) -> Voice:
        """The service's voice with this id. Raises UnknownVoice."""
        call = Call("GET", f"/model/{name}", accepted=(NOT_FOUND,))
        return self._client.send(call, _described, IMPATIENT).value


def _described(reply: Reply) -> Voice:
    if reply.status == NOT_FOUND:
        raise UnknownVoice(
            "Fish Audio has no such voice. Its id is the end of the address of its page."
        )
    return fish_voices.public_voice(reply)


def limits_of(options: FishOptions) -> EngineLimits:
    """The limits of a server. A batch is one request, so that each is stored when it is done."""
    profile = PROFILES[options.profile]
    return EngineLimits(
        max_length=profile.max_chars,
        max_rows=1,
        chars_per_s=14.0,
        exact_bits=16,
        speeds=profile.speeds,
        n_at_once=options.most_in_flight,
        price_per_million=price_of(options),
        n_billed=n_bytes_of,
        billed_unit="bytes of UTF-8",
        is_paid=options.profile != "local",
    )


def n_bytes_of(text: str) -> int:
    """What the service counts."""
    return len(text.encode())


@dataclass(frozen=True, slots=True)
class FishProfile:
    """One of the two. `models`: those that it takes, with US$ for a million bytes of UTF-8."""

    title: str  # for people
    url: str  # where it usually is
    model: str
    constant: Mapping[str, object]  # what every request says
    models: Mapping[str, float] = field(default_factory=dict[str, float])
    key_variable: str = ""
    keys_are_at: str = ""  # where people find one, of a service that needs it
    max_chars: int = 300  # as many as its largest chunk has
    speeds: tuple[float, float] = (1.0, 1.0)
    takes_seed: bool = False


PROFILES: Mapping[str, FishProfile] = {
    "cloud": FishProfile(
        "Fish Audio",
        "https://api.fish.audio",
        "s2.1-pro",
        {**CONSTANT, "latency": "normal", "chunk_length": 300},
        # It bills any other name as s2.1-pro. The price of s1 is in its documents; that of the
        # others is what resellers ask in late 2026, and give as Fish Audio's own.
        {"s1": 15.0, "s2-pro": 15.0, "s2.1-pro": 15.0, "s2.1-pro-free": 0.0},
        key_variable="FISH_API_KEY",
        keys_are_at="fish.audio, under “API keys”",
        speeds=(0.5, 2.0),
    ),
    "local": FishProfile(
        "fish-speech",
        "http://127.0.0.1:8080",
        "s2-pro",  # it has the one that it was started with
        {**CONSTANT, "streaming": False, "chunk_length": 1000, "max_new_tokens": 2048},
        takes_seed=True,
    ),
}


def model_of(options: FishOptions) -> str:
    """The model to ask for. Raises UnknownEngine for one that the service would not refuse."""
    profile = PROFILES[options.profile]
    model = options.model or profile.model
    if profile.models and model not in profile.models:
        raise UnknownEngine(
            f"{profile.title} has no model {model!r}, and would bill another one."
            f"{did_you_mean(model, profile.models)} Known: {', '.join(profile.models)}."
        )
    return model


def price_of(options: FishOptions) -> float:
    """The price of a million bytes of UTF-8; 0 if there is none."""
    own = PROFILES[options.profile].models.get(model_of(options), 0.0)
    return options.price_per_million or own
