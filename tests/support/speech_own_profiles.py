"""What servers of one engine each accept, refuse and do unasked; the names are audiomill's own.

Sources: the servers' code, of Orpheus-FastAPI, FlashTTS, CSM and Dia in 2025, the others in late
2026.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

from support import speech_checks as checks
from support import speech_profile as lists
from support.speech_checks import ALL_FORMATS, Body
from support.speech_profile import LAVF, Profile, known_or
from support.speech_replies import Refusal, detail_object, plain_error
from support.speech_uploads import (
    KEPT,
    UploadRoutes,
    devnen_listed,
    devnen_take,
    travisvn_listed,
    travisvn_take,
)

QWEN = ("aiden", "dylan", "eric", "ono_anna", "ryan", "serena", "sohee", "uncle_fu", "vivian")
QWEN_MODEL = "Qwen/Qwen3-TTS-12Hz-1.7B-CustomVoice"
_ORPHEUS = ("tara", "leah", "jess", "leo", "dan", "mia", "zac", "zoe")
_FILES = ("Abigail.wav", "Emily.wav", "Thomas.wav")
_CSM = ("alloy", "echo", "fable", "onyx", "nova", "shimmer")
_NARI_FIELDS = (
    *("model", "input", "voice", "language", "seed", "instruct", "instructions", "speed"),
    *("response_format", "stream", "do_sample", "temperature", "top_k", "top_p"),
    *("repetition_penalty", "max_new_tokens", "ignore_eos", "non_streaming_mode"),
)


def _dia_speaker(voice: str) -> str:
    known = {name.lower(): name for name in (*_FILES, "S1", "S2", "dialogue")}
    known |= {name.partition(".")[0].lower(): name for name in _FILES}
    return known.get(voice.lower(), "S1")


def _file_of_devnen(body: Body) -> Refusal | None:
    """A voice is a file among its own, or among its recordings."""
    voice = checks.voice_in(body)
    is_there = voice in _FILES or KEPT in body
    return None if is_there else Refusal(404, f"Voice file '{voice}' not found.")


def _flashtts_voice(body: Body) -> Refusal | None:
    """A name that is no voice is taken for a recording in base64."""
    voice = checks.voice_in(body)
    if voice in ("female", "male"):
        return None
    try:
        base64.b64decode(voice)
    except binascii.Error as error:
        return Refusal(400, f"无效的 base64 音频数据: {error}")
    return Refusal(500, "Format not recognised.")


ONE_ENGINE: Mapping[str, Profile] = {
    "orpheus-fastapi": Profile(
        _ORPHEUS,
        (checks.required("input"), checks.some_text(400, "Missing input text")),
        speaker=known_or("tara", _ORPHEUS),
        voice_list=lists.names_with_status,
        only_format="wav",
        takes_speed=False,
    ),
    "chatterbox-devnen": Profile(
        _FILES,
        (
            checks.required("model", "input", "voice"),
            checks.literal("response_format", ("wav", "opus", "mp3")),
            _file_of_devnen,
        ),
        voice_list=lists.names_with_status,
        is_chunked=True,
        uploads=UploadRoutes(
            "/upload_reference", devnen_take, "/get_reference_files", devnen_listed
        ),
    ),
    "chatterbox-travisvn": Profile(
        ("default", "anna"),
        (
            checks.required("input"),
            checks.text_of(
                3000, 422, "String should have at most 3000 characters", "string_too_long"
            ),
        ),
        plain_error,
        known_or("default", ("anna",)),
        models=("chatterbox-tts-1",),
        voice_list=lambda voices: travisvn_listed(voices, {}),
        voices_path="/v1/voices",
        uploads=UploadRoutes("/v1/voices", travisvn_take, "/v1/voices", travisvn_listed),
        only_format="wav",
        takes_speed=False,
        is_chunked=True,
        events="travisvn",
    ),
    "dia": Profile(
        _FILES,
        (
            checks.required("input"),
            checks.literal("response_format", ("opus", "wav")),
            checks.number("speed", 0.5, 2.0),
            checks.file_of_dia(_FILES),
        ),
        speaker=_dia_speaker,
        voice_list=lists.predefined,
        voices_path="/get_predefined_voices",
        sample_rate=44_100,
        default_format="opus",
        is_chunked=True,
    ),
    "csm": Profile(
        _CSM,
        (
            checks.required("input"),
            checks.number("speed", 0.25, 4.0),
            checks.literal("response_format", ("mp3", "opus", "aac", "flac", "wav")),
        ),
        speaker=known_or("alloy", _CSM),
        voice_list=lists.voice_ids,
        default_format="mp3",
    ),
    "flashtts": Profile(
        ("female", "male"),
        (
            checks.required("input"),
            checks.literal("response_format", ALL_FORMATS),
            checks.model(("spark",), 400, "Unsupported model: {value}", "invalid_model"),
            _flashtts_voice,
        ),
        detail_object,
        sample_rate=16_000,
        models=("spark",),
        voice_list=lists.names,
        default_format="mp3",
        wav_lengths="unknown",
        wav_chunk=LAVF,
        takes_speed=False,  # but for five steps
        streams=True,
    ),
    "faster-qwen3-tts": Profile(
        ("alloy", "narrator"),  # the first one of its file of voices is the default
        (
            checks.required("input"),
            checks.some_text(400, "'input' text is empty"),
            checks.one_of(
                "response_format",
                ("wav", "pcm", "mp3"),
                400,
                "response_format '{value}' not supported. Use: wav, pcm, mp3",
                "",
            ),
        ),
        speaker=known_or("alloy", ("alloy", "narrator")),
        wav_lengths="unknown",
        takes_speed=False,
        is_chunked=True,
        one_at_a_time=True,
    ),
    "nari": Profile(
        QWEN,
        (
            checks.required("input"),
            checks.only_fields(_NARI_FIELDS),
            checks.literal("response_format", ("pcm", "wav")),
            checks.model((QWEN_MODEL,), 422, "unsupported model: '{value}'"),
            checks.one_of("speed", (1.0,), 422, "Qwen3-TTS speed is fixed at 1.0", ""),
            checks.one_of("voice", QWEN, 422, "unsupported speaker: '{value}'", ""),
        ),
        models=(QWEN_MODEL,),
        wav_lengths="unknown if streamed",
    ),
}
