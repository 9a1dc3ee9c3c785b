"""What servers of speech refuse, as checks that a profile of a stand-in lists in their order."""

from __future__ import annotations

import base64
import binascii
import io
import re
import wave
from collections.abc import Callable, Collection, Mapping
from typing import Any

from support.speech_replies import Refusal

Body = Mapping[str, Any]
Check = Callable[[Body], Refusal | None]
KEPT = "kept recording"  # of a request's voice, added to the request
ALL_FORMATS = ("mp3", "opus", "aac", "flac", "wav", "pcm")
MIX = re.compile(r"[+-]")
# Voices of OpenAI that Kokoro-FastAPI knows by another name.
KOKORO_NAMES = {"alloy": "am_adam", "coral": "bf_emma", "echo": "af_bella", "onyx": "bm_george"}
LATER_OPENAI = ("ballad", "cedar", "marin", "verse")
WEIGHTED = re.compile(r"([^()]+)(?:\(([^()]*)\))?")


def voice_in(body: Body) -> str:
    """The voice of a request: a name, or {"id": name}."""
    voice = body.get("voice") or ""
    return voice["id"] if isinstance(voice, Mapping) else str(voice)


def recording_in(body: Body) -> tuple[str, str] | None:
    """The address of a recording to clone, and what is said in it."""
    (reference,) = body.get("references") or ({},)
    address = body.get("ref_audio") or reference.get("audio_path")
    text = body.get("ref_text") or reference.get("text") or ""
    return (address, text) if address else None


def recording(wav_rate: int) -> Check:
    """A recording is a data URL with a WAV file, and its text is there.

    The rate is no condition of the servers: they resample. Ours is sent at the model's.
    """

    def check(body: Body) -> Refusal | None:
        if (found := recording_in(body)) is None:
            return None
        address, text = found
        head, _, content = address.partition(",")
        try:
            decoded = base64.b64decode(content, validate=True)
            with wave.open(io.BytesIO(decoded)) as file:
                is_fit = file.getframerate() == wav_rate and file.getnframes() > 0
        except (ValueError, wave.Error, EOFError):
            is_fit = False
        if head == "data:audio/wav;base64" and is_fit and text:
            return None
        return Refusal(400, "The reference audio cannot be loaded.", "", "ref_audio")

    return check


def task_of_model(body: Body) -> Refusal | None:
    """vLLM-Omni: only a Base checkpoint of Qwen3-TTS takes a recording."""
    is_base = body.get("task_type") == "Base" or recording_in(body) is not None
    if not is_base or "CustomVoice" not in body.get("model", ""):
        return None
    words = "Qwen3-TTS CustomVoice checkpoint does not support task_type='Base'."
    return Refusal(400, words)


def one_of(field: str, known: Collection[object], status: int, words: str, code: str) -> Check:
    """The field, if it is given, is one of `known`. `words` may name {value} and {known}."""

    def check(body: Body) -> Refusal | None:
        value = voice_in(body) if field == "voice" else body.get(field)
        if value is None or value in known:
            return None
        message = words.format(value=value, known=", ".join(sorted(map(str, known))))
        return Refusal(status, message, code, field)

    return check


def model(known: Collection[str], status: int, words: str, code: str = "") -> Check:
    return one_of("model", known, status, words, code)


def literal(field: str, known: Collection[str]) -> Check:
    """As `one_of`, with the words of pydantic."""
    quoted = ", ".join(f"'{name}'" for name in known)
    return one_of(field, known, 422, f"Input should be {quoted}", "literal_error")


def required(*fields: str) -> Check:
    """The fields are there, with the words of pydantic."""

    def check(body: Body) -> Refusal | None:
        missing = [field for field in fields if field not in body]
        return Refusal(422, "Field required", "missing", missing[0]) if missing else None

    return check


def text_of(longest: int, status: int, words: str, code: str) -> Check:
    """The text has at most `longest` characters."""

    def check(body: Body) -> Refusal | None:
        is_fine = len(body.get("input", "")) <= longest
        return None if is_fine else Refusal(status, words, code, "input")

    return check


def some_text(status: int, words: str, code: str | None = None) -> Check:
    """The text is more than white space."""

    def check(body: Body) -> Refusal | None:
        return None if str(body.get("input", "")).strip() else Refusal(status, words, code)

    return check


