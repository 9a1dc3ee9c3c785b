"""Words spelled alike and said differently: which is meant, by what stands around them. Pure.

to record, I record     verb      a record, world records   noun
they live               verb      live music, was live      adjective
had read, she read      past      will read, to read        present
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

# An English sentence with its tags so far, and what can be asked of a place in it.

NOUNS = frozenset({"NN", "NNS", "NNP"})
MARKS = frozenset({".", ",", ":", "''", "``", "-LRB-", "-RRB-"})
AFTER_VERB = frozenset({"DT", "PRP", "PRP$", "CD", "IN", "TO", "RB", "WRB", "WP", "EX"})
PAST = frozenset({"VBD", "VBN"})
FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
SUBJECTS = frozenset({"i", "you", "we", "they", "who", "he", "she", "it"})
_OBJECTS = frozenset({"me", "him", "us", "them"})
_BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'m", "'re"})
_HAVE = frozenset({"have", "has", "had", "having", "'ve"})
_HELPING = frozenset({"do", "does", "did", "let", "please"})


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words as written and in lower case, and tags as far as they are known."""

    words: tuple[str, ...]
    lower: tuple[str, ...]
    tags: list[str]

    def tag(self, at: int) -> str:
        """The tag of a word; that of a full stop before the first and after the last."""
        return self.tags[at] if 0 <= at < len(self.tags) else "."

    def word(self, at: int) -> str:
        """In lower case; "" beyond the ends."""
        return self.lower[at] if 0 <= at < len(self.lower) else ""

    def left(self, at: int) -> int:
        """The place before, adverbs and negations left aside; may be -1."""
        at -= 1
        while at >= 0 and self.tags[at] == "RB":
            at -= 1
        return at

    def joined(self, at: int) -> int:
        """What the word after a conjunction at `at` is joined to: the nearest verb or noun."""
        at -= 1
        while at >= 0 and self.tags[at] in {"RB", ",", "DT", "PRP", "JJ", "IN"}:
            at -= 1
        return at

    def is_be(self, at: int) -> bool:
        """Whether it is a form of "be"."""
        return self.word(at) in _BE or (self.word(at) == "'s" and self.tag(at) == "VBZ")

    def is_have(self, at: int) -> bool:
        """Whether it is a form of "have"."""
        return self.word(at) in _HAVE

    def wants_verb(self, at: int) -> bool:
        """Whether a bare verb must follow the word at `at`: to, will, did, did you, let, please."""
        if self.tag(at) in {"TO", "MD"} or self.word(at) in _HELPING:
            return True
        asked = self.tag(at) == "PRP" and self.left(at) >= 0
        return asked and (self.word(self.left(at)) in _HELPING or self.tag(self.left(at)) == "MD")

    def is_verb(self, at: int) -> bool:
        """Whether the word at `at`, which could be a noun or an adjective, is a verb."""
        left = self.left(at)
        tag, following = self.tag(left), self.tag(at + 1)
        if self.wants_verb(left):
            return True
        if following in FINITE:
            return False
        if left < 0 or tag in MARKS:
            return following in {"DT", "PRP", "PRP$", "WP", "CD"} or self.word(at + 1) == "that"
        if tag == "CC":
            return self.tag(self.joined(left)).startswith("VB")
        if tag in NOUNS:
            return self._agrees(left, at) and following in AFTER_VERB and self.word(at + 1) != "of"
        return self._has_subject(left, following)

    def _agrees(self, noun: int, at: int) -> bool:
        """Subject and verb: one of them ends in "s"."""
        return (self.tag(noun) == "NNS") != self.lower[at].endswith("s")

    def _has_subject(self, left: int, following: str) -> bool:
        word = self.word(left)
        if self.tag(left) in {"WP", "WDT"} or word in SUBJECTS:
            return True
        return (word in _OBJECTS or word == "that") and following in AFTER_VERB


# Short words that are said by their part in the sentence:


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
