"""English words for emoji: their Unicode names, without skin tones and signs of style.

Names are those of the Unicode Character Database; sequences follow Unicode Technical Standard 51.
"""

from __future__ import annotations

import re
import unicodedata

from audiomill.inputs.spoken.rules import Context, Rule, rule

_JOINER = "\u200d"
_NAMES = {
    "😂": "face with tears of joy",
    "❤": "heart",
    "♥": "heart",
    "👍": "thumbs up",
    "👎": "thumbs down",
    "🙏": "folded hands",
    "🎉": "party popper",
    "✨": "sparkles",
    "🔥": "fire",
    "💯": "hundred points",
    "👏": "clapping hands",
    "💪": "flexed biceps",
    "☺": "smiling face",
    "☹": "frowning face",
    "😊": "smiling face",
    "😉": "winking face",
    "😭": "crying face",
    "🤣": "rolling on the floor laughing",
    "👋": "waving hand",
    "🍆": "eggplant",
    "✔": "check mark",
    "✓": "check mark",
    "✅": "check mark",
    "✗": "cross mark",
    "❌": "cross mark",
    "⚠": "warning",
    "☀": "sun",
    **dict.fromkeys("✝✞✠☩", "cross"),
    "☎": "telephone",
    "✈": "airplane",
    **dict.fromkeys("♩♪♫♬☐☛☞☚☜❖❦❧☙", ""),  # ornaments
    "🇪🇺": "flag of the European Union",
}
# What a person and an object joined mean.
_ROLES = {
    "🚀": "astronaut",
    "💻": "technologist",
    "🎓": "student",
    "🏫": "teacher",
    "🍳": "cook",
    "🌾": "farmer",
    "🔬": "scientist",
    "🎨": "artist",
    "✈": "pilot",
    "🚒": "firefighter",
    "⚖": "judge",
    "⚕": "health worker",
    "🔧": "mechanic",
    "🎤": "singer",
}
_PEOPLE = frozenset("👨👩🧑")
_CHILDREN = frozenset("👦👧👶🧒")
_UNSAID = re.compile("[\ufe0e\ufe0f\U0001f3fb-\U0001f3ff♀♂]")
_DROPPED = re.compile(r"\b(?:black|white|heavy|emoji|symbol|sign|with variation) ?")
_BASE = (
    "[\u231a\u231b\u23e9-\u23f3\u2600-\u2605\u2607-\u266c\u2670-\u27bf\u2b50\u2b55\u2934\u2935"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)
_ONE = (
    f"(?:[\U0001f1e6-\U0001f1ff]{{2}}|{_BASE}[\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?"
    f"(?:\u200d{_BASE}[\ufe0e\ufe0f]?[\U0001f3fb-\U0001f3ff]?){{0,4}})"
)
_FIRST_FLAG = 0x1F1E6
_FACES = {
    ":-)": "smiling face",
    ":)": "smiling face",
    ";-)": "winking face",
    ";)": "winking face",
    ":-(": "frowning face",
    ":(": "frowning face",
    ":-D": "laughing face",
    ":D": "laughing face",
    ":-P": "face with tongue out",
    ":P": "face with tongue out",
}


def _say_emoji(emoji: str) -> str:
    """“rocket” for one emoji, with all that modifies it; "" if it has no name."""
    plain = _UNSAID.sub("", emoji).strip(_JOINER)
    if plain in _NAMES:
        return _NAMES[plain]
    if plain and _FIRST_FLAG <= ord(plain[0]) < _FIRST_FLAG + 26:
        return "flag of " + " ".join(chr(ord(one) - _FIRST_FLAG + ord("A")) for one in plain)
    return _joined([one for one in plain.split(_JOINER) if one])


def _joined(parts: list[str]) -> str:
    if len(parts) > 1 and parts[0] in _PEOPLE:
        if any(one in _CHILDREN or one in _PEOPLE for one in parts[1:]):
            return "family" if parts[-1] in _CHILDREN else "couple"
        if parts[1] in _ROLES:
            who = {"👨": "man ", "👩": "woman "}.get(parts[0], "")
            return who + _ROLES[parts[1]]
    return " ".join(filter(None, map(_name, parts)))


def _name(one: str) -> str:
    if one in _NAMES:
        return _NAMES[one]
    name = unicodedata.name(one[0], "").lower().replace("-", " ")
    return " ".join(_DROPPED.sub("", name).split())


def _run(match: re.Match[str], _: Context) -> str:
    """A run of the same emoji is said once; different ones are said in order."""
    said = [_say_emoji(one) for one in re.findall(_ONE, match[0])]
    kept = [one for at, one in enumerate(said) if one and (at == 0 or one != said[at - 1])]
    return f" {', '.join(kept)} "


def _face(match: re.Match[str], _: Context) -> str:
    return f" {_FACES[match[1]]}"


def _stars(match: re.Match[str], _: Context) -> str:
    count = match[0].count("★")
    return "" if not 0 < count <= 5 or len(match[0]) < 3 else f"{_COUNTS[count]} out of five stars"


_COUNTS = ("", "one", "two", "three", "four", "five")

RULES: tuple[Rule, ...] = (
    rule("stars", r"★{0,5}☆{0,5}(?<=[★☆]{5})(?![★☆])", _stars),
    rule("emoji", rf"{_ONE}(?:\ ?{_ONE}){{0,30}}", _run),
    rule("emoticon", r"(?<!\w)([:;]-?[()DP])(?=\s|\Z|[.!?])", _face),
)
