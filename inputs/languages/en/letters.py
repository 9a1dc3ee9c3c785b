"""Letters said one by one, and whether letters can be said as a word at all.

Source of what English words may begin and end with: J. C. Wells, Longman Pronunciation Dictionary
(3rd ed.), “Phonotactics”, as far as spelling shows it.
"""

from __future__ import annotations

import re

_ONSET = (
    "(?:[bcdfghjklmnprstvwxyz]|bl|br|ch|cl|chr|cr|dr|dw|fl|fr|gh|gl|gn|gr|kh|kl|kn|kr|ph|phr|pl|pr|ps"
    "|qu|rh|sc|sch|scr|sh|shr|sk|sl|sm|sn|sp|sph|spl|spr|squ|st|str|sw|th|thr|tr|tw|wh|wr)"
)
_VOWELS = "[aeiouy]{1,3}"
_CODA = (
    "(?:[bcdfghkmnprstvwxzl]|bs|bt|bts|cht|chts|ck|cks|ch|cs|ct|cts|ds|dst|dth|ff|ffs|ft|fts|fth|gh|ghs|ght|ghts|gn|gns|gs|hn|ks|ld|lds|lf|lk"
    "|lks|ll|lls|lm|lms|lp|lps|ls|lt|lts|lth|mb|mbs|mn|mp|mps|mpt|mph|mphs|ms|nch|nd|nds|ng|ngs|ngth|nk|nks"
    "|nn|ph|ns|nt|nts|nth|ps|pt|pth|pts|rb|rbs|rc|rch|rd|rds|rf|rg|rgs|rk|rks|rl|rls|rld|rm|rms|rn|rns|rnt|rp|rps|rr|rrs"
    "|bb|bbs|dd|dds|gg|ggs|pp|pps"
    "|rs|rsh|rst|rt|rts|rth|sh|sk|sks|sm|sms|sp|sps|ss|st|sts|tch|th|ths|ts|tt|tz|wd|wl|wls|wn|wns|wk|ws"
    "|xt|xth|zz)"
)
_PRONOUNCEABLE = re.compile(rf"{_ONSET}?{_VOWELS}(?:{_CODA}??{_ONSET}{_VOWELS})*{_CODA}?")
_MAX_LETTERS = 24


def spell(letters: str) -> str:
    """“F B I” for “FBI”, “fbi” and “F.B.I.”: only letters, in capitals, each a word.

    With an A it is “C.I.A”: engines take a single A for the article.
    """
    names = [one for one in letters.upper() if one.isalpha()]
    return ("." if "A" in names and len(names) > 1 else " ").join(names)


def is_pronounceable(word: str) -> bool:
    """Whether an English word could be spelled like this: “nasa” could, “fbi” could not."""
    return len(word) <= _MAX_LETTERS and bool(_PRONOUNCEABLE.fullmatch(word.lower()))


def in_capitals(text: str) -> bool:
    """Whether a word has two letters or more, and only capitals: “FBI”, “KING'S”."""
    return len(text) > 1 and text.isupper()


def like(spoken: str, printed: str) -> str:
    """`spoken` with a capital if `printed` has one."""
    return spoken[0].upper() + spoken[1:] if printed[0].isupper() else spoken
