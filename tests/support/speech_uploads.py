"""Recordings that stand-ins for servers of speech get in forms, and what they do with them.

    devnen's     a file that is there is skipped, one that is refused is listed under "errors"
    travisvn's   201, or an error for a name that is taken, an ending, a size, a language
    Xinference   a file within a request for speech; its text is in the JSON of kwargs

Sources: as in `renderers/openai/uploads.py` and `clone_requests.py`.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import python_multipart
import soundfile

from support.speech_checks import KEPT, Body, Check
from support.speech_replies import Refusal, Reply, json_reply, plain_error

DEVNEN_ENDINGS = (".wav", ".mp3")
TRAVISVN_ENDINGS = (".mp3", ".wav", ".flac", ".m4a", ".ogg")
DEVNEN_LONGEST_S = 30.0
TRAVISVN_MOST_BYTES = 10 * 1024 * 1024
BAD_CHARACTERS = '/\\:*?"<>|'
COSYVOICE_RATE = 16_000
# Seconds of a recording that models of Xinference hear; the rest is cut off.
HEARD_S = {"F5-TTS": 12.0, "IndexTTS2": 15.0}


@dataclass(frozen=True, slots=True)
class Uploaded:
    """A recording that a server keeps."""

    name: str  # of the voice
    file_name: str
    content: bytes
    language: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """A form that came: fields, and files with their names."""

    fields: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)


Library: TypeAlias = dict[str, Uploaded]  # by name


@dataclass(frozen=True, slots=True)
class UploadRoutes:
    """Where a server takes recordings, and lists them."""

    path: str
    take: Callable[[Library, Form, Sequence[str]], Reply]  # the last: languages that it speaks
    list_path: str
    listed: Callable[[Sequence[str], Library], object]  # voices of its own, too


def read_form(content_type: str, raw: bytes) -> Form:
    """A form as it came over the wire."""
    fields: dict[str, str] = {}
    files: dict[str, tuple[str, bytes]] = {}

    def on_field(one: Any) -> None:
        fields[one.field_name.decode()] = (one.value or b"").decode()

    def on_file(one: Any) -> None:
        one.file_object.seek(0)
        files[one.field_name.decode()] = (one.file_name.decode(), one.file_object.read())
        one.close()

    headers = {"Content-Type": content_type.encode(), "Content-Length": str(len(raw)).encode()}
    python_multipart.parse_form(headers, io.BytesIO(raw), on_field, on_file)
    return Form(fields, files)


def body_of(form: Form) -> dict[str, Any]:
    """A form as a request for speech: numbers are numbers, and files their contents."""
    body: dict[str, Any] = dict(form.fields)
    if "speed" in body:
        body["speed"] = float(body["speed"])
    return body | {name: content for name, (_, content) in form.files.items()}


def voice_of_recording(content: bytes, text: str = "") -> str:
    """What a server speaks as that was given a recording, and its text or language."""
    return f"{hashlib.sha256(content).hexdigest()} {text}"


def heard_in(body: Body) -> str:
    """What a recording that was uploaded, or is in a form, has a server speak as; "" for none."""
    if kept := body.get(KEPT):
        return voice_of_recording(kept.content, kept.language)
    if found := prompt_in(body):
        content, text = found
        longest_s = HEARD_S.get(body["model"], float("inf"))
        samples, rate = soundfile.read(io.BytesIO(content), dtype="int16")
        n_heard = round(min(longest_s, len(samples) / rate) * rate)
        return voice_of_recording(samples[:n_heard].tobytes(), text)
    return ""


def prompt_in(body: Body) -> tuple[bytes, str] | None:
    """The recording in a request to Xinference, and its text; None without one."""
    told = json.loads(body.get("kwargs") or "{}")
    content = body.get("prompt_speech")
    return (content, told.get("prompt_text") or "") if content else None


def prompt_of(model: str) -> Check:
    """What models of Xinference say of a recording, all of it with 500."""

    def check(body: Body) -> Refusal | None:
        found = prompt_in(body)
        if found is None:
            if model in ("CosyVoice-300M", "IndexTTS2"):
                return Refusal(500, f"[pid=7] {model} model expect a prompt_speech")
            return None
        content, text = found
        if "SFT" in model:
            return Refusal(500, "[pid=7] CosyVoice SFT model does not support prompt_speech")
        try:
            seconds, rate = _length(content)
        except soundfile.LibsndfileError:
            return Refusal(500, "[pid=7] Format not recognised.")
        if model == "F5-TTS" and not text:
            return Refusal(500, "[pid=7] `prompt_text` cannot be empty")
        if model.startswith("CosyVoice") and (rate < COSYVOICE_RATE or seconds > 30.0):
            return Refusal(500, f"[pid=7] wav sample rate {rate} must be greater than 16000")
        return None

    return check


def devnen_take(library: Library, form: Form, _languages: Sequence[str]) -> Reply:
    """That of Chatterbox TTS Server, which looks at no file whose name it has.

    What is no audio passes, as its length is not known.
    """
    if "files" not in form.files:
        return json_reply({"detail": [{"type": "missing", "loc": ["body", "files"]}]}, 422)
    name, content = form.files["files"]
    error = "" if name in library else _devnen_error(name, content)
    errors = [{"filename": name, "error": error}] if error else []
    if not errors:
        library.setdefault(name, Uploaded(name, name, content))
    body = {
        "message": "Processed 1 file(s).",
        "uploaded_files": [] if errors else [name],
        "all_reference_files": sorted(library),
        "errors": errors,
    }
    return json_reply(body, 400 if errors else 200)


def _devnen_error(name: str, content: bytes) -> str:
    if not name.lower().endswith(DEVNEN_ENDINGS):
        return "Invalid file type. Only .wav and .mp3 are allowed."
    try:
        seconds, _ = _length(content)
    except soundfile.LibsndfileError:
        return ""
    longest = f"{DEVNEN_LONGEST_S:.0f}s"
    is_fit = seconds <= DEVNEN_LONGEST_S
    words = f"Reference audio duration ({seconds:.2f}s) exceeds maximum allowed ({longest})."
    return "" if is_fit else words


def devnen_listed(_voices: Sequence[str], library: Library) -> object:
    return sorted(library)


def travisvn_take(library: Library, form: Form, languages: Sequence[str]) -> Reply:
    """That of Chatterbox TTS API."""
    name = form.fields.get("voice_name", "").strip()
    language = form.fields.get("language", "en")
    if not name or "voice_file" not in form.files:
        refusal = Refusal(422, "Field required", "missing", "voice_name")
        return json_reply(plain_error(refusal), 422)
    file_name, content = form.files["voice_file"]
    ending = "." + file_name.rpartition(".")[2].lower()
    sent = Uploaded(name, f"{name}{ending}", content, language)
    if refusal := _travisvn_refusal(library, sent, languages):
        return json_reply(plain_error(refusal), refusal.status)
    library[name] = sent
    voice = {"name": name, "filename": sent.file_name, "file_size": len(content)}
    voice |= {"upload_date": "2026-11-02T10:00:00", "language": language}
    return json_reply({"message": "Voice uploaded successfully", "voice": voice}, 201)


def _travisvn_refusal(library: Library, sent: Uploaded, languages: Sequence[str]) -> Refusal | None:
    invalid = "invalid_request_error"
    if not sent.file_name.endswith(TRAVISVN_ENDINGS):
        known = ", ".join(TRAVISVN_ENDINGS)
        return Refusal(400, f"Unsupported audio format. Supported formats: {known}", invalid)
    if len(sent.content) > TRAVISVN_MOST_BYTES:
        return Refusal(400, "File too large. Maximum size: 10MB", invalid)
    if sent.language not in languages:
        words = "Only English (en) is supported when not using multilingual model"
        if len(languages) > 1:
            known = ", ".join(languages)
            words = f"Unsupported language: {sent.language}. Supported languages: {known}"
        return Refusal(400, words, invalid)
    if sent.name in library:
        return Refusal(409, f"Voice '{sent.name}' already exists", "voice_exists_error")
    if set(sent.name) & set(BAD_CHARACTERS):
        words = f"Voice name contains invalid characters: {[*BAD_CHARACTERS]}"
        return Refusal(400, words, "validation_error")
    return None


def travisvn_listed(voices: Sequence[str], library: Library) -> object:
    """The newest first, with all that is known of each."""
    more = {"aliases": [], "exists": True}
    own = [{"name": one, "filename": f"{one}.mp3", "language": "en", **more} for one in voices]
    uploaded = [
        {"name": one.name, "filename": one.file_name, "language": one.language, **more}
        for one in reversed(library.values())
    ]
    return {"voices": [*uploaded, *own], "count": len(uploaded) + len(own)}


def _length(content: bytes) -> tuple[float, int]:
    """Seconds and samples in a second. Raises LibsndfileError."""
    found = soundfile.info(io.BytesIO(content))
    return found.duration, found.samplerate


DEVNEN = UploadRoutes("/upload_reference", devnen_take, "/get_reference_files", devnen_listed)
TRAVISVN = UploadRoutes("/v1/voices", travisvn_take, "/v1/voices", travisvn_listed)
