"""What Italian books of before print: “la 2. della”, “S. E.”, “i SS. Padri”, “in-8°”, “10,721”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.it.language import ITALIAN, cardinal, gender_of, ordinal
from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.european.number_words import UNITS
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_HONORS = {"E": "Eccellenza", "M": "Maestà", "A": "Altezza", "S": "Signoria"}
_OF_SAINTS = frozenset(("i", "dei", "ai", "nei", "coi", "sui", "de'", "ne'", "co'", "tra", "fra"))


def _pointed(match: re.Match[str], context: Context) -> str | None:
    """“la seconda” for “la 2.”, as older books print ordinals."""
    article = context.word_before(match.start()).lower()
    if match["noun"] in number_words.months("it"):
        return None
    return ordinal(int(match["number"]), "f" if article.endswith("a") else "m")


def _honor(match: re.Match[str], _: Context) -> str | None:
    if match[0][0] == "S" and match["honor"] == "S":
        return None  # “S. S.”: also of ships and railways
    whose = "Sua" if match["whose"] == "S" else "Vostra"
    return f"{whose} {_HONORS[match['honor']]}{' Reale' if match['royal'] else ''}"


def _holy(match: re.Match[str], context: Context) -> str:
    """“Santi Padri”, “Santissima Vergine”, “Santissimo Sacramento”."""
    if context.word_before(match.start()).lower().replace("’", "'") in _OF_SAINTS:
        return "Santi"
    return "Santissima" if gender_of(match["holy"].lower()) == "f" else "Santissimo"


def _grouped(match: re.Match[str], context: Context) -> str | None:
    """“10,721” of people or things, as books printed thousands; measures have decimals."""
    following = context.word_after(match.end())
    if following in ITALIAN.units or following in UNITS or following == "per":
        return None
    return cardinal(int(match["whole"] + match["rest"]), context.region)


RULES: tuple[Rule, ...] = (
    # not “C. 12”
    rule("abbreviation", r"c\.(?=[ ]\d{3})", always("circa")),
    rule(
        "format",
        r"""(?:(?<=\bin[ ])|(?<=\bin[ ][–-])|(?<=\bin[ ])[–-]|(?<=\bin)(?P<joined>[–-]))
        (?P<leaves>4|8|12|16|32)\.?[°º]""",
        lambda match, _context: f"{' ' * bool(match['joined'])}{ordinal(int(match['leaves']))}",
    ),
    # “4 vol. in 8”, “in-8”
    rule(
        "format",
        r"""(?:(?<=\b[Ii]n)(?P<joined>[–-])|(?<=\bvol\.[ ]in[ ])|(?<=\bvoll\.[ ]in[ ])
        |(?<=\bvolum[ei][ ]in[ ]))(?P<leaves>4|8|12|16|32)(?![\w°º]|[.,]\d)""",
        lambda match, _context: f"{' ' * bool(match['joined'])}{ordinal(int(match['leaves']))}",
    ),
    # “una tassa del 4 per %”
    rule("percent", r"(?<=\bper[ ])%", always("cento")),
    # “la 2. della seconda”, “della 1. parte”
    rule(
        "ordinal",
        r"(?:(?<=\b[Ll]a[ ])|(?<=\b[Ii]l[ ])|(?<=\b[DdNnAa][ea]l[ ])|(?<=\b[Aa]l[ ])"
        r"|(?<=\b[DdNn][ea]lla[ ])|(?<=\b[Aa]lla[ ]))"
        r"(?P<number>[1-9]|1\d)\.(?=[ ](?P<noun>[a-zà-ù]{2,}))",
        _pointed,
    ),
    # “S. E. il ministro”, “Vostra Signoria illustrissima”; not “S. E. Hinton”.
    rule(
        "title",
        r"(?P<whose>[SV])\.\s?(?P<honor>E|M|A|S)\.(?P<royal>\s?R\.)?(?!\s?[A-Z])(?!\sdi\s)",
        _honor,
    ),
    rule("title", r"S\.\s?V\.(?!\s?[A-Z])", always("Signoria Vostra")),
    # “avanti G. C.”
    rule(
        "name",
        r"""(?:(?<=\b[Aa]vanti[ ])|(?<=\b[Dd]opo[ ])|(?<=\b[Ii]nnanzi[ ])|(?<=\b[Pp]rima[ ]di[ ])
        |(?<=\b[ad]\.[ ])|(?<=\bav\.[ ])|(?<=\bdi[ ]N\.[ ]S\.[ ]))G\.[ ]?C\.""",
        always("Gesù Cristo"),
    ),
    rule("title", r"RR\.(?=[ ]Padri)", always("Reverendi")),
    rule("title", r"SS\.(?=[ ](?P<holy>[A-Z][a-zà-ù]+))", _holy),
)
# After dates and times.
SIGNS: tuple[Rule, ...] = (
    # “37°: non dormiglione”: a point of a list.
    rule(
        "ordinal",
        r"""(?:(?<![^\n])|(?<=[.;:][ ]))(?P<number>\d{1,2})°
        (?=:[ ]|[ ]-|[ ](?!(?:di|a|al|in|e|o|sopra|sotto|della|nord|sud)[ ])[a-zà-ù]{2,}[ ])""",
        lambda match, _context: ordinal(int(match["number"])) or None,
    ),
    # “5.o Mancando ad uno”, where another word than a noun may follow
    rule(
        "ordinal",
        r"(?P<number>[1-9]\d?)\.(?P<mark>[oa])(?=[ ][^\W\d_])",
        lambda match, _context: ordinal(int(match["number"]), "f" if match["mark"] == "a" else "m"),
    ),
    # “e '1 sangue”: the article “'l”, as it was scanned.
    rule("article", r"(?<=[ ])['’‘]1(?=[ ][a-zà-ù])", always("il")),
    rule(
        "number",
        r"(?<![\d.,])(?P<whole>\d{2,3}|[1-9](?=,\d\d0)),(?P<rest>\d{3})(?![\w%]|[.,]\d|[ ]?[%°])",
        _grouped,
    ),
)
