"""The voices of a model: which there are, which one speaks a language, where each one's pack lies.

Knows no torch: see `packs.py` for what is in a pack.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from pathlib import Path

from audiomill.inputs.languages import shortest
from audiomill.renderers.base import UnknownVoice, Voice
from audiomill.renderers.espeak.voices import BRITISH
from audiomill.renderers.kokoro.languages import LANGUAGES, Language, language_of
from audiomill.renderers.kokoro.weights import hub
from audiomill.renderers.kokoro.weights.files import Location, packs_in
from audiomill.renderers.kokoro.weights.hub import verified_sha256, check_intact
from audiomill.renderers.kokoro.weights.releases import FIRST_CHOICES, V1_0, Release, voice_file

# What a voice expression means:

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


GENDERS = {"f": "female", "m": "male"}
ALL = "All: audiomill voices --engine kokoro"


@dataclass(frozen=True, slots=True)
class PackFile:
    """A voice at rest."""

    path: Path
    sha256: str  # of the whole file, in hexadecimal


class KokoroVoices:
    """The voices in the folder `place`, and no others; without one, all those of `release`.

    Raises EngineMissing if the folder has none. A voice of a release is fetched when its pack is
    first asked for.
    """

    def __init__(self, place: Location, release: Release = V1_0) -> None:
        self._release = release
        self._paths = {} if place is None else packs_in(Path(place))
        self._names = tuple(sorted(release.voices if place is None else self._paths))
        self._packs: dict[str, PackFile] = {}
        self.voices = tuple(_described(name) for name in self._names if _speaks(name))

    def resolve(self, expression: str) -> Mix:
        """What a voice expression means. Raises UnknownVoice, with names that are close."""
        mix = parse_mix(expression)
        for name, _ in mix.weights:
            if name not in self._names:
                raise self._unknown(name, expression)
        return mix

    def for_language(self, language: str) -> str:
        """The voice for text in `language` (BCP 47) when none is asked for. Raises UnknownVoice."""
        speaking = [
            name
            for code in _codes(language)
            for name in (*FIRST_CHOICES, *self._names)
            if name in self._names and name.startswith(code) and _speaks(name)
        ]
        if not speaking:
            raise UnknownVoice(
                f"Kokoro has no voice here that speaks {language!r}. Choose one. {ALL}"
            )
        return speaking[0]

    def pack(self, name: str) -> PackFile:
        """Where the pack of one voice is, fetched if need be.

        Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        if name not in self._names:
            raise self._unknown(name, name)
        if name not in self._packs:
            self._packs[name] = self._found(name)
        return self._packs[name]

    def fingerprint(self, expression: str) -> str:
        """What decides the sound of a voice expression, whatever its packs are called.

        Raises UnknownVoice, EngineMissing, WeightsUnfit.
        """
        mix = self.resolve(expression)
        packs = sorted((self.pack(name).sha256, weight) for name, weight in mix.weights)
        return " ".join((mix.language.code, *(f"{weight}*{sha256}" for sha256, weight in packs)))

    def _found(self, name: str) -> PackFile:
        if path := self._paths.get(name):
            published = ""  # somebody's own
        else:
            path = hub.fetch(self._release, voice_file(name))
            published = self._release.voices[name]
        sha256 = verified_sha256(path, published)
        check_intact(path)
        return PackFile(path, sha256)

    def _unknown(self, name: str, expression: str) -> UnknownVoice:
        close = difflib.get_close_matches(name, self._names, n=4, cutoff=0.5)
        hint = f" Did you mean {', '.join(close)}?" if close else ""
        of = f" (in {expression!r})" if name != expression else ""
        return UnknownVoice(f"Kokoro has no voice {name!r}{of}.{hint} {ALL}")


def _described(name: str) -> Voice:
    language = language_of(name)
    return Voice(name, language.tag, GENDERS[name[1]], language.name)


def _speaks(name: str) -> bool:
    """Whether the name says which language: somebody's own pack may be called anything."""
    try:
        language_of(name)
    except UnknownVoice:
        return False
    return True


def _codes(language: str) -> list[str]:
    """Kokoro's letters for a language, the one that fits its region best first."""
    primary, *rest = language.lower().replace("_", "-").split("-")
    primary = {"cmn": "zh"}.get(primary, shortest(primary))
    codes = [code for code, one in LANGUAGES.items() if one.tag.split("-")[0] == primary]
    return codes[::-1] if set(rest) & set(BRITISH.split()) else codes
