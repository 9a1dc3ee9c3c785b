"""Voices and mixes of voices as a user writes them. Knows no files and no torch.

af_bella(2)+af_sky-am_adam(0.5)     an expression: voices with weights
af_bella@fr-FR                      a voice that pronounces another language than its own
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import TYPE_CHECKING

from audiomill.inputs.languages.codes import BRITISH_REGIONS, two_letter_code
from audiomill.renderers.engine.errors import UnknownVoice
from audiomill.renderers.kokoro.g2p.languages import LANGUAGES, Language, language_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Characters of an expression at most. Python parses no number with more than 4300 digits.
MAX_EXPRESSION_CHARS = 1000
MAX_TOTAL_WEIGHT = 10**12  # of a mix: float64 represents these numbers exactly

_PART = re.compile(
    r"\s*(?P<joint>[-+,])?\s*(?P<name>\w+)\s*(?:\(\s*(?P<weight>\d+(?:\.\d+)?)\s*\)\s*)?",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Mix:
    """Voices and their weights: whole numbers without a common divisor, never 0.

    Mixes that sound the same are equal, however they were written.
    """

    weights: tuple[tuple[str, int], ...]  # the first is positive, the others are sorted by name
    pronounced: Language | None = None  # never that of the first voice; None: that one

    @property
    def total(self) -> int:
        """The divisor of the weighted sum: the sum of all weights without their signs."""
        return sum(abs(weight) for _, weight in self.weights)

    @property
    def language(self) -> Language:
        """The language that is pronounced, which is by default that of the first voice.

        Raises UnknownVoice if the name of the first voice has no language.
        """
        return self.pronounced or language_of(self.weights[0][0])

    def in_language(self, language: str) -> Mix:
        """The mix that pronounces `language` (BCP 47), in any region. Raises UnknownVoice."""
        if self.language.code in codes_of(language):
            return self
        return _pronouncing(self, _pronounced(language))

    def fingerprint(self, digest_of: Callable[[str], str]) -> str:
        """The language, the digests of the packs and their weights. Names of voices do not matter.

        `digest_of` gives the digest of a voice's pack. Raises UnknownVoice, and what it raises.
        """
        packs = sorted((digest_of(name), weight) for name, weight in self.weights)
        return " ".join((self.language.code, *(f"{weight}*{digest}" for digest, weight in packs)))

    def mixed(self, packs: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32]:
        """The weighted mean of `packs`. A single voice gives its own pack, bit for bit.

        The sum is float64, so that in effect only its result is rounded.
        """
        first, *others = (weight * packs[name].astype("float64") for name, weight in self.weights)
        return (sum(others, start=first) / self.total).astype("float32")

    def __str__(self) -> str:
        """The canonical expression, which `parse_mix` parses to an equal mix."""
        written = (
            f"{'-' if weight < 0 else '+'}{name}{'' if abs(weight) == 1 else f'({abs(weight)})'}"
            for name, weight in self.weights
        )
        pronounced = f"@{self.pronounced.tag}" if self.pronounced else ""
        return "".join(written).removeprefix("+") + pronounced


@lru_cache(maxsize=256)  # for each segment several times, of the few voices of a book
def parse_mix(expression: str) -> Mix:
    """Parse an expression. The voices may not exist. Raises UnknownVoice for invalid syntax."""
    if len(expression) > MAX_EXPRESSION_CHARS:
        raise UnknownVoice(f"A voice of {len(expression)} characters: {_shown(expression)}")
    voices, at_sign, language = expression.partition("@")
    mix = _parse_voices(voices)
    return _pronouncing(mix, _pronounced(language.strip())) if at_sign else mix


def _pronouncing(mix: Mix, language: Language) -> Mix:
    own = _code_of(mix.weights[0][0])
    return Mix(mix.weights, None if language.code == own else language)


def _code_of(name: str) -> str:
    """The letter of a voice's language; "" for an unofficial name without one."""
    return language_of(name).code if has_language(name) else ""


def _pronounced(language: str) -> Language:
    """What Kokoro pronounces for a language (BCP 47), best for its region. Raises UnknownVoice."""
    by_tag = {known.tag.lower(): known for known in LANGUAGES.values()}
    if language.lower() in by_tag:
        return by_tag[language.lower()]
    for code in codes_of(language):
        return LANGUAGES[code]
    known = ", ".join(known.tag for known in LANGUAGES.values())
    raise UnknownVoice(f"Kokoro does not pronounce {language!r}. It pronounces {known}.")


def _parse_voices(expression: str) -> Mix:
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
    if mix.total > MAX_TOTAL_WEIGHT:
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
    """The mix with these weights, scaled to coprime whole numbers, in canonical order."""
    scale = Fraction(
        lcm(*(weight.denominator for weight in weights.values())),
        gcd(*(weight.numerator for weight in weights.values())),
    )
    whole = {name: int(weights[name] * scale) for name in sorted(weights)}
    first = _leading_voice(weights)
    return Mix(((first, whole.pop(first)), *whole.items()))


def _leading_voice(weights: dict[str, Fraction]) -> str:
    """The voice to write first: of those with the first one's language, the first by name.

    Only voices with a positive weight qualify. The language of the mix does not change.
    """
    first, *_ = weights
    candidates = (name for name, weight in weights.items() if weight > 0 and name[0] == first[0])
    return min(candidates)


def _unreadable(expression: str, rest: str) -> UnknownVoice:
    where = f" at {rest.strip()!r}" if rest.strip() and rest != expression else ""
    return UnknownVoice(
        f"{expression!r} is no voice{where}. Write a name, or names joined by + or -, each with"
        " its weight if it has one: af_bella(2)+af_sky(0.5)."
    )


def has_language(name: str) -> bool:
    """True if the name contains a language. An unofficial pack may have any name."""
    try:
        language_of(name)
    except UnknownVoice:
        return False
    return True


def codes_of(language: str) -> list[str]:
    """Kokoro's letters for a language, the best match for its region first."""
    primary, *rest = language.lower().replace("_", "-").split("-")
    primary = {"cmn": "zh"}.get(primary, two_letter_code(primary))
    codes = [code for code, known in LANGUAGES.items() if known.tag.split("-")[0] == primary]
    return codes[::-1] if BRITISH_REGIONS & set(rest) else codes
