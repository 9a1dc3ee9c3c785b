"""Tags parts of speech by rules, for installations without spaCy's English model. Pure.

Far simpler than a statistical tagger: it knows the closed word classes, word endings and the
nearest neighbours. That is enough for punctuation, money, "a", "the" and "to", and for most
homographs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audiomill.renderers.kokoro.g2p.homographs import resolve_tag
from audiomill.renderers.kokoro.g2p.tagged_sentence import Sentence
from audiomill.renderers.kokoro.g2p.word_senses import sense_phonemes, sense_tag

# Part of fingerprints. Increase it whenever a tag or another rule for English changes.
RULES_VERSION = 7

_OPENING_QUOTES, _STRAIGHT_QUOTES, _APOSTROPHES = "“‘", "\"'", "'’"
_QUOTES = frozenset("\"“”'‘’")
# After these an apostrophe ends a quotation, even one that began in an earlier sentence.
_BEFORE_CLOSING = frozenset('.,!?…—"”')
_CURRENCIES = frozenset("$£€")
# Words that may begin with an apostrophe instead of letters: 'tis, 'em. Numbers may too: '90s.
_CONTRACTIONS = frozenset(
    {"tis", "twas", "twere", "twill", "em", "cause", "til", "till", "bout", "neath", "n", "cos"}
    | {"t", "tisn't", "twasn't", "twould", "twouldn't", "twixt", "mongst", "gainst"}
)
# Words without their "h", which begin no quotation: 'er. spaCy's tokenizer cuts "im" into two.
_WITHOUT_H = frozenset(
    {"er", "ers", "e", "E", "imself", "erself", "ere", "eard", "ead", "eads", "eart", "ouse"}
    | {"ouses", "ome", "ave", "orse", "orses", "alf", "undred", "igh", "appen", "appened", "elp"}
)
_POSSESSIVES = frozenset({"'s", "’s"})
_TAGS_OF_S = frozenset({"POS", "VBZ", "VBP", "PRP"})  # Jane's; she's; does he's; let's
_TAGS_OF_MARKS = frozenset({".", ",", ":", "``", "''", "-LRB-", "-RRB-", "NFP"})
# By the first character of a token: the others are the same, or make an emoticon.
_SIGN_TAGS = {
    **dict.fromkeys("([{", "-LRB-"),
    **dict.fromkeys(")]}", "-RRB-"),
    **dict.fromkeys(".!?", "."),
    **dict.fromkeys(":;…—–-", ":"),
    **dict.fromkeys(_QUOTES, "''"),
    **dict.fromkeys("*_", "NFP"),
    ",": ",",
    "&": "CC",
    "@": "IN",
    "%": "NN",
}
# Tags after which a capital does not make a name.
_SENTENCE_STARTS = frozenset({".", "``", ":", "-LRB-"})
_INTERJECTIONS = frozenset({"ok", "okay", "oh", "ah", "no"})  # may be in capitals

# The tags of words whose part of speech is known without context. A word in two lists has the tag
# of the first.
_WORDS_BY_TAG = """
DT: the a an this these those every each either neither some any no all both another
PDT: such half
TO: to
CC: and or but nor &
EX: there
MD: can could will would shall should may might must ought cannot ca wo sha 'll 'd ll durst
    wilt shalt canst wouldst couldst shouldst mayst
PRP: i you he she it we they me him us them myself yourself himself herself itself ourselves
     yourselves themselves mine yours hers ours theirs em thee thou ye one
PRP$: my your his her its our their thy
WP: who whom what whoever whatever
WP$: whose
WDT: which whichever
WRB: when where why how whenever wherever however
VBP: am are 'm 're 've have do
VBZ: is has does knows thinks says sees believes wants gets makes takes goes comes gives finds tells
    feels hears understands supposes remembers forgets keeps leaves puts brings seems tries agrees
    eats speaks writes sends sits begins becomes happens learns loses asks follows allows
VBD: was were had did
VB: be let please know think say see believe want get make take go come give find tell feel hear
    mean understand suppose remember forget keep leave put bring seem try agree eat speak
    write send buy sell choose sit stand begin become happen learn teach lose win ask follow allow
VBN: been done gone given taken seen known written shown born become
VBG: being having doing
IN: of in on at by for with from into onto upon about above across after against along among amid
    around as before behind below beneath beside besides between beyond despite during except if
    inside like near off over past per since than though although through throughout till toward
    towards under underneath unless until unto via whereas whether while within without because vs
    versus out up down that
