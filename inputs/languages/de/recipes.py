"""Sizes and bunches in German recipes: “eine große Zwiebel” for “1 gr. Zwiebel”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.de.language import cardinal
from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european.language import Gender
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

# Things that a recipe counts. “5 gr. Salz” are grams.
_COUNTED: dict[str, Gender] = {
    **dict.fromkeys(
        words(
            """
            Zwiebel Karotte Möhre Kartoffel Dose Tomate Paprika Zucchini Zitrone Orange Aubergine
            Gurke Zehe Knoblauchzehe Birne Tasse Schüssel Knolle Scheibe Stange Banane Packung
            Zucchine
            """
        ),
        "f",
    ),
    **dict.fromkeys(("Apfel", "Becher", "Topf", "Kopf", "Lauch", "Löffel"), "m"),
    **dict.fromkeys(("Ei", "Glas", "Stück", "Brötchen", "Blatt", "Bund"), "n"),
}
_PLURALS = frozenset(("Äpfel", "Eier", "Gläser", "Töpfe", "Köpfe", "Blätter", "Paprikas"))
_SIZES = {"gr": "große", "kl": "kleine", "mittelgr": "mittelgroße", "mittl": "mittlere"}
_ONE: dict[Gender, tuple[str, str]] = {"f": ("eine", ""), "m": ("ein", "r"), "n": ("ein", "s")}


def _sized(match: re.Match[str], context: Context) -> str | None:
    noun, number, size = match["noun"], int(match["count"]), _SIZES[match["size"]]
    if number == 1:
        gender = _COUNTED.get(noun)
        return f"{_ONE[gender][0]} {size}{_ONE[gender][1]}" if gender else None
    if noun not in _PLURALS and noun not in _COUNTED and noun.rstrip("en") not in _STEMS:
        return None
    return f"{cardinal(number, context.region)} {size}"


_STEMS = frozenset(noun.rstrip("en") for noun in _COUNTED)
RECIPES: tuple[Rule, ...] = (
    rule(
        "unit",
        r"(?<![\w.,/–-])(?P<count>[1-9]\d?)[ \u00a0](?P<size>gr|kl|mittelgr|mittl)\."
        r"(?=[ \u00a0](?P<noun>[A-ZÄÖÜ][a-zäöüß]+))",
        _sized,
    ),
    rule(
        "abbreviation",
        r"(?<=\d[ \u00a0])Bd\.(?=[ ](?:Petersilie|Schnittlauch|Dill|Basilikum|Minze|Koriander"
        r"|Suppengr|Radieschen|Frühlingszw|Kräuter|Kerbel|Rucola|Lauchzw|Thymian|Salbei))",
        always("Bund"),
    ),
)
