"""The languages that are declared in this folder, which are found by their tags.

A language is a folder with its words in `declaration.py`. It may also have `dialogue.py`,
`formulas.py`, and its grammar in `rules.py`. Each is loaded once it is needed.
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
from audiomill.inputs.languages.demo_sentences import SENTENCES
from audiomill.inputs.languages.dialogue import DialogueConventions
from audiomill.inputs.languages.formula_words import FormulaWords
from audiomill.inputs.languages.own_words import NO_WORDS, Announcements, CreditsWording

if TYPE_CHECKING:
    from audiomill.inputs.spoken.rules import Grammar

# Languages of which is known only that "3." is an ordinal.
_WITH_ORDINALS = frozenset(("cs", "da", "et", "fi", "hr", "hu", "is", "nb", "no", "pl", "sk", "sl"))
# The same for »this«.
_WITH_REVERSED_GUILLEMETS = frozenset(("cs", "da", "hr", "hu", "pl", "sk", "sl"))
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


def dialogue(language: str) -> DialogueConventions | None:
    """How a language (BCP 47) prints speech; None if that is not known here."""
    return getattr(_part(language, "dialogue"), "DIALOGUE", None)


def formula_wording(language: str) -> FormulaWords:
    """The words of a language (BCP 47) for formulas; English ones if it has none here."""
    module = _part(language, "formulas") or _part("en", "formulas")
    return module.FORMULAS


def demo_sentence(language: str) -> str:
    """A sentence in a language (BCP 47) by which a voice shows how it sounds; "" without one."""
    other = SENTENCES.get(primary_subtag(language), "")
    return getattr(_declared(language), "DEMO_SENTENCE", other)


@lru_cache(maxsize=64)
def has_reversed_guillemets(language: str) -> bool:
    """Whether a language (BCP 47) quotes »like this«."""
    is_other = primary_subtag(language) in _WITH_REVERSED_GUILLEMETS
    return getattr(_declared(language), "HAS_REVERSED_GUILLEMETS", is_other)


def grammar(language: str) -> Grammar | None:
    """The grammar of a primary language subtag, in lower case; None if it has none here."""
    module = _part(language, "rules")
    return module and module.GRAMMAR


@cache
def _declared_tags() -> frozenset[str]:
    folders = (one.name for one in iter_modules([str(Path(__file__).parent)]) if one.ispkg)
    return frozenset(folders)


def _declared(language: str) -> Any:
    return _part(language, "declaration")


@lru_cache(maxsize=64)
def _part(language: str, part: str) -> Any:
    """A module of the folder of a language (BCP 47); None if it has none."""
    primary = primary_subtag(language)
    name = f"{__package__}.{primary}.{part}"
    found = primary in _declared_tags() and find_spec(name)
    return import_module(name) if found else None
