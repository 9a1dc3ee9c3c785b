"""Parts of speech by rule, for machines without spaCy's English model. Pure; knows no phonemes.

Far from a real tagger: it knows closed classes, endings and the nearest neighbours, which is
enough for punctuation, money, "a", "the" and "to", and for most of the words that are spelled
alike and said differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from renderers.kokoro.g2p_homographs import METAL, decided, is_metal
from renderers.kokoro.g2p_sentence import Sentence
from renderers.kokoro.g2p_tag_marks import tag_marks
from renderers.kokoro.g2p_tag_words import SUFFIXES, TAGS

RULES = 1  # raised by hand when a tag changes

_STARTS = frozenset({".", "``", ":", "-LRB-"})  # after these a capital says nothing
_CALLS = frozenset({"ok", "okay", "oh", "ah", "no"})


@dataclass(frozen=True, slots=True)
class RuleTagger:
    """Tags for words; `homographs` names those that are said in several ways, and their tags."""

    homographs: Mapping[str, frozenset[str]]

    def tags(self, words: Sequence[str], spaces: Sequence[bool]) -> list[str]:
        """A Penn Treebank tag for each word; `spaces` says whether white space follows it."""
        sentence = _guessed(words, spaces)
        for at, word in enumerate(sentence.lower):
            sentence.tags[at] = decided(sentence, at, self.homographs.get(word, frozenset()))
        return sentence.tags


def unlisted(words: Sequence[str], tags: Sequence[str]) -> dict[int, str]:
    """What to say for words, by place, that a dictionary of one sound each would get wrong."""
    lower = tuple(word.lower() for word in words)
    if "lead" not in lower:
        return {}
    sentence = Sentence(tuple(words), lower, list(tags))
    return {at: METAL for at in range(len(words)) if is_metal(sentence, at)}


def _guessed(words: Sequence[str], spaces: Sequence[bool]) -> Sentence:
    """All words with the tags that they have by themselves."""
    tags = tag_marks(words, spaces)
    lower = tuple(word.lower().replace("’", "'") for word in words)
    is_shouted = _is_shouted(words)
    for at, word in enumerate(words):
        if not tags[at]:
            starts = at == 0 or tags[at - 1] in _STARTS
            tags[at] = _guess(word, lower[at], is_named=not starts and not is_shouted)
            if word.isupper() and len(word) > 1 and not is_shouted and lower[at] not in _CALLS:
                tags[at] = "NNP"
    return Sentence(tuple(words), lower, tags)


def _guess(word: str, lower: str, *, is_named: bool) -> str:
    """A tag from the word alone; `is_named` says that a capital makes it a name."""
    if lower in TAGS:
        return TAGS[lower]
    if is_named and word[0].isupper():
        return "NNP"
    for ending, least, tag in SUFFIXES:
        if len(lower) >= least and lower.endswith(ending):
            return tag
    return "NN"


def _is_shouted(words: Sequence[str]) -> bool:
    """Whether most of the text is in capitals, as headings are."""
    lettered = [word for word in words if len(word) > 1 and word.isalpha()]
    return 2 * sum(map(str.isupper, lettered)) > len(lettered)