RB: not n't never always often ever also just only very too so quite rather soon still already yet
    again here then now almost even perhaps maybe away back together once twice far well much more
    most less least later later almost enough instead otherwise therefore thus hence indeed seldom
    today tomorrow yesterday tonight somewhere nowhere everywhere n’t alone abroad ashore
    apart aside
UH: oh ah yes hello hey alas ok okay
CD: zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    hundred thousand million billion trillion
NN: thing king ring spring string wing evening morning ceiling nothing something anything everything
    bed seed breed need speed deed feed weed bus gas gus glass class grass boss loss kiss mess mass
    news time way day year man woman child
POS: 's ’s
NNS: people children men women police mice feet teeth geese
JJ: good new first last long great little own other old right big high different small large next
    early young important few many several public bad same able dead short whole white black red
    green blue free full open clear real true strong certain wide deep dark cold hot warm quiet loud
    happy sad late left best worst better worse second third former latter fresh fast slow hard easy
    single main recent current final modern ancient tiny huge main world sharp fine bitter
VBD: said went came took gave made knew thought saw found told became felt put brought began kept
     held wrote stood heard meant set met ran paid sat spoke lay led grew lost fell sent built
     understood drew broke spent rose drove bought wore chose threw caught won ate drank sang rang
     swam flew rode hid bit blew shook struck swore tore woke wept slept swept crept dug hung stuck
     swung fought sought taught shot lent bled fled ground asked
"""

# An ending, the number of letters that a word with it must have, and its tag. The first match wins.
_SUFFIXES: tuple[tuple[str, int, str], ...] = (
    ("ly", 4, "RB"),
    ("ing", 5, "VBG"),
    ("ed", 4, "VBD"),
    *((end, 6, "NN") for end in ("tion", "sion", "ness", "ment", "ity", "ance", "ence", "ism")),
    *((end, 5, "JJ") for end in ("ous", "ful", "ive", "able", "ible", "less", "ish", "ical", "ic")),
    *((end, 2, "NN") for end in ("ss", "us", "is")),
    ("s", 3, "NNS"),
)


def _read_tags() -> dict[str, str]:
    tags: dict[str, str] = {}
    tag = ""
    for word in re.findall(r"\S+", _WORDS_BY_TAG):
        if word.endswith(":"):
            tag = word[:-1]
        else:
            tags.setdefault(word, tag)
    return tags


_TAGS: Mapping[str, str] = _read_tags()


@dataclass(frozen=True, slots=True)
class RuleTagger:
    """Tags words by rules.

    `homographs` has the words with several pronunciations, and the tags that distinguish these.
    """

    homographs: Mapping[str, frozenset[str]]

    def tags(self, words: Sequence[str], spaces: Sequence[bool]) -> list[str]:
        """The Penn Treebank tag of each word; `spaces` is true where white space follows it."""
        sentence = _tag_without_context(words, spaces)
        for index, word in enumerate(sentence.lower):
            tags = self.homographs.get(word, frozenset())
            sentence.tags[index] = resolve_tag(sentence, index, tags)
        return sentence.tags


def mended_tags(words: Sequence[str], spaces: Sequence[bool], tags: Sequence[str]) -> list[str]:
    """The tags of a model, with those by rule for quotes, and for words that it takes for marks.

    Of the latter misaki says nothing (n’t) or the letters (’s). Models take many an apostrophe for
    a quote: o’, th’, ’tis.
    """
    by_rule = _tag_marks(words, spaces)
    mended = [
        by_rule[index] if word in _QUOTES else _mended_tag(word, tag, is_first=not index)
        for index, (word, tag) in enumerate(zip(words, tags, strict=True))
    ]
    sentence = Sentence(tuple(words), _in_lower_case(words), mended)
    return [sense_tag(sentence, index) or tag for index, tag in enumerate(mended)]


def _mended_tag(word: str, tag: str, *, is_first: bool) -> str:
    if word in _POSSESSIVES:
        return tag if is_first or tag in _TAGS_OF_S else "POS"
    is_word = tag in _TAGS_OF_MARKS and any(map(str.isalnum, word))
    return "NN" if is_word else tag


def pronunciation_overrides(words: Sequence[str], tags: Sequence[str]) -> dict[int, str]:
    """Phonemes, by index, of words whose pronunciation misaki's dictionary cannot choose."""
    sentence = Sentence(tuple(words), _in_lower_case(words), list(tags))
    found = ((index, sense_phonemes(sentence, index)) for index in range(len(words)))
    return {index: phonemes for index, phonemes in found if phonemes}


