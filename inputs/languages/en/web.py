"""English words for addresses: web pages, hosts, mail, hashtags, handles.

Only the host of a long address is said, as people tell each other where to look. The parts of an
address are those of RFC 3986 and RFC 5322, as far as books print them.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.capitals import SHORT_WORDS
from audiomill.inputs.languages.en.letters import is_pronounceable, spell
from audiomill.inputs.languages.en.numbers import cardinal, digits, year
from audiomill.inputs.spoken.rules import NEAR, Context, Rule, rule

_AFTER = ".,;:!?…]}’'”\"*_"  # at the end of an address, these belong to the sentence
# Ends of hosts that are said as words; all others of two or three letters are spelled.
_SAID_ENDS = frozenset(
    ("com", "org", "net", "gov", "mil", "int", "info", "biz", "app", "blog", "dev", "me")
)
# Names that are said as words, though no English word is spelled like them.
_SAID_NAMES = frozenset(("gmail", "github", "tumblr", "flickr", "scribd"))
_ENDS = (
    "com|org|net|edu|gov|mil|info|biz|io|dev|app|ai|blog|shop|site|online|museum|news|wiki|xyz|tech"
    "|co\\.uk|org\\.uk|ac\\.uk|gov\\.uk|com\\.au|co\\.nz|co\\.jp|co\\.in|co\\.za|uk|de|fr|es|ch|nl"
    "|se|dk|pl|eu|ca|au|nz|jp|ru|cn|br|tv|ie|fi|pt|gr|cz|hu"
)
_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_HOST = rf"(?:{_LABEL}\.){{1,6}}(?:{_ENDS})"
# What programmers say as words in names in capitals: SET_DIR, GIT_LOG.
_SHORT_PARTS = (SHORT_WORDS - {"us"}) | words(
    "alt app arg args bin cap conf deg dev dir div env freq gcode git int lib log max min net non"
    " num opt pos raw sys tag temp var yaw"
)
_LONG_PART = 6  # letters from which on a part with a vowel is a word, however odd: SERIALRX
_SAID_PARTS = {"ADDR": "address"}
_PARTS = re.compile(r"\d+|[^\W\d_]+|[._+~=-]")
_METHOD_NAME = re.compile(r"[a-z][a-z0-9_]*")
_METHODS = re.compile(
    r"\b(?:methods?|class|instances?|objects?|arguments?|overrid\w*|returns?)\b|\w::\w"
)
_SIGNS = {".": "dot", "_": "underscore", "-": "dash", "+": "plus", "~": "tilde", "=": "equals"}
_SHORT_PATH = re.compile(r"(?:/[a-z]{3,12}){1,2}/?")
_HUMPS = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+|[A-Z]")


def _say_label(text: str) -> str:
    """What is said for a part of an address: “my dash site”, “B B C”, “web two”."""
    return " ".join(map(_part, _PARTS.findall(text)))


def _part(text: str) -> str:
    if text in _SIGNS:
        return _SIGNS[text]
    if text.isdecimal():
        return cardinal(int(text)) if len(text) < 3 and text[0] != "0" else digits(text)
    if text.lower() in _SAID_NAMES:
        return text
    if text.lower() == "gov":
        return "gov"
    if len(text) > 1 and text.isascii() and (_is_long(text) or is_pronounceable(text)):
        return text
    return spell(text)


def _is_long(text: str) -> bool:
    """Whether a name has too many letters to be spelled: “pcloud”."""
    return len(text) > 6 or (len(text) > 5 and bool(re.search("[aeiou]", text)))


def _say_host(host: str) -> str:
    """“example dot org” for “www.example.org”, without port and user."""
    plain = re.sub(r"(?i)\A(?:[^@/]*@)?(?:www\.)?|:\d+\Z", "", host)
    labels = plain.strip(".").split(".")
    said = [_say_label(one) for one in labels[:-1]]
    return " dot ".join((*said, _end(labels[-1])))


def _end(label: str) -> str:
    lower = label.lower()
    if lower in _SAID_ENDS:
        return lower
    if len(label) > 3:
        return _say_label(label)
    return _say_label(label) if label[:1].isdecimal() else spell(label)


def _cut(address: str) -> tuple[str, str]:
    """An address, and the punctuation of the sentence at its end."""
    end = len(address)
    while end and (address[end - 1] in _AFTER or _is_open(address[:end])):
        end -= 1
    return address[:end], address[end:]


def _is_open(address: str) -> bool:
    return address.endswith(")") and address.count("(") < address.count(")")


def _url(match: re.Match[str], _: Context) -> str | None:
    address, after = _cut(match["rest"])
    host, slash, path = address.partition("/")
    host = re.split(r"[?#]", host)[0]
    if not any(map(str.isalnum, host)):
        return None
    return _say_host(host) + _say_path(slash + path) + after


def _say_path(path: str) -> str:
    """A short path of plain words is said; all others are left out."""
    if not _SHORT_PATH.fullmatch(path):
        return ""
    return "".join(f" slash {_part(one)}" for one in path.split("/") if one)


def _host(match: re.Match[str], _: Context) -> str | None:
    if "--" in match["host"] and not match["host"].startswith("xn--"):
        return None  # a dash: “line--GOV.UK”
    path, after = _cut(match["path"] or "")
    return _say_host(match["host"]) + _say_path(path) + after


def _mail(match: re.Match[str], _: Context) -> str:
    return f"{_say_label(match['local'])} at {_say_host(match['host'])}"


def say_humps(name: str) -> str:
    """“open source” for “OpenSource”, “open_source” and “openSource”."""
    return " ".join(map(_hump, _HUMPS.findall(name)))


def _hump(text: str) -> str:
    if re.fullmatch(r"(?:19|20)\d\d", text):
        return year(int(text))
    if text.isdecimal():
        return cardinal(int(text)) if len(text) < 5 and text[0] != "0" else digits(text)
    if len(text) > 1 and text.isupper() and not _is_said_part(text.lower()):
        return spell(text)
    return _SAID_PARTS.get(text) or (text.lower() if len(text) > 1 else text)


def _is_said_part(lower: str) -> bool:
    """Whether a part of a name in capitals is a word: MAP, GCODE, SERIALRX; but not SHA."""
    if lower in _SHORT_PARTS or lower.upper() in _SAID_PARTS:
        return True
    is_long = len(lower) >= _LONG_PART and re.search("[aeiou]", lower)
    return bool(is_long) or (len(lower) > 3 and is_pronounceable(lower))


# Of preprocessors and templates: “#if”.
_DIRECTIVE_NAMES = """
await define each elif else endif endregion if ifdef ifndef include key pragma region snippet undef
"""
_DIRECTIVES = frozenset(_DIRECTIVE_NAMES.split())


def _hashtag(match: re.Match[str], context: Context) -> str:
    """“hashtag books”; the name alone of a method, as Ruby's documents have it: “#to_s”."""
    said = say_humps(match["name"])
    if match["name"].isupper() and context.text.startswith("=", match.end()):
        return said  # a setting that does not hold: “#MAX_SIZE=5”
    near = context.text[max(0, match.start() - NEAR) : match.end() + NEAR]
    if match["name"][1:].isupper() and set(match["name"]) <= set("RGBA"):  # “#RRGGBB”
        return f"hash {said}"
    if match["name"] in _DIRECTIVES:
        return f"hash {said}"
    is_method = _METHOD_NAME.fullmatch(match["name"]) and (
        "_" in match["name"] or _METHODS.search(near)
    )
    return (
        said
        if is_method or context.text[match.end() : match.end() + 1] in ("(", "?")
        else f"hashtag {said}"
    )


