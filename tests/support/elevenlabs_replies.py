"""What a stand-in for ElevenLabs answers: its lists, its errors, and the times of characters.

Sources: the types of the vendor's package elevenlabs 2.78.0 and its documents, in late 2026. Words
of errors are only roughly theirs.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from audiomill.renderers.engine.protocol import WordTiming
from support.speech_profiles import FORMS
from support.speech_replies import Refusal, filled

GEORGE, SARAH, LENA = "JBFqnCBsd6RMkjVDRZzb", "EXAVITQu4vr4xnSDxMaL", "aLena000000000000001"
ANNAS = ("aAnna000000000000001", "aAnna000000000000002")
DEAR = "aDear000000000000001"  # costs twice as much
_NAMES = {
    GEORGE: ("George - Warm Storyteller", "en", "male"),
    SARAH: ("Sarah - Reassuring", "en", "female"),
    LENA: ("Lena", "de", "female"),
    ANNAS[0]: ("Anna", "en", "female"),
    ANNAS[1]: ("Anna - Old recording", "en", "female"),
    DEAR: ("Apex - Famous", "en", "male"),
}
# Languages, the longest text, and credits for a character.
MODELS: Mapping[str, tuple[tuple[str, ...], int, float]] = {
    "eleven_flash_v2_5": (("en", "de", "fr", "ja", "hu"), 40_000, 0.5),
    "eleven_flash_v2": (("en",), 30_000, 0.5),
    "eleven_multilingual_v2": (("en", "de", "fr", "ja"), 10_000, 1.0),
    "eleven_v3": (("en", "de", "fr", "ja", "cy"), 5_000, 1.0),
}
TYPES = {
    400: "validation_error",
    401: "authentication_error",
    403: "authorization_error",
    404: "not_found",
    429: "rate_limit_error",
}


def voices_of(n_more: int) -> Sequence[Mapping[str, Any]]:
    """The account's voices: those above, and so many others."""
    names = {**_NAMES, **{f"v{n:019}": (f"Voice {n}", "en", "") for n in range(n_more)}}
    shared = {DEAR: {"status": "copied", "rate": 2.0}}
    return [
        filled(
            FORMS["elevenlabs-voice"],
            {"id": voice, "name": name, "language": language, "gender": gender, "null": None}
            | {"sharing": shared.get(voice)},
        )
        for voice, (name, language, gender) in names.items()
    ]


def page_of(voices: Sequence[Mapping[str, Any]], token: str, size: int) -> Mapping[str, Any]:
    """A page of voices. The first one holds a default voice more, which comes again later."""
    first = int(token or 0)
    page = [*voices[first : first + size]]
    if not token and len(voices) > size:
        page.append(voices[-1])
    has_more = first + size < len(voices)
    return {
        "voices": page,
        "has_more": has_more,
        "total_count": len(voices),
        "next_page_token": str(first + size) if has_more else None,
    }


def models_list() -> Sequence[Mapping[str, Any]]:
    """All models, with one that does not speak."""
    speaking = []
    for name, (languages, longest, rate) in MODELS.items():
        told = [{"language_id": one, "name": one} for one in languages]
        values = {"id": name, "title": name.replace("_", " ").title(), "languages": told}
        values |= {"longest": longest, "rate": rate, "group": "turbo" if rate < 1 else "standard"}
        speaking.append(filled(FORMS["elevenlabs-model"], values))
    return [*speaking, {"model_id": "eleven_english_sts_v2", "can_do_text_to_speech": False}]


def error_of(refusal: Refusal) -> object:
    """Its form of an error; that of FastAPI for a field that does not validate."""
    if refusal.status == 422:
        loc = (refusal.param or "body").split(".")
        return {"detail": [{"type": refusal.code, "loc": loc, "msg": refusal.message}]}
    kind = TYPES.get(refusal.status, "internal_error")
    values = {"type": kind, "code": refusal.code, "message": refusal.message}
    detail = filled(FORMS["elevenlabs-error"], values)
    return {"detail": detail | ({"param": refusal.param} if refusal.param else {})}


def alignment(text: str, words: Sequence[WordTiming], end_s: float) -> Mapping[str, Any]:
    """The times of each character: those of a word share its time, spaces have what is between."""
    times = [(0.0, 0.0)] * len(text)
    edges = [(0, 0.0), *((word.end, word.end_s) for word in words)]
    for (before, before_s), word in zip(edges, words, strict=False):
        _share(times, before, word.start, before_s, word.start_s)
        _share(times, word.start, word.end, word.start_s, word.end_s)
    last, last_s = edges[-1]
    _share(times, last, len(text), last_s, end_s)
    return {
        "characters": [*text],
        "character_start_times_seconds": [round(start, 3) for start, _ in times],
        "character_end_times_seconds": [round(end, 3) for _, end in times],
    }


def _share(
    times: list[tuple[float, float]], start: int, end: int, start_s: float, end_s: float
) -> None:
    if end > start:
        step_s = (end_s - start_s) / (end - start)
        cuts = [start_s + step_s * n for n in range(end - start + 1)]
        times[start:end] = pairwise(cuts)
