"""English words for names that computers use: files, folders, identifiers, hashes."""

from __future__ import annotations

import re
from functools import lru_cache

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.codes import version_parts
from audiomill.inputs.languages.en.currencies import BY_CODE
from audiomill.inputs.languages.en.letters import is_pronounceable, spell
from audiomill.inputs.languages.en.numbers import ONES, cardinal, digits
from audiomill.inputs.languages.en.web import say_humps
from audiomill.inputs.spoken.rules import Context, Rule, rule

_ENDINGS = (
    "pdf|txt|md|py|lua|js|ts|jsx|tsx|html?|css|json|yaml|yml|toml|csv|tsv|xml|zip|gz|tar|exe|dll|docx?"
    "|xlsx?|pptx?|odt|rtf|png|jpe?g|gif|svg|webp|tiff?|bmp|mp3|mp4|m4a|m4b|wav|flac|ogg|avi|mov|epub"
    "|mobi|sh|bat|cpp|hpp|rs|java|kt|rb|php|sql|ini|cfg|conf|log|bak|tex|bib|lock|env|iso|jar|ipynb"
)
_SAID_ENDINGS = {
    "json": "jason",
    "jpeg": "jay peg",
    "jpg": "jay peg",
    "yml": "yaml",
    "epub": "e-pub",
    "docx": "doc X",
    "mp3": "M P three",
    "mp4": "M P four",
    "m4a": "M four A",
    "m4b": "M four B",
    "tiff": "tiff",
}
_WORD_ENDINGS = words(
    """
    yaml toml zip tar doc gif wav java log lock jar flac conf bat tex bib mobi env lua cmake
    """
)
_LONGEST_ENDING = 4
_IS_ENDING = re.compile(_ENDINGS)
_HIDDEN = re.compile(
    r"rc\Z|ignore|env|profile|config|conf\Z|git|ssh|local|cache|hta|npm|docker|bash|vim|zsh|login|logout"
    r"|history|files?\Z|dir\Z|folder|hidden|attributes|modules"
)
_FORMATS = frozenset(
    ("YMD", "DMY", "MDY", "YM", "MY", "MD", "DM", "HM", "HMS", "YMDHM", "YMDHMS", "YMDH")
)
_FORMAT_PARTS = {"Y": "year", "M": "month", "D": "day", "H": "hours", "S": "seconds"}
_SHOWN_DIGITS = 4  # of a hash: enough to know it again
_TELL_HASH = frozenset(("hash", "commit", "checksum", "digest", "revision"))


HUMP = re.compile("[a-z][A-Z]")
_ITALIC_LETTER = re.compile(r"(?<!\w)(?:_[a-z]_[a-z]{2,5}|[a-z]{2,5}_[a-z]_)(?!\w)")


def _ending(text: str) -> str:
    lower = text.lower()
    if lower.isdecimal():
        return digits(lower)
    if len(lower) > _LONGEST_ENDING:  # “darktable.AppImage”
        return say_humps(text).lower()
    return _SAID_ENDINGS.get(lower) or (lower if lower in _WORD_ENDINGS else spell(lower))


def _file(match: re.Match[str], _: Context) -> str:
    said = [say_name(one) for one in match["name"].split(".") if one]
    return " dot ".join((*said, _ending(match["ending"])))


def say_name(text: str) -> str:
    """What is said for a name of a file or the like without its ending: “my mill” for “my-mill”."""
    return " ".join(map(_word, text.split("-")))


def _word(text: str) -> str:
    if text.isupper() and len(text) > 2 and is_pronounceable(text):
        return text.lower()
    is_plain = text.isalpha() and not text.isupper() and not HUMP.search(text)
    return text if is_plain else say_humps(text)


def _hidden_file(match: re.Match[str], context: Context) -> str | None:
    """“dot env”; but a full stop before a word of a sentence may be a slip: “in .the wood”."""
    slip = match[1].isalpha() and re.match(r"\s[a-z]", context.text[match.end() :])
    is_ending = _IS_ENDING.fullmatch(match[1]) and match[1] not in _WORD_ENDINGS
    if slip and not is_ending and not _HIDDEN.search(match[1]):
        return None
    *names, last = match[1].split(".")
    said = _ending(last) if _IS_ENDING.fullmatch(last) else say_name(last)
    return "dot " + " dot ".join((*map(say_name, names), said))


def _path(match: re.Match[str], _: Context) -> str:
    parts = [one for one in match["parts"].split("/") if one]
    start = {"~": "tilde", ".": "dot", "..": "dot dot"}.get(match["start"], "")
    return " slash ".join((start, *map(_folder, parts))).strip()


def _folder(text: str) -> str:
    stem, dot, ending = text.rpartition(".")
    if dot and not stem:
        return f"dot {say_name(ending)}"
    return f"{say_name(stem)} dot {_ending(ending)}".strip() if dot else say_name(text)


def _drive(match: re.Match[str], _: Context) -> str:
    parts = [one for one in match["parts"].split("\\") if one]
    return f"{match['drive']} colon backslash " + " backslash ".join(map(_folder, parts))


