"""Numbers that are read sign by sign in English: ISBN, DOI, versions, IP addresses, colours.

Groups of digits are said with a comma between them, for a pause. Formats: ISO 2108, ISO 3297, ISO
26324, RFC 791.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.en.numbers import cardinal, digits, paired, year
from audiomill.inputs.languages.en.times import duration
from audiomill.inputs.spoken.rules import Context, Rule, rule

_SERIAL = re.compile(
    r"\b(?:serial|model|passport|licen[cs]e|plate|order|reference|ref\.?|tracking|account|part|"
    r"registration|code|invoice|booking|confirmation|ID|S/N|VIN)\b"
    r"(?!\s(?:of|the|for|with|to|and|you|in|only|as)\b)[\w\s.:]{0,20}\Z",
    re.IGNORECASE,
)
_STANDARDS = re.compile(r"\b(?:ISO|IEC|IEEE|EN|DIN|BS|ANSI|ASTM|NF|UNI|UNE|JIS|GOST|CSA)[ -]\Z")
_HOSTS = re.compile(
    r"\b(?:IP|IPv4|address(?:es)?|hosts?|server|DNS|ping|gateway|router|resolver|subnet)\b", re.I
)
_TOKENS = re.compile(r"\d+|[A-Za-z]+|[./_()+:;-]")
_SIGNS = {".": "point", "/": "slash", "-": "dash", "_": "underscore", "+": "plus", ":": "colon"}
_DOI_SIGNS = _SIGNS | {";": "semicolon", "(": "open parenthesis", ")": "close parenthesis"}


def letters_and_digits(text: str) -> str:
    """Letters in capitals, which every engine spells, and digits one by one."""
    parts = re.findall(r"\d+|[A-Za-z]+", text)
    return " ".join(digits(part) if part.isdecimal() else part.upper() for part in parts)


def _groups(text: str, zero: str) -> str:
    """The digits of each group, with a comma between groups."""
    return ", ".join(digits(group, zero) for group in re.findall(r"\d+", text))


def _book_number(match: re.Match[str], _: Context) -> str:
    """“ISBN 978-0-306-40615-7”, “ISSN 2049-3630”."""
    kind = match["kind"] or ""
    length = f" {cardinal(int(match['length']))}" if match["length"] else ""
    colon = ":" if match["colon"] else "," if length else ""
    said = _groups(match["number"].rstrip("xX"), "zero")
    check = " X" if match["number"][-1] in "xX" else ""
    return f"{kind.upper()}{length}{colon} {said}{check}"


def _doi(match: re.Match[str], _: Context) -> str:
    parts = (_sign(part[0]) for part in _TOKENS.finditer(match["number"]))
    return f"DOI {' '.join(parts)}"


def _sign(text: str) -> str:
    return digits(text) if text.isdecimal() else _DOI_SIGNS.get(text, text.upper())


def version_parts(text: str) -> str:
    """“two point one point three”; a zero is “oh”, as in “two point oh”."""
    first, *others = text.split(".")
    is_year = re.fullmatch(r"20[0-4]\d", first) and others
    said = year(int(first)) if is_year else _version_part(first, "zero")
    return " point ".join((said, *(_version_part(part) for part in others)))


def _version_part(text: str, zero: str = "oh") -> str:
    if text.startswith("0"):
        return digits(text, zero)
    return cardinal(int(text)) if len(text) < 4 else digits(text)


def _version(match: re.Match[str], _: Context) -> str:
    letter = match["letter"]
    said = f"version {version_parts(match['number'])}" + (f" {letter.upper()}" if letter else "")
    return said + _stage(match)


def _stage(match: re.Match[str]) -> str:
    """“ beta”, “ R C one”: how ready a version is."""
    if not match["stage"]:
        return ""
    number = f" {_version_part(match['candidate'])}" if match["candidate"] else ""
    stage = match["stage"].lower()
    return f" {'R C' if stage == 'rc' else stage}{number}"


def _program(match: re.Match[str], _: Context) -> str:
    return f"{match['name']}{match['gap']}{version_parts(match['number'])}{_stage(match)}"


def _before_release(match: re.Match[str], _: Context) -> str:
    """“twenty-one point ten B zero”: a release that is not final."""
    number = version_parts(match["number"])
    return f"{number} {' '.join(match['stage'].upper())} {cardinal(int(match['candidate']))}"


def _dotted(match: re.Match[str], _: Context) -> str:
    return version_parts(match["number"]) + _stage(match)


def _standard(match: re.Match[str], context: Context) -> str | None:
    """The number, part and year of a standard: “ISO 9001:2015”, “IEC 60601-1:2005”."""
    if not context.search_before(_STANDARDS, match.start()):
        return None
    part = f" dash {cardinal(int(match['part']))}" if match["part"] else ""
    year_words = year(int(match["year"]), context.region)
    return f"{cardinal(int(match['number']), context.region)}{part}, {year_words}"


def _standard_in_pairs(match: re.Match[str], context: Context) -> str | None:
    """“ISO eighty-six oh one”, “RFC twenty-one nineteen”, but “ISO nine thousand one”."""
    number = match["number"]
    named = context.search_before(_STANDARDS, match.start()) or context.text.endswith(
        "RFC ", 0, match.start()
    )
    is_round = number.endswith("00") or number[1:3] == "00"
    return paired(int(number)) if named and not is_round else None


def _address(match: re.Match[str], context: Context) -> str | None:
    """“192.168.0.1:8080” is “one nine two dot …, port eight zero eight zero”."""
    octets = match["octets"].split(".")
    if any(int(octet) > 255 for octet in octets):
        return None
    # Four single digits are more often a clause.
    clause = all(len(octet) == 1 for octet in octets) and "0" not in octets
    exact = match["port"] or match["mask"] or not clause or len(set(octets)) == 1
    if not exact and not context.search_before(_HOSTS, match.start()):
        return None
    port = f", port {digits(match['port'])}" if match["port"] else ""
    mask = f" slash {cardinal(int(match['mask']))}" if match["mask"] else ""
    return " dot ".join(digits(octet) for octet in octets) + port + mask


def _card(match: re.Match[str], _: Context) -> str:
    return _groups(match[0], "zero")


def _serial(match: re.Match[str], context: Context) -> str | None:
    """A mix of letters and digits after “serial number”, “model”, “passport”."""
    if not context.search_before(_SERIAL, match.start()):
        return None
    return ", ".join(letters_and_digits(group) for group in re.split(r"[-/ ]", match[0]) if group)


def _hexadecimal(match: re.Match[str], _: Context) -> str:
    """All of a number, but only the begin of an address or a digest."""
    number = match["number"]
    return f"zero X {letters_and_digits(number if len(number) < 17 else number[:4])}"


def _colour(match: re.Match[str], _: Context) -> str | None:
    """“#ff0000”; one without letters is a number."""
    if re.fullmatch(r"([a-f]{2})\1\1", match["number"]):  # “#cccccc”
        return f"hash {' '.join(letters_and_digits(one) for one in match['number'])}"
    if not re.search(r"[a-fA-F]", match["number"]) or (
        match["number"].isalpha()
        and len(match["number"]) == 3
        and match["number"].lower() not in ("fff", "abc")
    ):
        return None
    return f"hash {letters_and_digits(match['number'])}"


