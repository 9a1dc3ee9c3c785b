"""English words whose part of speech is known without looking around. Tables only.

Tags are those of the Penn Treebank (Santorini 1990), as spaCy writes them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

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
