"""The languages that are declared here, by their tags. A language is loaded once it is needed."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from audiomill.inputs.languages.abbreviations import LATIN, Abbreviations

_DECLARED = frozenset(("de", "en", "es", "fr", "it", "nl", "pt", "ru"))
# Languages of which is known only that "3." is an ordinal.
_WITH_ORDINALS = frozenset(("cs", "da", "et", "fi", "hr", "hu", "is", "nb", "no", "pl", "sk", "sl"))
_UNKNOWN = Abbreviations(never_end=LATIN)
_ORDINALS_ONLY = Abbreviations(never_end=LATIN, has_ordinals=True)


@lru_cache(maxsize=64)
def abbreviations(language: str) -> Abbreviations:
    """Return the table of a BCP 47 tag, by its first subtag.

    An unknown language has only the Latin abbreviations.
    """
    primary = language.lower().partition("-")[0]
    if primary not in _DECLARED:
        return _ORDINALS_ONLY if primary in _WITH_ORDINALS else _UNKNOWN
    module = import_module(f"audiomill.inputs.languages.{primary}")
    table: Abbreviations = module.ABBREVIATIONS
    return table
