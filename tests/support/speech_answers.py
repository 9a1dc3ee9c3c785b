"""Audio as a stand-in for a server of speech answers it: files, streams, captions and batches.

body ─▶ samples (tones, or a lie) ─▶ file ─▶ whole, in chunks, or in events
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from audiomill.renderers.engine.protocol import WordTiming
from support import speech_replies as replies
from support.speech_audio import (
    COMPRESSED,
    MEDIA_TYPES,
    UNKNOWN,
    compressed,
    pcm16,
    spoken_samples,
    wav,
    word_timings,
)
from support.speech_checks import Body, recording_in, voice_in
from support.speech_profile import Profile
from support.speech_replies import Refusal, Reply, pieces_of
from support.speech_uploads import heard_in

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
MAX_ITEMS = 32  # of a batch of vLLM-Omni


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
    stall_s: float = 2.0
    latency_s: float = 0.0  # of a request
    char_latency_s: float = 0.0  # of a character of it
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


def lie_instead(lie: Lie | None, profile: Profile) -> Reply | None:
    """The answer of a server that sends no audio and says that all is well."""
    if lie == "page":
        return Reply(b"<!DOCTYPE html><title>Log in</title>", "text/html")
    if lie == "no gzip":
        return Reply(b"none", "audio/wav", headers={"Content-Encoding": "gzip"})
    if lie == "error with 200":
        return replies.json_reply(profile.error(Refusal(500, "CUDA out of memory")))
    return Reply(b"", "audio/wav") if lie == "empty" else None


def samples_of(profile: Profile, how: Behaviour, body: Body) -> NDArray[np.float32]:
    """What the server speaks for a request."""
    speed = body.get("speed") or 1.0 if profile.takes_speed else 1.0
    voice = profile.speaker(voice_in(body) or profile.voices[0])
    if profile.takes_recordings and recording_in(body):
        voice = repr(recording_in(body))
    if profile.uploads or profile.takes_recordings:
        voice = heard_in(body) or voice
    if how.lie == "default voice":
        voice = next(one for one in (*profile.voices, "another") if one != voice)
    samples = spoken_samples(body["input"], voice, speed, profile.sample_rate)
    if how.lie == "short":
        return samples[: samples.size // 3]
    return np.zeros_like(samples) if how.lie == "silence" else samples


def speech_reply(
    profile: Profile, how: Behaviour, body: Body, samples: NDArray[np.float32]
) -> Reply:
    """The answer to a request for speech."""
    if _wants_events(profile, how, body):
        return _events(profile, how, body, samples)
    content = file_of(profile, how, body, samples)
    if how.lie == "cut off":
        content = content[: len(content) // 2]
    headers = {"Content-Disposition": f"attachment; filename=speech.{format_of(profile, body)}"}
    if profile.has_batches:
        headers = {}
        if body.get("word_timestamps") and not how.is_older:
            headers = replies.aligned_words(body["input"], _words_of(profile, how, body))
    is_chunked = profile.is_chunked or _is_streamed(profile, body)
    return Reply(content, media_type_of(profile, body), headers=headers, is_chunked=is_chunked)


def format_of(profile: Profile, body: Body) -> str:
    asked = profile.only_format or body.get("response_format") or profile.default_format
    return asked if asked in MEDIA_TYPES else "wav"


def media_type_of(profile: Profile, body: Body) -> str:
    return MEDIA_TYPES[format_of(profile, body)]


def file_of(profile: Profile, how: Behaviour, body: Body, samples: NDArray[np.float32]) -> bytes:
    """The file in the format of the request, with the header that the server writes."""
    response_format, rate = format_of(profile, body), profile.sample_rate
    if response_format in COMPRESSED:
        return compressed(samples, rate, response_format)
    if response_format == "pcm":
        return pcm16(samples)
    if how.lie == "wrong rate":
        rate = 44_100 if rate != 44_100 else 24_000
    is_unknown = how.unknown_length
    if is_unknown is None:
        is_streamed = _is_streamed(profile, body)
        is_unknown = profile.wav_lengths == "unknown" or (
            profile.wav_lengths == "unknown if streamed" and is_streamed
        )
    length = UNKNOWN if is_unknown else None
    return wav(pcm16(samples), rate, length=length, extra=profile.wav_chunk)


def captions_reply(
    profile: Profile, how: Behaviour, body: Body, samples: NDArray[np.float32]
) -> Reply:
    """The answer of /dev/captioned_speech: one object, or one for each piece if it streams."""
    text, media_type = body["input"], media_type_of(profile, body)
    words = replies.tokens(text, _words_of(profile, how, body))
    if how.words_lie == "cut short":
        words = words[: len(words) // 2]
    if how.words_lie == "null" or not body.get("return_timestamps", True):
        words = None
    content = file_of(profile, how, body, samples)
    if not _is_streamed(profile, body):
        return replies.json_reply(replies.captions(content, media_type, words))
    # The words come with the first piece, whose audio holds only some of them.
    first, *others = pieces_of(content)
    objects = [replies.captions(first, media_type, words or [])]
    objects += [replies.captions(piece, media_type, []) for piece in others]
    return replies.json_lines(objects)


def _words_of(profile: Profile, how: Behaviour, body: Body) -> list[WordTiming]:
    """When each word of the text sounds, or a lie about it."""
    voice = profile.speaker(voice_in(body) or profile.voices[0])
    speed = body.get("speed") or 1.0
    text, late_s = body["input"], 60.0 if how.words_lie == "late" else 0.0
    words = word_timings(text, voice, speed)
    if how.words_lie == "other words":  # each has the place of its neighbour
        words = [replace(one, start=two.start, end=two.end) for one, two in pairwise(words)]
    return [replace(one, start_s=one.start_s + late_s, end_s=one.end_s + late_s) for one in words]


def items_of(body: Body) -> list[dict[str, Any]]:
    """The requests of a batch, each with what the batch says for all of them. No seed."""
    common = {name: value for name, value in body.items() if name not in ("items", "seed")}
    return [
        common | {name: value for name, value in item.items() if value is not None}
        for item in body.get("items", ())
    ]


def batch_reply(profile: Profile, how: Behaviour, body: Body) -> Reply:
    """The answer of vLLM-Omni's route for batches: an item that fails is an item of its own."""
    results = [
        {"index": index, **_item_result(profile, how, item)}
        for index, item in enumerate(items_of(body))
    ]
    succeeded = sum(result["status"] == "success" for result in results)
    counts = {
        "total": len(results),
        "succeeded": succeeded,
        "failed": len(results) - succeeded,
    }
    return replies.json_reply({"id": "speech-batch-0", "results": results, **counts})


