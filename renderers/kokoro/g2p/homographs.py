"""Disambiguates English homographs by the words and tags around them. Pure.

to record, I record     verb      a record, world records   noun
they live               verb      live music, was live      adjective
had read, she read      past      will read, to read        present

The result is a Penn Treebank tag, from which misaki chooses the pronunciation. What holds for the
tags of a model, too, is in `senses`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

from audiomill.renderers.kokoro.g2p.function_words import FUNCTION_WORD_RULES
from audiomill.renderers.kokoro.g2p.tagged_sentence import AFTER_VERB, MARKS, NOUNS, Sentence
from audiomill.renderers.kokoro.g2p.word_senses import sense_tag

_PAST = frozenset({"VBD", "VBN"})
_BEFORE_NOUN = frozenset({"DT", "PDT", "PRP$", "POS", "CD", "JJ", "IN", "WP$", "VBG", "HYPH"})
_PAST_ADVERBS = frozenset({"yesterday", "ago", "once", "last", "earlier"})
_THIS_PAST = frozenset({"morning", "week"})
_ALL = frozenset({"all", "both", "each"})  # "we had all three read it"
# After these "live" is how something is sent or played.
_BEFORE_LIVE = frozenset(
    {"go", "goes", "went", "going", "gone", "shown", "broadcast", "streamed", "played", "sung"}
)
_LIVED = frozenset({"life", "lives"})  # what is lived: "to live life"
# Near them "tear" is what comes out of an eye, although "in" follows.
_EYES = frozenset({"eye", "eyes"})
# Nouns after "close", the adjective, although "to" may be before it.
_CLOSE_OBJECTS = frozenset({"quarters", "range", "attention", "combat", "friend", "friends"})
# Nouns after "minute", the adjective.
_MINUTE_OBJECTS = frozenset(
    {"amount", "amounts", "detail", "details", "difference", "differences", "examination"}
    | {"fraction", "inspection", "particle", "particles", "quantity", "quantities", "trace"}
)


def resolve_tag(sentence: Sentence, index: int, tags: frozenset[str]) -> str:
    """The tag of the word at `index`; `tags` are those with a pronunciation of their own."""
    word = sentence.lower[index]
    if certain := sense_tag(sentence, index):
        return certain
    if rule := _RULES.get(word):
        return rule(sentence, index)
    if not {"NOUN", "VERB", "ADJ"} & tags or sentence.tags[index] == "NNP":
        return sentence.tags[index]
    return _by_context(sentence, index, tags)


def _by_context(sentence: Sentence, index: int, tags: frozenset[str]) -> str:
    is_plural = sentence.lower[index].endswith("s")
    if sentence.is_verb(index):
        return "VBZ" if is_plural else "VB"
    noun = "NNS" if is_plural else "NN"
    if "ADJ" not in tags and not is_plural and _is_after_adverb(sentence, index):
        return "VB"
    if "VERB" in tags:  # noun and adjective sound alike
        return noun
    if "NOUN" in tags:
        return _tag_noun_or_other(sentence, index, noun)
    return "JJ" if _is_adjective(sentence, index) else noun


def _is_after_adverb(sentence: Sentence, index: int) -> bool:
    """True for a verb between an adverb and its object: "plants evidently produce living cells"."""
    has_subject = sentence.tag(sentence.previous(index)) in NOUNS
    has_object = sentence.tag(index + 1) in NOUNS | {"JJ", "VBG"}
    return has_subject and has_object and sentence.word(index - 1).endswith("ly")


def _tag_noun_or_other(sentence: Sentence, index: int, noun: str) -> str:
    """For words whose verb and adjective sound alike: "was content", "the content", "import it"."""
    previous = sentence.previous(index)
    if sentence.is_be(previous):
        return "JJ"
    if sentence.tag(previous) in _BEFORE_NOUN | NOUNS or sentence.word(index + 1) == "of":
        return noun
    return "VB" if sentence.tag(index + 1) in AFTER_VERB else noun


def _is_adjective(sentence: Sentence, index: int) -> bool:
    """True for an adjective: "was elaborate", "very deliberate", "an animate thing"."""
    if sentence.tag(index - 1) == "RB" or sentence.is_be(sentence.previous(index)):
        return True
    is_attribute = sentence.word(index - 1) in {"a", "an"} and sentence.tag(index + 1) not in MARKS
    return is_attribute or sentence.tag(index + 1) in NOUNS | {"JJ"}


def _read(sentence: Sentence, index: int) -> str:
    previous = sentence.previous(index)
    while sentence.tag(previous) == "CD" or sentence.word(previous) in _ALL:
        previous = sentence.previous(previous)
    word, tag = sentence.word(previous), sentence.tag(previous)
    if sentence.requires_bare_verb(previous):
        return "VB"
    if sentence.is_have(previous) or sentence.is_be(previous):
        return "VBN"
    if word in {"he", "she", "it", "which"} or tag in {"NN", "NNP"}:
        return "VBD"
    has_object = sentence.tag(index + 1) in {"DT", "PRP", "PRP$"}
    if tag == "CC" or word in {"neither", "either"} or (tag == "," and has_object):
        return "VBD" if sentence.verb_before(previous) in _PAST else "VB"
    if tag in {"PRP", "NNS", "WP"}:
        return "VBD" if _is_past(sentence) else "VB"
    return "VBN" if tag in {"DT", "JJ"} else "VB"


def _is_past(sentence: Sentence) -> bool:
    """True if a verb or an adverb tells of the past, for one that does not: "they read"."""
    today = any(
        before == "this" and after in _THIS_PAST for before, after in pairwise(sentence.lower)
    )
    return today or sentence.has_any(_PAST_ADVERBS) or not _PAST.isdisjoint(sentence.tags)


def _live(sentence: Sentence, index: int) -> str:
    """JJ for what is alive, or played while one listens; VB far more often."""
    previous = sentence.previous(index)
    word, tag = sentence.word(previous), sentence.tag(previous)
    has_noun = sentence.tag(index + 1) in NOUNS | {"JJ"} and sentence.word(index + 1) not in _LIVED
    if sentence.is_verb(index) or word == "long":
        return "VB"
    if sentence.is_be(previous) or word in _BEFORE_LIVE or tag in {"DT", "PRP$", "WP$", "JJ", "CD"}:
        return "JJ"
    is_before_noun = tag in {"IN", "CC", ","} or tag.startswith("VB") or previous < 0
    return "JJ" if has_noun and is_before_noun else "VB"


def _lives(sentence: Sentence, index: int) -> str:
    """VBZ also where nothing follows: "where Miss Dulany lives"."""
    previous = sentence.previous(index)
    is_last = sentence.tag(index + 1) in MARKS
    has_subject = sentence.word(previous) in {"he", "she", "it", "one"}
    if has_subject or (is_last and sentence.tag(previous) in {"NNP", "WP", "WDT"}):
        return "VBZ"
    return "VBZ" if sentence.is_verb(index) else "NNS"


def _tear(sentence: Sentence, index: int) -> str:
    """VB, which sounds as the noun, for "a tear in his coat"."""
    is_hole = sentence.word(index + 1) == "in" and not sentence.has_any(_EYES)
    return "VB" if is_hole or sentence.is_verb(index) else "NN"


def _wound(sentence: Sentence, index: int) -> str:
    previous = sentence.previous(index)
    if sentence.is_have(previous) or sentence.is_be(previous):
        return "VBN"
    if sentence.tag(previous) in {"PRP", "WP", "WDT", "CC"} or sentence.word(previous) == "that":
        return "VBD"
    is_verb = sentence.tag(previous) in NOUNS and sentence.tag(index + 1) in AFTER_VERB
    return "VBD" if is_verb else "NN"


def _close(sentence: Sentence, index: int) -> str:
    closes_it = sentence.tag(index - 1) == "CC" and sentence.tag(index + 1) in {"DT", "PRP$"}
    is_intensified = sentence.word(index - 1).endswith("ly") and (
        sentence.tag(index + 1) in MARKS | {"CC"}
    )
    if is_intensified or sentence.word(index + 1) in _CLOSE_OBJECTS:
        return "JJ"
    if sentence.is_verb(index) or closes_it:
        return "VB"
    is_before_object = sentence.tag(index + 1) in NOUNS | {"JJ", "TO"}
    is_noun = sentence.tag(index - 1) == "DT" and not is_before_object
    return "NN" if is_noun else "JJ"


def _appropriate(sentence: Sentence, index: int) -> str:
    """JJ also in "remedies appropriate to them", VB in "they appropriate it to themselves"."""
    is_verb = sentence.is_verb(index) and sentence.word(index + 1) != "to"
    is_bare = sentence.requires_bare_verb(sentence.previous(index))
    return "VB" if is_verb or is_bare else "JJ"


def _invite(sentence: Sentence, index: int) -> str:
    """NN for "an invite"; VB far more often."""
    return "NN" if sentence.tag(index - 1) in {"DT", "PRP$", "JJ", "POS"} else "VB"


def _proceeds(sentence: Sentence, index: int) -> str:
    """NNS for what a sale brings; VBZ in "and then proceeds to wait"."""
    if sentence.tag(index - 1) in {"DT", "PRP$", "JJ", "IN"}:
        return "NNS"
    goes_on = sentence.tag(index + 1) in {"TO", "IN"}
    return "VBZ" if goes_on or sentence.is_verb(index) else "NNS"


def _objects(sentence: Sentence, index: int) -> str:
    """VBZ before "to" only after a pronoun or a name: "distant objects to see" has none."""
    previous = sentence.previous(index)
    has_subject = sentence.tag(previous) in {"PRP", "WP", "WDT", "NNP"}
    is_verb = sentence.is_verb(index) and (has_subject or sentence.tag(index + 1) != "TO")
    return "VBZ" if is_verb else "NNS"


def _subjects(sentence: Sentence, index: int) -> str:
    """VBZ only before what is subjected, not in "figure subjects in clay"."""
    has_object = sentence.tag(index + 1) in {"DT", "PRP", "PRP$", "NNP"}
    return "VBZ" if has_object and sentence.is_verb(index) else "NNS"


def _minute(sentence: Sentence, index: int) -> str:
    is_intensified = sentence.tag(index - 1) == "RB" and sentence.tag(index - 2) not in {"DT", "CD"}
    is_said_of = sentence.is_be(index - 1) and sentence.tag(index + 1) in MARKS
    has_object = sentence.word(index + 1) in _MINUTE_OBJECTS
    return "JJ" if is_intensified or is_said_of or has_object else "NN"


def _uses(sentence: Sentence, index: int) -> str:
    """VBZ after its subject, also before a noun: "Jekyll uses templates"."""
    has_object = sentence.tag(index + 1) in NOUNS | {"JJ", "VBG"}
    has_subject = sentence.tag(index - 1) in NOUNS | {"RB"}
    return "VBZ" if sentence.is_verb(index) or (has_subject and has_object) else "NNS"


def _use(sentence: Sentence, index: int) -> str:
    """VB also at the beginning, "Use headings", and after plurals: "people use lists"."""
    previous, following = sentence.tag(index - 1), sentence.tag(index + 1)
    has_object = following in NOUNS | {"JJ", "VBG"}
    starts = (index == 0 or previous in MARKS | {"NNS", "RB"}) and has_object
    is_second = previous == "CC" and following in {"PRP", "DT", "PRP$"}
    return "VB" if starts or is_second or sentence.is_verb(index) else "NN"


def _excuses(sentence: Sentence, index: int) -> str:
    has_subject = sentence.word(index - 1) in {"he", "she", "it", "that", "which", "this"}
    return "VBZ" if has_subject else "NNS"


def _before_noun(sentence: Sentence, index: int) -> str:
    """JJ for "the inside track", else RB: "inside the house", "it was overhead"."""
    is_attribute = sentence.tag(index - 1) in {"DT", "PRP$"} and sentence.tag(index + 1) in NOUNS
    return "JJ" if is_attribute else "RB"


def _overhead(sentence: Sentence, index: int) -> str:
    return "NN" if sentence.tag(index - 1) in {"DT", "JJ", "PRP$", "POS"} else "RB"


def _upset(sentence: Sentence, index: int) -> str:
    is_noun = sentence.tag(index - 1) == "DT" and sentence.tag(index + 1) in MARKS | {"IN"}
    return "NN" if is_noun else "VBN"


_RULES: Mapping[str, Callable[[Sentence, int], str]] = {
    **FUNCTION_WORD_RULES,
    "appropriate": _appropriate,
    "closer": lambda _sentence, _index: "JJR",
    "close": _close,
    "consist": lambda _sentence, _index: "VB",
    "consists": lambda _sentence, _index: "VBZ",
    "excuses": _excuses,
    "inside": _before_noun,
    "invite": _invite,
    "live": _live,
    "lives": _lives,
    "minute": _minute,
    "objects": _objects,
    "overall": _before_noun,
    "overhead": _overhead,
    "proceeds": _proceeds,
    "read": _read,
    "subjects": _subjects,
    "tear": _tear,
    "upset": _upset,
    "use": _use,
    "uses": _uses,
    "wound": _wound,
}
