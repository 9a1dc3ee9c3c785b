"""Where the sentences of one block begin and end. Knows text, not books or pauses.

    candidates ─▶ each judged by the words around it ─▶ quotations healed ─▶ spans

Every decision looks a few words to either side, so that an edit to one sentence leaves the cuts of
the others alone, and so that the time is linear in the length of the text. On stops in English
that our tables do not settle, nupunkt's model has the last word.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from audiomill.inputs.segmentation.abbreviations import Habits, habits

if TYPE_CHECKING:
    from nupunkt import PunktSentenceTokenizer

Judge = Callable[[int], bool]  # does a sentence begin at this character?

# A quotation of several sentences stays whole before "he cried" up to this length; a longer one
# is read sentence by sentence.
MERGED_QUOTE_CHARS = 160
# How far a decision looks back or ahead; longer than any word of the tables.
_REACH = 32

_NATIVE = "。！？｡．।॥؟۔։።။"  # they end a sentence with or without a space after them
_CJK_QUOTES = "”’」』）】》〉"
_CJK_AHEAD = r"(?=[\u3040-\u30ff\u3400-\u9fff])"
_CLOSERS = r"""(?:["'”’“»›)\]}*_]|\[\d{1,3}\])*+(?:[ \u00a0\u202f][»›])*+"""
# Where »this« is a quotation, not «this» or, with no-break spaces inside, « this ».
_REVERSED_CLOSERS = r"""(?:["'”’“«‹)\]}*_]|\[\d{1,3}\])*+"""
_PICTURES = r"[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]++"  # they end what they comment on
_REVERSED_GUILLEMETS = frozenset({"cs", "da", "de", "hr", "hu", "pl", "sk", "sl"})
_DASHES = " \t\n\u00a0\u202f—–-"
_OPENERS = _DASHES + "\"'“‘„‚«‹»›([{¿¡*_…"

_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[^\W\d_]|[ivxlc]{1,5}|[IVXLC]{1,5})")
_NUMBERISH = re.compile(r"\d|[IVXLC]+\b")
_WORD = re.compile(r"[\w’'-]+")

_BRACKETED = r"|\([^()]*+\)|\[[^\[\]]*+\]|\"[^\"]*+\""
# A possessive group with a look around in it is what it should be from Python 3.11.5 on; before, it
# fails where it ends. What a look ahead has found is never tried otherwise either.
_QUOTATIONS = re.compile(
    r"“[^“”„]*+”|„[^„“”]*+[“”]|«[^«»]*+»|「[^「」]*+」|『[^『』]*+』"
    + _BRACKETED
    + r"|(?<!\w)‘(?=((?:[^‘’]|(?<=\w)’(?=\w))*))\1’(?!\w)"
    + r"|(?<!\w)'(?=((?:[^']|(?<=\w)'(?=\w))*))\2'(?!\w)"
)
_REVERSED_QUOTATIONS = re.compile(r"»[^«»]*+«|„[^„“”]*+[“”]|‚[^‚‘]*+‘" + _BRACKETED)

# What follows a closing quotation mark when the sentence runs on, besides a word in lower case:
# a name with its verb (“Run!” Mary said), or the verbs of Chinese and the particles of Japanese.
_SPEECH_TAG = re.compile(
    r"(?:I|(?!(?:He|She|It|They|We|You)\b)[A-Z][\w’'.-]{1,20}(?: [A-Z][\w’'-]{1,20})?) "
    r"(?:had )?(?:said|asked|cried|replied|answered|shouted|whispered|called|exclaimed|muttered"
    r"|murmured|yelled|screamed|began|continued|added|observed|remarked|returned|demanded|growled|sighed"
    r"|laughed)\b"
    r"|[^。！？，“”「」『』\s]{0,8}[说道问喊叫答說問]|と|って"
)


def split(text: str, language: str) -> tuple[tuple[int, int], ...]:
    """Spans [start, end) of the sentences of `text`, in order, in time linear in its length.

    They do not overlap, begin and end with a character that is not white space, and hold every
    such character. White space alone has none. `language` is BCP 47.
    """
    primary = language.lower().partition("-")[0]
    cuts = _heal(text, primary, list(_breaks(text, primary)))
    return tuple(_trimmed(text, [0, *_worded(text, cuts), len(text)]))


def _breaks(text: str, language: str) -> Iterator[int]:
    """Where sentences begin, judged by the words around each candidate."""
    habit, judge, start = habits(language), _judge(text, language), 0
    for match in _candidates(language).finditer(text):
        if _ends_sentence(text, match, start, habit, judge):
            start = match.end()
            yield start


@lru_cache(maxsize=64)
def _candidates(language: str) -> re.Pattern[str]:
    """A mark that may end a sentence, what closes with it, and the space after it."""
    closers = _REVERSED_CLOSERS if language in _REVERSED_GUILLEMETS else _CLOSERS
    marks = ".!?…" + (";\u037e" if language == "el" else "")
    return re.compile(
        rf"(?P<native>[{_NATIVE}][{_NATIVE}!?…]*+)(?P<quote>[{_CJK_QUOTES}]*+)[)\]\"']*+\s*+"
        rf"|(?P<mark>(?<![{marks}])[{marks}]++)(?P<closers>{closers})"
        rf"(?:\s++(?:{_PICTURES}\s++)*+|{_CJK_AHEAD})"
        rf"|(?P<broken>[—–-])[\"”’]\s++(?=[\"“‘])"
    )


def _judge(text: str, language: str) -> Judge:
    """Who decides on a stop that the tables leave open: in English, nupunkt's model."""
    if language != "en":
        return lambda at: not text[at : at + _REACH].lstrip(_OPENERS)[:1].islower()

    @lru_cache(maxsize=1)
    def starts() -> frozenset[int]:
        return frozenset(start for start, _ in _model().span_tokenize(text))

    return lambda at: at in starts()


@lru_cache(maxsize=1)
def _model() -> PunktSentenceTokenizer:
    """Loaded once, when a stop first needs it."""
    import nupunkt

    return nupunkt.load_default_model()


def _ends_sentence(
    text: str, match: re.Match[str], start: int, habit: Habits, judge: Judge
) -> bool:
    """Whether the candidate `match` ends the sentence that began at `start`."""
    at, stop = match.end(), match.start()
    if match["native"]:
        return not (match["quote"] and _SPEECH_TAG.match(text, at))
    if match["broken"]:
        return True
    ahead = text[at : at + _REACH].lstrip(_DASHES if match["closers"] else _OPENERS)
    if match["mark"] != ".":
        return not ahead[:1].islower()
    behind = text[max(start, stop - _REACH) : stop]
    if _ENUMERATOR.fullmatch(behind.strip()):
        return False
    before = (behind.split() or [""])[-1].lstrip(_OPENERS)
    verdict = _stop_ends(before, ahead, habit)
    return judge(at) if verdict is None else verdict


def _stop_ends(before: str, ahead: str, habit: Habits) -> bool | None:
    """Whether the stop between `before` and `ahead` ends a sentence. None: the tables are mute."""
    word, follows = before.lower(), _WORD.match(ahead)
    if word in habit.joins or (word in habit.before_number and _NUMBERISH.match(ahead)):
        return False
    if follows is None or ahead[0].islower():
        return None
    if follows[0].lower() in habit.starters and not ahead.startswith(".", follows.end()):
        return True
    if word in habit.may_end or _is_initial(before) or (habit.ordinals and _is_ordinal(before)):
        return False
    return True if before in habit.short or _is_plain_word(before) else None


def _is_initial(word: str) -> bool:
    return len(word) == 1 and word.isupper()


def _is_ordinal(word: str) -> bool:
    return word.isdecimal() and len(word) <= len("31")


def _is_plain_word(word: str) -> bool:
    """Not short, and not all capitals: as an abbreviation it would be in the tables."""
    return len(word) >= len("and") and word.isalpha() and word[1:].islower()


def _heal(text: str, language: str, cuts: list[int]) -> list[int]:
    """Drop the cuts inside quotations and brackets from which the sentence runs on."""
    pattern = _REVERSED_QUOTATIONS if language in _REVERSED_GUILLEMETS else _QUOTATIONS
    dropped = set[int]()
    for match in pattern.finditer(text):
        if _runs_on(text, match):
            whole = match.end() - match.start() <= MERGED_QUOTE_CHARS
            first = bisect_right(cuts, match.start()) if whole else bisect_left(cuts, match.end())
            dropped.update(cuts[first : bisect_right(cuts, _next_word(text, match.end()))])
    return [cut for cut in cuts if cut not in dropped]


def _runs_on(text: str, quotation: re.Match[str]) -> bool:
    """Whether what follows a quotation or bracket belongs to its sentence."""
    ahead = text[quotation.end() : quotation.end() + 2 * _REACH].lstrip(_DASHES + ",;")
    if ahead[:1].islower():
        return True
    return quotation[0][0] not in "([" and _SPEECH_TAG.match(ahead) is not None


def _next_word(text: str, at: int) -> int:
    """The first character from `at` on that is not white space, if it is near."""
    near = text[at : at + _REACH]
    return at + len(near) - len(near.lstrip())


def _worded(text: str, cuts: list[int]) -> Iterator[int]:
    """The cuts, less those that would leave a sentence without a letter or digit."""
    worded = False  # whether the sentence so far has a word in it
    for before, cut, after in zip([0, *cuts], cuts, [*cuts[1:], len(text)], strict=False):
        worded = worded or _has_word(text[before:cut])
        if worded and _has_word(text[cut:after]):
            yield cut
            worded = False


def _has_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def _trimmed(text: str, bounds: list[int]) -> Iterator[tuple[int, int]]:
    for start, end in pairwise(bounds):
        inside = text[start:end]
        first = start + len(inside) - len(inside.lstrip())
        if inside.strip():
            yield first, first + len(inside.strip())
