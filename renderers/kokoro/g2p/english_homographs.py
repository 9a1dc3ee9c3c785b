"""Disambiguates English homographs by the words and tags around them. Pure.

to record, I record     verb      a record, world records   noun
they live               verb      live music, was live      adjective
had read, she read      past      will read, to read        present

The result is a Penn Treebank tag, from which misaki chooses the pronunciation. Of words for which
misaki has one pronunciation only, "lead" alone is handled, by its phonemes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

_NOUNS = frozenset({"NN", "NNS", "NNP"})
_MARKS = frozenset({".", ",", ":", "''", "``", "-LRB-", "-RRB-"})
_AFTER_VERB = frozenset({"DT", "PRP", "PRP$", "CD", "IN", "TO", "RB", "WRB", "WP", "EX"})
_PAST = frozenset({"VBD", "VBN"})
_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_SUBJECTS = frozenset({"i", "you", "we", "they", "who", "he", "she", "it"})
_OBJECTS = frozenset({"me", "him", "us", "them"})
_BE = frozenset({"be", "am", "is", "are", "was", "were", "been", "being", "'m", "'re"})
_HAVE = frozenset({"have", "has", "had", "having", "'ve"})
_BEFORE_BARE_VERB = frozenset({"do", "does", "did", "let", "please"})
_BEFORE_NOUN = frozenset({"DT", "PDT", "PRP$", "POS", "CD", "JJ", "IN", "WP$", "VBG", "HYPH"})
_PAST_ADVERBS = frozenset({"yesterday", "ago", "once", "last", "earlier"})
# Nouns after "minute", the adjective.
_MINUTE_OBJECTS = frozenset(
    {"amount", "amounts", "detail", "details", "difference", "differences", "examination"}
    | {"fraction", "inspection", "particle", "particles", "quantity", "quantities", "trace"}
)
# Words after "lead", the metal. misaki only has the pronunciation of the verb.
_LEAD_OBJECTS = frozenset(
    {"pipe", "pipes", "paint", "paints", "poisoning", "acid", "bullet", "bullets", "shot", "roof"}
    | {"weight", "weights", "sheet", "sheets", "ore", "crystal", "pencil", "coffin", "sinker"}
)
LEAD_METAL_PHONEMES = "lˈɛd"


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
        return self.word(index) in _BE or (self.word(index) == "'s" and self.tag(index) == "VBZ")

    def is_have(self, index: int) -> bool:
        """True if the word at `index` is a form of "have"."""
        return self.word(index) in _HAVE

    def requires_bare_verb(self, index: int) -> bool:
        """True if a bare verb must follow the word at `index`: to, will, did you, let, please."""
        if self.tag(index) in {"TO", "MD"} or self.word(index) in _BEFORE_BARE_VERB:
            return True
        previous = self.previous(index)
        if self.tag(index) != "PRP" or previous < 0:
            return False
        return self.word(previous) in _BEFORE_BARE_VERB or self.tag(previous) == "MD"

    def is_verb(self, index: int) -> bool:
        """True if the word at `index`, which may also be a noun or an adjective, is a verb."""
        previous = self.previous(index)
        tag, following = self.tag(previous), self.tag(index + 1)
        if self.requires_bare_verb(previous):
            return True
        if following in _FINITE:
            return False
        if previous < 0 or tag in _MARKS:
            return following in {"DT", "PRP", "PRP$", "WP", "CD"} or self.word(index + 1) == "that"
        if tag == "CC":
            return self.tag(self.conjunct(previous)).startswith("VB")
        if tag in _NOUNS:
            agrees = self._agrees(previous, index)
            return agrees and following in _AFTER_VERB and self.word(index + 1) != "of"
        return self._has_subject(previous, following)

    def _agrees(self, noun: int, index: int) -> bool:
        """True if subject and verb agree: exactly one of them ends in "s"."""
        return (self.tag(noun) == "NNS") != self.lower[index].endswith("s")

    def _has_subject(self, previous: int, following: str) -> bool:
        word = self.word(previous)
        if self.tag(previous) in {"WP", "WDT"} or word in _SUBJECTS:
            return True
        return (word in _OBJECTS or word == "that") and following in _AFTER_VERB


def resolve_tag(sentence: Sentence, index: int, tags: frozenset[str]) -> str:
    """The tag of the word at `index`; `tags` are those with a pronunciation of their own."""
    word = sentence.lower[index]
    if rule := _RULES.get(word):
        return rule(sentence, index)
    if not {"NOUN", "VERB", "ADJ"} & tags or sentence.tags[index] == "NNP":
        return sentence.tags[index]
    return _by_context(sentence, index, tags)


def is_lead_metal(sentence: Sentence, index: int) -> bool:
    """True if the word is lead, the metal, as in "lead pipes" and "as heavy as lead"."""
    if sentence.lower[index] != "lead":
        return False
    before = sentence.word(index - 1)
    if before in {"molten", "melted"} or sentence.word(index + 1) in _LEAD_OBJECTS:
        return True
    return before in {"of", "as", "like", "into"} and sentence.tag(index + 1) not in _NOUNS


def _by_context(sentence: Sentence, index: int, tags: frozenset[str]) -> str:
    is_plural = sentence.lower[index].endswith("s")
    if sentence.is_verb(index):
        return "VBZ" if is_plural else "VB"
    noun = "NNS" if is_plural else "NN"
    if "VERB" in tags:  # noun and adjective sound alike
        return noun
    if "NOUN" in tags:
        return _tag_noun_or_other(sentence, index, noun)
    return "JJ" if _is_adjective(sentence, index) else noun


def _tag_noun_or_other(sentence: Sentence, index: int, noun: str) -> str:
    """For words whose verb and adjective sound alike: "was content", "the content", "import it"."""
    previous = sentence.previous(index)
    if sentence.is_be(previous):
        return "JJ"
    if sentence.tag(previous) in _BEFORE_NOUN | _NOUNS:
        return noun
    return "VB" if sentence.tag(index + 1) in _AFTER_VERB else noun


def _is_adjective(sentence: Sentence, index: int) -> bool:
    """True for an adjective: "was elaborate", "very deliberate", "an animate thing"."""
    if sentence.tag(index - 1) == "RB" or sentence.is_be(sentence.previous(index)):
        return True
    return sentence.tag(index + 1) in _NOUNS | {"JJ"}


def _a(sentence: Sentence, index: int) -> str:
    """DT for the article, NN for the letter in "vitamin A" or "plan A"."""
    is_letter = sentence.tag(index + 1) in _MARKS
    if sentence.words[index] == "A" and index and not is_letter:
        is_title = sentence.words[index + 1][:1].isupper()
        is_letter = sentence.tag(index - 1) in _NOUNS and not is_title
    return "NN" if is_letter else "DT"


def _am(sentence: Sentence, index: int) -> str:
    """VBP for the verb, NN in "10 am"."""
    return "NN" if sentence.tag(index - 1) == "CD" else "VBP"


def _by(sentence: Sentence, index: int) -> str:
    """RB if nothing follows: "she walked by"."""
    return "RB" if sentence.tag(index + 1) in _MARKS | {"CC", "IN"} else "IN"


def _in(sentence: Sentence, index: int) -> str:
    """RP, a particle, if nothing follows: "they came in"."""
    return "RP" if sentence.tag(index + 1) in _MARKS | {"CC", "IN", "TO"} else "IN"


def _s(sentence: Sentence, index: int) -> str:
    """VBZ for "is" or "has", POS for the possessive."""
    is_verb = sentence.tag(index - 1) in {"PRP", "EX", "WP", "WRB", "DT"}
    return "VBZ" if is_verb else "POS"


def _used(sentence: Sentence, index: int) -> str:
    """VBD or JJ for "used to swim" and "was used to it"; VBN for "is used to cut"."""
    previous = sentence.previous(index)
    if sentence.is_be(previous) and sentence.tag(index + 2) in {"VB", "NN"}:
        return "VBN"
    is_become = sentence.word(previous).startswith(("get", "got", "becom", "became"))
    return "JJ" if is_become or sentence.is_be(previous) else "VBD"


def _that(sentence: Sentence, index: int) -> str:
    """The stressed DT if it is demonstrative ("that one", "is that so"); else IN or WDT."""
    before, after = sentence.tag(index - 1), sentence.tag(index + 1)
    if after in _MARKS or before == "WP" or (before == "IN" and sentence.word(index - 1) != "so"):
        return "DT"
    if before in _MARKS | {"CC"}:
        return "IN" if after in {"DT", "PRP", "PRP$", "EX"} else "DT"
    if before in _NOUNS:
        return "WDT"
    if before.startswith("VB") and after == "NN":
        return "DT" if sentence.tag(index + 2) in _MARKS | {"IN"} else "IN"
    return "DT" if after in {"VBZ", "MD"} and before in {"VB", "RB"} else "IN"


def _read(sentence: Sentence, index: int) -> str:
    previous = sentence.previous(index)
    word, tag = sentence.word(previous), sentence.tag(previous)
    if sentence.requires_bare_verb(previous):
        return "VB"
    if sentence.is_have(previous) or sentence.is_be(previous):
        return "VBN"
    if word in {"he", "she", "it"} or tag in {"NN", "NNP"}:
        return "VBD"
    if tag == "CC":
        return "VBD" if sentence.tag(sentence.conjunct(previous)) in _PAST else "VB"
    if tag in {"PRP", "NNS"}:
        has_past_verb = not _PAST.isdisjoint(sentence.tags)
        has_past_adverb = not _PAST_ADVERBS.isdisjoint(sentence.lower)
        return "VBD" if has_past_verb or has_past_adverb else "VB"
    return "VBN" if tag in {"DT", "JJ"} else "VB"


def _wound(sentence: Sentence, index: int) -> str:
    previous = sentence.previous(index)
    if sentence.is_have(previous) or sentence.is_be(previous):
        return "VBN"
    if sentence.tag(previous) in {"PRP", "WP", "WDT", "CC"}:
        return "VBD"
    is_verb = sentence.tag(previous) in _NOUNS and sentence.tag(index + 1) in _AFTER_VERB
    return "VBD" if is_verb else "NN"


def _close(sentence: Sentence, index: int) -> str:
    if sentence.is_verb(index):
        return "VB"
    is_before_object = sentence.tag(index + 1) in _NOUNS | {"JJ", "TO"}
    is_noun = sentence.tag(index - 1) == "DT" and not is_before_object
    return "NN" if is_noun else "JJ"


def _minute(sentence: Sentence, index: int) -> str:
    is_intensified = sentence.tag(index - 1) == "RB" and sentence.tag(index - 2) not in {"DT", "CD"}
    return "JJ" if is_intensified or sentence.word(index + 1) in _MINUTE_OBJECTS else "NN"


_RULES: Mapping[str, Callable[[Sentence, int], str]] = {
    "'s": _s,
    "a": _a,
    "am": _am,
    "by": _by,
    "close": _close,
    "in": _in,
    "minute": _minute,
    "read": _read,
    "that": _that,
    "used": _used,
    "wound": _wound,
}
