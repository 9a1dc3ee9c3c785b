"""Recordings that stand-ins for servers of speech get in forms, and what they do with them.

    devnen's     a file that is there is skipped, one that is refused is listed under "errors"
    travisvn's   201, or an error for a name that is taken, an ending, a size, a language
    Xinference   a file within a request for speech; its text is in the JSON of kwargs

Sources: as in `renderers/openai/uploads.py` and `clone_requests.py`.
"""

import hashlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import python_multipart
import soundfile

from support.speech_checks import KEPT, Body, length_of, prompt_in

TRAVISVN_ENDINGS = (".mp3", ".wav", ".flac", ".m4a", ".ogg")
DEVNEN_LONGEST_S = 30.0
TRAVISVN_MOST_BYTES = 10 * 1024 * 1024
BAD_CHARACTERS = '/\\:*?"<>|'
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
Answer: TypeAlias = tuple[object, int]  # the body of a reply, and its status


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


def devnen(library: Library, form: Form, _languages: Sequence[str]) -> Answer:
    """That of Chatterbox TTS Server, which looks at no file whose name it has.

    What is no audio passes, as its length is not known.
    """
    if "files" not in form.files:
        return {"detail": [{"type": "missing", "loc": ["body", "files"]}]}, 422
    name, content = form.files["files"]
    error = "" if name in library else _devnen_error(name, content)
    if not error:
        library.setdefault(name, Uploaded(name, name, content))
    body = {
        "message": "Processed 1 file(s).",
        "uploaded_files": [] if error else [name],
        "all_reference_files": sorted(library),
        "errors": [{"filename": name, "error": error}] if error else [],
    }
    return body, 400 if error else 200


def _devnen_error(name: str, content: bytes) -> str:
    if not name.lower().endswith((".wav", ".mp3")):
        return "Invalid file type. Only .wav and .mp3 are allowed."
    try:
        seconds, _ = length_of(content)
    except soundfile.LibsndfileError:
        return ""
    words = f"({seconds:.2f}s) exceeds maximum allowed ({DEVNEN_LONGEST_S:.0f}s)."
    return f"Reference audio duration {words}" if seconds > DEVNEN_LONGEST_S else ""


def travisvn(library: Library, form: Form, languages: Sequence[str]) -> Answer:
    """That of Chatterbox TTS API."""
    name = form.fields.get("voice_name", "").strip()
    if not name or "voice_file" not in form.files:
        where = {"type": "missing", "loc": ["body", "voice_name"], "msg": "Field required"}
        return {"detail": [where]}, 422
    file_name, content = form.files["voice_file"]
    ending = "." + file_name.rpartition(".")[2].lower()
    sent = Uploaded(name, f"{name}{ending}", content, form.fields.get("language", "en"))
    if words := _travisvn_error(sent, languages):
        return {"error": {"message": words, "type": "invalid_request_error"}}, 400
    if name in library:
        error = {"message": f"Voice '{name}' already exists", "type": "voice_exists_error"}
        return {"error": error}, 409
    if set(name) & set(BAD_CHARACTERS):
        words = f"Voice name contains invalid characters: {[*BAD_CHARACTERS]}"
        return {"error": {"message": words, "type": "validation_error"}}, 400
    library[name] = sent
    voice = {"name": name, "filename": sent.file_name, "file_size": len(content)}
    voice |= {"upload_date": "2026-11-02T10:00:00", "language": sent.language}
    return {"message": "Voice uploaded successfully", "voice": voice}, 201


def _travisvn_error(sent: Uploaded, languages: Sequence[str]) -> str:
    if not sent.file_name.endswith(TRAVISVN_ENDINGS):
        return f"Unsupported audio format. Supported formats: {', '.join(TRAVISVN_ENDINGS)}"
    if len(sent.content) > TRAVISVN_MOST_BYTES:
        return "File too large. Maximum size: 10MB"
    if sent.language in languages:
        return ""
    if len(languages) == 1:
        return "Only English (en) is supported when not using multilingual model"
    known = ", ".join(languages)
    return f"Unsupported language: {sent.language}. Supported languages: {known}"
