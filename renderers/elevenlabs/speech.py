"""A request for speech as ElevenLabs takes it, and the audio and times that it answers with.

The times of words follow from those of characters:

    spoken       "Dr. May, 12 years"
    characters   D r .   M a y ,   1 2   y e a r s        as a rule, with a start and an end each
    normalised   Doctor May, twelve years                 what only some replies have

The characters need not be those of the text: tags may be among them, and numbers may be written as
words. So both are aligned, and a word of which no letter is found has no time.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, cast
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

from audiomill.inputs.json_text import JsonInvalid, fields_of, items_of, number_of, parse_json
from audiomill.inputs.model.book import Pronunciation
from audiomill.renderers.elevenlabs.errors import NAME
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Rendered, WordTiming
from audiomill.renderers.servers.audio import samples_in
from audiomill.renderers.servers.replies import (
    Reply,
    ServerFailing,
    error_in_success,
    reason_in,
)
from audiomill.renderers.speech.timing import word_spans

TAG = re.compile(r"<[^<>]*>")

# What may lack of the audio that the times of the characters say is there: seconds, and a share.
MISSING_S, MISSING = 1.0, 0.5
WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Alignment:
    """Characters, and the seconds from when to when each sounds. All have one length."""

    characters: tuple[str, ...]
    starts_s: tuple[float, ...]
    ends_s: tuple[float, ...]

    @property
    def end_s(self) -> float:
        """When the last one ends; 0 if there is none."""
        return max(self.ends_s, default=0.0)


def alignment_of(found: object) -> Alignment | None:
    """An alignment as the service sends it; None if there is none, or it does not fit together."""
    names = ("characters", "character_start_times_seconds", "character_end_times_seconds")
    characters, starts, ends = (items_of(fields_of(found).get(name)) for name in names)
    starts_s, ends_s = _numbers(starts), _numbers(ends)
    if not characters or not len(characters) == len(starts_s) == len(ends_s):
        return None
    return Alignment(tuple(map(str, characters)), starts_s, ends_s)


def _numbers(values: Sequence[object]) -> tuple[float, ...]:
    """The values, if each is a number; else nothing."""
    found = tuple(one for one in map(number_of, values) if one is not None)
    return found if len(found) == len(values) else ()


def word_timings(spoken: str, alignment: Alignment, duration_s: float) -> tuple[WordTiming, ...]:
    """When each word of `spoken` sounds, in its order and without overlap.

    Words of which no letter is in the alignment are left out.
    """
    times = _times_by_place(spoken, alignment)
    return tuple(_in_order(_timed(spoken, times), duration_s))


def _timed(
    spoken: str, times: Mapping[int, tuple[float, float]]
) -> Iterator[tuple[int, int, float, float]]:
    for start, end in word_spans(spoken):
        heard = [times[at] for at in range(start, end) if at in times and spoken[at].isalnum()]
        if heard:
            yield start, end, min(one[0] for one in heard), max(one[1] for one in heard)


def _in_order(
    words: Iterator[tuple[int, int, float, float]], duration_s: float
) -> Iterator[WordTiming]:
    """Each word begins after the one before it, and ends with the audio at the latest."""
    at_s = 0.0
    for start, end, begin_s, end_s in words:
        begin_s, end_s = max(begin_s, at_s), min(end_s, duration_s)
        if end_s > begin_s:
            yield WordTiming(start, end, begin_s, end_s)
            at_s = end_s


def _times_by_place(spoken: str, alignment: Alignment) -> Mapping[int, tuple[float, float]]:
    """The times of characters of `spoken` by their place, of those that are found."""
    text, times = _without_tags(alignment)
    if text == spoken:
        return dict(enumerate(times))
    matcher = SequenceMatcher(None, spoken.casefold(), text.casefold(), autojunk=False)
    if len(spoken.casefold()) != len(spoken) or len(text.casefold()) != len(text):
        matcher = SequenceMatcher(None, spoken, text, autojunk=False)
    return {
        block.a + step: times[block.b + step]
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
    }


def _without_tags(alignment: Alignment) -> tuple[str, Sequence[tuple[float, float]]]:
    """The text of an alignment, and the times of each of its characters."""
    text = "".join(alignment.characters)
    times = [
        (start_s, end_s)
        for entry, start_s, end_s in zip(
            alignment.characters, alignment.starts_s, alignment.ends_s, strict=True
        )
        for _ in entry
    ]
    edges = [0, *(edge for match in TAG.finditer(text) for edge in match.span()), len(text)]
    kept = [slice(*span) for span in pairwise(edges)][::2]
    return "".join(text[one] for one in kept), [time for one in kept for time in times[one]]


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
