"""An English sentence as the rules for homographs look at it: words and tags. Pure."""

from __future__ import annotations

from dataclasses import dataclass

NOUNS = frozenset({"NN", "NNS", "NNP"})
MARKS = frozenset({".", ",", ":", "''", "``", "-LRB-", "-RRB-"})
AFTER_VERB = frozenset({"DT", "PRP", "PRP$", "CD", "IN", "TO", "RB", "WRB", "WP", "EX"})
FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
SUBJECTS = frozenset({"i", "you", "we", "they", "who", "he", "she", "it", "ye", "thou"})
OBJECTS = frozenset({"me", "him", "us", "them"})
_REFLEXIVE = frozenset({"myself", "himself", "herself", "itself", "ourselves", "themselves"})
BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'m", "'re"})
HAVE = frozenset({"have", "has", "had", "having", "'ve"})
BEFORE_BARE_VERB = frozenset({"do", "does", "did", "let", "please"})


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its tags, which the tagger replaces from left to right as it resolves them."""

    words: tuple[str, ...]  # as written
    lower: tuple[str, ...]  # in lower case
    tags: list[str]

    def tag(self, index: int) -> str:
        """The tag of the word at `index`; that of a full stop beyond the ends."""
        return self.tags[index] if 0 <= index < len(self.tags) else "."

    def word(self, index: int) -> str:
        """The word at `index` in lower case; "" beyond the ends."""
        return self.lower[index] if 0 <= index < len(self.lower) else ""

    def previous(self, index: int) -> int:
        """The index of the previous word, without adverbs and negations; -1 if there is none."""
        index -= 1
        while index >= 0 and self.tags[index] == "RB":
            index -= 1
        return index

    def conjunct(self, index: int) -> int:
        """The index of the verb or noun before the conjunction at `index`; -1 if there is none."""
        index -= 1
        while index >= 0 and self.tags[index] in {"RB", ",", "DT", "PRP", "JJ", "IN"}:
            index -= 1
        return index

    def is_be(self, index: int) -> bool:
        """True if the word at `index` is a form of "be"."""
        return self.word(index) in BE or (self.word(index) == "'s" and self.tag(index) == "VBZ")

    def is_have(self, index: int) -> bool:
        """True if the word at `index` is a form of "have"."""
        return self.word(index) in HAVE

    def requires_bare_verb(self, index: int) -> bool:
        """True if a bare verb must follow the word at `index`: to, will, did you, let, please."""
        if self.tag(index) in {"TO", "MD"} or self.word(index) in BEFORE_BARE_VERB:
            return True
        previous = self.previous(index)
        if self.tag(index) != "PRP" or previous < 0:
            return False
        return self.word(previous) in BEFORE_BARE_VERB or self.tag(previous) == "MD"

    def verb_before(self, index: int) -> str:
        """The tag of the last verb, "to" or modal before `index` in its clause; "" if none."""
        for tag in reversed(self.tags[:index]):
            if tag in {".", ":", "``", "''"}:
                break
            if tag.startswith("VB") or tag in {"TO", "MD"}:
                return tag
        return ""

    def has_any(self, words: frozenset[str]) -> bool:
        """True if the sentence has one of these words."""
        return not words.isdisjoint(self.lower)

    def has_object_pronoun(self, index: int) -> bool:
        """True if "him", "themselves" or the like follows, which has a verb before it."""
        return self.word(index + 1) in OBJECTS | _REFLEXIVE

    def is_verb(self, index: int) -> bool:
        """True if the word at `index`, which may also be a noun or an adjective, is a verb."""
        previous = self.previous(index)
        tag, following = self.tag(previous), self.tag(index + 1)
        ends_in_s = self._ends_in_s(index)
        if self.requires_bare_verb(previous):
            return not ends_in_s
        if following in FINITE:
            return False
        if ends_in_s and self.word(previous) == "this":
            return True
        if previous < 0 or tag in MARKS:
            return following in {"DT", "PRP", "PRP$", "WP", "CD"} or self.word(index + 1) == "that"
        if tag == "CC":
            return self._is_second_verb(previous, index)
        if tag in NOUNS:
            has_object = following in AFTER_VERB or (ends_in_s and following in {"JJ", "NNP"})
            return self._agrees(previous, index) and has_object and self.word(index + 1) != "of"
        return self._has_subject(previous, following)

    def _is_second_verb(self, conjunction: int, index: int) -> bool:
        """True in "see and record it", not in "a deep and deliberate thought"."""
        is_it = self.word(index + 1) == "it" and self.tag(index + 2) not in FINITE
        if is_it or self.has_object_pronoun(index):
            return True
        is_attribute = self.tag(conjunction - 1) == "JJ" and self.tag(index + 1) in NOUNS
        first = (conjunction - 1, self.conjunct(conjunction))
        return not is_attribute and any(map(self._is_said_verb, first))

    def _is_said_verb(self, index: int) -> bool:
        """True if the word at `index` was tagged as a verb, or must be one: "does not kill"."""
        is_unsure = self.tag(index) in {"NN", "JJ"} and index > 0
        return self.tag(index).startswith("VB") or (
            is_unsure and self.requires_bare_verb(self.previous(index))
        )

    def _agrees(self, noun: int, index: int) -> bool:
        """True if subject and verb agree: exactly one of them ends in "s"."""
        return (self.tag(noun) == "NNS") != self._ends_in_s(index)

    def _ends_in_s(self, index: int) -> bool:
        return self.lower[index].endswith("s") and not self.lower[index].endswith("ss")

    def _has_subject(self, previous: int, following: str) -> bool:
        word = self.word(previous)
        if self.tag(previous) in {"WP", "WDT"} or word in SUBJECTS:
            return True
        return (word in OBJECTS or word == "that") and following in AFTER_VERB
