"""What languages are called: ISO 639's codes, a few names, and BCP 47's letter case. Tables only.

Knows nothing of what any language sounds like or of who speaks it.
"""

from __future__ import annotations

import re

UNKNOWN = frozenset(("", "und", "zxx", "mul", "mis"))  # ISO 639-2 for "nobody says", or "several"
UNDETERMINED = "und"

# ISO 639-1, then 639-2: the terminological code, and the bibliographic one where it differs.
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
# What books write in place of a code.
_NAMES = {
    "english": "en",
    **dict.fromkeys(("french", "français"), "fr"),
    **dict.fromkeys(("german", "deutsch"), "de"),
    **dict.fromkeys(("spanish", "español"), "es"),
    **dict.fromkeys(("italian", "italiano"), "it"),
    "portuguese": "pt",
    "dutch": "nl",
    "russian": "ru",
    "japanese": "ja",
    "chinese": "zh",
    "polish": "pl",
    "swedish": "sv",
    "hindi": "hi",
}
_ROWS = [row.split() for row in _CODES.split(",")]
_THREE = {two: three for two, three, *_ in _ROWS}
_TWO = {three: two for two, *threes in _ROWS for three in threes}
_TAG = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$")


def language_tag(said: str) -> str:
    """A BCP 47 tag for what a book calls its language; "" if that is none."""
    tag = said.strip().replace("_", "-")
    if tag.lower() in UNKNOWN:
        return ""
    first, *rest = tag.lower().split("-")
    tag = cased("-".join([_NAMES.get(first, shortest(first)), *rest]))
    return tag if _TAG.match(tag) else ""


def cased(tag: str) -> str:
    """The tag in the letter case of RFC 5646, 2.1.1: en, sr-Latn, pt-BR, en-GB-x-rp."""
    first, *rest = tag.lower().split("-")
    written = [first]
    for subtag in rest:
        if len(written[-1]) == 1:  # whatever follows a singleton stays lower case
            written.append(subtag)
        else:
            written.append({2: subtag.upper(), 4: subtag.title()}.get(len(subtag), subtag))
    return "-".join(written)


def shortest(code: str) -> str:
    """The code of two letters for one of three (ISO 639-2), in lower case; or `code` itself."""
    return _TWO.get(code, code)


def three_letters(language: str) -> str:
    """The ISO 639-2/T code of a BCP 47 tag; "und" (undetermined) where it is not known.

    MP4 and ID3 name languages so.
    """
    primary = shortest(language.split("-")[0].lower())
    if len(primary) == 3 and primary.isascii() and primary.isalpha():
        return primary
    return _THREE.get(primary, UNDETERMINED)
