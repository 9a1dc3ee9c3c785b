"""The languages that are declared in this folder, which are found by their tags.

A language is a folder with its words in `declaration.py`. It may also have `formulas.py`, and its
grammar in `rules.py`. Each is loaded once it is needed.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.languages.declaration import (
    LATIN,
    NO_WORDS,
    Abbreviations,
    Announcements,
    CreditsWording,
    DialogueConventions,
    FormulaWords,
)

if TYPE_CHECKING:
    from audiomill.inputs.spoken.rules import Grammar

# Languages of which is known only that "3." is an ordinal.
_WITH_ORDINALS = frozenset(("cs", "da", "et", "fi", "hr", "hu", "is", "nb", "no", "pl", "sk", "sl"))
# The same for »this«.
_WITH_REVERSED_GUILLEMETS = frozenset(("cs", "da", "hr", "hu", "pl", "sk", "sl"))
# By which a voice shows how it sounds, in languages that are not declared.
_DEMO_SENTENCES = {
    "af": "Goeienaand. So klink ek wanneer ek 'n boek lees.",
    "ar": "مساء الخير. هذا صوتي حين أقرأ كتابا.",
    "bg": "Добър вечер. Така звучи гласът ми, когато чета книга.",
    "ca": "Bona nit. Així sona la meva veu quan llegeixo un llibre.",
    "cs": "Dobrý večer. Takhle zní můj hlas, když čtu knihu.",
    "da": "Godaften. Sådan lyder jeg, når jeg læser en bog.",
    "el": "Καλησπέρα. Έτσι ακούγεται η φωνή μου όταν διαβάζω ένα βιβλίο.",
    "eo": "Bonan vesperon. Tiel sonas mia voĉo, kiam mi legas libron.",
    "et": "Tere õhtust. Nii kõlab mu hääl, kui ma raamatut loen.",
    "fa": "عصر بخیر. این صدای من است وقتی کتاب می‌خوانم.",
    "fi": "Hyvää iltaa. Tältä kuulostan, kun luen kirjaa.",
    "he": "ערב טוב. כך נשמע קולי כשאני קורא ספר.",
    "hi": "नमस्ते। किताब पढ़ते समय मेरी आवाज़ ऐसी होती है।",
    "hr": "Dobra večer. Ovako zvuči moj glas kad čitam knjigu.",
    "hu": "Jó estét! Így szól a hangom, amikor könyvet olvasok.",
    "id": "Selamat malam. Beginilah suara saya ketika membaca buku.",
    "ja": "こんばんは。本を読むときの私の声です。",
    "ko": "안녕하세요. 책을 읽을 때 제 목소리입니다.",
    "la": "Salve. Sic sonat vox mea cum librum lego.",
    "nb": "God kveld. Slik høres jeg ut når jeg leser en bok.",
    "pl": "Dobry wieczór. Tak brzmi mój głos, kiedy czytam książkę.",
    "ro": "Bună seara. Așa sună vocea mea când citesc o carte.",
    "sk": "Dobrý večer. Takto znie môj hlas, keď čítam knihu.",
    "sl": "Dober večer. Tako zveni moj glas, ko berem knjigo.",
    "sv": "God kväll. Så här låter jag när jag läser en bok.",
    "tr": "İyi akşamlar. Kitap okurken sesim böyle.",
    "uk": "Добрий вечір. Так звучить мій голос, коли я читаю книгу.",
    "vi": "Xin chào. Đây là giọng của tôi khi đọc sách.",
    "yue": "晚上好。我讀書嘅聲音係咁樣嘅。",
    **dict.fromkeys(("cmn", "zh"), "晚上好。这是我读书的声音。"),
}
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
    return getattr(_declared(language), "DIALOGUE", None)


def formula_wording(language: str) -> FormulaWords:
    """The words of a language (BCP 47) for formulas; English ones if it has none here."""
    module = _part(language, "formulas") or _part("en", "formulas")
    return module.FORMULAS


def demo_sentence(language: str) -> str:
    """A sentence in a language (BCP 47) by which a voice shows how it sounds; "" without one."""
    other = _DEMO_SENTENCES.get(primary_subtag(language), "")
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
