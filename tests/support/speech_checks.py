"""What servers of speech refuse: the `required`, `formats` and `checks` of a profile, and more.

A check is an expression that must hold, then the status, the words, the code and the field of the
error; or the name of a function of this file. An expression has the fields of the request, the
`voices` and `models` of the profile, and `kept`: whether the voice is an uploaded recording. Words
may have {known}, all names of voices, too.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import soundfile
from jinja2 import Environment

from support.speech_replies import Refusal

if TYPE_CHECKING:
    from support.speech_profiles import Profile

Body = Mapping[str, Any]
KEPT = "kept recording"  # of a request's voice, added to the request
WEIGHTED = re.compile(r"([^()]+)(?:\(([^()]*)\))?")
POSITIVE = re.compile(r"0*[1-9]\d*(\.\d+)?|0?\.\d*[1-9]")
_expression = cache(Environment(autoescape=True).compile_expression)


def voice_in(body: Body) -> str:
    """The voice of a request: a name, or {"id": name}."""
    voice = body.get("voice") or ""
    return voice["id"] if isinstance(voice, Mapping) else str(voice)


def recording_in(body: Body) -> tuple[str, str] | None:
    """The address of a recording to clone, and what is said in it."""
    (reference,) = body.get("references") or ({},)
    address = body.get("ref_audio") or reference.get("audio_path")
    return (address, body.get("ref_text") or reference.get("text") or "") if address else None


def prompt_in(body: Body) -> tuple[bytes, str] | None:
    """The recording in a request to Xinference, and its text; None without one."""
    told = json.loads(body.get("kwargs") or "{}")
    content = body.get("prompt_speech")
    return (content, told.get("prompt_text") or "") if content else None


def length_of(content: bytes) -> tuple[float, int]:
    """Seconds and samples in a second. Raises LibsndfileError."""
    found = soundfile.info(io.BytesIO(content))
    return found.duration, found.samplerate


def refusal_of(profile: Profile, body: Body) -> Refusal | None:
    """What the first check says that is against the request; pydantic's come first."""
    if refusal := _invalid_field(profile, body):
        return refusal
    told = {name: value for name, value in body.items() if value is not None}
    told |= {"voice": voice_in(body), "voices": profile.voices, "models": profile.models}
    known = ", ".join(sorted({*profile.voices, *profile.lists_also, *profile.aliases}))
    for check, *error in profile.checks:
        if not error:
            if refusal := globals()[check](profile, body):
                return refusal
        elif not _expression(check)(told, kept=KEPT in body):
            status, words, *where = error
            return Refusal(status, words.format(**{**body, **told}, known=known), *where)
    return None


def _invalid_field(profile: Profile, body: Body) -> Refusal | None:
    status = profile.status_of_fields
    if missing := [name for name in profile.required if name not in body]:
        return Refusal(status, "Field required", "missing", missing[0])
    if extra := sorted(set(body) - set(profile.fields or body)):
        return Refusal(status, "Extra inputs are not permitted", "extra_forbidden", extra[0])
    if (speed := body.get("speed")) is not None and profile.speeds:
        least, most = profile.speeds
        if not least <= speed <= most:
            sort, bound = ("greater", least) if speed < least else ("less", most)
            words = f"Input should be {sort} than or equal to {bound:g}"
            return Refusal(status, words, f"{sort}_than_equal", "speed")
    asked = body.get("response_format")
    if asked is None or not profile.formats or asked in profile.formats:
        return None
    known = ", ".join(map(repr, profile.formats))
    return Refusal(status, f"Input should be {known}", "literal_error", "response_format")


def recording(profile: Profile, body: Body) -> Refusal | None:
    """A recording is a data URL with a WAV file, and its text is there.

    The rate is no condition of the servers: they resample. Ours is sent at the model's.
    """
    if (found := recording_in(body)) is None:
        return None
    head, _comma, content = found[0].partition(",")
    try:
        seconds, rate = length_of(base64.b64decode(content, validate=True))
    except (binascii.Error, soundfile.LibsndfileError):
        seconds = rate = 0
    if head == "data:audio/wav;base64" and rate == profile.sample_rate and seconds and found[1]:
        return None
    return Refusal(400, "The reference audio cannot be loaded.", "", "ref_audio")


def voices_of_kokoro(profile: Profile, body: Body) -> Refusal | None:
    """Each voice of a mix is known, and its weight is positive."""
    if words := _wrong_in_mix(voice_in(body).replace(" ", ""), {*profile.voices, *profile.aliases}):
        return Refusal(400, words, "validation_error")
    return None


def _wrong_in_mix(mix: str, known: set[str]) -> str:
    if not mix:
        return "Voice name cannot be empty"
    for part in re.split(r"[+-]", mix):
        if (match := WEIGHTED.fullmatch(part)) is None:
            return "Voice combination contains empty combine items"
        name, weight = match.groups()
        if weight is not None and not POSITIVE.fullmatch(weight):
            return f"Voice '{part}' must use a positive weight"
        if name not in known:
            return f"Voice '{name}' not found. Available voices: {', '.join(sorted(known))}"
    return ""


def voice_of_flashtts(profile: Profile, body: Body) -> Refusal | None:
    """A name that is no voice is taken for a recording in base64."""
    if voice_in(body) in profile.voices:
        return None
    try:
        base64.b64decode(voice_in(body))
    except binascii.Error as error:
        return Refusal(400, f"无效的 base64 音频数据: {error}")
    return Refusal(500, "Format not recognised.")


def prompt_of_xinference(profile: Profile, body: Body) -> Refusal | None:
    """What models of Xinference say of a recording, all of it with 500."""
    words = _wrong_in_prompt(profile.models[0], prompt_in(body))
    return Refusal(500, f"[pid=7] {words}") if words else None


def _wrong_in_prompt(model: str, prompt: tuple[bytes, str] | None) -> str:
    if prompt is None:
        is_needed = model in ("CosyVoice-300M", "IndexTTS2")
        return f"{model} model expect a prompt_speech" if is_needed else ""
    if "SFT" in model:
        return "CosyVoice SFT model does not support prompt_speech"
    try:
        seconds, rate = length_of(prompt[0])
    except soundfile.LibsndfileError:
        return "Format not recognised."
    if model == "F5-TTS" and not prompt[1]:
        return "`prompt_text` cannot be empty"
    if model.startswith("CosyVoice") and (rate < 16_000 or seconds > 30.0):
        return f"wav sample rate {rate} must be greater than 16000"
    return ""
