"""Words spelled alike and said differently: which is meant, by what stands around them. Pure.

to record, I record     verb      a record, world records   noun
they live               verb      live music, was live      adjective
had read, she read      past      will read, to read        present
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from renderers.kokoro.g2p_function_words import FUNCTION_WORDS
from renderers.kokoro.g2p_sentence import AFTER_VERB, NOUNS, PAST, Sentence

_BEFORE_NOUN = frozenset({"DT", "PDT", "PRP$", "POS", "CD", "JJ", "IN", "WP$", "VBG", "HYPH"})
_LONG_AGO = frozenset({"yesterday", "ago", "once", "last", "earlier"})
_TINY = frozenset(
    {"amount", "amounts", "detail", "details", "difference", "differences", "examination"}
    | {"fraction", "inspection", "particle", "particles", "quantity", "quantities", "trace"}
)
# What is of lead, the metal, for which misaki has no entry.
_OF_LEAD = frozenset(
    {"pipe", "pipes", "paint", "paints", "poisoning", "acid", "bullet", "bullets", "shot", "roof"}
    | {"weight", "weights", "sheet", "sheets", "ore", "crystal", "pencil", "coffin", "sinker"}
)
METAL = "lˈɛd"


def decided(sentence: Sentence, at: int, tags: frozenset[str]) -> str:
    """The tag of the word at `at`; `tags` are those that change how it is said."""
    word = sentence.lower[at]
    if rule := FUNCTION_WORDS.get(word) or _RULES.get(word):
        return rule(sentence, at)
    if not {"NOUN", "VERB", "ADJ"} & tags or sentence.tags[at] == "NNP":
        return sentence.tags[at]
    return _by_context(sentence, at, tags)


def is_metal(sentence: Sentence, at: int) -> bool:
    """Whether it is lead, as in "lead pipes" and "as heavy as lead"."""
    if sentence.lower[at] != "lead":
        return False
    if sentence.word(at + 1) in _OF_LEAD or sentence.word(at - 1) in {"molten", "melted"}:
        return True
    return (
        sentence.word(at - 1) in {"of", "as", "like", "into"} and sentence.tag(at + 1) not in NOUNS
    )


def _by_context(sentence: Sentence, at: int, tags: frozenset[str]) -> str:
    is_plural = sentence.lower[at].endswith("s")
    if sentence.is_verb(at):
        return "VBZ" if is_plural else "VB"
    noun = "NNS" if is_plural else "NN"
    if "VERB" in tags:  # noun and adjective are said alike
        return noun
    if "NOUN" in tags:
        return _noun_or_not(sentence, at, noun)
    return "JJ" if _describes(sentence, at) else noun


def _noun_or_not(sentence: Sentence, at: int, noun: str) -> str:
    """Where verb and adjective are said alike: "was content", "the content", "import it"."""
    left = sentence.left(at)
    if sentence.is_be(left):
        return "JJ"
    if sentence.tag(left) in _BEFORE_NOUN | NOUNS:
        return noun
    return "VB" if sentence.tag(at + 1) in AFTER_VERB else noun


def _describes(sentence: Sentence, at: int) -> bool:
    """Whether an adjective is wanted: "was elaborate", "very deliberate", "an animate thing"."""
    if sentence.tag(at - 1) == "RB" or sentence.is_be(sentence.left(at)):
        return True
    return sentence.tag(at + 1) in NOUNS | {"JJ"}


def _read(sentence: Sentence, at: int) -> str:
    left = sentence.left(at)
    word, tag = sentence.word(left), sentence.tag(left)
    if sentence.wants_verb(left):
        return "VB"
    if sentence.is_have(left) or sentence.is_be(left):
        return "VBN"
    if word in {"he", "she", "it"} or tag in {"NN", "NNP"}:
        return "VBD"
    if tag == "CC":
        return "VBD" if sentence.tag(sentence.joined(left)) in PAST else "VB"
    if tag in {"PRP", "NNS"}:
        is_past = not PAST.isdisjoint(sentence.tags) or not _LONG_AGO.isdisjoint(sentence.lower)
        return "VBD" if is_past else "VB"
    return "VBN" if tag in {"DT", "JJ"} else "VB"


def _wound(sentence: Sentence, at: int) -> str:
    left = sentence.left(at)
    if sentence.is_have(left) or sentence.is_be(left):
        return "VBN"
    if sentence.tag(left) in {"PRP", "WP", "WDT", "CC"}:
        return "VBD"
    is_verb = sentence.tag(left) in NOUNS and sentence.tag(at + 1) in AFTER_VERB
    return "VBD" if is_verb else "NN"


def _close(sentence: Sentence, at: int) -> str:
    if sentence.is_verb(at):
        return "VB"
    ends = sentence.tag(at - 1) == "DT" and sentence.tag(at + 1) not in NOUNS | {"JJ", "TO"}
    return "NN" if ends else "JJ"


def _minute(sentence: Sentence, at: int) -> str:
    is_very = sentence.tag(at - 1) == "RB" and sentence.tag(at - 2) not in {"DT", "CD"}
    return "JJ" if is_very or sentence.word(at + 1) in _TINY else "NN"


_RULES: Mapping[str, Callable[[Sentence, int], str]] = {
    "close": _close,
    "minute": _minute,
    "read": _read,
    "wound": _wound,
}
