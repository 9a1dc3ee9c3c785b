"""The languages that are declared here, by their tags. A language is loaded once it is needed."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from audiomill.inputs.languages.abbreviations import LATIN, Abbreviations
from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.languages.own_words import NO_WORDS, Announcements, CreditsWording

_DECLARED = frozenset(("de", "en", "es", "fr", "it", "nl", "pt", "ru"))
# Languages of which is known only that "3." is an ordinal.
_WITH_ORDINALS = frozenset(("cs", "da", "et", "fi", "hr", "hu", "is", "nb", "no", "pl", "sk", "sl"))
_UNKNOWN = Abbreviations(never_end=LATIN)
_ORDINALS_ONLY = Abbreviations(never_end=LATIN, has_ordinals=True)


def abbreviations(language: str) -> Abbreviations:
    """The table of a language (BCP 47); of one that is not declared, only the Latin ones."""
    declared = _declared(language)
    if declared is None:
        return _ORDINALS_ONLY if primary_subtag(language) in _WITH_ORDINALS else _UNKNOWN
    return declared.ABBREVIATIONS


def announcements(language: str) -> Announcements | None:
    """What announces notes, tables and the like in a language (BCP 47); None: nothing does."""
    return getattr(_declared(language), "ANNOUNCEMENTS", None)


def credits_wording(language: str) -> CreditsWording:
    """What credits say in a language (BCP 47), if the settings name no template."""
    return getattr(_declared(language), "CREDITS", NO_WORDS)


def all_credits_wordings() -> tuple[CreditsWording, ...]:
    """Those of all languages, and that without words."""
    return tuple(dict.fromkeys((NO_WORDS, *map(credits_wording, sorted(_DECLARED)))))


@lru_cache(maxsize=64)
def _declared(language: str) -> Any:
    """The module of a language, by its first subtag; None if it has none."""
    primary = primary_subtag(language)
    return import_module(f"audiomill.inputs.languages.{primary}") if primary in _DECLARED else None
