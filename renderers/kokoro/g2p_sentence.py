"""An English sentence with its tags so far, and what can be asked of a place in it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

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
