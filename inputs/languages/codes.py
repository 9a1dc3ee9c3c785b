"""Language codes: ISO 639, the names of languages (CLDR), and the letter case of BCP 47.

Knows nothing of voices or of how a language sounds.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

# ISO 639-2 codes of no language: undetermined, no linguistic content, multiple, uncoded.
UNKNOWN = frozenset(("", "und", "zxx", "mul", "mis"))
_UNDETERMINED = "und"

_BRITISH = "au bw gb gh hk ie in ke mt my ng nz pk sg za zw"
_LATIN_AMERICAN = "ar bo cl co cr cu do ec gt hn mx ni pa pe pr py sv us uy ve"
BRITISH_REGIONS = frozenset(_BRITISH.split())  # where English is mostly British
LATIN_AMERICAN_REGIONS = frozenset(_LATIN_AMERICAN.split())  # of Spanish

# ISO 639-1, then ISO 639-2: the terminology code, and the bibliographic code where it differs.
_CODES = """
aa aar, ab abk, ae ave, af afr, ak aka, am amh, an arg, ar ara, as asm, av ava, ay aym, az aze,
ba bak, be bel, bg bul, bi bis, bm bam, bn ben, bo bod tib, br bre, bs bos, ca cat, ce che, ch cha,
co cos, cr cre, cs ces cze, cu chu, cv chv, cy cym wel, da dan, de deu ger, dv div, dz dzo, ee ewe,
el ell gre, en eng, eo epo, es spa, et est, eu eus baq, fa fas per, ff ful, fi fin, fj fij, fo fao,
fr fra fre, fy fry, ga gle, gd gla, gl glg, gn grn, gu guj, gv glv, ha hau, he heb, hi hin, ho hmo,
hr hrv, ht hat, hu hun, hy hye arm, hz her, ia ina, id ind, ie ile, ig ibo, ii iii, ik ipk, io ido,
is isl ice, it ita, iu iku, ja jpn, jv jav, ka kat geo, kg kon, ki kik, kj kua, kk kaz, kl kal,
km khm, kn kan, ko kor, kr kau, ks kas, ku kur, kv kom, kw cor, ky kir, la lat, lb ltz, lg lug,
li lim, ln lin, lo lao, lt lit, lu lub, lv lav, mg mlg, mh mah, mi mri mao, mk mkd mac, ml mal,
mn mon, mr mar, ms msa may, mt mlt, my mya bur, na nau, nb nob, nd nde, ne nep, ng ndo, nl nld dut,
nn nno, no nor, nr nbl, nv nav, ny nya, oc oci, oj oji, om orm, or ori, os oss, pa pan, pi pli,
pl pol, ps pus, pt por, qu que, rm roh, rn run, ro ron rum, ru rus, rw kin, sa san, sc srd, sd snd,
se sme, sg sag, si sin, sk slk slo, sl slv, sm smo, sn sna, so som, sq sqi alb, sr srp, ss ssw,
st sot, su sun, sv swe, sw swa, ta tam, te tel, tg tgk, th tha, ti tir, tk tuk, tl tgl, tn tsn,
to ton, tr tur, ts tso, tt tat, tw twi, ty tah, ug uig, uk ukr, ur urd, uz uzb, ve ven, vi vie,
vo vol, wa wln, wo wol, xh xho, yi yid, yo yor, za zha, zh zho chi, zu zul
"""
# Names in English that are not those of CLDR.
_OTHER_NAMES = {
    "bengali": "bn",
    "castilian": "es",
    "farsi": "fa",
    "frisian": "fy",
    "gaelic": "gd",
    "kirghiz": "ky",
    "mandarin": "zh",
    "modern greek": "el",
    "nahuatl": "nah",
    "napoletano-calabrese": "nap",
    "ojibwa": "oj",
    "pushto": "ps",
    "sinhalese": "si",
    "uighur": "ug",
}
_ROWS = [row.split() for row in _CODES.split(",")]
_THREE_LETTERS = {two: three for two, three, *_ in _ROWS}
_TWO_LETTERS = {three: two for two, *threes in _ROWS for three in threes}
_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")


def language_tag(name: str) -> str:
    """Return the BCP 47 tag for a language as a book names it; "" if it is none.

    It is a tag, an ISO 639 code, or the name of the language in English or in itself: "German",
    "deutsch", "Greek, Ancient".
    """
    bare = " ".join(name.split()).lower()
    tag = bare.replace("_", "-")
    if tag in UNKNOWN:
        return ""
    if _TAG.fullmatch(tag):
        first, *rest = tag.split("-")
        return canonical_case("-".join([two_letter_code(first), *rest]))
    first, _, rest = tag.partition("-")
    return canonical_case(_tag_of_name(bare) or _with_subtags(_tag_of_name(first), rest))


def _with_subtags(tag: str, rest: str) -> str:
    """The tag with the subtags of a name such as "german-AT"; "" without one."""
    whole = f"{tag}-{rest}"
    return whole if tag and _TAG.fullmatch(whole) else ""


def _tag_of_name(name: str) -> str:
    """The tag of a language by its name; "" if that is none."""
    key, last = _name_key(name), _name_key(" ".join(reversed(name.split(", "))))
    english = _english_names()
    found = _OTHER_NAMES.get(key) or english.get(key) or english.get(last)
    return found or (_own_names().get(key, "") if key else "")


def _name_key(name: str) -> str:
    """A name without accents and without what is in brackets: "Greek (to 1453)"."""
    decomposed = unicodedata.normalize("NFKD", re.sub(r"\s*\([^)]*\)", "", name.lower()))
    return "".join(char for char in decomposed if not unicodedata.combining(char)).strip()


@cache
def _english_names() -> dict[str, str]:
    """The tag of each language by its English name in CLDR."""
    from babel import Locale  # which takes a while to import

    # Names with brackets first: "Hindi (Latin)" is not what "Hindi" means.
    tags: dict[str, str] = {name: tag for tag, name in Locale("en").languages.items()}
    names = sorted(tags, key=lambda name: "(" not in name)
    return {_name_key(name): tags[name].replace("_", "-") for name in names}


@cache
def _own_names() -> dict[str, str]:
    """The tag of each language with a two-letter code by its name in itself, of CLDR."""
    from babel import Locale, UnknownLocaleError

    names = dict[str, str]()
    for code in _THREE_LETTERS:
        try:
            name = Locale(code).get_language_name(code)
        except UnknownLocaleError:
            continue
        names |= {_name_key(name): code} if name else {}
    return names


def canonical_case(tag: str) -> str:
    """Return the tag in the letter case of RFC 5646, 2.1.1: en, sr-Latn, pt-BR, en-GB-x-rp."""
    first, *rest = tag.lower().split("-")
    subtags = [first]
    for subtag in rest:
        if len(subtags[-1]) == 1:  # subtags after a singleton stay lower case
            subtags.append(subtag)
        else:
            subtags.append({2: subtag.upper(), 4: subtag.title()}.get(len(subtag), subtag))
    return "-".join(subtags)


def two_letter_code(code: str) -> str:
    """Return the two-letter code of an ISO 639-2 code, in lower case, or `code` if it has none."""
    return _TWO_LETTERS.get(code, code)


def primary_subtag(tag: str) -> str:
    """Return the language of a BCP 47 tag without script and region, in lower case: en of en-GB."""
    return two_letter_code(re.split("[-_]", tag.strip().lower(), maxsplit=1)[0])


def three_letter_code(language: str) -> str:
    """Return the ISO 639-2/T code of a BCP 47 tag; "und" (undetermined) if it is unknown.

    MP4 and ID3 use these codes.
    """
    primary = two_letter_code(language.split("-")[0].lower())
    if len(primary) == 3 and primary.isascii() and primary.isalpha():
        return primary
    return _THREE_LETTERS.get(primary, _UNDETERMINED)
