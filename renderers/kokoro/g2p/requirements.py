"""Which packages read a language, whether they are here, and in which versions. Imports none.

A fingerprint says everything that decides phonemes: it goes into the keys of shards.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

from audiomill.renderers.base import EngineMissing
from audiomill.renderers.kokoro.g2p.english_tagger import RULES as TAGGER_RULES
from audiomill.renderers.kokoro.languages import Language

RULES = 1  # raised by hand when phonemes change though no package does
ENGLISH_MODEL = "en_core_web_sm"  # spaCy's, and the one that misaki would use

_ESPEAK = ("misaki", "phonemizer-fork", "espeakng-loader")
_ENGLISH = (*_ESPEAK, "spacy", "num2words")
# By the language's code. Japanese and Chinese texts hold English words.
_PACKAGES = {
    **dict.fromkeys("ab", _ENGLISH),
    **dict.fromkeys("efhip", _ESPEAK),
    "j": (*_ENGLISH, "fugashi", "jaconv", "mojimoji"),
    "z": (*_ENGLISH, "cn2an", "jieba", "ordered-set", "pypinyin", "pypinyin-dict"),
}
_DICTIONARIES = ("unidic", "unidic-lite")  # fugashi takes the first that is here
_EXTRAS = {"j": "kokoro-ja", "z": "kokoro-zh"}


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The phonemes that a model knows, and the release whose conventions it follows."""

    vocab: frozenset[str]
    release: str = "v1.0"  # or "v1.1-zh", which reads Chinese in another way

    @property
    def fingerprint(self) -> str:
        """A hash of the phonemes, and the release."""
        phonemes = "".join(sorted(self.vocab)).encode("utf-8", "surrogatepass")
        return f"{self.release} {hashlib.sha256(phonemes).hexdigest()[:12]}"


def fingerprint_of(language: Language, alphabet: Alphabet) -> str:
    """All that decides the phonemes of a text. Raises EngineMissing."""
    versions = require(language)
    tags = (_tagger(),) if language.code in "abjz" else ()
    return "; ".join([language.tag, f"rules {RULES}", *versions, *tags, alphabet.fingerprint])


def warnings_of(language: Language) -> tuple[str, ...]:
    """What a listener should know before a book is read."""
    if language.code not in "ab" or is_tagged():
        return ()
    return (
        f"spaCy's model {ENGLISH_MODEL} is not installed: English words that are spelled alike"
        " and said differently (“read”, “wind”, “record”) are told apart by simple rules, and"
        f" some wrongly. Install it: python -m spacy download {ENGLISH_MODEL}",
    )


def is_tagged() -> bool:
    """Whether spaCy's English model is installed."""
    return _version(ENGLISH_MODEL) is not None


def require(language: Language) -> tuple[str, ...]:
    """The packages that read a language, with versions. Raises EngineMissing if one is missing."""
    found = {name: _version(name) for name in _PACKAGES[language.code]}
    lacking = [name for name, number in found.items() if number is None]
    dictionaries = {name: _version(name) for name in _DICTIONARIES if language.code == "j"}
    if language.code == "j" and not any(dictionaries.values()):
        lacking.append(_DICTIONARIES[-1])
    if lacking:
        raise cannot_read(language, f"{', '.join(lacking)} not installed")
    return tuple(f"{name} {number}" for name, number in (found | dictionaries).items() if number)


def cannot_read(language: Language, why: str) -> EngineMissing:
    """The error that says how to install what a language needs."""
    extra = _EXTRAS.get(language.code, "kokoro")
    return EngineMissing(
        f"{language.name} cannot be read: {why}. Install what it needs: make setup EXTRAS={extra}"
        f" (or pip install -e '.[{extra}]')"
    )


def _tagger() -> str:
    number = _version(ENGLISH_MODEL)
    return f"{ENGLISH_MODEL} {number}" if number else f"tags by rule {TAGGER_RULES}"


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


# How misaki and the libraries below it behave towards text that they do not expect.

# Numbers beyond all names, phonemes without a vowel, words without a reading, and so on: each is
# met by reading less at a time, and what cannot be read at all is left out with a remark.
BREAKS = (ArithmeticError, AssertionError, LookupError, StopIteration, TypeError, ValueError)

# phonemizer tells a logger of every text whose words it cannot count.
QUIET = logging.Logger("quiet", logging.CRITICAL + 1)
