"""English names with digits in them: “H-one-N-one”, “seven four seven”, “room fourteen oh eight”.

Such numbers name and do not count: they are said in pairs or digit by digit.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.en.capitals import SHORT_WORDS
from audiomill.inputs.languages.en.counted_years import is_counted
from audiomill.inputs.languages.en.letters import is_pronounceable, spell
from audiomill.inputs.languages.en.numbers import digits, ordinal, paired, plural
from audiomill.inputs.spoken.rules import Context, Rule, rule

# Numbers with a stroke or a name, which have words of their own.
_SAYINGS = {
    "24/7": "twenty-four seven",
    "9/11": "nine eleven",
    "7/7": "seven seven",
    "49ers": "forty-niners",
    "401(k)": "four oh one K",
    "401k": "four oh one K",
    "401K": "four oh one K",
    "1:1s": "one-on-ones",
    "H2O": "H-two-O",
    "CO2": "C-O-two",
    "20/20": "twenty-twenty",
    "50/50": "fifty-fifty",
    ".NET": "dot net",
    "IEEE": "I triple E",
}
_ANY_SAYING = "|".join(re.escape(written) for written in _SAYINGS)
_PARTS = re.compile(r"\d+|[^\W\d_]+")
_PLACES = re.compile(
    r"\b(?:rooms?|flights?|routes?|highway|interstate|suite|apartment|apt\.?|flat|bus|locker|gate"
    r"|cell|ward|channel|cabin|squadron|train|stall|extension|studio|bunker|unit)\s\Z",
    re.I,
)
_STREETS = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Square|Terrace|Close"
    r"|Crescent|Gardens|Place|Parkway|Row|Broadway|Way)\b"
)
_SUBJECTS = re.compile(
    r"\b(?:[A-Z][a-z]+(?:ology|ics|phy|istry|istory|omy|ing)|English|Science|Math|Design|Business|Life)"
    r"\s\Z"
)
_AIRCRAFT = re.compile(r"\b(?:Boeing|Douglas|McDonnell|Concorde)\s\Z")


_SIDES = {"N": "North", "S": "South", "E": "East", "W": "West"}


# Bores of firearms in hundredths or thousandths of an inch: “a .45”, “.303 rifles”.
_BORES = r"(?:22|25|30|32|38|40|44|45|50|270|303|308|357)"
_FIREARMS = (
    r"(?:cal(?:\.|ib(?:er|re)s?\b)|Colt|Winchester|Magnum|Remington|Springfield|Enfield|Webley"
    r"|(?:auto(?:matic)?|bullet|cartridge|gun|pistol|revolver|rifle|round|shell)s?\b)"
)


def _bore(match: re.Match[str], _context: Context) -> str:
    """“forty-five”, “three oh three”."""
    return paired(int(match["bore"]))


def _side(match: re.Match[str], _context: Context) -> str:
    return _SIDES[match["side"]]


def _saying(match: re.Match[str], _context: Context) -> str:
    return _SAYINGS[match[0]]


def _joined_ordinal(match: re.Match[str], _context: Context) -> str:
    """“the fifteenth” for “the15 th”, where a text lost its spaces."""
    return f"{match['word']} {ordinal(int(match['number']))}"


def _course(match: re.Match[str], context: Context) -> str | None:
    """“Philosophy one oh one”."""
    before = context.text_before(match.start())
    return "one oh one" if _SUBJECTS.search(before) else None


def _code(match: re.Match[str], _context: Context) -> str:
    """“MP-three”, “A-three twenty”, “R-two-D-two”.

    The hyphen keeps a letter A from being said as the article.
    """
    said = "-".join(_part(part) for part in _PARTS.findall(match["code"]))
    return plural(said) if match["plural"] else said


def _notebook(match: re.Match[str], _context: Context) -> str:
    """“T-four twenty S”."""
    code = match["code"]
    return f"{code[0]}-{_part(code[1:-1])} {code[-1].upper()}"


def _registered(match: re.Match[str], _context: Context) -> str | None:
    """“E P S G thirty-eight fifty-seven”: a number of a registry; but “TOTAL:1500” counts."""
    letters = match["letters"]
    if is_pronounceable(letters) or letters.lower() in SHORT_WORDS:
        return None
    return f"{spell(letters)} {_part(match['number'])}"


def _codes(match: re.Match[str], _context: Context) -> str | None:
    """“G-fifty-four to G-fifty-nine” for “G54-G59”."""
    if int(match["last"]) <= int(match["first"]):
        return None
    sides = (f"{match['letters']}-{_part(match[one])}" for one in ("first", "last"))
    return " to ".join(sides)


def _part(part: str) -> str:
    if not part.isdecimal():
        return part
    if len(part) > 4 or part.startswith("0"):
        return digits(part, zero="zero" if len(part) > 2 else "oh") if part != "0" else "zero"
    return paired(int(part))


def _place(match: re.Match[str], context: Context) -> str | None:
    before = context.text_before(match.start())
    if not _PLACES.search(before) or is_counted(match.end(), context):
        return None
    return _with_letter(match)


def _house(match: re.Match[str], _context: Context) -> str:
    return _with_letter(match)


def _with_letter(match: re.Match[str]) -> str:
    return f"{_part(match['number'])} {match['letter'] or ''}".strip()


def _jet(match: re.Match[str], context: Context) -> str | None:
    """“seven four seven”: an airliner after its maker, or in the plural."""
    before = context.text_before(match.start())
    if not match["plural"] and not _AIRCRAFT.search(before) and not _flies(match, context):
        return None
    said = digits(match["number"])
    return plural(said) if match["plural"] else said


def _flies(match: re.Match[str], context: Context) -> bool:
    after = context.word_after(match.end()).lower()
    return after in {"jet", "jets", "jumbo", "airliner", "aircraft", "captain", "pilot"}


def _novel(match: re.Match[str], _context: Context) -> str:
    return f"{match['title']} {paired(int(match['number']))}"


_LETTER = r"(?P<letter>[A-Z])?"

RULES: tuple[Rule, ...] = (
    rule("saying", rf"(?<![\w/.-])(?:{_ANY_SAYING})(?![\w/°-]|\.\d)", _saying),
    rule(
        "ordinal",
        r"(?P<word>[A-Z]?[a-z]{2,10})(?P<number>[1-9]\d?)\s?(?:st|nd|rd|th)(?!\w)",
        _joined_ordinal,
    ),
    rule("saying", r"101(?!\w|[.,]\d)", _course),
    rule("title", r"(?P<title>Fahrenheit)\s(?P<number>451)\b", _novel),
    rule("jet", r"(?P<number>7[0-8]7)(?P<plural>['’]?s)?(?![\w,.]{0,9}\d)\b(?!-\d)", _jet),
    rule("place", rf"(?P<number>\d{{3,4}}){_LETTER}(?!\w|[.,]\d|[–-]\d)", _place),
    rule(
        "house",
        rf"(?P<number>[1-9]\d{{2,3}}){_LETTER}(?=,?\s(?:(?:N|S|E|W|North|South|East|West)\.?\s)?"
        rf"(?:[A-Z][a-z]{{1,20}}\s){{1,3}}{_STREETS})",
        _house,
    ),
    rule("bore", rf"(?<![\w.,])\.(?P<bore>\d{{2,3}})(?=[-\s]{_FIREARMS})", _bore),
    rule("bore", rf"(?<=\b[Cc]olt\s)\.(?P<bore>{_BORES})(?![\w-]|\.\d)", _bore),
    # “910 E. Main Street”.
    rule(
        "house",
        rf"(?<=\d\s)(?P<side>[NSEW])\b\.?(?=\s(?:[A-Z][a-z]{{1,20}}\s|\d{{1,3}}(?:st|nd|rd|th)\s){{1,3}}{_STREETS})",
        _side,
    ),
    # “N. 3rd Street”.
    rule(
        "house",
        rf"(?<![\w.])(?P<side>[NSEW])\b\.?(?=\s\d{{1,3}}(?:st|nd|rd|th)\s{_STREETS})",
        _side,
    ),
    rule("house", r"(?P<number>[1-9]\d{2})(?P<letter>[A-D])\b(?=,?\s[A-Z])", _house),
    rule(
        "code",
        r"(?P<letters>[A-Z]{1,4})(?P<first>\d{1,4})(?:-|\s?–\s?)(?P=letters)(?P<last>\d{1,4})"
        r"(?!\w|[.,]\d|-)",
        _codes,
    ),
    # “EPSG:3857”
    rule("code", r"(?P<letters>[A-Z]{3,6}):(?P<number>\d{4,5})(?![\w:]|[.,:]\d)", _registered),
    # Notebooks: “T440p” and, one of them, “T420s”.
    rule("code", r"(?P<code>[TWX][2-5][0-9]0[ps])(?!\w|-\d)", _notebook),
    # Letters before digits: A4, MP3, H1N1, C-130. Versions and numbers with decimals are not here.
    rule(
        "code",
        r"(?P<code>[A-Za-z]{1,10}\d{1,6}(?:[A-Za-z]{1,3}\d{1,4}){0,3}[A-Z]{0,3}"
        r"(?:-[A-Z]{1,3}\d{1,4}[A-Z]?)?)(?P<plural>s)?(?!\w|[.,]\d|-\d)",
        _code,
    ),
    rule("code", r"(?P<code>[A-Z]{1,3}-\d{3,4}[A-Z]?)(?P<plural>s)?(?!\w|[.,]\d|-\d)", _code),
    rule("code", r"(?P<code>[A-Z]-\d[A-Z]{1,2})(?P<plural>s)?(?!\w|-\d)", _code),
    # Digits before a letter: 4K, 3D, 5G, 1080p.
    rule("code", r"(?P<code>\d[KDG]|[45]G|(?:480|720|1080|2160)[pi])(?P<plural>s)?(?!\w|/)", _code),
    rule("code", r"(?P<code>\d{1,2}[A-F])(?P<plural>)(?=\s(?:seat|class|grade)\b)", _code),
)