def _identifier(match: re.Match[str], _: Context) -> str:
    return say_humps(match[0])


def _italic_letter(match: re.Match[str], context: Context) -> str | None:
    """“block” for “bl_o_ck”, among other words that have letters in italics."""
    return match[0].replace("_", "") if _has_italic_letters(context.text) else None


@lru_cache(maxsize=8)
def _has_italic_letters(text: str) -> bool:
    return _ITALIC_LETTER.search(text) is not None


def _hash(match: re.Match[str], context: Context) -> str:
    shown = match[0][:_SHOWN_DIGITS].upper()
    said = " ".join(ONES[int(one)] if one.isdecimal() else one for one in shown)
    return said if context.word_before(match.start()).lower() in _TELL_HASH else f"hash {said}"


def _format(match: re.Match[str], _: Context) -> str | None:
    """“year, month, day” for “YYYY-MM-DD”, “hours, minutes” for “HH:MM”."""
    parts = re.findall(r"([A-Za-z])\1+", match[0])
    kinds = "".join(parts).upper()
    if kinds not in _FORMATS:
        return None
    return ", ".join(
        "minutes" if kind == "M" and kinds[:at].endswith("H") else _FORMAT_PARTS[kind]
        for at, kind in enumerate(kinds)
    )


def _escape_code(match: re.Match[str], _: Context) -> str:
    number = f"{cardinal(int(match['number']))} " if match["number"] else ""
    return f"escape {number}{spell(match['letter'])}"


def _release(match: re.Match[str], _: Context) -> str | None:
    """“B F three point one” for “BF3.1”: a program and its version; but “EUR5.50” is money."""
    if match["name"] in BY_CODE:
        return None
    return f"{spell(match['name'])} {version_parts(match['number'])}"


RULES: tuple[Rule, ...] = (
    # “\\e[9m”: a code that a terminal obeys.
    rule(
        "code",
        r"\\(?:e|033|x1b)\[(?P<number>\d{0,3})(?P<letter>[A-Za-z])(?!\w)",
        _escape_code,
    ),
    rule(
        "version",
        r"(?P<name>[A-Z]{2,4})(?P<number>\d{1,2}(?:\.\d{1,3}){1,3})(?!\w|\.\d|%)",
        _release,
    ),
    rule(
        "format", r"(?:[Yy]{2}|[Mm]{2}|[Dd]{2}|[Hh]{2})[YyMmDdHhSs/.:-]{2,20}(?<!\W)(?!\w)", _format
    ),
    rule("hash", r"(?<!_)(?=\d*+[a-f])(?=[a-f]*+\d)(?!\d++e\d++\b)[0-9a-f]{7,128}(?![\w-])", _hash),
    # A UUID: RFC 9562.
    rule("hash", r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w-])", _hash, re.IGNORECASE),
    rule(
        "file",
        rf"(?P<name>[A-Za-z0-9_][\w-]{{1,60}}(?:\.[\w-]{{1,30}}){{0,3}})\.(?P<ending>{_ENDINGS})(?![\w@-]|\.\w)",
        _file,
        re.IGNORECASE,
    ),
    rule(
        "file",
        r"(?<![\w./])(?<!\.[ \u00a0])\.([a-z][\w-]{1,30}(?:\.[a-z]{1,10}){0,2})(?![\w/])",
        _hidden_file,
    ),
    rule(
        "path",
        r"(?<![\w./])(?P<start>~|\.{1,2}|)(?P<parts>(?:/\.?[A-Za-z][\w-]{0,40}(?:\.\w{1,10})?){2,12})/?(?!\w)",
        _path,
    ),
    rule("path", r"(?P<start>~)(?P<parts>/[A-Za-z][\w-]{0,40}(?:\.\w{1,10})?)/?(?!\w)", _path),
    rule(
        "path",
        r"(?P<drive>[A-Z]):(?P<parts>(?:\\[\w-]{1,40}(?:\.\w{1,10})?){1,12})\\?(?!\w)",
        _drive,
    ),
    # “_Im_proving”, and “cit_y_” among such words: a part of a word in italics.
    rule(
        "italics",
        r"_[A-Z][a-z]{1,12}_[a-z]{1,20}(?![\w/@(\[=-]|\.\w)",
        lambda match, _context: match[0].replace("_", ""),
    ),
    rule(
        "italics",
        r"(?:_[a-z]_[a-z]{1,20}|[A-Za-z][a-z]{0,19}_[a-z]_|[a-z]{1,4}_[a-z]_[a-z]{1,4})"
        r"(?![\w/@(\[=-]|\.\w)",
        _italic_letter,
    ),
    rule(
        "identifier",
        r"_{0,2}(?:[A-Za-z][A-Za-z0-9]{1,40}|[A-Za-z])(?:_[A-Za-z0-9]{1,40}){1,10}_{0,2}(?![\w/@]|\.\w)",
        _identifier,
    ),
    rule("identifier", r"__[A-Za-z][A-Za-z0-9]{1,40}__(?!\w)", _identifier),
    rule("identifier", r"[a-z]{2,20}+(?:[A-Z][a-z]{2,20}+){1,8}(?![\w@])", _identifier),
)
