"""What a voice expression means: `af_bella(2)+af_sky(1)`. Knows no files and no tensors.

    af_heart                 one voice
    af_bella+af_sky          both alike; af_bella,af_sky is the same
    af_bella(2)+af_sky(1)    two parts of one, one part of the other
    af_bella(2)-af_sky(1)    away from the other

The sum of ± weight × pack is divided by the sum of the weights without their signs. The first
voice decides the language. Source: `_get_voices_path` in api/src/services/tts_service.py of
remsky/Kokoro-FastAPI for weights and signs; `load_voice` in kokoro/pipeline.py for the comma.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from renderers.kokoro.languages import Language, language_of
from renderers.shard import UnknownVoice

MOST_CHARS = 1000  # of an expression; Python reads no number of over 4300 digits
MOST_PARTS = 10**12  # that a mix is made of: float64 can count them

_PART = re.compile(
    r"\s*(?P<joint>[-+,])?\s*(?P<name>\w+)\s*(?:\(\s*(?P<weight>\d+(?:\.\d+)?)\s*\)\s*)?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Mix:
    """Voices and what each weighs: whole numbers without a common divisor, never 0.

    Equal mixes sound alike, and mixes that are written differently but sound alike are equal.
    """

    weights: tuple[tuple[str, int], ...]  # the first is positive; those after it are sorted

    @property
    def total(self) -> int:
        """What the weighted sum is divided by."""
        return sum(abs(weight) for _, weight in self.weights)

    @property
    def language(self) -> Language:
        """The first voice's. Raises UnknownVoice if its name does not say."""
        return language_of(self.weights[0][0])

    def __str__(self) -> str:
        """The one way to write it; `parse_mix` reads it back."""
        written = (
            f"{'-' if weight < 0 else '+'}{name}{'' if abs(weight) == 1 else f'({abs(weight)})'}"
            for name, weight in self.weights
        )
        return "".join(written).removeprefix("+")


def parse_mix(expression: str) -> Mix:
    """The voices that are named, which may not exist. Raises UnknownVoice with what is wrong."""
    if len(expression) > MOST_CHARS:
        raise UnknownVoice(f"A voice of {len(expression)} characters: {_shown(expression)}")
    weights: dict[str, Fraction] = {}
    at = 0
    while at < len(expression) or not weights:
        part = _PART.match(expression, at)
        if part is None or bool(part["joint"]) != bool(weights):
            raise _unreadable(expression, expression[at:])
        if part["name"] in weights:
            raise UnknownVoice(f"{expression!r} names {part['name']} twice: add up its weights.")
        weights[part["name"]] = _weight(expression, part)
        at = part.end()
    mix = _canonical(weights)
    if mix.total > MOST_PARTS:
        raise UnknownVoice(
            f"The weights of {_shown(expression)} are too far apart, or too fine, to be heard."
            " Write small numbers: af_bella(2)+af_sky(0.5)."
        )
    return mix


def _shown(expression: str) -> str:
    return repr(expression if len(expression) <= 60 else f"{expression[:60]}…")


def _weight(expression: str, part: re.Match[str]) -> Fraction:
    weight = Fraction(part["weight"] or 1)
    if not weight:
        raise UnknownVoice(f"{expression!r}: {part['name']} weighs nothing. Leave it out.")
    return -weight if part["joint"] == "-" else weight


def _canonical(weights: dict[str, Fraction]) -> Mix:
    scale = Fraction(
        lcm(*(weight.denominator for weight in weights.values())),
        gcd(*(weight.numerator for weight in weights.values())),
    )
    whole = {name: int(weights[name] * scale) for name in sorted(weights)}
    first = _spokesman(weights)
    return Mix(((first, whole.pop(first)), *whole.items()))


def _spokesman(weights: dict[str, Fraction]) -> str:
    """Of the voices that could stand first without changing the language, the first by name."""
    first, *_ = weights
    alike = (name for name, weight in weights.items() if weight > 0 and name[0] == first[0])
    return min(alike)


def _unreadable(expression: str, rest: str) -> UnknownVoice:
    where = f" at {rest.strip()!r}" if rest.strip() and rest != expression else ""
    return UnknownVoice(
        f"{expression!r} is no voice{where}. Write a name, or names joined by + or -, each with"
        " its weight if it has one: af_bella(2)+af_sky(0.5)."
    )
