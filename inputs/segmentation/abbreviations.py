"""Tables of abbreviations, by language: the words whose full stop does not end a sentence.

The tables are short on purpose: they have the words that books and articles use. Words are in
lower case, without their last full stop. The rules that use the tables are in `sentences.py`.
"""

from __future__ import annotations

from dataclasses import dataclass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True)
class AbbreviationTable:
    """The abbreviations of one language, by the effect of the full stop after them."""

    never_end: frozenset[str] = frozenset()  # it never ends a sentence
    may_end: frozenset[str] = frozenset()  # it ends one only before a word of `starters`
    before_number: frozenset[str] = frozenset()  # it does not end one before a number
    starters: frozenset[str] = frozenset()  # words that begin a sentence if they are capitalised
    short_words: frozenset[str] = frozenset()  # words of two letters that are no abbreviations
    has_ordinals: bool = False  # "3." is "third", as in German


_LATIN = _words("cf viz vs z.b d.h e.g i.e op")

_ENGLISH = AbbreviationTable(
    never_end=_LATIN
    | _words(
        """mr mrs ms mx dr prof rev revd lt col gen sgt capt cpl pvt maj adm cmdr cdr hon gov sen
        rep pres fr messrs mssrs mme mlle mt supt insp lieut sergt atty det bp abp esp incl approx
        ca c geo chas thos benj robt jas wm"""
    ),
    may_end=_words(
        """etc jr sr st ft co inc ltd corp bros ave rd blvd est dept assn al ibid jan feb apr jun
        jul aug sep sept oct nov dec univ inst dist calif mass penn conn minn tenn mich wash"""
    ),
    before_number=_words(
        """no nos vol vols fig figs p pp ch chap sec sect art eq pt bk ed app para ex op line ll yrs
        mos"""
    ),
    starters=_words(
        """the he she it they we you this that these those there then but and so when what who
        why how where in on at if as for after before yet now here his her its their my our your
        not no yes nobody nothing everyone every all some one"""
    ),
    short_words=_words(
        "ah am an as at be by do go he hi if in is it me my no of oh on or so to up us we"
    ),
)

_GERMAN = AbbreviationTable(
    never_end=_LATIN
    | _words(
        """hr hrn fr frl dr prof dipl ing st bzw ca vgl abb bd geb gest sog ggf evtl bspw inkl
        exkl z d u s a.d i.d u.a o.ä s.o s.u v.a zzgl max min tel"""
    ),
    may_end=_words("usw etc jh jhd u.s.w u.dgl n.chr v.chr str"),
    before_number=_words("nr nrn s abs art kap"),
    starters=_words(
        """der die das er sie es wir ihr ich du dann da doch aber und so als wenn was wer wie wo
        warum nun jetzt nach vor im in am an auf mit ein eine dies diese dieser dieses niemand"""
    ),
    has_ordinals=True,
)

_FRENCH = AbbreviationTable(
    never_end=_LATIN
    | _words("m mm mme mmes mlle mlles dr pr me mgr st ste p.ex c.-à-d av apr env"),
    may_end=_words("etc j.-c"),
    before_number=_words("p pp vol chap art fig n no t"),
    starters=_words(
        "le la les il elle ils elles on nous vous je tu ce cette c’est c'est mais et puis alors un"
    ),
)

_SPANISH = AbbreviationTable(
    never_end=_LATIN
    | _words("sr sra srta sres d dña dr dra prof ud uds vd vds lic ing gral p.ej ee st sto sta"),
    may_end=_words("etc uu ee.uu a.c d.c s.a"),
    before_number=_words("p pág págs vol cap art fig núm n no"),
    starters=_words("el la los las él ella ellos yo nosotros pero y entonces un una era no así es"),
)

_ITALIAN = AbbreviationTable(
    never_end=_LATIN
    | _words("sig sigg sig.ra sig.na dott dott.ssa prof prof.ssa avv ing on s p.es"),
    may_end=_words("ecc etc a.c d.c"),
    before_number=_words("p pag pagg vol cap art fig n"),
    starters=_words("il lo la i gli le egli ella lui lei essi ma e poi allora un una era non così"),
)

_PORTUGUESE = AbbreviationTable(
    never_end=_LATIN | _words("sr sra srs srta dr dra prof profa d exmo exma eng p.ex v.exa"),
    may_end=_words("etc a.c d.c"),
    before_number=_words("p pág págs vol cap art fig n"),
    starters=_words("o a os as ele ela eles elas eu nós mas e então um uma era não assim"),
)

_DUTCH = AbbreviationTable(
    never_end=_LATIN | _words("dhr mevr mw dr drs prof ir ing mr bijv bv d.w.z o.a m.b.t ca i.p.v"),
    may_end=_words("enz etc n.chr v.chr"),
    before_number=_words("nr blz p art hfst"),
    starters=_words("de het een hij zij ze wij we ik jij maar en toen dan nu dit dat die er als"),
)

_RUSSIAN = AbbreviationTable(
    never_end=_words("т.е т.к т.н им ул пл пр см ср напр проф акад св о стр"),
    may_end=_words("г гг в вв т.д т.п др пр руб коп тыс млн"),
    before_number=_words("стр с гл рис т п № кв д"),
    starters=_words("он она оно они мы вы я ты но и а это этот эта тогда потом в на когда"),
)

# Languages for which there are no words here, only that "3." is an ordinal.
_ORDINALS_ONLY = AbbreviationTable(never_end=_LATIN, has_ordinals=True)

_BY_LANGUAGE = {
    "en": _ENGLISH,
    "de": _GERMAN,
    "fr": _FRENCH,
    "es": _SPANISH,
    "it": _ITALIAN,
    "pt": _PORTUGUESE,
    "nl": _DUTCH,
    "ru": _RUSSIAN,
} | dict.fromkeys(
    ("cs", "da", "et", "fi", "hr", "hu", "is", "nb", "no", "pl", "sk", "sl"), _ORDINALS_ONLY
)

_UNKNOWN = AbbreviationTable(never_end=_LATIN)


def abbreviations(language: str) -> AbbreviationTable:
    """Return the table of a BCP 47 tag, by its first subtag.

    An unknown language has only the Latin abbreviations.
    """
    return _BY_LANGUAGE.get(language.lower().partition("-")[0], _UNKNOWN)
