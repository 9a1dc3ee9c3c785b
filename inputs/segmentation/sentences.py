"""Splits the text of one block into sentences. Knows nothing of books or pauses.

    candidates ─▶ decision by the words around each ─▶ quotations rejoined ─▶ spans

Every decision looks only a few words to either side. So an edit to one sentence does not move the
cuts of others, and the time is linear in the length of the text. For full stops in English that the
tables of abbreviations do not decide, nupunkt's model decides.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from audiomill.inputs.languages.declaration import LIST_ENDS
from audiomill.inputs.languages.registry import has_reversed_guillemets
from audiomill.inputs.segmentation.full_stops import (
    DASHES,
    OPENERS,
    WORD,
    FullStops,
    begins_sentence,
    full_stop_ends,
    full_stops,
)

if TYPE_CHECKING:
    from nupunkt import PunktSentenceTokenizer

StartTest = Callable[[int], bool]  # True if a sentence begins at this character

# A quotation of several sentences before "he cried" is one sentence up to this length; a longer
# one is split into its sentences.
MERGED_QUOTE_CHARS = 160
# Characters that a decision looks back or ahead; longer than any word of the tables.
_CONTEXT_CHARS = 32

_NATIVE = "。！？｡．।॥؟۔։።။"  # they end a sentence also without a space after them
_CJK_QUOTES = "”’」』）】》〉"
_CJK_AHEAD = r"(?=[\u3040-\u30ff\u3400-\u9fff])"
_CLOSERS = r"""(?:["'”’“»›)\]}*_]|\[\d{1,3}\])*+(?:[ \u00a0\u202f][»›])*+"""
# For languages that quote »like this«, not «like this» or (with no-break spaces) « like this ».
_REVERSED_CLOSERS = r"""(?:["'”’“«‹)\]}*_]|\[\d{1,3}\])*+"""
# Pictures belong to the sentence before them.
_PICTURES = r"[\u2600-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]++"

_NO_BEGINNING = re.compile(r"[:;,]\s")  # of a sentence: “Tél. : 01 23 45”
BRACKETS = ("(", "[")  # a stage direction may begin in lower case
_ENUMERATOR = re.compile(r"[(\[]?(?:\d{1,3}|[^\W\d_]|[ivxlc]{1,5}|[IVXLC]{1,5})")
_LIST_END = re.compile(
    rf"(?<![^\W_])(?:{'|'.join(re.escape(one).replace('.', '.[ ]?') for one in LIST_ENDS)})\Z"
)

_BRACKETED = r"|\([^()]*+\)|\[[^\[\]]*+\]|\"[^\"]*+\""
# Here a lookahead and a back reference replace a possessive group: before Python 3.11.5, a
# possessive group that contains a lookaround fails to match at its end. Neither of them backtracks.
_QUOTATIONS = re.compile(
    r"“[^“”„]*+”|„[^„“”]*+[“”]|«[^«»]*+»|「[^「」]*+」|『[^『』]*+』"
    + _BRACKETED
    + r"|(?<!\w)‘(?=((?:[^‘’]|(?<=\w)’(?=\w))*))\1’(?!\w)"
    + r"|(?<!\w)'(?=((?:[^']|(?<=\w)'(?=\w))*))\2'(?!\w)"
)
_REVERSED_QUOTATIONS = re.compile(r"»[^«»]*+«|„[^„“”]*+[“”]|‚[^‚‘]*+‘" + _BRACKETED)

# After a closing quotation mark, these continue the sentence, as does a word in lower case: a name
# with its verb (“Run!” Mary said), the verbs of Chinese and the particles of Japanese.
_SPEECH_TAG = re.compile(
    r"(?:I|(?!(?:He|She|It|They|We|You)\b)[A-Z][\w’'.-]{1,20}(?: [A-Z][\w’'-]{1,20})?) "
    r"(?:had )?(?:said|asked|cried|replied|answered|shouted|whispered|called|exclaimed|muttered"
    r"|murmured|yelled|screamed|began|continued|added|observed|remarked|returned|demanded|growled|sighed"
    r"|laughed|ejaculated|gasped|stammered|inquired|enquired|responded|protested|pleaded|groaned)\b"
    r"|[^。！？，“”「」『』\s]{0,8}[说道问喊叫答說問]|と|って"
)


def sentence_starts(
    text: str,
    language: str,
    wholes: Sequence[tuple[int, int]] = (),
    abbreviated: frozenset[int] = frozenset(),
) -> tuple[int, ...]:
    """Return where sentences begin after the first, those inside of quotations too.

    None begins inside one of `wholes`, the spans of what is said as a whole, in order.
    `abbreviated` are the positions of full stops that belong to what is said in full. `language` is
    BCP 47.
    """
    return tuple(_sentence_starts(text, _primary(language), wholes, abbreviated))


def join_quotations(text: str, language: str, starts: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the spans [start, end) of sentences that begin at `starts`, in linear time.

    There are no cuts in short quotations. The spans are in order and do not overlap. They begin and
    end with a character that is not white space, and together they have every such character.
    """
    cuts = _rejoin_quotations(text, _primary(language), list(starts))
    return tuple(_trimmed_spans(text, [0, *_with_words(text, cuts), len(text)]))


def _primary(language: str) -> str:
    return language.lower().partition("-")[0]


def _sentence_starts(
    text: str, language: str, wholes: Sequence[tuple[int, int]], abbreviated: frozenset[int]
) -> Iterator[int]:
    """The starts of sentences after the first, decided by the words around each candidate."""
    table, is_start, start = full_stops(language), _start_test(text, language), 0
    for match in _candidates(language).finditer(text):
        ahead = text[match.end() : match.end() + _CONTEXT_CHARS].lstrip(OPENERS)
        if _NO_BEGINNING.match(ahead):
            continue
        is_abbreviated = match["mark"] == "." and match.start() in abbreviated
        ends_list = is_abbreviated and language != "en" and _ends_list(text, match.start(), ahead)
        if is_abbreviated and not ends_list and not begins_sentence(ahead, table):
            continue
        if not _is_inside(match.end(), wholes) and (
            ends_list or _ends_sentence(text, match, start, table, is_start)
        ):
            start = match.end()
            yield start


def _ends_list(text: str, stop: int, ahead: str) -> bool:
    """True for “etc. Paris”: after the end of a list, a capital letter begins a sentence."""
    word = WORD.match(ahead)
    is_capital = word is not None and ahead[0].isupper() and not ahead.startswith(".", word.end())
    return is_capital and _LIST_END.search(text[max(0, stop - _CONTEXT_CHARS) : stop]) is not None


def _is_inside(at: int, spans: Sequence[tuple[int, int]]) -> bool:
    """True if `at` is after the start of one of the spans and before its end."""
    index = bisect_left(spans, at, key=lambda span: span[0]) - 1
    return index >= 0 and at < spans[index][1]


@lru_cache(maxsize=64)
def _candidates(language: str) -> re.Pattern[str]:
    """A mark that can end a sentence, the closing marks after it, and the space after these."""
    closers = _REVERSED_CLOSERS if has_reversed_guillemets(language) else _CLOSERS
    marks = ".!?…" + (";\u037e" if language == "el" else "")
    return re.compile(
        rf"(?P<native>[{_NATIVE}][{_NATIVE}!?…]*+)(?P<quote>[{_CJK_QUOTES}]*+)[)\]\"']*+\s*+"
        rf"|(?P<mark>(?<![{marks}])[{marks}]++)(?P<closers>{closers})"
        rf"(?:\s++(?:{_PICTURES}\s++)*+|{_CJK_AHEAD})"
        rf"|(?P<broken>[—–-])[\"”’]\s++(?=[\"“‘])"
    )


def _start_test(text: str, language: str) -> StartTest:
    """The test for full stops that the tables do not decide: in English, nupunkt's model."""
    if language != "en":
        return lambda at: not text[at : at + _CONTEXT_CHARS].lstrip(OPENERS)[:1].islower()

    @lru_cache(maxsize=1)
    def starts() -> frozenset[int]:
        return frozenset(start for start, _ in _model().span_tokenize(text))

    return lambda at: at in starts()


@lru_cache(maxsize=1)
def _model() -> PunktSentenceTokenizer:
    """The model of nupunkt, imported and loaded when a full stop first needs it."""
    import nupunkt

    return nupunkt.load_default_model()


def _ends_sentence(
    text: str, match: re.Match[str], start: int, table: FullStops, is_start: StartTest
) -> bool:
    """True if the candidate `match` ends the sentence that began at `start`."""
    at, stop = match.end(), match.start()
    if match["native"]:
        return not (match["quote"] and _SPEECH_TAG.match(text, at))
    if match["broken"]:
        return True
    ahead = text[at : at + _CONTEXT_CHARS].lstrip(DASHES if match["closers"] else OPENERS)
    if match["mark"] != ".":
        return not ahead[:1].islower()
    behind = text[max(start, stop - _CONTEXT_CHARS) : stop]
    if _ENUMERATOR.fullmatch(behind.strip()):
        return False
    if (
        text[at : at + 1] not in BRACKETS
        and ahead[:1].islower()
        and not _begins_in_lower_case(text[start : start + _CONTEXT_CHARS], ahead)
    ):
        return False
    decision = full_stop_ends(behind, ahead, table)
    return is_start(at) if decision is None else decision


def _begins_in_lower_case(sentence: str, ahead: str) -> bool:
    """True if a sentence may begin with `ahead`, which is in lower case.

    It may after a sentence that does so too, and with a name like “iPhone”.
    """
    word = WORD.match(ahead)
    return sentence.lstrip(OPENERS)[:1].islower() or bool(word and not word[0].islower())


def _rejoin_quotations(text: str, language: str, cuts: list[int]) -> list[int]:
    """Drop the cuts in and after quotations and brackets if the sentence continues after them."""
    pattern = _REVERSED_QUOTATIONS if has_reversed_guillemets(language) else _QUOTATIONS
    dropped = set[int]()
    for match in pattern.finditer(text):
        if _sentence_continues(text, match):
            is_short = match.end() - match.start() <= MERGED_QUOTE_CHARS
            first = (
                bisect_right(cuts, match.start()) if is_short else bisect_left(cuts, match.end())
            )
            dropped.update(cuts[first : bisect_right(cuts, _next_word(text, match.end()))])
    return [cut for cut in cuts if cut not in dropped]


def _sentence_continues(text: str, quotation: re.Match[str]) -> bool:
    """True if the text after a quotation or bracket belongs to the same sentence."""
    ahead = text[quotation.end() : quotation.end() + 2 * _CONTEXT_CHARS].lstrip(DASHES + ",;")
    if ahead[:1].islower():
        return True
    return quotation[0][0] not in "([" and _SPEECH_TAG.match(ahead) is not None


def _next_word(text: str, at: int) -> int:
    """The position of the first character from `at` on that is not white space, if it is near."""
    near = text[at : at + _CONTEXT_CHARS]
    return at + len(near) - len(near.lstrip())


def _with_words(text: str, cuts: list[int]) -> Iterator[int]:
    """The cuts, without those that would leave a sentence without a letter or digit."""
    has_word = False  # True if the current sentence has a word
    for before, cut, after in zip([0, *cuts], cuts, [*cuts[1:], len(text)], strict=False):
        has_word = has_word or _has_word(text[before:cut])
        if has_word and _has_word(text[cut:after]):
            yield cut
            has_word = False


def _has_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def _trimmed_spans(text: str, bounds: list[int]) -> Iterator[tuple[int, int]]:
    for start, end in pairwise(bounds):
        inside = text[start:end]
        first = start + len(inside) - len(inside.lstrip())
        if inside.strip():
            yield first, first + len(inside.strip())
