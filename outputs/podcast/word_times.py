"""Finds the words of a transcript, and when each is said, in JSON of Podcasting 2.0. Pure.

Episodes of earlier versions have such a file; those of today have a text.

    cue     1.200  Hello, old world.
    words   1.200 Hello,  1.500 old  1.810 world.

Source: docs/examples/transcripts/transcripts.md of github.com/Podcastindex-org/podcast-namespace.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter

from pydantic import BaseModel, ValidationError

from audiomill.outputs.podcast.timed_words import TimedWord, TimedWords


class _FileWord(BaseModel):
    startTime: float  # noqa: N815 (as the file has it)
    body: str


class _WordsFile(BaseModel):
    segments: list[_FileWord]


def with_word_times(cues: Sequence[TimedWords], content: bytes) -> list[TimedWords]:
    """The cues, in order of time, with the words of a file; as they are if it is damaged."""
    try:
        words = _WordsFile.model_validate_json(content).segments
    except ValidationError:
        return list(cues)
    words.sort(key=attrgetter("startTime"))
    firsts = [bisect_left(words, cue.start_s, key=attrgetter("startTime")) for cue in cues]
    ranges = zip(cues, firsts, [*firsts[1:], len(words)], strict=True)
    return [replace(cue, each=tuple(_found(cue, words[i:j]))) for cue, i, j in ranges]


def _found(cue: TimedWords, words: Sequence[_FileWord]) -> Iterator[TimedWord]:
    """The words that stand in the text of a cue, in order."""
    at = 0
    for word in words:
        body = " ".join(word.body.split())
        first = cue.text.find(body, at) if body else -1
        if first >= 0:
            at = first + len(body)
            yield TimedWord(word.startTime, first, at)
