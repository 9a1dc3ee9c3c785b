"""What each server of speech accepts, refuses and does unasked: the profiles of `servers.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from support import speech_checks as checks
from support import speech_profile as lists
from support import speech_replies as replies
from support import speech_uploads as uploads
from support.speech_checks import ALL_FORMATS, KOKORO_NAMES, Body, Check
from support.speech_profile import LAVF, Profile, known_or
from support.speech_replies import Refusal

_MODULES = {"error": replies, "voice_list": lists, "uploads": uploads, "page": lists}


def kokoro_speaker(_voices: Collection[str]) -> Callable[[str], str]:
    return lambda voice: KOKORO_NAMES.get(voice.replace(" ", ""), voice.replace(" ", ""))


def qwen_speaker(voices: Collection[str]) -> Callable[[str], str]:
    known = known_or("vivian", voices)
    return lambda voice: known(voice.lower())


def dia_speaker(voices: Collection[str]) -> Callable[[str], str]:
    known = {name.lower(): name for name in (*voices, "S1", "S2", "dialogue")}
    known |= {name.partition(".")[0].lower(): name for name in voices}
    return lambda voice: known.get(voice.lower(), "S1")


def _profile(told: dict[str, Any]) -> Profile:
    """A profile as the file tells it."""
    words = {key: tuple(told.get(key, ())) for key in ("voices", "models")}
    known = {f"${key}": value for key, value in words.items()} | {"$formats": ALL_FORMATS}
    fields = words | {
        key: getattr(_MODULES[key], value) if key in _MODULES else value
        for key, value in told.items()
        if key not in (*words, "checks", "speaker", "default_voice", "has_lavf_chunk")
    }
    made = [_check(name, [_filled(one, known) for one in more]) for name, *more in told["checks"]]
    if status := fields.pop("refuses_with", 0):
        made = [_with_status(one, status) for one in made]
    if name := told.get("speaker"):
        fields["speaker"] = globals()[name](words["voices"])
    elif default := told.get("default_voice"):
        fields["speaker"] = known_or(default, words["voices"])
    chunk = LAVF if told.get("has_lavf_chunk") else b""
    return Profile(checks=tuple(made), wav_chunk=chunk, **fields)


def _filled(argument: Any, known: Mapping[str, Any]) -> Any:
    return known.get(argument, argument) if isinstance(argument, str) else argument


def _check(name: str, arguments: list[Any]) -> Check:
    check = getattr(uploads if name == "prompt_of" else checks, name)
    return check(*arguments) if arguments else check


def _with_status(check: Check, status: int) -> Check:
    def checked(body: Body) -> Refusal | None:
        refusal = check(body)
        return refusal and replace(refusal, status=status)

    return checked


_FILE = Path(__file__).with_name("servers.toml")
PROFILES = {name: _profile(told) for name, told in tomllib.loads(_FILE.read_text()).items()}


def xinference_with(model: str, voices: tuple[str, ...], sample_rate: int) -> Profile:
    """Xinference with a model. One without voices speaks recordings only."""
    missing = "Model not found in the model list, uid: {value}"
    return replace(
        PROFILES["xinference"],
        voices=voices or ("none",),
        checks=(
            checks.required("model", "input", "voice"),
            checks.model((model,), 400, missing),
            uploads.prompt_of(model),
            *([checks.speaker_of_xinference(*voices)] if voices else []),
        ),
        speaker=str,
        models=(model,),
        sample_rate=sample_rate,
        takes_speed=model.startswith("Melo"),
    )