def _time_stamp(match: re.Match[str], _: Context) -> str:
    """“[00:12:03]” is how far into a recording it is."""
    return duration(*(int(match[name]) for name in ("hour", "minute", "second")))


def _as_printed(match: re.Match[str], _: Context) -> str:
    return match[0]


_STAGE = (
    r"(?:-(?P<stage>alpha|beta|rc|RC|dev|pre|preview|snapshot|SNAPSHOT|nightly|final)"
    r"[.-]?(?P<candidate>\d{1,3})?)?"
)
_PROGRAMS = (
    r"Python|Java|JavaScript|Ruby|PHP|Perl|Go|Rust|Node(?:\.js)?|Django|Windows|Ubuntu|Debian|Rails|"
    r"Fedora|Linux|macOS|Mac\sOS(?:\sX)?|iOS|iPadOS|watchOS|Android|Firefox|Chrome|Safari|HTTP|HTML|"
    r"CSS|TLS|SSL|USB|Bluetooth|HDMI|Unicode|OpenGL|PostgreSQL|MySQL|SQLite|Web|GPT|Swift|Kotlin|"
    r"Elixir|Julia|MariaDB|Electron|Ansible|Docker|Kubernetes|Terminal|Preview|[Vv]ersion|[Rr]elease|[Bb]uild|[Ff]irmware|[Kk]ernel"
)

