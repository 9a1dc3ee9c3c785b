"""What German books of before print: “geb. M. 7”, “(Forts. folgt)”, “in Str. 1”, “15⁰/0”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.de import dates
from audiomill.inputs.languages.de.language import GERMAN, cardinal
from audiomill.inputs.languages.de.ordinals import ending_of, inflected
from audiomill.inputs.spoken.roman import roman_value
from audiomill.inputs.spoken.rules import NEAR, Context, Rule, always, rule

_WEIGHED = re.compile(
    r"Last|Gewicht|[Ww]iegt|[Ww]og|schwer|[CZ]entner|Butter|Mehl|Fleisch|Zucker|Ka[fy]fee|Pulver|Wolle"
)

_BOOKS = {
    **dict.fromkeys(("Mos", "Mose"), "Mose"),
    "Sam": "Samuel",
    "Kön": "der Könige",
    "Chron": "der Chronik",
    "Makk": "der Makkabäer",
}


def _raised_percent(match: re.Match[str], context: Context) -> str | None:
    number = GERMAN.read(match["number"], context.region)
    word = GERMAN.permille if match["thousand"] else GERMAN.percent
    return f"{GERMAN.say(number, context.region)} {word}" if number else None


def _pounds(match: re.Match[str], context: Context) -> str | None:
    """“hundertfünfzig Pfund” for “150 Pf.” of what is weighed; else they are pennies."""
    near = context.text_before(match.start(), 2 * NEAR)
    if not _WEIGHED.search(near):
        return None
    return f"{cardinal(int(match['number']), context.region, 'n')} Pfund"


def _stanza(match: re.Match[str], context: Context) -> str | None:
    before = context.word_before(match.start())
    return None if before[:1].isupper() and len(before) > len("Von") else "Strophe"


def _volume(match: re.Match[str], context: Context) -> str:
    """“erster bis zweiter Band” for “1–2. Bd.”."""
    ending = ending_of(context, match.start(), "m")
    numbers = [inflected(int(one), ending) for one in re.findall(r"\d+", match[0])]
    return f"{' bis '.join(numbers)} Band"


def _length(match: re.Match[str], context: Context) -> str | None:
    """“sechzig Fuß” for “60'”, “eineinhalb Zoll” for “1½"”."""
    near = context.text_before(match.start())
    if match["other"] and not _OF_HEIGHT.search(near):
        return None
    said = GERMAN.say_whole(match["whole"], context.region)
    if match["part"]:
        said = GERMAN.mixed_fractions[match["part"]].format(said)
    elif match["whole"] == "1":
        said = "ein"
    unit = "Fuß" if match["sign"] in "'’′" else "Zoll"
    return f"{said} {unit}"


def _book(match: re.Match[str], context: Context) -> str:
    """“erstes Buch Samuel” for “1 Buch Sam.”."""
    ending = ending_of(context, match.start(), "n")
    said = f"{inflected(int(match['number']), ending)} Buch {_BOOKS[match['book']]}"
    chapter = roman_value(match["chapter"] or "")
    return f"{said} {cardinal(chapter, context.region)}" if chapter else said


_OF_HEIGHT = re.compile(r"(?:Höhe|Tiefe|Länge|Breite|Dicke)[ ](?:von[ ])?(?:etwa[ ]|ca\.[ ])?\Z")
_MEASURED = (
    "lang|lange|langen|breit|breite|breiten|hoch|hohe|hohen|tief|tiefe|tiefen|dick|dicke|dicken"
    "|weit|Länge|Breite|Höhe|Tiefe|Durchmesser|im[ ]Durchmesser"
)
RULES: tuple[Rule, ...] = (
    rule("ordinal", r"(?<![\d.,])[1-9]\d{0,2}(?:[ ]?[–-][ ]?[1-9]\d{0,2})?\.[ ]Bd\.", _volume),
    # “8h nachm.”
    rule(
        "time",
        r"(?P<hour>1?\d|2[0-4])[ ]?h(?=[ ](?:vorm|nachm|abends|morgens|früh|mittags|nachts))",
        lambda match, context: f"{cardinal(int(match['hour']), context.region, 'm')} Uhr",
    ),
    # “60' hoch”, “2" breite”, “in einer Höhe von etwa 60' seine Äste”
    rule(
        "unit",
        rf"""(?P<whole>[1-9]\d{{0,3}})(?P<part>[½¼¾])?(?P<sign>['’′"″])
        (?=[ ](?:(?:und[ ])?(?:{_MEASURED}|[1-9]\d?[½¼¾]?["″])(?!\w)|(?P<other>[a-zäöü])))""",
        _length,
    ),
    rule(
        "ordinal",
        rf"""(?P<number>[1-5])\.?[ ]Buch[ ](?P<book>{"|".join(_BOOKS)})\b\.?
        (?:[ ](?P<chapter>[IVXL]{{1,7}})(?=,[ ]\d))?""",
        _book,
    ),
    # “15⁰/0”
    rule(
        "percent",
        r"(?P<number>\d{1,3}(?:,\d{1,2})?)[ ]?⁰/0(?P<thousand>0?)(?!\d)",
        _raised_percent,
    ),
    # “Elegant geb. M. 7”: a book
    rule(
        "abbreviation",
        r"(?:(?<=[Ee]legant[ ])|(?<=[Ee]leg\.[ ])|(?<=brosch\.[ ])|(?<=[Ff]ein[ ])|(?<=[\d–-][ ])"
        r"|(?<=[,;][ ]))geb\.(?=[ ](?:[Mm]\.|Mk\.|Mark[ ]|RM|Rthlr|fl\.|in[ ](?:Leinen|Halb|Leder))"
        r"|[ ]\d+[.,]\d\d)",
        always("gebunden"),
    ),
    # “(Forts. folgt)”, but “Plattform des Forts.”
    rule(
        "abbreviation",
        r"(?:(?<=\()|(?<![^\n]))Forts\.|Forts\.(?=[ ](?:folgt|siehe|auf|s\.|von|aus|zu)\b)",
        always("Fortsetzung"),
    ),
    # “Weimar d 12 Dec. 1798”
    rule(
        "abbreviation",
        rf"(?<![^\s(])d\.?(?=[ ](?:[1-9]|[12]\d|3[01])(?:t?en|\.)?[ ](?:{dates.MONTHS})(?!\w))",
        always("den"),
    ),
    # “in Str. 1”: of a poem; “Berliner Str. 1” is a street.
    rule(
        "abbreviation",
        r"(?<![^\s(])Str\.(?=[ ]\d)",
        _stanza,
    ),
    rule("unit", r"(?P<number>[1-9]\d{0,3})[ ]Pf\.", _pounds),
)
