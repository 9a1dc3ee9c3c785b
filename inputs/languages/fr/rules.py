"""The rules of French. Those for ordinals, days and hours are in `ordinals.py`, `dates.py`."""

from __future__ import annotations

import re

from audiomill.inputs.languages.fr import dates, measures
from audiomill.inputs.languages.fr.declaration import ABBREVIATIONS
from audiomill.inputs.languages.fr.language import FRENCH, PLACES, cardinal, ordinal
from audiomill.inputs.languages.fr.ordinals import ORDINALS
from audiomill.inputs.spoken.european import (
    amounts,
    calendar,
    codes,
    fractions,
    names,
    scripture,
    text,
)
from audiomill.inputs.spoken.european.language import Gender, european_grammar
from audiomill.inputs.spoken.european.measures import angles
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_FORMATS = {"2": "folio", "4": "quarto", "8": "octavo"}
_COUNTED_ON = frozenset(("type", "phase", "stade", "niveau"))  # “le diabète de type I”
_AUTHOR = re.compile(r"[A-ZÀ-Þ][a-zà-ÿ]+(?:,|[ ]&)?[ \u00a0]\Z")
_OF_PAGES = re.compile(r"\bp(?:p|ag|ages?)?\.?[ \u00a0]\d[\d ,–-]*et[ ]\Z")
_BEFORE_BEATS = frozenset(("à", "en", "le", "du", "au", "mesure"))
_ERAS = frozenset(("avant", "après", "av.", "apr.", "ap.", "depuis"))


def _height(match: re.Match[str], context: Context) -> str:
    """“un mètre cinquante” for “1 m. 50”."""
    meters, rest = int(match["meters"]), int(match["rest"])
    zero = "zéro " if rest < 10 else ""
    noun = "mètres" if meters > 1 else "mètre"
    return f"{cardinal(meters, context.region)} {noun} {zero}{cardinal(rest, context.region)}"


def _monarch(name: str, number: int, region: str, gender: Gender) -> str:
    return f"{name} {ordinal(1, region, gender) if number == 1 else cardinal(number, region)}"


def _place(word: str, number: int, region: str, gender: Gender) -> str:
    if number == 1 and word.lower() == "scène":
        return f"{word} première"
    masculine_first = number == 1 and gender == "m" and word.lower() not in _COUNTED_ON
    return f"{word} {'premier' if masculine_first else cardinal(number, region)}"


def _francs(match: re.Match[str], context: Context) -> str:
    francs = cardinal(int(match["francs"]), context.region)
    noun = "franc" if match["francs"] in {"0", "1"} else "francs"
    return f"{francs} {noun} {cardinal(int(match['centimes']), context.region)}"


