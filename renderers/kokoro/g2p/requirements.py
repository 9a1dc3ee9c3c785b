"""The packages that each language's G2P needs: presence, versions and fingerprints.

Imports none of these packages: planning reads fingerprints without loading them. A fingerprint
contains everything that decides phonemes, and is part of the keys of shards.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.host.installation import this_installation
from audiomill.renderers.kokoro.g2p.english_tagger import RULES_VERSION as ENGLISH_RULES_VERSION
from audiomill.renderers.kokoro.g2p.languages import Language

# Increase it whenever phonemes change without a change of a package.
RULES_VERSION = 1
_OWN_RULES = {"j": 2}  # of a language whose rules have changed since, by its code
ENGLISH_MODEL = "en_core_web_sm"  # of spaCy; misaki uses the same

# Errors that misaki and its libraries raise for unexpected text: numbers that are too large,
# phonemes without a vowel, words without a reading, and so on. Callers convert smaller parts of
# the text, and leave out, with a remark, those that still fail.
TEXT_ERRORS = (ArithmeticError, AssertionError, LookupError, StopIteration, TypeError, ValueError)

# For phonemizer, which warns of every text whose words it cannot count.
SILENT_LOGGER = logging.Logger("quiet", logging.CRITICAL + 1)

_ESPEAK = ("misaki", "phonemizer-fork", "espeakng-loader")
_ENGLISH = (*_ESPEAK, "spacy", "num2words")
# By language code. Japanese and Chinese texts contain English words.
_PACKAGES = {
    **dict.fromkeys("ab", _ENGLISH),
    **dict.fromkeys("efhip", _ESPEAK),
    "j": (*_ENGLISH, "fugashi", "jaconv", "mojimoji"),
    "z": (*_ENGLISH, "cn2an", "jieba", "ordered-set", "pypinyin", "pypinyin-dict"),
}
_DICTIONARIES = ("unidic", "unidic-lite")  # fugashi uses the first that is installed
_EXTRAS = {"j": "-ja", "z": "-zh"}  # after the extra of the engine


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The phonemes that a model knows, and the release whose conventions it follows."""

    vocab: frozenset[str]
    release: str = "v1.0"  # or "v1.1-zh", which writes Mandarin in bopomofo

    @property
    def fingerprint(self) -> str:
        """The release and a hash of the phonemes."""
        phonemes = "".join(sorted(self.vocab)).encode("utf-8", "surrogatepass")
        return f"{self.release} {hashlib.sha256(phonemes).hexdigest()[:12]}"


def fingerprint_of(language: Language, alphabet: Alphabet) -> str:
    """Everything that decides the phonemes of a text. Raises EngineMissing, like `require`."""
    versions = require(language)
    tagger = (_tagger_version(),) if language.code in "abjz" else ()
    rules = f"rules {_OWN_RULES.get(language.code, RULES_VERSION)}"
    return "; ".join([language.tag, rules, *versions, *tagger, alphabet.fingerprint])


def warnings_of(language: Language) -> tuple[str, ...]:
    """Warnings about the installation that a user should read before a book is rendered."""
    if language.code not in "ab" or has_english_model():
        return ()
    return (
        f"spaCy's model {ENGLISH_MODEL} is not installed: English words that are spelled alike"
        " and said differently (“read”, “wind”, “record”) are told apart by simple rules, and"
        f" some wrongly. Install it: python -m spacy download {ENGLISH_MODEL}",
    )


def has_english_model() -> bool:
    """True if spaCy's English model is installed and tags parts of speech."""
    return _installed_version(ENGLISH_MODEL) is not None


def require(language: Language) -> tuple[str, ...]:
    """The packages that a language needs, as "name version".

    Raises EngineMissing if one is not installed.
    """
    packages = {name: _installed_version(name) for name in _PACKAGES[language.code]}
    missing = [name for name, number in packages.items() if number is None]
    dictionaries = {
        name: _installed_version(name) for name in _DICTIONARIES if language.code == "j"
    }
    if language.code == "j" and not any(dictionaries.values()):
        missing.append(_DICTIONARIES[-1])
    if missing:
        raise cannot_read(language, f"{', '.join(missing)} not installed")
    installed = packages | dictionaries
    return tuple(f"{name} {number}" for name, number in installed.items() if number)


def cannot_read(language: Language, why: str) -> EngineMissing:
    """An error that says why a language cannot be read, and how to install its packages."""
    engine = "kokoro" if find_spec("torch") else "kokoro-onnx"
    extra = f"{engine}{_EXTRAS.get(language.code, '')}"
    return EngineMissing(
        f"{language.name} cannot be read: {why}. {this_installation().hint(extra)}"
    )


def _tagger_version() -> str:
    number = _installed_version(ENGLISH_MODEL)
    tags = f"{ENGLISH_MODEL} {number}" if number else "tags by rule"
    return f"{tags} {ENGLISH_RULES_VERSION}"


def _installed_version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
