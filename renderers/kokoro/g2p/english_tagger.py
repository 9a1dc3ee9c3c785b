"""Parts of speech by rule, for machines without spaCy's English model. Pure; knows no phonemes.

Far from a real tagger: it knows closed classes, endings and the nearest neighbours, which is
enough for punctuation, money, "a", "the" and "to", and for most of the words that are spelled
alike and said differently.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audiomill.renderers.kokoro.g2p.english_homographs import METAL, Sentence, decided, is_metal

# The tags of everything in an English text that is no word:

_OPENING, _STRAIGHT, _APOSTROPHES = "“‘", "\"'", "'’"
_QUOTES = frozenset("\"“”'‘’")
_MONEY = frozenset("$£€")
# Words that begin with an apostrophe in place of letters: 'tis, 'em, '90s.
_CUT_SHORT = frozenset(
    {"tis", "twas", "twere", "twill", "em", "cause", "til", "till", "bout", "neath", "n", "cos"}
)
# By the first character, as all of a mark's characters are alike or a face.
_SIGNS = {
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


def tag_marks(words: Sequence[str], spaces: Sequence[bool]) -> list[str]:
    """A tag for each word that is a mark, a sign or a number; "" for all others.

    `spaces` says whether white space follows the word.
    """
    open_quotes: list[str] = []
    tags: list[str] = []
    for at, word in enumerate(words):
        before = at == 0 or spaces[at - 1] or tags[at - 1] in {"``", "-LRB-", ":"}
        after = spaces[at] or at + 1 == len(words)
        if word in _QUOTES:
            opens = before and not after
            tags.append(_quote(words, at, open_quotes, opens=opens))
        else:
            tags.append(_mark(words, at, is_apart=before and after))
    return tags


def _quote(words: Sequence[str], at: int, open_quotes: list[str], *, opens: bool) -> str:
    """An opening or closing quote, or POS for an apostrophe; keeps `open_quotes` up to date."""
    quote = words[at]
    if quote in _APOSTROPHES and opens and _is_cut_short(words[at + 1].lower()):
        return "POS"
    if quote in _OPENING or (quote in _STRAIGHT and opens):
        open_quotes.append(quote)
        return "``"
    if quote in _APOSTROPHES and not _closes(words, at, open_quotes):
        return "POS"
    if open_quotes:
        open_quotes.pop()
    return "''"


def _is_cut_short(word: str) -> bool:
    return word in _CUT_SHORT or word[:1].isdigit()


def _closes(words: Sequence[str], at: int, open_quotes: Sequence[str]) -> bool:
    """Whether an apostrophe ends a quotation; that of “the dogs’ day” does not."""
    if not open_quotes or open_quotes[-1] not in "'‘":
        return False
    owns = at > 0 and words[at - 1].lower().endswith("s") and words[at + 1 : at + 2] != []
    later = any(word in _APOSTROPHES for word in words[at + 1 :])
    return not (owns and later and words[at + 1][:1].islower())


def _mark(words: Sequence[str], at: int, *, is_apart: bool) -> str:
    word = words[at]
    if word[-1] in _MONEY:
        return "$" if _is_amount(words[at + 1 : at + 2]) else "NN"
    if any(map(str.isdigit, word)) and not word[0].isalpha():
        return "CD"
    if any(map(str.isalnum, word)):
        return ""
    if word == "-":
        return ":" if is_apart else "HYPH"
    if word.startswith(".."):
        return ":"
    return _SIGNS.get(word[0], "SYM")


def _is_amount(following: Sequence[str]) -> bool:
    return bool(following) and following[0].lstrip(".-")[:1].isdigit()


# English words whose part of speech is known without looking around.

_BY_TAG = """
DT: the a an this these those every each either neither some any no all both another
PDT: such half
TO: to
CC: and or but nor &
EX: there
MD: can could will would shall should may might must ought cannot ca wo sha 'll 'd ll
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
    today tomorrow yesterday tonight somewhere nowhere everywhere n’t
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


def _tags() -> dict[str, str]:
    tags: dict[str, str] = {}
    tag = ""
    for word in re.findall(r"\S+", _BY_TAG):
        if word.endswith(":"):
            tag = word[:-1]
        else:
            tags.setdefault(word, tag)
    return tags


# Lower case; what stands in two lists has the first one's tag.
TAGS: Mapping[str, str] = _tags()

# The first that fits a word of at least as many letters.
SUFFIXES: tuple[tuple[str, int, str], ...] = (
    ("ly", 4, "RB"),
    ("ing", 5, "VBG"),
    ("ed", 4, "VBD"),
    *((end, 6, "NN") for end in ("tion", "sion", "ness", "ment", "ity", "ance", "ence", "ism")),
    *((end, 5, "JJ") for end in ("ous", "ful", "ive", "able", "ible", "less", "ish", "ical", "ic")),
    *((end, 2, "NN") for end in ("ss", "us", "is")),
    ("s", 3, "NNS"),
)


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