def _handle(match: re.Match[str], context: Context) -> str:
    """“at jane doe”; of an author, as in a list of changes, the name alone: “by jane doe”."""
    at = "" if context.word_before(match.start()).lower() in {"by", "thanks"} else "at "
    return f"{at}{say_humps(match['name'])}"


def _pull_request(match: re.Match[str], _: Context) -> str:
    return f"pull request{match['many']}"


def _local_port(match: re.Match[str], _: Context) -> str:
    return f"localhost, port {digits(match['port'])}"


def _port(match: re.Match[str], _: Context) -> str | None:
    """“port eight zero eight zero”; a year is more often of wine: “port 1912”."""
    is_year = re.fullmatch("1[789]..|20..", match["port"])
    return None if is_year else f"{match['word']}{digits(match['port'])}"


RULES: tuple[Rule, ...] = (
    rule("url", r"(?P<open><)?(?:https?|ftp|HTTPS?)://(?P<rest>[^\s<>\"“”]++)(?(open)>?)", _url),
    rule("url", r"(?P<rest>[Ww]{3}\.[^\s<>\"“”]++)", _url),
    rule(
        "mail",
        rf"(?P<open><)?(?:mailto:)?(?P<local>[\w.+~=-]{{1,64}}+)@"
        rf"(?P<host>(?:{_LABEL}\.){{1,6}}[a-z]{{2,12}})(?![\w-])(?(open)>?)",
        _mail,
        re.IGNORECASE,
    ),
    rule(
        "host",
        rf"(?P<host>{_HOST})(?![\w@-]|\.\w)(?::\d+)?(?P<path>/[^\s<>\"“”]*+)?",
        _host,
        re.IGNORECASE,
    ),
    rule("host", r"localhost:(?P<port>\d{2,5})(?!\d)", _local_port),
    rule("port", r"(?P<word>[Pp]orts?\s)(?P<port>\d{4,5})(?!\w|[.,]\d)", _port),
    rule("host", r"\.(com|org|net|edu|gov|io)(?![\w.])", lambda match, _: f" dot {_end(match[1])}"),
    rule(
        "hashtag",
        r"(?<![\w&)\]])\#(?!(?=[a-f]*\d)[\da-f]{6}\b|[\dA-F]{6}\b|(?P<pair>[a-f]{2})(?P=pair){2}\b)(?P<name>[^\W\d_]\w{1,60}|(?![\da-fA-F]{8}\b)\d{1,4}[A-Za-z]{3,60})(?!\w)",
        _hashtag,
    ),
    rule("request", r"PR(?P<many>s?)(?=\s[#]\d)", _pull_request),
    rule("handle", r"(?<![\w.])@(?P<name>[A-Za-z_]\w{1,30}(?:-\w{1,20}){0,3})(?!\w)", _handle),
)