def _tag_without_context(words: Sequence[str], spaces: Sequence[bool]) -> Sentence:
    """A sentence with the tags that its words have on their own."""
    tags = _tag_marks(words, spaces)
    lower = _in_lower_case(words)
    has_names = not _is_in_capitals(words)
    for index, word in enumerate(words):
        if tags[index]:
            continue
        is_start = index == 0 or tags[index - 1] in _SENTENCE_STARTS
        tags[index] = _tag_word(word, lower[index], capital_is_name=has_names and not is_start)
        is_acronym = word.isupper() and len(word) > 1 and lower[index] not in _INTERJECTIONS
        if has_names and is_acronym:
            tags[index] = "NNP"
    return Sentence(tuple(words), lower, tags)


def _in_lower_case(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.lower().replace("’", "'") for word in words)


def _tag_word(word: str, lower: str, *, capital_is_name: bool) -> str:
    """The tag of a word on its own; `capital_is_name` if a capital makes it a name."""
    if lower in _TAGS:
        return _TAGS[lower]
    if capital_is_name and word[0].isupper():
        return "NNP"
    for ending, min_letters, tag in _SUFFIXES:
        if len(lower) >= min_letters and lower.endswith(ending):
            return tag
    return "NN"


def _is_in_capitals(words: Sequence[str]) -> bool:
    """True if most of the text is in capitals, like a heading."""
    words_of_letters = [word for word in words if len(word) > 1 and word.isalpha()]
    return 2 * sum(map(str.isupper, words_of_letters)) > len(words_of_letters)


def _tag_marks(words: Sequence[str], spaces: Sequence[bool]) -> list[str]:
    """The tags of the words that are marks, signs or numbers; "" for all others.

    `spaces` is true where white space follows the word.
    """
    open_quotes: list[str] = []
    tags: list[str] = []
    for index, word in enumerate(words):
        is_free_before = index == 0 or spaces[index - 1] or tags[index - 1] in {"``", "-LRB-", ":"}
        is_free_after = spaces[index] or index + 1 == len(words)
        if word in _QUOTES:
            opens = is_free_before and not is_free_after
            tags.append(_tag_quote(words, index, open_quotes, opens=opens))
        else:
            tags.append(_tag_mark(words, index, is_apart=is_free_before and is_free_after))
    return tags


def _tag_quote(words: Sequence[str], index: int, open_quotes: list[str], *, opens: bool) -> str:
    """The tag of a quote, or POS for an apostrophe. Updates `open_quotes`."""
    quote = words[index]
    if quote in _APOSTROPHES and opens and _is_contraction(words[index + 1 :]):
        return "POS"
    if quote in _OPENING_QUOTES or (quote in _STRAIGHT_QUOTES and opens):
        open_quotes.append(quote)
        return "``"
    if quote in _APOSTROPHES and not _closes(words, index, open_quotes):
        return "POS"
    if open_quotes:
        open_quotes.pop()
    return "''"


def _is_contraction(following: Sequence[str]) -> bool:
    word = following[0]
    is_without_h = word in _WITHOUT_H or tuple(following[:2]) == ("i", "m")
    return is_without_h or word.lower() in _CONTRACTIONS or word[0].isdigit()


def _closes(words: Sequence[str], index: int, open_quotes: Sequence[str]) -> bool:
    """True if an apostrophe ends a quotation; that of “the dogs’ day” does not."""
    if index and words[index - 1][-1] in _BEFORE_CLOSING:
        return True
    if not open_quotes or open_quotes[-1] not in "'‘":
        return False
    following = words[index + 1 :]
    is_after_s = index > 0 and words[index - 1].lower().endswith("s")
    is_closed_later = any(word in _APOSTROPHES for word in following)
    return not (is_after_s and is_closed_later and following[0][:1].islower())


def _tag_mark(words: Sequence[str], index: int, *, is_apart: bool) -> str:
    word = words[index]
    if word[-1] in _CURRENCIES:
        return "$" if _is_amount(words[index + 1 : index + 2]) else "NN"
    if any(map(str.isdigit, word)) and not word[0].isalpha():
        return "CD"
    if any(map(str.isalnum, word)):
        return ""
    if word == "-":
        return ":" if is_apart else "HYPH"
    if word.startswith("..") or word == "):":
        return ":"
    return _SIGN_TAGS.get(word[0], "SYM")


def _is_amount(following: Sequence[str]) -> bool:
    return bool(following) and following[0].lstrip(".-")[:1].isdigit()
