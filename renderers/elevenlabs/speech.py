"""A request for speech as ElevenLabs takes it, and the audio and times that it answers with."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from audiomill.inputs.book import Pronunciation
from audiomill.inputs.json_text import JsonInvalid, parse_json
from audiomill.renderers.base import EngineFailed, Rendered
from audiomill.renderers.elevenlabs.alignment import alignment_of, word_timings
from audiomill.renderers.elevenlabs.errors import NAME
from audiomill.renderers.servers.audio import samples_in
from audiomill.renderers.servers.replies import (
    Reply,
    ServerFailing,
    error_in_success,
    reason_in,
)

# What may lack of the audio that the times of the characters say is there: seconds, and a share.
MISSING_S, MISSING = 1.0, 0.5
WORD = re.compile(r"\S+")


def speech_path(voice_id: str, response_format: str) -> str:
    """Where a voice speaks, and tells when each character sounds."""
    voice = quote(voice_id, safe="")
    return f"/v1/text-to-speech/{voice}/with-timestamps?output_format={response_format}"


def with_phonemes(spoken: str, pronunciations: Sequence[Pronunciation]) -> str:
    """The text with SSML's tag around each word that has a pronunciation.

    A tag holds one word: what has as many words as its phonemes gets one for each.
    """
    parts, at = list[str](), 0
    for one in sorted(pronunciations, key=lambda one: one.start):
        parts += [spoken[at : one.start], *_tags(spoken[one.start : one.end], one.phonemes)]
        at = one.end
    return "".join([*parts, spoken[at:]])


def _tags(text: str, phonemes: str) -> Iterator[str]:
    words, sounds = [*WORD.finditer(text)], phonemes.split()
    if len(words) != len(sounds):
        yield _tag(text, phonemes)
        return
    at = 0
    for word, sound in zip(words, sounds, strict=True):
        yield from (text[at : word.start()], _tag(word.group(), sound))
        at = word.end()
    yield text[at:]


def _tag(word: str, phonemes: str) -> str:
    return f'<phoneme alphabet="ipa" ph={quoteattr(phonemes)}>{word}</phoneme>'


def spoken_in(reply: Reply, spoken: str, sample_rate: int) -> Rendered:
    """The samples of a reply, and when each word of `spoken` sounds.

    Raises ServerFailing if it came damaged, and EngineFailed if it is something else than audio.
    """
    found = _object_in(reply)
    content = _audio_in(found)
    audio = replace(reply, headers={}, content=content)
    samples = samples_in(audio, NAME, sample_rate, is_pcm=True, table="elevenlabs")
    duration_s = samples.size / sample_rate
    # That of the text as it was sent comes first: the other one is of another text.
    alignments = (alignment_of(found.get(name)) for name in ("alignment", "normalized_alignment"))
    alignment = next(filter(None, alignments), None)
    least_s = max(alignment.end_s - MISSING_S, MISSING * alignment.end_s) if alignment else 0.0
    if not samples.size or duration_s < least_s:
        raise ServerFailing(f"only {duration_s:.1f} s of audio", may_be_billed=True)
    timings = word_timings(spoken, alignment, duration_s) if alignment else ()
    return Rendered(samples, timings)


def _object_in(reply: Reply) -> Mapping[str, Any]:
    words = error_in_success(reply)
    try:
        found = {} if words else parse_json(reply.content)
    except JsonInvalid as error:
        raise ServerFailing("an answer that was cut off", may_be_billed=True) from error
    if isinstance(found, Mapping) and "detail" in found:  # its form of an error
        words = reason_in(reply)
    if words:
        raise EngineFailed(
            f"{NAME} answers with {words} instead of audio. Look at the url under [elevenlabs] in"
            " the settings."
        )
    if not isinstance(found, Mapping):
        raise ServerFailing("an answer without audio", may_be_billed=True)
    return cast("Mapping[str, Any]", found)


def _audio_in(found: Mapping[str, Any]) -> bytes:
    coded = found.get("audio_base64")
    if not isinstance(coded, str) or not coded:
        raise ServerFailing("an answer without audio", may_be_billed=True)
    try:
        return base64.b64decode(coded, validate=True)
    except ValueError as error:
        raise ServerFailing("audio that was cut off", may_be_billed=True) from error
