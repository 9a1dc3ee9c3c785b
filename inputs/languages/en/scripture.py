"""Chapters and verses: “John 3:16”, “1 Cor. 13:4–7”, “Gen. 1:1–2:3”, “Ps. 119:105”.

The names and abbreviations of the books are those of The Chicago Manual of Style (17th ed.), 10.44
to 10.50.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.en.numbers import cardinal
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken.roman import roman_value
from audiomill.inputs.spoken.rules import Context, Rule, any_of, rule

# The last word of a name is enough: “Song of Solomon 2:3”.
_NAMES = {
    "Genesis": "Gen Gn",
    "Exodus": "Exod Ex",
    "Leviticus": "Lev Lv",
    "Numbers": "Num Numb Nm",
    "Deuteronomy": "Deut Dt",
    "Joshua": "Josh",
    "Judges": "Judg Jgs",
    "Ruth": "Ru",
    "Ezra": "Ezr",
    "Nehemiah": "Neh",
    "Esther": "Esth Est",
    "Job": "Jb",
    "Psalm": "Ps Psa Psal",
    "Psalms": "Pss",
    "Proverbs": "Prov Prv",
    "Ecclesiastes": "Eccles Eccl",
    "Songs": "",
    "Solomon": "Sol",
    "Isaiah": "Isa",
    "Jeremiah": "Jer",
    "Lamentations": "Lam",
    "Ezekiel": "Ezek Ez",
    "Daniel": "Dan Dn",
    "Hosea": "Hos",
    "Joel": "Jl",
    "Amos": "",
    "Obadiah": "Obad",
    "Jonah": "Jon",
    "Micah": "Mic",
    "Nahum": "Nah",
    "Habakkuk": "Hab",
    "Zephaniah": "Zeph",
    "Haggai": "Hag",
    "Zechariah": "Zech Zach",
    "Malachi": "Mal",
    "Matthew": "Matt Matth Mat Mt",
    "Mark": "Mk",
    "Luke": "Lk Luc",
    "John": "Jn",
    "Acts": "",
    "Apostles": "",
    "Romans": "Rom",
    "Galatians": "Gal",
    "Ephesians": "Eph",
    "Philippians": "Phil",
    "Colossians": "Col",
    "Titus": "",
    "Philemon": "Philem",
    "Hebrews": "Heb",
    "James": "Jas",
    "Jude": "",
    "Revelation": "Rev Rv",
    "Wisdom": "Wis",
    "Sirach": "",
    "Tobit": "Tob",
    "Baruch": "",
    "Judith": "Jdt",
}
_NUMBERED_NAMES = {
    "Samuel": "Sam Sm",
    "Kings": "Kgs",
    "Chronicles": "Chron Chr",
    "Corinthians": "Cor",
    "Thessalonians": "Thess Thes",
    "Timothy": "Tim Tm",
    "Peter": "Pet Pt",
    "John": "Jn",
    "Maccabees": "Macc Mc",
    "Esdras": "Esd",
}
_ORDINALS = {"1": "First", "2": "Second", "3": "Third", "I": "First", "II": "Second"}
_BOOKS = {
    short: name
    for names in (_NAMES, _NUMBERED_NAMES)
    for name, shorts in names.items()
    for short in (name, *shorts.split())
}


def _choice(names: dict[str, str]) -> str:
    return any_of(word for name, shorts in names.items() for word in (name, *shorts.split()))


_DASH = r"\s?[–—-]\s?"
_VERSE = r"\d{1,3}[a-c]?"
_VERSES = (
    rf"{_VERSE}(?:{_DASH}(?:\d{{1,3}}:)?{_VERSE}|,\s?{_VERSE}(?![\d:]|\s[a-z])){{0,8}}(?:ff?\b\.?)?"
)
_PLACE = rf"\d{{1,3}}:{_VERSES}"

_ONE_PLACE = re.compile(_PLACE)


def _say_verse(text: str) -> str:
    letter = text[-1] if text[-1].isalpha() else ""
    return cardinal(int(text.rstrip("abc"))) + (f" {letter.upper()}" if letter else "")


def _say_place(text: str, region: str) -> str:
    """The words for one chapter and its verses."""
    onwards = text.rstrip(".").endswith("f")
    chapter, _, verses = text.rstrip(".f").partition(":")
    said = cardinal(int(chapter), region)
    numbers = re.findall(r"\d+[a-c]?", verses)
    if ":" in verses:
        return f"{said} {_across(verses, region)}"
    if len(numbers) == 1:
        small = int(chapter) < 100 and len(numbers[0].rstrip("abc")) < 3
        return f"{said}{' ' if small else ', verse '}{_say_verse(numbers[0])}" + (
            " and following" if onwards else ""
        )
    return f"{said}, verses {_listed(verses)}" + (" and following" if onwards else "")


def _across(verses: str, region: str) -> str:
    """Verses that end in another chapter: “1–2:3” becomes “one to two three”."""
    first, second = re.split(_DASH, verses, maxsplit=1)
    chapter, _, verse = second.partition(":")
    other = cardinal(int(chapter), region)
    last = re.match(r"\d+[a-c]?", verse)
    return f"{_say_verse(first)} to {other} {_say_verse(last[0] if last else '1')}"


def _listed(verses: str) -> str:
    """“4–7, 9” becomes “four to seven and nine”."""
    parts = [
        " to ".join(_say_verse(one) for one in re.findall(r"\d+[a-c]?", part))
        for part in verses.split(",")
    ]
    if len(parts) == 1:
        return parts[0]
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _book(match: re.Match[str]) -> str:
    name = _BOOKS[match["book"]]
    number = match["number"]
    return f"{_ORDINALS.get(number[:2].rstrip('snr'), 'Third')} {name}" if number else name


def _verses(match: re.Match[str], context: Context) -> str | None:
    if any(one.count(":") > 1 and "," in one for one in _ONE_PLACE.findall(match["places"])):
        return None
    said = _ONE_PLACE.sub(lambda one: _say_place(one[0], context.region), match["places"])
    return f"{_book(match)} {said.replace(';', '; ').replace(';  ', '; ')}"


def _roman_place(match: re.Match[str], context: Context) -> str | None:
    """“Gen. i. 3”, as older books print chapters."""
    chapter = roman_value(match["roman"].lower())
    is_king = match["roman"].isupper() and match["book"] in _NAMES_OF_KINGS and not match["number"]
    if chapter is None or is_king:
        return None
    place = f"{chapter}:{_SHORT_LAST.sub(_whole_last, match['verses'])}"
    return f"{_book(match)} {_say_place(place, context.region)}"


def _whole_last(match: re.Match[str]) -> str:
    whole = match["first"][0] + match["last"]
    return match[0] if whole <= match["first"] else f"{match['first']}–{whole}"


def _dotted_place(match: re.Match[str], context: Context) -> str | None:
    """“Psalm 27.13”, “1 Cor. 15. 22”, as others print chapters."""
    book, is_short = match["book"], match["book"] not in _NUMBERED_NAMES | _NAMES
    one_digit = not match["verses"][1:2].isdigit()
    if is_short and not match["stop"]:
        return None
    if match["gap"] and not is_short:
        return None  # “in John 3. 12 men”
    if not match["number"] and (book == "Ex" or (book in _DOUBTFUL and one_digit)):
        return None
    place = f"{match['chapter']}:{match['verses']}"
    return f"{_book(match)} {_say_place(place, context.region)}"


def _chapter(match: re.Match[str], context: Context) -> str:
    said = cardinal(int(match["chapter"]), context.region)
    last = f" to {cardinal(int(match['last']), context.region)}" if match["last"] else ""
    return f"{_book(match)} {said}{last}"


def _begins_verse(match: re.Match[str], context: Context) -> str | None:
    """“one, one” before the words of a verse: a Bible that is set in lines."""
    if match[0] == "1:1" and context.kind is BlockKind.HEADING:
        return None  # of a meeting of two
    chapter, verse = (cardinal(int(match[part]), context.region) for part in ("chapter", "verse"))
    return f"{chapter}, {verse}"


# Revisions, figures and columns are “Rev. 2.1”, “Num. 2.1” and “Col. 2.1”.
_DOUBTFUL = frozenset(
    ("Numbers", "Num", "Numb", "Rev", "Col", "Est", "Sol", "Gen", "Mark", "Mk", "Acts")
)
_NAMES_OF_KINGS = frozenset(("James", "John", "Mark", "Luke", "Peter", "Daniel", "Samuel"))
_SHORT_LAST = re.compile(r"(?<!\d)(?P<first>\d\d)[–—-](?P<last>\d)(?!\d)")
# “First” is a word of its own.
_ALONE = f"{_choice(_NAMES)}|{'|'.join(_NUMBERED_NAMES)}"
_NUMBER = r"(?P<number>III|II|I|[123](?:st|nd|rd)?)\s?"
_PLACES = rf"(?P<places>{_PLACE}(?:(?:;\s?|,?\sand\s){_PLACE}){{0,8}})(?![\w:]|[.,]\d)"
_CHAPTER = rf"(?P<chapter>\d{{1,3}})(?:{_DASH}(?P<last>\d{{1,3}}))?(?![\w:]|[.,]\d)"

# “Gen. i. 3”, “Genesis XXXVII. 5”, “1 Samuel XXVIII 7”.
_ROMAN_PLACE = (
    rf"(?P<roman>[ivxlc]+(?=\.)|[IVXLC]+(?=[., ]\s?\d))[.,]?\s?(?P<verses>{_VERSES})"
    r"(?!\w|[.,:]\d)"
)
_DOTTED_PLACE = (
    rf"(?P<stop>\.?)\s(?P<chapter>\d{{1,3}})\.(?P<gap>\s?)"
    rf"(?P<verses>(?!0){_VERSES})(?![\w:%]|[.,]\d)"
)

RULES: tuple[Rule, ...] = (
    rule(
        "verse",
        rf"{_NUMBER}(?P<book>{_choice(_NUMBERED_NAMES)})\b\.?\s{_ROMAN_PLACE}",
        _roman_place,
    ),
    rule("verse", rf"(?P<number>)(?P<book>{_ALONE})\b\.?\s{_ROMAN_PLACE}", _roman_place),
    rule(
        "verse", rf"{_NUMBER}(?P<book>{_choice(_NUMBERED_NAMES)})\b{_DOTTED_PLACE}", _dotted_place
    ),
    rule("verse", rf"(?P<number>)(?P<book>{_ALONE})\b{_DOTTED_PLACE}", _dotted_place),
    rule("verse", rf"{_NUMBER}(?P<book>{_choice(_NUMBERED_NAMES)})\b\.?\s{_PLACES}", _verses),
    rule("verse", rf"(?P<number>)(?P<book>{_ALONE})\b\.?\s{_PLACES}", _verses),
    rule("verse", rf"{_NUMBER}(?P<book>{_choice(_NUMBERED_NAMES)})\b\.?\s{_CHAPTER}", _chapter),
    rule("verse", rf"(?P<number>)(?P<book>Pss?)\b\.?\s{_CHAPTER}", _chapter),
    # Two digits after the colon are said as a time is.
    rule(
        "verse",
        r"""(?:(?<![\s\S])|(?<=[.;:,?!]\s))(?P<chapter>\d{1,3}):(?P<verse>[1-9]|\d{3})
        (?=\s[“‘"'(\[]?[A-Z])""",
        _begins_verse,
    ),
)
