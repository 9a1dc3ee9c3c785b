"""English words that are printed in an odd way: drawn out, stuttered, censored, broken, joined.

Drawn-out words lose the letters that no engine can say (“Noooo!”). Words that an older book hides
are said as its readers said them: “d—n” is “damn”, “Lord ——” is “Lord Dash”.
"""

from __future__ import annotations

import re
from itertools import groupby, product

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.letters import like, spell
from audiomill.inputs.spoken.rules import NEAR, Context, Rule, always, any_of, rule

# What engines can say of a sound; the key has no letter more than once in a row.
_SOUNDS = {
    "hm": "hmm",
    "m": "hmm",
    "mh": "hmm",
    "mhm": "uh-huh",
    "sh": "shush",
    "br": "burr",
    "gr": "gur",
    "pst": "psst",
    "pft": "pfft",
    "argh": "aargh",
    "agh": "aargh",
    "arg": "aargh",
    "ah": "ah",
    "a": "ah",
    "oh": "oh",
    "o": "oh",
    "ugh": "ugh",
    "aw": "aw",
    "ew": "ew",
    "eh": "eh",
    "uh": "uh",
    "um": "um",
    "er": "er",
    "z": "zz",
    "e": "eek",
    "ha": "ha",
}
_NO_WORD = re.compile(r"[BCDFGJKPQVX]([BCDFGJKPQTVX])\1\1")  # “IFTTT”
_OOH = re.compile(r"o{2,}h*", re.IGNORECASE)
# Words with a double letter that people draw out.
_DOUBLE = words(
    """
    cool too soon good look food mood boo moo zoo school fool room noon poor door floor blood moon
    need keep sleep see free three been feel sweet deep wee whee yippee bee week green creep freeze
    tree knee weep queen feed speed indeed agree all ball fall hell hello well will tell kill still
    full pull call tall small yell spell eek really finally bloody mommy mummy daddy silly yummy
    funny pretty little happy sorry off stuff boss kiss miss pass less mess class proceed yahoo
    hurry worry hurray sunny nanny granny puppy kitty bunny beer cheers cheese goodbye pizza
    """
)
_STUTTER_NOT = re.compile(
    r"(?i)(?:[tgzfex]-\w+[st]ests?|t-(?:tests?|tops?|tables?|tubes?)|d-day|h-hour|b-boys?|s-shaped|e-\w+"
    r"|d-dimer|x-\w+|o-o|no-no|so-so|ha-ha|ho-ho|go-go|yo-yo|bye-bye|pa-pa|ma-ma|da-da|he-he|la-la"
    r"|ta-ta|co-\w+|re-\w+|de-\w+|bi-\w+|in-in\w+|ex-\w+|un-un\w+)\Z"
)
# A letter, or consonants that begin a word.
_BEGUN = (
    r"[^\W\d_]|[TtWwSsCcPp]h|[BbCcDdFfGgPpTt]r|[BbCcFfGgPpSs]l|[Ss][tpkmnw]|[Tt]w|[Ww]r|[Ss][tp]r"
)
_OF_RHYMES = re.compile(r"\b(?:rhym|rhim|stanza|quatrain|sonnet|metre|meter)")
_HIDDEN = {
    ("d", "n"): "damn",
    ("d", "d"): "damned",
    ("d", "ned"): "damned",
    ("d", "mn"): "damn",
    ("d", "ed"): "damned",
    ("h", "l"): "hell",
    ("h", "ll"): "hell",
    ("g", "d"): "God",
    ("d", "l"): "devil",
    ("b", "y"): "bloody",
    ("d", "nation"): "damnation",
    ("b", "dy"): "bloody",
    ("d", "nable"): "damnable",
    ("d", "nably"): "damnably",
}
_TITLED = words(
    """
    mr mrs ms miss lord lady sir dr captain capt colonel col major general count countess duke
    duchess baron baroness earl marquis prince princess madame monsieur reverend rev father st
    """
)
_LONG_DASHES = ("⸺", "⸻")  # of two and three ems, which always stand for letters or a name
_INITIAL = re.compile(
    rf"(?i:\b(?:{'|'.join(sorted(_TITLED))}|of|at|near|from|to))\.?[\s\u00a0][A-Z]\Z"
)
_NAMELESS = frozenset(("of", "at", "near", "in", "from", "to"))
# Ends of words that are no words, and words that look like one.
_FRAGMENT = re.compile(
    r"(?:[a-z]{0,4}[ts]ion(?:s|al|ed|ing|ally|ary)?|e?ments?|nesses|ness|ings?|ingly|[bcdfgklmnprtv]ing"
    r"|[a-z]?able|[a-z]?ably|ibly|ible|ously|[a-z]?ous|fully|lessly|lessness|[a-z]{0,3}ities|[a-z]?ity"
    r"|[a-z]{0,2}ances?|[a-z]{0,2}ences?|[a-z]{1,2}ized|izing|[a-z]?ively|ological|ically|[a-z]?tude)"
)
_NO_FRAGMENTS = words(
    """
    action actions auction caution diction edition emotion faction fiction fictional lotion
    mansion mention mentioned mentioning mission motion nation national nations notion option
    options passion pension portion potion ration rational section sections session station
    stations suction tension traction version vision bring king kings ring rings sing ping ding
    ling wing wings being doing going able cable fable gable table sable city cities pity unity
    dance dances fence fences hence lance pence sense chance stance famous dance ting zing
    """
)
_DROP_CAPS = words(
    """
    the this that there then they these those though to two when while what where who why with
    was were we it in on of one once he she his her as at an and all after about another but by
    before be my most many not now no never nothing for from first five you your if into is so
    some several since like late last let long do did down during early even every each up until
    under upon our out over or how had have here
    """
)
_PRONOUNS = {
    "s/he": "she or he",
    "(s)he": "she or he",
    "he/she": "he or she",
    "she/he": "she or he",
    "him/her": "him or her",
    "his/her": "his or her",
    "his/hers": "his or hers",
    "her/his": "her or his",
    "himself/herself": "himself or herself",
    "and/or": "and or",
    "w/": "with",
    "w/o": "without",
    "b/c": "because",
    "c/o": "care of",
    "n/a": "N A",
}


