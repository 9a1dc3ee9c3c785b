"""What Orpheus gets for a text, and how much it may say. Pure.

    128259  128000  tara: text  128009  128260  128261  128257  ─▶  audio tokens …  128258
    human   begin   (its ids)   end     human   model   speech                      speech
    begins  of text             of text ends    begins  begins                      ends

The prompt is sent as ids. As a string it would get a second begin-of-text, and a text with
"<|eot_id|>" in it would end the prompt. Sources: the finetuned model's notebook, issue 76 of
canopyai/Orpheus-TTS, and `engine_class.py` of orpheus-speech 0.1.0.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SAMPLE_RATE = 24_000
FRAME_SAMPLES = 2048
FRAME_TOKENS = 7

BEGIN = (128_259, 128_000)
END = (128_009, 128_260, 128_261, 128_257)
END_OF_SPEECH = 128_258  # custom_token_2

# Characters of speech a second. Nobody is as slow or as fast, but a reader who runs away, and one
# who gives up.
SLOWEST_CHARS_PER_S, FASTEST_CHARS_PER_S = 6.0, 45.0
LEAST_S = 2.0  # that any text may take
WIDE_CHARS = 3  # Latin letters that a character of Chinese, Korean or a digit takes as long as


@dataclass(frozen=True, slots=True)
class Sampling:
    """How tokens are drawn. Below a `repeat_penalty` of 1.1 the model is unstable (its README)."""

    temperature: float = 0.6
    top_p: float = 0.9
    repeat_penalty: float = 1.1


def said_by(voice: str, text: str) -> str:
    """The text as the model was trained on it: after the speaker's name."""
    return f"{voice}: {' '.join(text.split())}"


def prompt_ids(text_ids: Sequence[int]) -> list[int]:
    """The prompt, from the ids of `said_by`."""
    return [*BEGIN, *text_ids, *END]


def completion_body(
    prompt: Sequence[int], n_predict: int, seed: int, sampling: Sampling
) -> dict[str, Any]:
    """The body of `POST /completion` of llama-server.

    What decides the sound is all there: a server may have been started with other defaults.
    Streamed, so that it can be stopped at the end of speech, which GGUF files do not mark as the
    end of the text.
    """
    return {
        "prompt": list(prompt),
        "n_predict": n_predict,
        "seed": seed,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "top_k": 40,
        "min_p": 0.05,
        "repeat_penalty": sampling.repeat_penalty,
        "repeat_last_n": 64,
        "cache_prompt": False,  # with it, a text would depend on the one before
        "return_tokens": True,
        "stream": True,
    }


def max_tokens(text: str) -> int:
    """The most tokens that `text` may take: the server's default of 1200 would be 14.6 s."""
    longest_s = LEAST_S + n_letters(text) / SLOWEST_CHARS_PER_S
    return FRAME_TOKENS * math.ceil(longest_s * SAMPLE_RATE / FRAME_SAMPLES) + 1


def least_frames(text: str) -> int:
    """The fewest frames in which `text` can be said."""
    return max(1, int(n_letters(text) / FASTEST_CHARS_PER_S * SAMPLE_RATE / FRAME_SAMPLES))


def n_letters(text: str, voice: str = "") -> int:  # noqa: ARG001 - the same for all
    """The length of a text in letters of an alphabet, for which Chinese and digits count more."""
    return sum(WIDE_CHARS if _is_long(one) else 1 for one in text)


def _is_long(character: str) -> bool:
    return character.isdigit() or unicodedata.east_asian_width(character) in "WF"
