"""Tells stressed from weak forms of function words: "that one", "plan A", "came in". Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from audiomill.renderers.kokoro.g2p.tagged_sentence import MARKS, NOUNS, Sentence

_OPENING = frozenset({"``", "-LRB-"})
_AFTER_IN = frozenset({"that", "about", "after", "over", "but", "between", "off"})


def _a(sentence: Sentence, index: int) -> str:
    """DT for the article, NN for the letter in "vitamin A" or "plan A"."""
    if sentence.tag(index + 1) in MARKS - _OPENING:
        return "NN"
    is_after_noun = sentence.words[index] == "A" and sentence.tag(index - 1) in NOUNS
    if is_after_noun and sentence.words[index - 1].endswith("."):  # "Bait, n. A preparation"
        return "DT"
    is_title = sentence.words[index + 1][:1].isupper()
    return "NN" if is_after_noun and not is_title else "DT"


def _am(sentence: Sentence, index: int) -> str:
    """VBP for the verb, NN in "10 am"."""
    return "NN" if sentence.tag(index - 1) == "CD" else "VBP"


def _by(sentence: Sentence, index: int) -> str:
    """RB if nothing follows: "she walked by"."""
    return "RB" if _ends_phrase(sentence, index, {"CC", "IN"}) else "IN"


def _in(sentence: Sentence, index: int) -> str:
    """RP, a particle, if nothing follows: "they came in"."""
    return "RP" if _ends_phrase(sentence, index, {"CC", "IN", "TO"}) else "IN"


def _ends_phrase(sentence: Sentence, index: int, tags: set[str]) -> bool:
    """True if nothing follows that a preposition could be for: "in that year", "in about a day"."""
    following = sentence.tag(index + 1)
    return following in (MARKS - _OPENING) | tags and sentence.word(index + 1) not in _AFTER_IN


def _s(sentence: Sentence, index: int) -> str:
    """VBZ for "is" or "has", POS for the possessive."""
    is_verb = sentence.tag(index - 1) in {"PRP", "EX", "WP", "WRB", "DT"}
    return "VBZ" if is_verb else "POS"


def _that(sentence: Sentence, index: int) -> str:
    """The stressed DT if it is demonstrative ("that one", "is that so"); else IN or WDT."""
    before, after = sentence.tag(index - 1), sentence.tag(index + 1)
    is_preposition = before in {"IN", "TO"} and sentence.word(index - 1) not in {"so", "except"}
    if after in MARKS or before == "WP" or is_preposition:
        return "DT"
    if before == ",":
        return "DT" if after in {"VBZ", "POS", "NN", "JJ"} else "IN"
    if before in MARKS | {"CC"}:
        return "IN" if after in {"DT", "PRP", "PRP$", "EX"} else "DT"
    if before in NOUNS:
        is_object = after == "NN" and sentence.tag(index + 2) in MARKS | {"IN"}
        return "DT" if is_object and before == "NN" else "WDT"
    if (after == "NN" and before in {"VBD", "RB", "DT", "WRB"}) or (before, after) == ("VBD", "JJ"):
        return "DT"
    if before.startswith("VB") and after == "NN":
        return "DT" if sentence.tag(index + 2) in MARKS | {"IN"} else "IN"
    return "DT" if after in {"VBZ", "MD"} and before in {"VB", "RB"} else "IN"


FUNCTION_WORD_RULES: Mapping[str, Callable[[Sentence, int], str]] = {
    "'s": _s,
    "a": _a,
    "am": _am,
    "by": _by,
    "in": _in,
    "that": _that,
}
