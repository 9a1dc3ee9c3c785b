"""The form of a profile, which is what a server of speech accepts and does; and lists of voices."""

from __future__ import annotations

import html
import struct
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from support.speech_checks import Check
from support.speech_replies import ErrorForm, Refusal, detail_text
from support.speech_uploads import UploadRoutes, travisvn_listed

SPEECH, VOICES, MODELS = "/v1/audio/speech", "/v1/audio/voices", "/v1/models"
SPEACHES_MODEL = "speaches-ai/Kokoro-82M-v1.0-ONNX"
BATCH, CAPTIONS = f"{SPEECH}/batch", "/dev/captioned_speech"
# The chunk that FFmpeg puts before the audio.
LAVF = struct.pack("<4sI4s4sI", b"LIST", 26, b"INFO", b"ISFT", 14) + b"Lavf62.12.102\0"


@dataclass(frozen=True, slots=True)
class Profile:
    """One server. A voice that no check refuses is spoken by `speaker(voice)`."""

    voices: tuple[str, ...]
    checks: tuple[Check, ...] = ()
    error: ErrorForm = detail_text
    speaker: Callable[[str], str] = str
    sample_rate: int = 24_000
    models: tuple[str, ...] = ()  # that it lists
    voice_list: Callable[[Sequence[str]], object] | None = None
    voices_path: str = VOICES
    default_format: str = "wav"
    only_format: str = ""  # whatever was asked for
    wav_lengths: Literal["right", "unknown", "unknown if streamed"] = "right"
    wav_chunk: bytes = b""
    takes_speed: bool = True
    streams: bool = False  # unless told not to
    is_chunked: bool = False  # even if it does not stream
    events: Literal["", "openai", "vllm", "sglang", "travisvn", "speaches"] = ""
    one_at_a_time: bool = False  # the others wait
    needs_key: bool = False
    has_captions: bool = False
    has_batches: bool = False
    takes_recordings: bool = False  # in a request; the others ignore them
    uploads: UploadRoutes | None = None
    # What else it answers to who asks for a path, if it knows it.
    page: Callable[[Profile, str], Mapping[str, object] | Refusal | None] = lambda *_: None


def known_or(default: str, known: Collection[str]) -> Callable[[str], str]:
    """An unknown voice is spoken by the default one, and nobody is told."""
    return lambda voice: voice if voice in known else default


def names(voices: Sequence[str]) -> Mapping[str, object]:
    return {"voices": list(voices)}


def names_with_status(voices: Sequence[str]) -> Mapping[str, object]:
    return {"status": "ok", "voices": list(voices)}


def ids(voices: Sequence[str]) -> Mapping[str, object]:
    """That of Kokoro-FastAPI."""
    return {"voices": [{"id": voice, "name": voice} for voice in voices]}


def voice_ids(voices: Sequence[str]) -> Mapping[str, object]:
    """That of the server of CSM."""
    return {"voices": [{"voice_id": voice, "name": voice.title()} for voice in voices]}


def with_uploaded(voices: Sequence[str]) -> Mapping[str, object]:
    """That of vLLM-Omni and SGLang-Omni, with a name that stands for none."""
    return {"voices": sorted([*voices, "default"]), "uploaded_voices": []}


def predefined(voices: Sequence[str]) -> Sequence[object]:
    """That of Dia TTS Server."""
    return [{"display_name": one.partition(".")[0], "filename": one} for one in voices]


def mary(voices: Sequence[str]) -> str:
    """That of the server of coqui-tts, of XTTS: the form of MaryTTS, escaped for HTML."""
    return "\n".join(f"{html.escape(one)} multilingual u" for one in voices)


def page_of_xinference(profile: Profile, path: str) -> Mapping[str, object] | Refusal | None:
    """What Xinference's client asks for before it speaks: whether keys are needed, and the model.

    Source: `routers/admin.py`, `describe_model` and `model/audio/core.py` of Xinference, 2026-08.
    """
    if path == "/v1/cluster/auth":
        return {"auth": False}
    model = path.removeprefix(f"{MODELS}/")
    if model == path:
        return None
    if model not in profile.models:
        return Refusal(400, f"Model not found in the model list, uid: {model}")
    about = {"model_name": model, "model_family": model, "model_ability": ["text2audio"]}
    return {"model_type": "audio", "address": "127.0.0.1:36501", "accelerators": [], **about}


def travisvn_voices(voices: Sequence[str]) -> object:
    """That of Chatterbox TTS API, before anything was uploaded."""
    return travisvn_listed(voices, {})


def of_model(voices: Sequence[str]) -> Mapping[str, object]:
    """What speaches tells of one model.

    The first letter of a voice is its language, the second its gender.
    """
    languages, genders = {"a": "en-us", "b": "en-gb"}, {"f": "female", "m": "male"}
    entries = [
        {"name": one, "language": languages[one[0]], "gender": genders[one[1]], "id": one}
        for one in voices
    ]
    more = {"object": "model", "task": "text-to-speech", "sample_rate": 24_000}
    return {"id": SPEACHES_MODEL, **more, "language": ["multilingual"], "voices": entries}