def number(field: str, slowest: float, fastest: float) -> Check:
    """The number is within bounds, with the words of pydantic."""

    def check(body: Body) -> Refusal | None:
        value = body.get(field)
        if value is None or slowest <= value <= fastest:
            return None
        if value < slowest:
            words, code = f"greater than or equal to {slowest:g}", "greater_than_equal"
        else:
            words, code = f"less than or equal to {fastest:g}", "less_than_equal"
        return Refusal(422, f"Input should be {words}", code, field)

    return check


def only_fields(known: Collection[str]) -> Check:
    """No other fields, with the words of pydantic."""

    def check(body: Body) -> Refusal | None:
        extra = sorted(set(body) - set(known))
        words = "Extra inputs are not permitted"
        return Refusal(422, words, "extra_forbidden", extra[0]) if extra else None

    return check


def voices_of_kokoro(voices: Collection[str]) -> Check:
    """Each voice of a mix is known, and its weight is positive."""
    known = {*voices, *KOKORO_NAMES}
    listed = ", ".join(sorted(known))

    def check(body: Body) -> Refusal | None:
        mix = voice_in(body).replace(" ", "")
        if not mix:
            return _invalid("Voice name cannot be empty")
        for part in MIX.split(mix):
            match = WEIGHTED.fullmatch(part)
            if match is None:
                return _invalid("Voice combination contains empty combine items")
            name, weight = match.groups()
            if weight is not None and not re.fullmatch(r"0*[1-9]\d*(\.\d+)?|0?\.\d*[1-9]", weight):
                return _invalid(f"Voice '{part}' must use a positive weight")
            if name not in known:
                return _invalid(f"Voice '{name}' not found. Available voices: {listed}")
        return None

    return check


def file_of_dia(known: Collection[str]) -> Check:
    """A name that looks like a file is a file; any other name is accepted."""

    def check(body: Body) -> Refusal | None:
        voice = voice_in(body)
        if voice in known or not voice.lower().endswith((".wav", ".mp3")):
            return None
        return Refusal(404, f"Reference audio file '{voice}' not found on server for cloning.")

    return check


def voices_of_vllm(known: Collection[str]) -> Check:
    """A voice in any case, or none."""
    check = one_of(
        "voice", (*known, "default"), 400, "Invalid voice '{value}'. Supported: {known}", ""
    )
    return lambda body: check({**body, "voice": voice_in(body).lower() or "default"})


def voice_of_tts_1(known: Collection[str]) -> Check:
    """OpenAI's older models lack the later voices."""
    listed = ", ".join(sorted({*known} - {*LATER_OPENAI}))

    def check(body: Body) -> Refusal | None:
        is_older = body.get("model") in ("tts-1", "tts-1-hd")
        if not is_older or voice_in(body) not in LATER_OPENAI:
            return None
        return Refusal(400, f"Input should be one of: {listed}", "invalid_value", "voice")

    return check


def file_of_devnen(known: Collection[str]) -> Check:
    """A voice is a file among its own, or among its recordings."""

    def check(body: Body) -> Refusal | None:
        voice = voice_in(body)
        is_there = voice in known or KEPT in body
        return None if is_there else Refusal(404, f"Voice file '{voice}' not found.")

    return check


def voice_of_flashtts(known: Collection[str]) -> Check:
    """A name that is no voice is taken for a recording in base64."""

    def check(body: Body) -> Refusal | None:
        voice = voice_in(body)
        if voice in known:
            return None
        try:
            base64.b64decode(voice)
        except binascii.Error as error:
            return Refusal(400, f"无效的 base64 音频数据: {error}")
        return Refusal(500, "Format not recognised.")

    return check


def speaker_of_xinference(*voices: str) -> Check:
    """Melo and CosyVoice refuse other voices, and the server calls it a fault of its own."""

    def check(body: Body) -> Refusal | None:
        voice = voice_in(body)
        if voice in voices or body.get("prompt_speech"):
            return None
        listed = {name: number for number, name in enumerate(voices)}
        return Refusal(500, f"[pid=7] Invalid voice: {voice}, available speakers: {listed}")

    return check


def fault_of_speaches(known: Collection[str]) -> Check:
    """What is noticed when the headers have been sent: the connection is cut then."""
    # Names of OpenAI's voices are taken, too.
    openai = ("alloy", "ash", "ballad", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer")

    def check(body: Body) -> Refusal | None:
        is_voice = voice_in(body) in {*known, *openai, *LATER_OPENAI}
        is_speed = 0.5 <= body.get("speed", 1.0) <= 2.0
        return None if is_voice and is_speed else Refusal(200, "cut")

    return check


def _invalid(message: str) -> Refusal:
    return Refusal(400, message, "validation_error")