def shorten(word: str) -> str | None:
    """“no” for “nooo”, “cool” for “coool”; the letters keep their case. None for numerals."""
    lower = word.lower()
    once = "".join(letter for letter, _ in groupby(lower))
    if word.isupper() and (len(once) < 2 or _NO_WORD.search(word)):
        return None
    if _OOH.fullmatch(word):
        return like("ooh", word)
    if once in _SOUNDS:
        return like(_SOUNDS[once], word)
    if re.fullmatch("[ivxlcdm]+|w+", lower) or len(once) < 2:
        return None
    return like(_with_doubles(lower) or once_long(lower), word)


def once_long(lower: str) -> str:
    """The word with each letter drawn out once; “recommmended” is a slip for a double."""

    def shortened(run: re.Match[str]) -> str:
        inside = run.start() > 0 and run.end() < len(lower)
        return run[1] * (2 if inside and len(run[0]) == 3 and run[1] not in "aeiouy" else 1)

    return re.sub(r"(.)\1{2,}", shortened, lower)


def _with_doubles(lower: str) -> str | None:
    """The known word with double letters that `lower` draws out."""
    runs = [(letter, len(list(run))) for letter, run in groupby(lower)]
    if sum(n > 1 for _, n in runs) > 4:
        return None
    choices = [(letter,) if n == 1 else (letter * 2, letter) for letter, n in runs]
    words = map("".join, product(*choices))
    return next((one for one in words if one in _DOUBLE), None)


def _sound(match: re.Match[str], context: Context) -> str | None:
    if match[0] == "MM":
        return None  # “MM. Lund and Clausen”, “HH:MM”
    near = context.text[max(0, match.start() - 1) : match.end() + 1]
    if match[0] == "mm" and (near == "(mm)" or near[0] in "./"):
        return None  # a point of a list, a file
    if match[0] == "mm" and context.text_before(match.start(), 2) == ") ":
        return "millimeters" if context.region == "US" else "millimetres"
    if re.search(r"\d\s?\Z", context.text_before(match.start(), 2)):
        return None  # “5 mm”
    return like(_SOUNDS["".join(letter for letter, _ in groupby(match[0].lower()))], match[0])


_BOND = re.compile(r"(?<=[^\w-][A-Z]-[A-Z])\s(?:\w+\s)?bond")  # of atoms: “the S-S bond”


def _stutter(match: re.Match[str], context: Context) -> str | None:
    if _STUTTER_NOT.match(match[0]) or _BOND.match(context.text, match.end()):
        return None
    begun, word = match["begun"], match["word"]
    n_times = match["again"].count("-")
    first = word if len(begun) > 1 else begun
    said = [like(first, begun), *[first.lower() if first != "I" else first] * (n_times - 1), word]
    return ", ".join(said)


def _rhymes(match: re.Match[str], context: Context) -> str | None:
    near = context.text[max(0, match.start() - 2 * NEAR) : match.end() + NEAR]
    return spell(match[0]) if _OF_RHYMES.search(near) else None


def _hidden(match: re.Match[str], _: Context) -> str | None:
    if match["last"] == "shire" and match["first"].isupper():
        return f"{match['first']} shire"
    said = _HIDDEN.get((match["first"].lower(), match["last"].lower()))
    return said and like(said, match["first"])


