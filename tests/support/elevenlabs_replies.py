"""What a stand-in for ElevenLabs answers: its lists, and the times of characters.

Sources: the types of the vendor's package elevenlabs 2.78.0 and its documents, in late 2026.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from audiomill.renderers.engine.protocol import WordTiming
from support.speech_profiles import ELEVENLABS, FORMS
from support.speech_replies import filled

GEORGE, SARAH, LENA = "JBFqnCBsd6RMkjVDRZzb", "EXAVITQu4vr4xnSDxMaL", "aLena000000000000001"
ANNAS = ("aAnna000000000000001", "aAnna000000000000002")
DEAR = "aDear000000000000001"  # costs twice as much
VOICES: Mapping[str, Mapping[str, str]] = ELEVENLABS["voices"]
MODELS: Mapping[str, Mapping[str, Any]] = ELEVENLABS["models"]


def voices_of(n_more: int) -> Sequence[Mapping[str, Any]]:
    """The account's voices: those above, and so many others."""
    more = {"language": "en", "gender": ""}
    others = {f"v{n:019}": {"name": f"Voice {n}", **more} for n in range(n_more)}
    shared = {DEAR: {"status": "copied", "rate": 2.0}}
    return [
        filled(
            FORMS["elevenlabs-voice"],
            {"id": voice, **told, "null": None, "sharing": shared.get(voice)},
        )
        for voice, told in {**VOICES, **others}.items()
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
    for name, model in MODELS.items():
        told = [{"language_id": one, "name": one} for one in model["languages"]]
        group = "turbo" if model["rate"] < 1 else "standard"
        title = name.replace("_", " ").title()
        values = {**model, "id": name, "title": title, "languages": told, "group": group}
        speaking.append(filled(FORMS["elevenlabs-model"], values))
    return [*speaking, {"model_id": "eleven_english_sts_v2", "can_do_text_to_speech": False}]


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
