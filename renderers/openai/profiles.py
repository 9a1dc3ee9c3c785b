"""Servers that speak the protocol of OpenAI's `/v1/audio/speech`, by name: see `servers.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.clone_needs import CloneNeeds
from audiomill.renderers.engine.errors import UnknownEngine
from audiomill.renderers.openai.cloning import Cloning, UploadRoute
from audiomill.renderers.speech.wav import WAV, ReplyFormat

SPEECH_PATH = "/audio/speech"
# Of Qwen3-TTS, only Base models clone; servers refuse a recording with any other.
NO_CLONING = ("CustomVoice", "VoiceDesign")


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ServerProfile:
    """One server. Paths begin at its url; "/.." leaves the /v1 at the url's end."""

    name: str
    title: str  # for people
    url: str  # where it usually is
    model: str
    sample_rate: int = 24_000
    response_format: ReplyFormat = WAV  # the best one that loses nothing
    voices: tuple[str, ...] = ()  # if they are fixed
    voice_languages: Mapping[str, str] = field(default_factory=_nothing)  # of those, if known
    # Else where it lists them, perhaps by {model}; "": nowhere.
    voices_path: str = ""
    # It speaks no voice besides those that it lists, and says of others only that it failed.
    lists_all: bool = False
    # In the reason of a failure: it has no such voice, and trying again does not help.
    no_such_voice: str = ""
    substitutes: bool = False  # it speaks such a voice with another one, and does not say so
    lists_as_mary: bool = False  # in lines, as MaryTTS does, and not in JSON
    no_voice: str = ""  # in its list, but stands for any voice, another one each time
    default_voice: str = ""  # "": the first one
    max_chars: int = 400  # of a segment: longer ones are split by us, not by the server
    speeds: tuple[float, float] = (0.25, 4.0)
    # Routes of its own: audio with times of words, and several texts in one call.
    captions_path: str = ""
    batch_path: str = ""
    takes_word_times: bool = False  # the usual route tells them if asked, as vLLM-Omni does
    one_at_a_time: bool = False  # it mixes up requests that it has at once
    takes_seed: bool = False
    has_kwargs: bool = False  # where Xinference takes what the protocol does not have
    takes_instructions: bool = False
    constant: Mapping[str, object] = field(default_factory=_nothing)  # what else every request says
    key_variable: str = ""
    keys_are_at: str = ""  # where people find one, of a service that needs it
    prices: Mapping[str, float] = field(default_factory=_nothing)  # US$ for a million, by model
    is_paid: bool = False
    varies: bool = True  # another take may be better than a faulty one
    clones: Cloning | None = None  # how it gets a recording to speak like, if it takes any
    mixes: bool = False  # takes sums of voices, such as "af_bella(2)+af_sky"
    voices_begin_with_letters: bool = False  # a voice is named by letters and its speaker: af_sky
    chars_per_s: float = 14.0
    models: Mapping[str, Mapping[str, Any]] = field(default_factory=_nothing)  # those that differ

    def of_model(self, model: str) -> ServerProfile:
        """The profile as it is for one model."""
        return replace(self, **self.models.get(model, {}))

    @property
    def clone_needs(self) -> CloneNeeds | None:
        """What it needs to clone a voice; None if it takes no recording."""
        needs = self.clones
        return CloneNeeds(self.name, self.title, needs.text, *needs.seconds) if needs else None

    def clone_needs_with(self, model: str) -> CloneNeeds | None:
        """The same of one model; None if that one takes no recording."""
        cannot = any(kind in model for kind in NO_CLONING)
        return None if cannot else self.of_model(model).clone_needs


def _profile(name: str, table: Mapping[str, Any]) -> ServerProfile:
    """Raises TypeError for a name that is no field, and for a field that is not there."""
    values = _fields(table)
    models = {model: _fields(of_model) for model, of_model in values.pop("models", {}).items()}
    for fields in models.values():
        ServerProfile(name, **{**values, **fields})  # a mistake is found when the file is read
    return ServerProfile(name, **values, models=MappingProxyType(models))


def _fields(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table's values as fields. `voices` may be a table: of languages, by voice."""
    fields: dict[str, Any] = {
        key: tuple(one) if isinstance(one, list) else one for key, one in table.items()
    }
    if isinstance(fields.get("voices"), dict):
        languages: dict[str, str] = fields["voices"]
        fields |= {"voices": tuple(languages), "voice_languages": MappingProxyType(languages)}
    if clones := fields.get("clones"):
        fields["clones"] = _cloning(_fields(clones))
    return fields


def _cloning(fields: dict[str, Any]) -> Cloning:
    if isinstance(fields["route"], dict):
        fields["route"] = UploadRoute(**fields["route"])
    return Cloning(**fields)


_TABLES = tomllib.loads(Path(__file__).with_name("servers.toml").read_text("utf-8"))
PROFILES: Mapping[str, ServerProfile] = MappingProxyType(
    {name: _profile(name, table) for name, table in _TABLES.items()}
)


def profile_named(name: str) -> ServerProfile:
    """The profile with this name. Raises UnknownEngine."""
    if name not in PROFILES:
        raise UnknownEngine(
            f"Unknown profile of a server: {name}.{did_you_mean(name, PROFILES)} Known:"
            f" {', '.join(PROFILES)}. Choose openai for a server that is not listed."
        )
    return PROFILES[name]
