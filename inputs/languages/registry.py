"""The languages that are declared in this folder, which are found by their tags.

A language is a folder with its words in `declaration.py`, and its grammar, if it has one, in
`rules.py`. Each is loaded once it is needed.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from audiomill.inputs.languages.abbreviations import LATIN, Abbreviations
from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.languages.own_words import NO_WORDS, Announcements, CreditsWording

if TYPE_CHECKING:
    from audiomill.inputs.spoken.rules import Grammar


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
    return tuple(dict.fromkeys((NO_WORDS, *map(credits_wording, sorted(_declared_tags())))))


def grammar(language: str) -> Grammar | None:
    """The grammar of a primary language subtag, in lower case; None if it has none here."""
    name = f"{__package__}.{language}.rules"
    if language not in _declared_tags() or find_spec(name) is None:
        return None
    return import_module(name).GRAMMAR


@cache
def _declared_tags() -> frozenset[str]:
    folders = (one.name for one in iter_modules([str(Path(__file__).parent)]) if one.ispkg)
    return frozenset(folders)


@lru_cache(maxsize=64)
def _declared(language: str) -> Any:
    """The declaration of a language, by its first subtag; None if it has none."""
    primary = primary_subtag(language)
    if primary not in _declared_tags():
        return None
    return import_module(f"{__package__}.{primary}.declaration")
