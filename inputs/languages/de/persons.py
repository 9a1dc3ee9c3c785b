"""Persons in German: monarchs and popes, saints, maiden names, who speaks in a play.

“Ludwig der Vierzehnte”, “unter Ludwig dem Vierzehnten”: the numeral is inflected with its name, and
only a word before the name tells the case.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.de.ordinals import declined, inflected, value_of
from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european import names
from audiomill.inputs.spoken.european.language import Gender
from audiomill.inputs.spoken.rules import NEAR, Context, always, rule

_TITLES = words(
    """
    König Königin Kaiser Kaiserin Papst Zar Zarin Herzog Graf Fürst Prinz
    """
)
_DATIVES = words(
    """
    von mit unter bei zu nach aus seit gegenüber vom zum beim dem
    """
)
# “mit dem Nachfolger desselben, Heinrich II”: the name is in the case of what it explains.
_EXPLAINED = re.compile(
    r"\b(?:dem|vom|zum|beim|einem|seinem|ihrem|unserem|diesem)\s(?:[a-zäöüß]+\s)?"
    r"[A-ZÄÖÜ][a-zäöüß-]+(?:\s(?:desselben|derselben|d(?:er|es)\s[\w-]+(?:\s[\w-]+)?|von\s[\w-]+))?,\s\Z"
)
# “von seinem Bruder Ludwig XVIII.”
_RELATED = re.compile(
    r"\b(?i:von|mit|unter|bei|nach|aus)\s(?:dem|seinem|ihrem|unserem|deren|dessen)\s"
    r"(?:[a-zäöüß]+en\s)?(?!Namen|Titel)[A-ZÄÖÜ][a-zäöüß]+\s\Z"
)
# “ein Statut Heinrich III.”: what is a king's.
_OWNED = re.compile(
    r"(?:.{2,}(?:ung|schaft|heit)|Zeit(?:en|alter)?|Tode?|Hofe?|Heer|Statut|Reich|Edikt|Kriege?|Testament"
    r"|Gesetze?|Grab|Krone|Geschichte|Leben|Briefe?|Politik|Bildnis|Porträt)"
)
_GENITIVE_TITLES = frozenset(("Königs", "Kaisers", "Papstes", "Herzogs"))
_ACCUSATIVES = frozenset(["den", "für", "gegen", "durch", "ohne", "um", "an", "auf", "über"])


def monarch(match: re.Match[str], context: Context) -> str | None:
    """The name and the numeral of a match of both."""
    number, name = names.roman_value(match["numeral"]), match["name"]
    genitive = name not in names.MEN | names.WOMEN and name.endswith("s")
    bare = name.removesuffix("s") if genitive else name
    woman = bare in names.WOMEN
    if not number or number > 40 or not (woman or bare in names.MEN):
        return None
    if not genitive and not woman and _OWNED.fullmatch(context.word_before(match.start())):
        owner = f"{name}{'’' if name[-1] in 'sxzß' else 's'}"
        return f"{owner} des {inflected(number, 'n').capitalize()}"
    article, ending = _case(
        context, match.start(), "genitive" if genitive else "", "f" if woman else "m"
    )
    return f"{name} {article} {inflected(number, ending).capitalize()}"


def _case(context: Context, at: int, case: str, gender: Gender) -> tuple[str, str]:
    """The article and ending after a name, by the preposition before it."""
    before = context.word_before(at)
    if before in names.MEN:  # “auf König Friedrich Wilhelm IV.”
        at = context.text.rfind(before, max(0, at - NEAR), at)
        before = context.word_before(at)
    if before in _TITLES:
        at = context.text.rfind(before, max(0, at - NEAR), at)
        before = context.word_before(at)
    if case == "genitive" or before in _GENITIVE_TITLES:
        return ("der", "n") if gender == "f" else ("des", "n")
    near = context.text_before(at)
    explains = gender == "m" and (_RELATED.search(near) or _EXPLAINED.search(near))
    if before.lower() in _DATIVES or explains:
        return ("der", "n") if gender == "f" else ("dem", "n")
    if before.lower() in _ACCUSATIVES:
        return ("die", "") if gender == "f" else ("den", "n")
    return ("die", "") if gender == "f" else ("der", "")


# What is no saint: “Hl. Geist”; with the ending of the adjective.
_HOLY = {
    **dict.fromkeys(("Geist", "Vater", "Stuhl", "Abend"), "r"),
    **dict.fromkeys(("Land", "Grab", "Kreuz"), "s"),
    **dict.fromkeys(("Schrift", "Messe", "Nacht", "Jungfrau", "Familie", "Stadt"), ""),
}
# Persons of plays that are counted: “II. Jungfer”.
_MEN_WHO_SPEAK = words(
    """
    Arbeiter Bauer Bote Bürger Chor Diener Edelmann Engel Gast Gesell Geselle Halbchor Herr Hirt
    Höfling Jäger Jüngling Kaufmann Kellner Knabe Knecht Lakai Mann Matrose Mönch Mörder Offizier
    Page Polizist Priester Rat Richter Ritter Räuber Schauspieler Schreiber Schüler Senator Soldat
    Student Teufel Trabant Wächter Zeuge
    """
)
_WOMEN_WHO_SPEAK = words(
    """
    Bäuerin Bürgerin Dame Dienerin Frau Hexe Jungfer Jungfrau Magd Nonne Nymphe Schwester Sängerin
    Stimme Tochter Wache Zofe
    """
)
_SPEAKERS = "|".join(sorted(_MEN_WHO_SPEAK | _WOMEN_WHO_SPEAK))


def _speaker(match: re.Match[str], _: Context) -> str | None:
    number = value_of(match["number"])
    feminine = match["noun"].capitalize() in _WOMEN_WHO_SPEAK
    return inflected(number, "" if feminine else "r").capitalize() if number else None


def _holy(match: re.Match[str], context: Context) -> str:
    weak = declined(context, match.start())
    strong = _HOLY.get(context.word_after(match.end()))
    if strong is not None and not weak:
        return f"Heilige{strong}"
    return {"n": "Heiligen", "e": "Heilige"}.get(weak or "", "Sankt")


# Who speaks in a play: “II. JUNGFER.”, “1. Soldat (lacht).”
SPEAKER = rule(
    "ordinal",
    rf"""(?<![\s\S])(?P<number>\d{{1,2}}|[IVX]{{1,5}})\.
    (?=[ ](?P<noun>{_SPEAKERS})\.?(?:[ ]?\(|:|,|\Z))""",
    _speaker,
    re.IGNORECASE,
)
# “Frau Meier, geb. Schulz”: a maiden name; but “geb. Berlin 1820”.
MAIDEN_NAME = rule(
    "abbreviation",
    r"""geb\.(?<!war[ ]geb\.)(?<!ist[ ]geb\.)(?=[ ]
        (?:v\.|von\b|(?!(?:Am|In|Um)\b)[A-ZÄÖÜ][a-zäöüß]+(?:[).;:]|,(?![ ]\d)|[ ](?!\d)|\Z)))""",
    always("geborene"),
)

HOLY = rule("abbreviation", r"[Hh]l\.(?=[ ][^\W\d_a-zäöü])", _holy)