_RULES: tuple[Rule, ...] = (
    *scripture.rules(FRENCH),
    rule("abbreviation", r"M\.(?=[ ]et[ ]M)", always("monsieur")),
    rule("abbreviation", r"M\.(?=d(?:e|u|es)[ ][A-ZÀ-Ý])", always("monsieur ")),
    rule("abbreviation", r"(?<=[IVX]e[ \u00a0])s\.", always("siècle")),
    rule(
        "abbreviation",
        r"(?:\A|(?<=[,:;(«—–][ \u00a0]))Ve(?=[ \u00a0]"
        r"(?!Républ|Congr|Plan|Intern|Reich|Dynast|Arm|Corps|Dalaï)[A-ZÀ-Ý][a-zà-ÿ])",
        always("veuve"),
    ),
    # Places and holidays: “St-Denis”, “la Ste-Anne”.
    rule("abbreviation", r"St\.?-(?=[^\W\d_a-zà-ÿ][a-zà-ÿ])", always("Saint-")),
    rule("abbreviation", r"Ste\.?-(?=[^\W\d_a-zà-ÿ][a-zà-ÿ])", always("Sainte-")),
    rule("abbreviation", r"(?<=par[ ])ex\.", always("exemple")),
    rule("abbreviation", r"nos(?=[ ]\d+[ ](?:à|et)[ ]\d)", always("numéros")),
    # “l'art. L. 123-4” of a code of laws.
    rule(
        "abbreviation",
        r"[aA]rt\.(?=[ \u00a0][LRDA]\.?[ \u00a0]?\d)",
        lambda match, _context: f"{match[0][0]}rticle",
    ),
    # Sizes of books: “un in-4°”.
    rule(
        "format",
        r"in[-‑](?P<leaves>2|4|8|12|16|18)(?:[°ºo]|(?![\w-]|[.,]\d))",
        lambda match, context: (
            f"in-{_FORMATS.get(match['leaves']) or cardinal(int(match['leaves']), context.region)}"
        ),
    ),
    rule(
        "reference",
        r"(?<=[Aa]rticle[ ])(?P<number>\d{1,3})o(?!\w)",
        lambda match, context: cardinal(int(match["number"]), context.region),
    ),
    rule(
        "reference",
        r"(?<=[Aa]rticles[ ])(?P<first>\d{1,4}),(?P<last>\d{1,4})(?![\d-]|,\d)",
        lambda match, context: ", ".join(
            cardinal(int(match[part]), context.region) for part in ("first", "last")
        ),
    ),
    # A man whose name begins with a small word, or is hidden: “M. de Rênal”, “M. X…”.
    rule(
        "abbreviation",
        r"""(?<![\w.-])(?<![A-ZÀ-Þ]\.[ ])M\.
        (?=[ \u00a0](?:(?:de|du|des|le|la|les|l[’']|d[’'])(?!\w)
        |d[’'][A-ZÀ-Þ]|l[’'][a-zà-ÿ]|[A-Z](?:…|\*|\.\.\.)|[XYZN](?![\w.])|\*{2,3}))""",
        always("monsieur"),
    ),
    # “M. A. Dupont”, but neither “Jean M. A. Dupont” nor “Dupont, M. A.”.
    rule(
        "abbreviation",
        r"""(?<![\w.-])(?<![A-ZÀ-Þ]\.[ ])M\.
        (?=[ \u00a0](?:[A-ZÀ-Þ]\.-?[ \u00a0]?){1,2}(?:d[eu][ ])?[A-ZÀ-Þ][a-zà-ÿ])""",
        lambda match, context: (
            None if context.search_before(_AUTHOR, match.start()) else "monsieur"
        ),
    ),
    rule("abbreviation", r"(?<=[\de][ ])arr\.", always("arrondissement")),
    # “une ½ part”
    rule(
        "fraction",
        r"(?:(?<=\bun[ ])|(?<=\bune[ ])|(?<=['’]une[ ]))½(?=[ ][a-zà-ÿ]{3})",
        always("demi"),
    ),
    # “une mesure à 6/8, à 2/4”: of music, for it is no part of a whole.
    rule(
        "fraction",
        r"(?<![\w/.,-])(?P<beats>2(?=/4)|[469](?=/[48])|12(?=/8))/(?P<value>[48])(?![\w/]|[.,-]\d)",
        lambda match, context: (
            " ".join(cardinal(int(match[part]), context.region) for part in ("beats", "value"))
            if context.word_before(match.start()) in _BEFORE_BEATS
            else None
        ),
    ),
    # “1/17 000e de seconde”
    rule(
        "fraction",
        r"(?<![\d/])1/(?P<parts>\d{1,3}(?:[ .\u00a0]\d{3})?)e(?=[ ]d[e'’])",
        lambda match, context: (
            f"un {ordinal(int(re.sub(r'[^0-9]', '', match['parts'])), context.region)}"
        ),
    ),
    # “p. 12 sq.”, “p. 3 et s.”
    rule("abbreviation", r"sqq\.(?<=\d[ ]sqq\.)", always("et suivantes")),
    rule("abbreviation", r"sq\.(?<=\d[ ]sq\.)", always("et suivante")),
    rule("abbreviation", r"s\.(?<=\d[ ]et[ ]s\.)", always("suivants")),
    # Pages: “p. 283 et suiv.”
    rule(
        "abbreviation",
        r"suiv\.(?<=\d[ ]et[ ]suiv\.)",
        lambda match, context: (
            "suivantes" if context.search_before(_OF_PAGES, match.start()) else None
        ),
    ),
    # “06.12.34.56.78”
    rule(
        "digits",
        r"(?<![\w.,/-])0[1-9](?P<mark>[.-])\d\d(?P=mark)\d\d(?P=mark)\d\d(?P=mark)\d\d(?![\w]|[.,-]\d)",
        lambda match, context: ", ".join(
            FRENCH.say_whole(pair, context.region) for pair in re.findall(r"\d\d", match[0])
        ),
    ),
    # “61 85 19-90”: the number of a coach.
    rule(
        "digits",
        r"(?<![\w.,/-])\d\d[ ]\d\d[ ]\d\d-\d\d(?![\w-]|[.,]\d|[ ]\d)",
        lambda match, context: ", ".join(
            FRENCH.say_whole(pair, context.region) for pair in re.findall(r"\d\d", match[0])
        ),
    ),
    dates.HIDDEN_YEAR,
    dates.ALWAYS,
    dates.HALF_HOUR,
    *measures.MEASURES,
    # “1 m. 50” is a height.
    rule(
        "unit",
        r"""(?P<meters>\d{1,2})[ \u00a0]?m\.?[ \u00a0]?(?P<rest>\d\d)
        (?!\d|[.,]\d|[ ]?[a-z]?m\b|[ ]?%)""",
        _height,
    ),
    # “J.-C. Marchiani”: a person's initials.
    rule(
        "abbreviation",
        r"J\.-C\.(?=[ ][^\W\d_a-zß-öø-ÿ][a-zà-ÿ])",
        lambda match, context: (
            None if context.word_before(match.start()).lower() in _ERAS else match[0]
        ),
    ),
    # “la cote 76 F 2”
    rule(
        "code",
        r"(?P<number>\d{1,4})[ ](?P<series>F)(?=[ ]\d(?!\d))",
        lambda match, context: (
            f"{cardinal(int(match['number']), context.region)} {match['series']}"
        ),
    ),
    # “un score supérieur à-2,5”, “vers-365”
    rule(
        "sign",
        r"(?:(?<=\b[àÀ])|(?<=\b[vV]ers))[-−–](?=\d)",
        always(" moins "),
    ),
    rule("code", r"[LRD]\.[ \u00a0]?(?=\d)", lambda match, _context: f"{match[0][0]} "),
    names.sessions(cardinal),
    names.prefaced(cardinal, "et", "pages"),
    names.articles(cardinal),
    # “le rugby à XV”, “le XV de France”.
    rule(
        "numeral",
        r"""(?P<numeral>XV|XIII|VII)(?:(?<=\bà[ ]XV)|(?<=\bà[ ]XIII)|(?<=\bà[ ]VII)
        |(?<=\b[LldDuU][eu][ ]XV)(?=[ ](?:d[eu'’]|tricolore)))(?!\w)""",
        lambda match, context: cardinal(names.roman_value(match["numeral"]) or 0, context.region),
    ),
    *names.rules(names.Numbered(_monarch, PLACES, _place, ABBREVIATIONS.before_number)),
    *text.rules(FRENCH, ABBREVIATIONS),
    *angles(FRENCH, {"N": "nord", "S": "sud", "E": "est", "O": "ouest", "W": "ouest"}),
    *codes.scores(FRENCH),
    *calendar.rules(dates.CALENDAR),
    fractions.of_many(FRENCH, "sur"),
    *ORDINALS,
    dates.LASTING,
    rule(
        "money",
        r"(?P<francs>\d{1,5})[ \u00a0\u202f]?F[ \u00a0\u202f]?(?P<centimes>\d\d)(?![\w,.])",
        _francs,
    ),
    *amounts.rules(FRENCH),
    *text.signs(FRENCH),
)
GRAMMAR = european_grammar(FRENCH, _RULES)