RULES: tuple[Rule, ...] = (
    # “2xx”: the codes of HTTP from 200 on.
    rule(
        "code",
        r"(?<![\w.])(?P<hundreds>[1-5])(?:xx|XX)(?![^\W_])",
        lambda match, _context: f"{cardinal(int(match['hundreds']))} X X",
    ),
    rule(
        "isbn",
        r"""(?P<kind>ISBN|ISSN|isbn|issn)(?:[\s-](?P<length>10|13)(?=:?\s))?(?P<colon>:)?\s?
        (?P<number>\d(?:[\s-]?\d){6,11}[\s-]?[\dxX])(?![\w-])""",
        _book_number,
    ),
    rule(
        "isbn",
        r"""(?<![\w.-])(?P<kind>)(?P<length>)(?P<colon>)(?P<number>97[89]-\d{1,5}-\d{1,7}-\d{1,7}-\d)
        (?![\w-])""",
        lambda match, _: _groups(match["number"], "zero"),
    ),
    rule(
        "doi",
        r"(?:doi|DOI):?\s?(?P<number>10\.\d{4,9}/[\w./;()+:-]{1,80}(?<![.;:,)]))",
        _doi,
    ),
    rule(
        "doi",
        r"(?<![\w./:-])(?P<number>10\.\d{4,5}/(?=[\d./;()+:-]{0,40}[A-Za-z])[\w./;()+:-]{1,80}(?<![.;:,)]))",
        _doi,
    ),
    rule(
        "address",
        r"""(?<![\w.])(?P<octets>\d{1,3}(?:\.\d{1,3}){3})(?![\w]|\.\d)
        (?::(?P<port>\d{1,5})(?!\d)|/(?P<mask>\d\d?)(?!\d))?""",
        _address,
    ),
    rule(
        "version",
        rf"v(?:\.\s?|\s)?(?P<number>\d{{1,4}}(?:\.\d{{1,5}}){{1,3}}|(?<=v)\d{{1,2}})(?P<letter>[a-z])?{_STAGE}(?![\w/-]|\.\d)",
        _version,
    ),
    rule(
        "version",
        rf"(?P<name>{_PROGRAMS})(?P<gap>\s)(?P<number>\d{{1,4}}(?:\.\d{{1,5}}){{1,3}}){_STAGE}(?!\w|\.\d|%)",
        _program,
    ),
    rule(
        "version",
        r"(?<![\w.,/$£€-])(?P<number>\d{1,2}\.[1-9][1-9])(?=\+?\s(?:release|or\s(?:newer|later|higher))\b)",
        lambda match, _: version_parts(match["number"]),
    ),
    rule(
        "version",
        r"(?<=\.js\s)(?P<number>\d{1,2}\.\d{1,2})(?!\w|\.\d|%)",
        lambda match, _: version_parts(match["number"]),
    ),
    rule(
        "version",
        rf"(?<![\w.,/$£€-])(?P<number>\d{{1,3}}\.\d{{1,3}}\.\d{{1,5}}){_STAGE}(?![\w/]|[.,]\d)",
        _dotted,
    ),
    # “3.13.0rc2”, “19.10b0”, as Python's packages are numbered.
    rule(
        "version",
        r"(?<![\w.,/$£€-])(?P<number>\d{1,3}(?:\.\d{1,5}){1,2})(?P<stage>a|b|rc)(?P<candidate>\d{1,2})(?![\w/]|[.,]\d)",
        _before_release,
    ),
    rule("standard", r"(?P<number>[1-9]\d{2,3})(?!\w|[.,:]\d)", _standard_in_pairs),
    rule(
        "standard",
        r"(?P<number>\d{2,6})(?:-(?P<part>\d{1,3}))?:(?P<year>(?:19|20)\d\d)(?![\w:]|[.,]\d)",
        _standard,
    ),
    rule("card", r"(?<![\w.,-])\d{4}(?:(?:\s\d{4}){3}|(?:-\d{4}){3})(?![\w.,-]\d|\w|\s\d)", _card),
    rule("card", r"(?<![\w.,-])\d{3}-\d\d-\d{4}(?![\w-])", _card),
    rule("hexadecimal", r"0[xX](?P<number>[0-9a-fA-F]{1,128})(?!\w)", _hexadecimal),
    rule("colour", r"(?<![\w&/])\#(?P<number>[0-9a-fA-F]{6}|[0-9a-fA-F]{3})(?!\w)", _colour),
    rule(
        "timestamp",
        r"(?<=\[)(?P<hour>\d\d):(?P<minute>[0-5]\d):(?P<second>[0-5]\d)(?=\])",
        _time_stamp,
    ),
    rule(
        "chess",
        r"""(?:[KQRBN][a-h]?[1-8]?x?[a-h][1-8]|[a-h]x[a-h][1-8]|[a-h][1-8](?=[+\#=]|\s[a-h][1-8])
        |O-O(?:-O)?)(?:=[QRBN])?[+\#]?(?!\w)""",
        _as_printed,
    ),
    rule(
        "serial",
        r"""(?=[A-Z-]{0,16}\d)(?=[\d-]{0,16}[A-Z])[A-Z\d]{1,17}(?:-[A-Z\d]{1,12}){0,4}(?![\w-])""",
        _serial,
    ),
)
