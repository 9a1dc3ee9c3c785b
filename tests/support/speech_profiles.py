"""What each server of speech accepts, refuses and does unasked: the profiles of `servers.toml`."""

import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from support.speech_replies import Refusal, filled
from support.speech_uploads import Library

SPEECH, MODELS = "/v1/audio/speech", "/v1/models"
BATCH, CAPTIONS = f"{SPEECH}/batch", "/dev/captioned_speech"
_LANGUAGES, _GENDERS = {"a": "en-us", "b": "en-gb"}, {"f": "female", "m": "male"}
_TOLD = tomllib.loads(Path(__file__).with_name("servers.toml").read_text(encoding="utf-8"))
EVENTS: Mapping[str, Any] = _TOLD["events"]
FORMS: Mapping[str, Any] = _TOLD["forms"]
ELEVENLABS: Mapping[str, Any] = _TOLD["elevenlabs"]
FISH_CHECKS: Mapping[str, Any] = _TOLD["fish"]


@dataclass(frozen=True)
class Profile:
    """One server. A voice that no check refuses is spoken by `speaker(voice)`."""

    name: str
    voices: Sequence[str]
    models: Collection[str] = ()  # that it lists
    required: Sequence[str] = ()  # fields of a request
    fields: Sequence[str] = ()  # all that it may have, if others are refused
    formats: Sequence[str] = ()  # if others are refused, with the words of pydantic
    speeds: Sequence[float] = ()  # the least and the greatest, if others are refused so
    status_of_fields: int = 422  # if one of these is not right
    checks: Sequence[Sequence[Any]] = ()  # of `speech_checks`, in their order
    errors: str = "fastapi"  # one of the forms of errors
    aliases: Mapping[str, str] = field(default_factory=dict)  # of voices
    ignores: Literal["", "case", "spaces"] = ""  # in names of voices
    default_voice: str = ""  # speaks unknown voices, and nobody is told
    lists_also: Sequence[str] = ()  # names of no voices
    entry: Any = "$voice"  # of a list of voices
    pages: Mapping[str, Any] = field(default_factory=dict)  # forms of what it has at paths
    model_page: Any = None
    sample_rate: int = 24_000
    default_format: str = "wav"
    only_format: str = ""  # whatever was asked for
    wav_lengths: Literal["right", "unknown", "unknown if streamed"] = "right"
    has_lavf_chunk: bool = False  # that FFmpeg puts before the audio
    takes_speed: bool = True
    streams: bool = False  # unless told not to
    is_chunked: bool = False  # even if it does not stream
    events: str = ""  # one of the dialects
    one_at_a_time: bool = False  # the others wait
    needs_key: bool = False
    has_captions: bool = False
    has_batches: bool = False
    takes_recordings: bool = False  # in a request; the others ignore them
    uploads: Literal["", "devnen", "travisvn"] = ""
    uploads_to: str = ""  # this path

    @property
    def lists_voices(self) -> bool:
        return "$" in str(self.pages)

    def speaker(self, voice: str) -> str:
        """Who speaks if this voice is asked for."""
        key = {"case": voice.lower(), "spaces": voice.replace(" ", "")}.get(self.ignores, voice)
        known = {one.lower() if self.ignores == "case" else one: one for one in self.voices}
        return {**known, **self.aliases}.get(key, self.default_voice or key)

    def error(self, refusal: Refusal) -> object:
        """The body of an error. FastAPI's own for a field that does not validate."""
        status, code, errors = refusal.status, refusal.code, self.errors
        if status == 422:
            errors = "field" if code else "fastapi"
        form = _TOLD["errors"][errors]
        types = form.get("types", {})
        kind = types.get(code) or types.get(str(status)) or form.get("type")
        values = {"status": status, "message": refusal.message, "param": refusal.param}
        param = refusal.param or ""
        place = (param if "." in param else f"body.{param}").split(".")
        values |= {"code": code or form.get("code"), "type": kind, "place": place}
        return filled(form["fault" if status >= 500 and "fault" in form else "body"], values)

    def page(self, path: str, library: Library) -> object:
        """What it has at the path, or a `Refusal`. `library`: recordings that it keeps."""
        model = path.removeprefix(f"{MODELS}/")
        if path == MODELS and self.models:
            more = {"object": "model", "created": 1_686_935_002, "owned_by": self.name}
            return {"object": "list", "data": [{"id": one, **more} for one in self.models]}
        if path in self.pages:
            return filled(self.pages[path], self._lists(library))
        if self.model_page is None or model == path:
            return Refusal(404, "Not Found")
        if model in self.models:
            return filled(self.model_page, {"model": model})
        return Refusal(400, f"Model not found in the model list, uid: {model}")

    def _lists(self, library: Library) -> Mapping[str, Any]:
        names = sorted([*self.voices, *self.lists_also]) if self.lists_also else self.voices
        own = [self._entry(one, f"{one}.mp3", "en") for one in names]
        kept = [self._entry(one.name, one.file_name, one.language) for one in library.values()]
        lists = {"own": own, "all": [*reversed(kept), *own], "kept": sorted(library)}
        return {**lists, "count": len(own) + len(kept), "lines": "\n".join(map(str, own))}

    def _entry(self, voice: str, file_name: str, language: str) -> Any:
        locale, gender = _LANGUAGES.get(voice[:1]), _GENDERS.get(voice[1:2])
        more = {"title": voice.title(), "stem": voice.partition(".")[0], "language": language}
        more |= {"file": file_name, "locale": locale, "gender": gender}
        return filled(self.entry, {"voice": voice, **more})


PROFILES = {name: Profile(name, **told) for name, told in _TOLD["servers"].items()}


def xinference_with(model: str, voices: Sequence[str], sample_rate: int) -> Profile:
    """Xinference with a model. One without voices speaks recordings only."""
    usual = PROFILES["xinference"]
    words = "[pid=7] Invalid voice: {voice}, available speakers: {known}"
    checks = [["voice in voices or prompt_speech", 500, words]] if voices else []
    return replace(
        usual,
        voices=voices or ("none",),
        required=("model", "input", "voice"),
        checks=[*usual.checks, *checks],
        default_voice="",
        models=(model,),
        sample_rate=sample_rate,
        takes_speed=model.startswith("Melo"),
    )