def _starred(match: re.Match[str], _: Context) -> str:
    if not match["last"] and match["first"].isupper() and match["first"] not in "ABCDFS":
        return match["first"]  # “W***”, a name
    known = _HIDDEN.get((match["first"].lower(), match["last"] or ""))
    return like(known or "bleep", match["first"])


def _initial_only(match: re.Match[str], context: Context) -> str:
    """“Mr. B——” is said as “Mr. B”, “you b——” without the word; “tell me a——” breaks off."""
    if match["first"] == "a" and context.text[match.end() : match.end() + 1] in {'"', "”", "’"}:
        return "a"
    return match["first"] if match["first"].isupper() else "bleep"


def _nameless(match: re.Match[str], context: Context) -> str | None:
    """“Lord ——” is said as “Lord Dash”, the dashes of “Lord B——” are silent."""
    near = context.text_before(match.start())
    if _INITIAL.search(near):
        return ""
    if match[0] in _LONG_DASHES:
        return "Dash" if not near[-1:].isalnum() else None
    before = context.word_before(match.start()).rstrip(".")
    named = before.lower() in _TITLED and before[:1].isupper()
    return (
        "Dash"
        if near[-1:].isspace()
        and match[0] not in {"—", "–", "--"}
        and (named or before in _NAMELESS)
        else None
    )


def _broken(match: re.Match[str], _: Context) -> str | None:
    if match["last"] in _NO_FRAGMENTS or not _FRAGMENT.fullmatch(match["last"]):
        return None
    return match["first"] + match["last"]


def _drop_cap(match: re.Match[str], _: Context) -> str | None:
    if match.start() or (match["first"] + match["rest"]).lower() not in _DROP_CAPS:
        return None
    return match["first"] + match["rest"].lower()


def _joined(match: re.Match[str], _: Context) -> str:
    return like(_PRONOUNS[match[0].lower()], match[0])


_KNOWN = any_of(_PRONOUNS)
_END = r"(?![^\W_]|['’]\w)"

RULES: tuple[Rule, ...] = (
    rule("joined", rf"(?:{_KNOWN})(?![\w/])", _joined, re.IGNORECASE),
    rule("drop cap", r"(?P<first>[A-Z])\ (?P<rest>[A-Z]{1,7}|[a-z]{1,7})(?![\w'’])", _drop_cap),
    rule(
        "stutter",
        rf"""
        (?<!['’-])(?P<begun>{_BEGUN})(?P<again>(?:-(?i:(?P=begun))){{0,6}}-)
        (?P<word>(?i:(?P=begun))[a-z'’]*+)(?![^\W_]|-)
        """,
        _stutter,
    ),
    rule("sound", rf"(?i:h+m+|m{{2,}}h?m*|s+h{{2,}}|b+r{{2,}}|g+r{{2,}})(?!-){_END}", _sound),
    # “rhymed aaab”: the lines of a stanza that rhyme.
    rule("rhymes", r"(?=[a-e]{0,10}([a-e])\1)a[a-e]{2,13}(?![\w'’])", _rhymes),
    rule(
        "drawn",
        rf"(?=[^\W\d_]*?([^\W\d_])(?i:\1){{2}})(?:[^\W\d_][a-zß-öø-ÿ]*+|[A-ZÀ-ÖØ-Þ]++){_END}",
        lambda match, _: shorten(match[0]),
    ),
    rule(
        "hidden",
        rf"(?P<first>[A-Za-z])(?:[—–]{{1,3}}|-{{2,4}}|_{{2,4}}|[⸺⸻])(?P<last>[a-z]{{1,6}}){_END}",
        _hidden,
    ),
    rule(
        "hidden",
        rf"(?P<first>[A-Za-z])(?:\*{{2,5}}(?P<last>[a-z]{{1,6}})|\*{{3,5}}){_END}",
        _starred,
    ),
    rule("hidden", rf"(?P<first>[A-Za-z])\*(?P<last>[a-z]{{1,6}}){_END}", _hidden),
    rule(
        "hidden",
        r"(?<!['’])(?P<first>[A-Za-z])(?:[—]{2,3}|-{3,5}|_{3,5}|[⸺⸻])(?!\w)",
        _initial_only,
    ),
    rule("hidden", r"(?:—{2,3}|-{2,5}|_{3,5}|⸺|⸻)(?!\w)", _nameless),
    rule("hidden", r"[⸺⸻](?:st|nd|rd|th)\b", always("blank")),  # of a regiment
    rule("hidden", r"[⸺⸻](?=shire\b)", always("Dash")),
    rule("hidden", r"[—–](?=[,.;:!?)”’\s]|\Z)", _nameless),
    rule(
        "broken", r"(?P<first>[^\W\d_][a-z]{1,14}+)[-‐]\s(?P<last>[a-z]{2,12})(?![\w'’-])", _broken
    ),
)
