"""What each server of speech accepts, refuses and does unasked; the names are audiomill's own.

Sources: OpenAI's API reference, and the code of each other server in late 2026.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from support import speech_checks as checks
from support import speech_profile as lists
from support.speech_checks import ALL_FORMATS, Body, Check
from support.speech_own_profiles import ONE_ENGINE, QWEN, QWEN_MODEL
from support.speech_profile import LAVF, SPEACHES_MODEL, Profile, known_or
from support.speech_replies import (
    Refusal,
    detail_object,
    flask_error,
    openai_error,
    vllm_error,
)
from support.speech_uploads import prompt_in, prompt_of

_OPENAI = (
    *("alloy", "ash", "ballad", "cedar", "coral", "echo", "fable", "marin", "nova"),
    *("onyx", "sage", "shimmer", "verse"),
)
_LATER_OPENAI = ("ballad", "cedar", "marin", "verse")
_OPENAI_MODELS = ("gpt-4o-mini-tts", "tts-1", "tts-1-hd")
_KOKORO = ("af_bella", "af_heart", "af_sky", "am_adam", "am_michael", "bf_emma", "bm_george")
_KOKORO_NAMES = {"alloy": "am_adam", "coral": "bf_emma", "echo": "af_bella", "onyx": "bm_george"}
_KOKORO_MODELS = ("tts-1", "tts-1-hd", "kokoro", "gpt-4o-mini-tts")


def _at_400(check: Check) -> Check:
    """The check as vLLM answers it: 400, where FastAPI has 422."""

    def checked(body: Body) -> Refusal | None:
        refusal = check({**body, "voice": checks.voice_in(body).lower() or "default"})
        return refusal and replace(refusal, status=400)

    return checked


def _kokoro_speaker(voice: str) -> str:
    voice = voice.replace(" ", "")
    return _KOKORO_NAMES.get(voice, voice)


def _qwen_speaker(voice: str) -> str:
    return known_or("vivian", QWEN)(voice.lower())


def _voice_of_tts_1(body: Body) -> Refusal | None:
    """The older models lack the later voices."""
    is_older = body.get("model") in ("tts-1", "tts-1-hd")
    if not is_older or checks.voice_in(body) not in _LATER_OPENAI:
        return None
    known = ", ".join(sorted({*_OPENAI} - {*_LATER_OPENAI}))
    return Refusal(400, f"Input should be one of: {known}", "invalid_value", "voice")


def _speaker_of_xinference(*voices: str) -> Check:
    """Melo and CosyVoice refuse other voices, and the server calls it a fault of its own."""

    def check(body: Body) -> Refusal | None:
        voice = checks.voice_in(body)
        if voice in voices or prompt_in(body):
            return None
        listed = {name: number for number, name in enumerate(voices)}
        return Refusal(500, f"[pid=7] Invalid voice: {voice}, available speakers: {listed}")

    return check


def _speaches_fault(body: Body) -> Refusal | None:
    """What is noticed when the headers have been sent: the connection is cut then."""
    is_voice = checks.voice_in(body) in {*_KOKORO, *_OPENAI}
    is_speed = 0.5 <= body.get("speed", 1.0) <= 2.0
    return None if is_voice and is_speed else Refusal(200, "cut")


PROFILES: Mapping[str, Profile] = {
    "openai": Profile(
        _OPENAI,
        (
            checks.model(
                _OPENAI_MODELS, 404, "The model `{value}` does not exist.", "model_not_found"
            ),
            checks.some_text(400, "Input should not be empty.", "string_too_short"),
            checks.text_of(
                4096, 400, "Input is longer than 4096 characters.", "string_above_max_length"
            ),
            checks.one_of(
                "voice", _OPENAI, 400, "Input should be one of: {known}", "invalid_value"
            ),
            _voice_of_tts_1,
            checks.one_of(
                "response_format", ALL_FORMATS, 400, "Input should be {known}", "invalid_value"
            ),
        ),
        openai_error,
        models=_OPENAI_MODELS,
        default_format="mp3",
        wav_lengths="unknown",
        is_chunked=True,
        events="openai",
        needs_key=True,
    ),
    "kokoro-fastapi": Profile(
        _KOKORO,
        (
            checks.required("input"),
            checks.literal("response_format", ALL_FORMATS),
            checks.number("speed", 0.25, 4.0),
            checks.model(_KOKORO_MODELS, 400, "Unsupported model: {value}", "invalid_model"),
            checks.voices_of_kokoro({*_KOKORO, *_KOKORO_NAMES}),
        ),
        detail_object,
        _kokoro_speaker,
        models=_KOKORO_MODELS,
        voice_list=lists.ids,
        default_format="mp3",
        wav_lengths="unknown",
        wav_chunk=LAVF,
        streams=True,
        has_captions=True,
    ),
    "vllm-omni": Profile(
        QWEN,
        tuple(
            map(
                _at_400,
                (
                    checks.required("input"),
                    checks.number("speed", 0.25, 4.0),
                    checks.literal("response_format", ("wav", "pcm", "flac", "mp3", "opus")),
                    checks.some_text(400, "Input text cannot be empty"),
                    checks.task_of_model,
                    checks.recording(24_000),
                    checks.one_of(
                        "voice",
                        (*QWEN, "default"),
                        400,
                        "Invalid voice '{value}'. Supported: {known}",
                        "",
                    ),
                ),
            )
        ),
        vllm_error,
        _qwen_speaker,
        models=(QWEN_MODEL,),
        voice_list=lists.with_uploaded,
        wav_lengths="unknown if streamed",
        events="vllm",
        has_batches=True,
        takes_recordings=True,
    ),
    "sglang-omni": Profile(
        ("anna",),  # S2-Pro has no voices but those that were uploaded
        (checks.required("model", "input", "voice"), checks.recording(44_100)),
        speaker=known_or("default", ("anna",)),
        voice_list=lists.with_uploaded,
        sample_rate=44_100,
        models=("fishaudio/s2-pro",),
        takes_recordings=True,
        events="sglang",
    ),
    "coqui": Profile(
        ("Ana Florence", "Claribel Dervla"),
        (
            checks.some_text(500, "no text"),
            checks.one_of("voice", ("Ana Florence", "Claribel Dervla"), 500, "KeyError", ""),
            checks.one_of("response_format", ALL_FORMATS, 400, "Unsupported format", ""),
        ),
        flask_error,
        voice_list=lists.mary,
        voices_path="/voices",
        default_format="mp3",
        one_at_a_time=True,
    ),
    "xinference": Profile(
        ("default",),
        (
            checks.required("model", "input"),
            checks.model(("F5-TTS",), 400, "Model not found in the model list, uid: {value}"),
            prompt_of("F5-TTS"),
        ),
        speaker=lambda _: "default",  # F5-TTS speaks as its reference
        models=("F5-TTS",),
        takes_recordings=True,
        default_format="mp3",
        page=lists.page_of_xinference,
    ),
    "speaches": Profile(
        _KOKORO,
        (
            checks.required("model", "input", "voice"),
            checks.literal("response_format", ALL_FORMATS),
            checks.model((SPEACHES_MODEL,), 404, "Model '{value}' is not installed locally."),
            _speaches_fault,
        ),
        speaker=known_or("af_heart", _KOKORO),
        models=(SPEACHES_MODEL,),
        voice_list=lists.of_model,
        voices_path=f"/v1/models/{SPEACHES_MODEL}",
        default_format="mp3",
        wav_lengths="unknown",
        wav_chunk=LAVF,
        is_chunked=True,
        events="speaches",
    ),
    **ONE_ENGINE,
}


def xinference_with(model: str, voices: tuple[str, ...], sample_rate: int) -> Profile:
    """Xinference with a model. One without voices speaks recordings only."""
    missing = "Model not found in the model list, uid: {value}"
    return replace(
        PROFILES["xinference"],
        voices=voices or ("none",),
        checks=(
            checks.required("model", "input", "voice"),
            checks.model((model,), 400, missing),
            prompt_of(model),
            *([_speaker_of_xinference(*voices)] if voices else []),
        ),
        speaker=str,
        models=(model,),
        sample_rate=sample_rate,
        takes_speed=model.startswith("Melo"),
    )
