"""Audio as a stand-in for a server of speech answers it: files, streams, captions and batches.

body ─▶ samples (tones, or a lie) ─▶ file ─▶ whole, in chunks, or in events
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.protocol import WordTiming
from support.speech_audio import (
    COMPRESSED,
    MEDIA_TYPES,
    UNKNOWN,
    pcm16,
    spoken_samples,
    wav,
    word_timings,
)
from support.speech_checks import Body, recording_in, refusal_of, voice_in
from support.speech_profiles import EVENTS, Profile
from support.speech_replies import Refusal, Reply, events, pieces_of, reply_of, text_of
from support.speech_uploads import heard_in

Samples: TypeAlias = NDArray[np.float32]
Lie: TypeAlias = Literal[
    "default voice",  # speaks with another voice
    "cut off",  # half of the file's bytes
    "short",  # a whole file of a third of the samples
    "wrong rate",  # in the header
    "no gzip",  # under a header that says that it is
    "silence",  # of the right length
    "empty",  # no bytes
    "page",  # HTML
    "error with 200",
]
WordsLie: TypeAlias = Literal[
    "null",  # no times, as for Japanese and Chinese
    "cut short",  # the first half only: a token without a time ends the list
    "other words",  # those of another text
    "late",  # after the end of the audio
]
ALIGNER_S, MAX_HEADER_BYTES = 0.080, 4096  # of vLLM-Omni: the step of its times, and their room
TOKEN = re.compile(r"\w+(?:['’.-]\w+)*|[^\w\s]+")
# The chunk that FFmpeg puts before the audio.
LAVF = struct.pack("<4sI4s4sI", b"LIST", 26, b"INFO", b"ISFT", 14) + b"Lavf62.12.102\0"


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How a stand-in behaves. Rates are of requests, from 0 to 1."""

    n_slots: int = 1000  # more requests at a time get 429
    retry_after: str = ""  # sent with 429, if anything
    quota: float = float("inf")  # characters, then 429 insufficient_quota
    lie: Lie | None = None
    # Rates of "429", "500", "503", "stall" (a late answer), "hang" (none), "drip" (one without an
    # end), "cut" (before the answer) and "cut in body".
    faults: Mapping[str, float] = field(default_factory=dict)
    seed: int = 7  # of the faults: each attempt at a text has its own
    latency_s: float = 0.0  # of a request
    stream: bool = False  # events, whatever was asked for
    unknown_length: bool | None = None  # of WAV; None: as the server has it
    is_down: bool = False  # cuts every connection
    fails_on: tuple[str, ...] = ()  # texts that get 500, or an error in a batch
    # What a text's takes are spoiled by, one after the other: names of SPOILS; "" for none.
    takes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    is_older: bool = False  # has the usual route only, and ignores what it does not know
    has_aligner: bool = True  # vLLM-Omni was started with --forced-aligner
    words_lie: WordsLie | None = None
    no_captions_of: tuple[str, ...] = ()  # texts that get 500 if they are to have times of words
    fails_in_batches: tuple[str, ...] = ()  # texts that get an error in a batch only
    proxy_refuses: int = 0  # status of all uploads, by what is in front of the server
    loses_uploads: bool = False  # says that it took them
    forgets_after: float = float("inf")  # texts, after which all recordings are lost once
    gets_twice: bool = False  # another machine has just uploaded the same
    languages: tuple[str, ...] = ("en",)  # several: the multilingual model


