"""Short words that are said by their part in the sentence: a, that, in, used to. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from renderers.kokoro.g2p_sentence import MARKS, NOUNS, Sentence


def _a(sentence: Sentence, at: int) -> str:
    """The article, but not in "vitamin A" or "plan A"."""
    is_letter = sentence.tag(at + 1) in MARKS
    if sentence.words[at] == "A" and at and not is_letter:
        is_letter = sentence.tag(at - 1) in NOUNS and not sentence.words[at + 1][:1].isupper()
    return "NN" if is_letter else "DT"


def _am(sentence: Sentence, at: int) -> str:
    return "NN" if sentence.tag(at - 1) == "CD" else "VBP"


def _by(sentence: Sentence, at: int) -> str:
    """An adverb where nothing follows: "she walked by"."""
    return "RB" if sentence.tag(at + 1) in MARKS | {"CC", "IN"} else "IN"


def _in(sentence: Sentence, at: int) -> str:
    """A particle where nothing follows: "they came in"."""
    return "RP" if sentence.tag(at + 1) in MARKS | {"CC", "IN", "TO"} else "IN"


def _s(sentence: Sentence, at: int) -> str:
    """A form of "be" or "have", or of what belongs to someone."""
    is_verb = sentence.tag(at - 1) in {"PRP", "EX", "WP", "WRB", "DT"}
    return "VBZ" if is_verb else "POS"


def _used(sentence: Sentence, at: int) -> str:
    """Before "to": a habit, unless a thing was used to do something."""
    left = sentence.left(at)
    if sentence.is_be(left) and sentence.tag(at + 2) in {"VB", "NN"}:
        return "VBN"
    is_grown = sentence.word(left).startswith(("get", "got", "becom", "became"))
    return "JJ" if is_grown or sentence.is_be(left) else "VBD"


def _that(sentence: Sentence, at: int) -> str:
    """DT, which is stressed, where it points: "that one", "is that so"; else IN or WDT."""
    before, after = sentence.tag(at - 1), sentence.tag(at + 1)
    if after in MARKS or before == "WP" or (before == "IN" and sentence.word(at - 1) != "so"):
        return "DT"
    if before in MARKS | {"CC"}:
        return "IN" if after in {"DT", "PRP", "PRP$", "EX"} else "DT"
    if before in NOUNS:
        return "WDT"
    if before.startswith("VB") and after == "NN":
        return "DT" if sentence.tag(at + 2) in MARKS | {"IN"} else "IN"
    return "DT" if after in {"VBZ", "MD"} and before in {"VB", "RB"} else "IN"


FUNCTION_WORDS: Mapping[str, Callable[[Sentence, int], str]] = {
    "'s": _s,
    "a": _a,
    "am": _am,
    "by": _by,
    "in": _in,
    "that": _that,
    "used": _used,
}
