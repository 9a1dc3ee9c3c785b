"""What is known of each server that speaks the protocol of OpenAI's `/v1/audio/speech`.

The protocol leaves much open, and the servers differ: which formats are lossless, whether a seed is
taken, where the voices are listed, and what else must be said. Where a server lists no voices, or
speaks an unknown one with another voice, the settings name those that it has.

Sources: the servers' own code, in late 2026 unless a date is given: Kokoro-FastAPI of 2026-08,
vllm-omni 0.30.0, sglang-omni 0.1.9, Orpheus-FastAPI of 2025-07, Chatterbox TTS Server of 2026-04,
Chatterbox TTS API of 2025-12, Dia TTS Server of 2026-03, sesame_csm_openai of 2025-08, coqui-tts of
2025-09, Xinference of 2026-08, FlashTTS of 2025-05, speaches of 2026-03, faster-qwen3-tts of
2026-07, nari-qwen3-tts of 2026-08; for OpenAI, the types of openai 3.57 and its documents.
docs/servers.md has a table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from audiomill.inputs.messages import did_you_mean
from audiomill.renderers.engine.display_names import human_name
from audiomill.renderers.engine.errors import UnknownEngine
from audiomill.renderers.kokoro.languages import speaker_name
from audiomill.renderers.openai.cloning import Cloning, UploadRoute
from audiomill.renderers.openai.server_models import OPENAI, XINFERENCE, ModelFields
from audiomill.renderers.reference_voices.needs import CloneNeeds
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
    speaker_name: Callable[[str], str] = human_name  # of each voice in such a sum, for people
    chars_per_s: float = 14.0
    models: Mapping[str, ModelFields] = field(default_factory=_nothing)  # those that differ

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


_PROFILES = (
    ServerProfile(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        "gpt-4o-mini-tts",  # OpenAI has announced the end of all its models here for 2027-01-06
        voices=(
            *("alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova"),
            *("onyx", "sage", "shimmer", "verse"),
        ),
        takes_instructions=True,
        key_variable="OPENAI_API_KEY",
        keys_are_at="platform.openai.com, under “API keys”",
        # In 2026-06. gpt-4o-mini-tts costs 0.60 for a million tokens of text, and 12 for one of
        # audio, which was 15.9 for a million characters in a measurement of 2025-11.
        prices=MappingProxyType({"tts-1": 15.0, "tts-1-hd": 30.0}),
        is_paid=True,
        models=OPENAI,
    ),
    ServerProfile(
        "kokoro-fastapi",
        "Kokoro-FastAPI",
        "http://127.0.0.1:8880/v1",
        "kokoro",
        voices_path="/audio/voices",
        default_voice="af_heart",
        varies=False,
        captions_path="/../dev/captioned_speech",
        mixes=True,
        speaker_name=speaker_name,
        # It streams unless told not to, and would read numbers in its own way.
        constant={"stream": False, "normalization_options": {"normalize": False}},
    ),
    ServerProfile(
        "vllm-omni",
        "vLLM-Omni",
        "http://127.0.0.1:8000/v1",
        "Qwen/Qwen3-TTS-12Hz-1.7B-CustomVoice",
        voices_path="/audio/voices",
        no_voice="default",
        batch_path=f"{SPEECH_PATH}/batch",
        takes_word_times=True,
        speeds=(1.0, 1.0),  # it takes others, and stretches the audio, or refuses: by model
        clones=Cloning("ref_audio"),
        takes_seed=True,
        takes_instructions=True,
    ),
    ServerProfile(
        "sglang-omni",
        "SGLang-Omni",
        "http://127.0.0.1:8000/v1",
        "fishaudio/s2-pro",
        sample_rate=44_100,
        voices_path="/audio/voices",  # older ones have none
        no_voice="default",
        substitutes=True,
        speeds=(1.0, 1.0),  # it takes others, and changes the pitch
        clones=Cloning("references"),
        takes_seed=True,
        takes_instructions=True,
    ),
    ServerProfile(
        "orpheus-fastapi",
        "Orpheus-FastAPI",
        "http://127.0.0.1:5005/v1",
        "orpheus",
        # It lists those of all languages, but speaks only those of the model behind it.
        voices=("tara", "leah", "jess", "leo", "dan", "mia", "zac", "zoe"),
        substitutes=True,
        # Its file is named after the voice and the second in which the request began: a second
        # request in it overwrites what is still being sent.
        one_at_a_time=True,
        max_chars=300,
        speeds=(1.0, 1.0),  # it takes others, and ignores them
    ),
    ServerProfile(
        "chatterbox-devnen",
        "Chatterbox TTS Server",
        "http://127.0.0.1:8004/v1",
        "chatterbox",
        voices_path="/audio/voices",
        # Of its own accord it splits before a sentence that makes over 120, with 200 ms between.
        max_chars=280,
        takes_seed=True,
        clones=Cloning(
            UploadRoute("/../upload_reference", "files", "/../get_reference_files"),
            "unused",
            (5.1, 30.0),  # its usual model is Chatterbox Turbo, which refuses 5 s and less
        ),
    ),
    ServerProfile(
        "chatterbox-travisvn",
        "Chatterbox TTS API",
        "http://127.0.0.1:4123/v1",
        "chatterbox",
        voices_path="/voices",
        substitutes=True,
        max_chars=280,
        speeds=(1.0, 1.0),  # it takes others, and ignores them
        clones=Cloning(
            UploadRoute(
                *("/voices", "voice_file", "/voices"),
                name_field="voice_name",
                language_field="language",
                hides_loss=True,
            ),
            "unused",
        ),
    ),
    ServerProfile(
        "dia",
        "Dia TTS Server",
        "http://127.0.0.1:8003/v1",
        "dia-1.6b",
        sample_rate=44_100,
        # Besides these it takes S1, S2 and dialogue, which are other voices with each seed.
        voices_path="/../get_predefined_voices",
        substitutes=True,
        max_chars=250,
        speeds=(1.0, 1.0),  # it takes others, and changes the pitch
        takes_seed=True,
    ),
    ServerProfile(
        "csm",
        "CSM",
        "http://127.0.0.1:8000/v1",
        "csm-1b",
        voices_path="/audio/voices",
        substitutes=True,
        max_chars=300,
        speeds=(1.0, 1.0),  # it takes others, but ignores them without SoX
    ),
    ServerProfile(
        "coqui",
        "Coqui TTS server",
        "http://127.0.0.1:5002/v1",
        "tts-1",  # it ignores the name
        voices_path="/../voices",
        lists_as_mary=True,
        lists_all=True,  # but it takes paths of recordings on its machine
        max_chars=240,
        speeds=(1.0, 1.0),  # XTTS takes others, the rest ignore them
    ),
    ServerProfile(
        "xinference",
        "Xinference",
        "http://127.0.0.1:9997/v1",
        "F5-TTS",
        no_such_voice="available speakers",
        substitutes=True,  # F5-TTS has one; others refuse
        speeds=(0.5, 2.0),
        has_kwargs=True,
        models=XINFERENCE,
    ),
    ServerProfile(
        "flashtts",
        "FlashTTS",
        "http://127.0.0.1:8000/v1",
        "spark",
        sample_rate=16_000,
        voices_path="/audio/voices",
        speeds=(1.0, 1.0),  # it takes others, in five steps
        # It streams and splits at 50 tokens unless told not to.
        constant={"stream": False, "length_threshold": 1000, "window_size": 1000},
    ),
    ServerProfile(
        "speaches",
        "speaches",
        "http://127.0.0.1:8000/v1",
        "speaches-ai/Kokoro-82M-v1.0-ONNX",
        voices_path="/models/{model}",  # /audio/voices has those of all its models
        lists_all=True,
        speeds=(0.5, 2.0),
        varies=False,
    ),
    ServerProfile(
        "faster-qwen3-tts",
        "faster-qwen3-tts",
        "http://127.0.0.1:8000/v1",
        "tts-1",  # it ignores the name
        substitutes=True,
        speeds=(1.0, 1.0),  # it takes others, and ignores them
    ),
    ServerProfile(
        "nari",
        "nari-qwen3-tts",
        "http://127.0.0.1:8000/v1",
        "Qwen/Qwen3-TTS-12Hz-1.7B-CustomVoice",  # it refuses any other name
        voices=(
            *("aiden", "dylan", "eric", "ono_anna", "ryan", "serena", "sohee", "uncle_fu"),
            "vivian",
        ),
        speeds=(1.0, 1.0),  # it refuses others
        takes_seed=True,
        takes_instructions=True,
    ),
)
PROFILES: Mapping[str, ServerProfile] = {profile.name: profile for profile in _PROFILES}


def profile_named(name: str) -> ServerProfile:
    """The profile with this name. Raises UnknownEngine."""
    if name not in PROFILES:
        raise UnknownEngine(
            f"Unknown profile of a server: {name}.{did_you_mean(name, PROFILES)} Known:"
            f" {', '.join(PROFILES)}. Choose openai for a server that is not listed."
        )
    return PROFILES[name]