def item_error(profile: Profile, how: Behaviour, item: Body) -> str:
    """Why an item of a batch gets no audio; "" if it does."""
    if item.get("input") in (*how.fails_on, *how.fails_in_batches):
        return "CUDA out of memory"
    refusals = (check(item) for check in profile.checks)
    return next((refusal.message for refusal in refusals if refusal), "")


def _item_result(profile: Profile, how: Behaviour, item: Body) -> dict[str, object]:
    if error := item_error(profile, how, item):
        return {"status": "error", "error": error}
    content = file_of(profile, how, item, samples_of(profile, how, item))
    if how.lie == "cut off":
        content = content[: len(content) // 2]
    coded = base64.b64encode(content).decode()
    return {"status": "success", "audio_data": coded, "media_type": media_type_of(profile, item)}


def _wants_events(profile: Profile, how: Behaviour, body: Body) -> bool:
    if not profile.events:
        return False
    asked = body.get("stream_format") == "sse"
    if profile.events == "sglang":
        asked = bool(body.get("stream"))
    if profile.events == "vllm":
        asked = asked or (bool(body.get("stream")) and body.get("stream_format") != "audio")
    return how.stream or asked


def _is_streamed(profile: Profile, body: Body) -> bool:
    is_audio = profile.events == "vllm" and body.get("stream_format") == "audio"
    return is_audio or bool(body.get("stream", profile.streams))


def _events(profile: Profile, how: Behaviour, body: Body, samples: NDArray[np.float32]) -> Reply:
    response_format, rate = format_of(profile, body), profile.sample_rate
    if profile.events == "travisvn":
        return replies.travisvn_events(pieces_of(pcm16(samples)), rate)
    if profile.events == "sglang":  # a file for each half of a second
        parts = np.split(samples, range(rate // 2, samples.size, rate // 2))
        files = [file_of(profile, how, body, part) for part in parts]
        return replies.sglang_events(files, rate, response_format)
    pieces = pieces_of(file_of(profile, how, {**body, "stream": True}, samples))
    if profile.events == "vllm":
        return replies.vllm_events(pieces, response_format)
    if profile.events == "speaches":
        return replies.speaches_events(pieces)
    return replies.openai_events(pieces)