@dataclass(frozen=True, slots=True)
class Speech:
    """What a server that behaves so makes of a request's body."""

    profile: Profile
    how: Behaviour
    body: Body

    @property
    def voice(self) -> str:
        return self.profile.speaker(voice_in(self.body) or self.profile.voices[0])

    @property
    def speed(self) -> float:
        return self.body.get("speed") or 1.0 if self.profile.takes_speed else 1.0

    @property
    def format(self) -> str:
        profile = self.profile
        asked = profile.only_format or self.body.get("response_format") or profile.default_format
        return asked if asked in MEDIA_TYPES else "wav"

    @property
    def is_streamed(self) -> bool:
        is_audio = self.profile.events == "vllm" and self.body.get("stream_format") == "audio"
        return is_audio or bool(self.body.get("stream", self.profile.streams))

    @property
    def is_in_events(self) -> bool:
        form, asked = self.body.get("stream_format"), self.body.get("stream")
        wanted = {
            "": False,
            "sglang": bool(asked),
            "vllm": form == "sse" or bool(asked and form != "audio"),
        }.get(self.profile.events, form == "sse")
        return wanted or (self.how.stream and bool(self.profile.events))

    def samples(self) -> Samples:
        profile, lie, voice = self.profile, self.how.lie, self.voice
        if profile.takes_recordings and recording_in(self.body):
            voice = repr(recording_in(self.body))
        if profile.uploads or profile.takes_recordings:
            voice = heard_in(self.body) or voice
        if lie == "default voice":
            voice = next(one for one in (*profile.voices, "another") if one != voice)
        samples = spoken_samples(self.body["input"], voice, self.speed, profile.sample_rate)
        if lie == "short":
            return samples[: samples.size // 3]
        return np.zeros_like(samples) if lie == "silence" else samples

    def file(self, samples: Samples, *, is_streamed: bool | None = None) -> bytes:
        """The samples in the format of the request, with the header that the server writes."""
        rate, is_unknown = self.profile.sample_rate, self.how.unknown_length
        if self.format in COMPRESSED:
            return COMPRESSED[self.format]
        if self.format == "pcm":
            return pcm16(samples)
        if self.how.lie == "wrong rate":
            rate = 44_100 if rate != 44_100 else 24_000
        if is_unknown is None:
            is_streamed = self.is_streamed if is_streamed is None else is_streamed
            usual = {"right": False, "unknown": True}
            is_unknown = usual.get(self.profile.wav_lengths, is_streamed)
        extra = LAVF if self.profile.has_lavf_chunk else b""
        return wav(pcm16(samples), rate, length=UNKNOWN if is_unknown else None, extra=extra)

    def cut_file(self, samples: Samples) -> bytes:
        """The file, or half of it if the server lies so."""
        content = self.file(samples)
        return content[: len(content) // 2] if self.how.lie == "cut off" else content

    def reply(self, samples: Samples) -> Reply:
        """The answer to a request for speech."""
        if self.is_in_events:
            return self._events(samples)
        headers = {"Content-Disposition": f"attachment; filename=speech.{self.format}"}
        if self.profile.has_batches:
            has_words = self.body.get("word_timestamps") and not self.how.is_older
            headers = aligned_words(self.body["input"], self.words()) if has_words else {}
        is_chunked = self.profile.is_chunked or self.is_streamed
        content = self.cut_file(samples)
        return Reply(content, MEDIA_TYPES[self.format], headers=headers, is_chunked=is_chunked)

    def _events(self, samples: Samples) -> Reply:
        form, rate = EVENTS[self.profile.events], self.profile.sample_rate
        if form.get("carries") == "files":  # one for each half of a second
            parts = np.split(samples, range(rate // 2, samples.size, rate // 2))
            pieces = [self.file(part) for part in parts]
        elif form.get("carries") == "pcm":
            pieces = pieces_of(pcm16(samples))
        else:
            pieces = pieces_of(self.file(samples, is_streamed=True))
        return events(form, pieces, {"rate": rate, "format": self.format})

    def captions(self, samples: Samples) -> Reply:
        """That of /dev/captioned_speech: audio and words. It is not asked for a stream."""
        words = tokens(self.body["input"], self.words())
        if self.how.words_lie == "cut short":
            words = words[: len(words) // 2]
        if self.how.words_lie == "null" or not self.body.get("return_timestamps", True):
            words = None
        assert not self.is_streamed
        audio = {"audio": text_of(self.file(samples)), "audio_format": MEDIA_TYPES[self.format]}
        return reply_of({**audio, "timestamps": words})

    def words(self) -> list[WordTiming]:
        """When each word of the text sounds, or a lie about it."""
        late_s = 60.0 if self.how.words_lie == "late" else 0.0
        words = word_timings(self.body["input"], self.voice, self.speed)
        if self.how.words_lie == "other words":  # each has the place of its neighbour
            words = [replace(one, start=two.start, end=two.end) for one, two in pairwise(words)]
        return [
            replace(one, start_s=one.start_s + late_s, end_s=one.end_s + late_s) for one in words
        ]

    def items(self) -> Iterator[Speech]:
        """The requests of a batch, each with what the batch says for all of them. No seed."""
        common = {name: one for name, one in self.body.items() if name not in ("items", "seed")}
        for item in self.body.get("items", ()):
            own = {name: value for name, value in item.items() if value is not None}
            yield replace(self, body=common | own)

    def batch(self) -> Reply:
        """That of vLLM-Omni's route for batches: an item that fails is an item of its own."""
        results = [{"index": index, **one._result()} for index, one in enumerate(self.items())]
        succeeded = sum(result["status"] == "success" for result in results)
        counts = {"total": len(results), "succeeded": succeeded}
        counts["failed"] = len(results) - succeeded
        return reply_of({"id": "speech-batch-0", "results": results, **counts})

    def item_error(self) -> str:
        """Why an item of a batch gets no audio; "" if it does."""
        if self.body.get("input") in (*self.how.fails_on, *self.how.fails_in_batches):
            return "CUDA out of memory"
        refusal = refusal_of(self.profile, self.body)
        return refusal.message if refusal else ""

    def _result(self) -> dict[str, Any]:
        if error := self.item_error():
            return {"status": "error", "error": error}
        coded = text_of(self.cut_file(self.samples()))
        media_type = MEDIA_TYPES[self.format]
        return {"status": "success", "audio_data": coded, "media_type": media_type}


def lie_instead(lie: Lie | None, profile: Profile) -> Reply | None:
    """The answer of a server that sends no audio and says that all is well."""
    if lie == "page":
        return Reply(b"<!DOCTYPE html><title>Log in</title>", "text/html")
    if lie == "no gzip":
        return Reply(b"none", "audio/wav", headers={"Content-Encoding": "gzip"})
    if lie == "error with 200":
        return reply_of(profile.error(Refusal(500, "CUDA out of memory")))
    return Reply(b"", "audio/wav") if lie == "empty" else None


def tokens(text: str, words: Sequence[WordTiming]) -> list[dict[str, object]] | None:
    """Words as Kokoro-FastAPI tells them: signs at their ends are words of their own.

    A sign has the share of the time that it has of the characters.
    """
    told: list[dict[str, object]] = []
    for word in words:
        char_s = (word.end_s - word.start_s) / (word.end - word.start)
        for match in TOKEN.finditer(text, word.start, word.end):
            start_s, end_s = (word.start_s + (at - word.start) * char_s for at in match.span())
            told.append({"word": match.group(), "start_time": start_s, "end_time": end_s})
    return told


def aligned_words(text: str, words: Sequence[WordTiming]) -> dict[str, str]:
    """vLLM-Omni's header: words without signs, times in steps of 80 ms; another past 4 KB."""
    told: list[dict[str, object]] = []
    for word in words:
        kept = "".join(one for one in text[word.start : word.end] if one.isalnum() or one == "'")
        start, end = (round(time_s / ALIGNER_S) * 80 for time_s in (word.start_s, word.end_s))
        if kept:
            told.append({"word": kept, "start_ms": start, "end_ms": end})
    header = json.dumps(told)
    if len(header) > MAX_HEADER_BYTES:
        return {"X-Word-Timestamps-Omitted": f"oversize; bytes={len(header)}; limit=4096"}
    return {"X-Word-Timestamps": header}
