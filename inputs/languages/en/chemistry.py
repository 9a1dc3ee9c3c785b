"""English words for chemistry in a line: “H₂O”, “Ca2+”, “¹⁴C”, “ΔH°”.

Names are read as letters and numbers, as chemists say them: IUPAC, Compendium of Chemical
Terminology, “chemical formula”.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.letters import is_pronounceable, spell
from audiomill.inputs.languages.en.numbers import (
    SUBSCRIPTS,
    SUPERSCRIPTS,
    cardinal,
    cardinal_or_digits,
)
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_ELEMENTS = words(
    """
    H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se
    Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb
    Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm
    Bk Cf Es Fm
    """
)
_WITHOUT_DIGITS = words(
    """
    NaCl HCl KCl NaOH KOH LiOH CaO MgO ZnO HBr NaF KBr KI NaI AgCl CuO FeO FeS ZnS CaS GaN GaAs
    SiC NaHS LiCl CsCl HgO HF HCN KCN NaCN
    """
)
_PART = re.compile(r"[A-Z][a-z]?|\d+|[()]")


def _formula(match: re.Match[str], context: Context) -> str | None:
    plain = match["formula"].translate(SUBSCRIPTS)
    if not _is_formula(
        plain, has_subscript=plain != match["formula"], charged=bool(match["charge"])
    ):
        return None
    said = [cardinal_or_digits(match["count"], context.region)] if match["count"] else []
    said += [
        cardinal_or_digits(one, context.region) if one.isdecimal() else spell(one)
        for one in _PART.findall(plain)
        if one not in "()"
    ]
    return " ".join((*said, *_charge(match["charge"] or "", context.region)))


def _ion(match: re.Match[str], context: Context) -> str | None:
    if match["element"] not in _ELEMENTS:
        return None
    return " ".join((spell(match["element"]), *_charge(match["charge"], context.region)))


def _charge(text: str, region: str) -> list[str]:
    plain = text.translate(SUPERSCRIPTS)
    signs = {"+": "plus", "-": "minus"}
    return [
        signs.get(one) or cardinal_or_digits(one, region) for one in re.findall(r"\d+|[+-]", plain)
    ]


def _is_formula(plain: str, *, has_subscript: bool, charged: bool) -> bool:
    """Whether this is chemistry: real elements in a combination that is no word and no code."""
    elements = re.findall(r"[A-Z][a-z]?", plain)
    if not _ELEMENTS.issuperset(elements):
        return False
    if has_subscript or charged or plain in _WITHOUT_DIGITS:
        return True
    if (letters := re.match("[A-Z]{4,}", plain)) and is_pronounceable(letters[0]):
        return False  # “PUSH8”, “SOCKS5”
    numbers = re.findall(r"\d+", plain)
    if not numbers or any(one.startswith(("0", "1")) and len(one) == 1 for one in numbers):
        return False
    return (len(set(elements)) > 1 and not plain.endswith("B")) or plain in {"O2", "H2", "N2", "O3"}


def _isotope(match: re.Match[str], context: Context) -> str | None:
    if match["element"] not in _ELEMENTS:
        return None
    mass = match["mass"].translate(SUPERSCRIPTS)
    return f"{spell(match['element'])} {cardinal_or_digits(mass, context.region)}"


_ATOM = r"(?:Cl|Br|[HCNOFPSI])"

RULES: tuple[Rule, ...] = (
    # “the O−H bond”
    rule("formula", rf"−(?={_ATOM}(?![a-z]))(?<=[HCNOFPSIlr)\d]−)(?<!\s\d−)", always(" ")),
    # “a 6−hydrate”: a hyphen.
    rule("hyphen", r"−(?=[a-z]{4})(?<=[\da-z]−)", always("-")),
    # “ΔH°”, the standard value.
    rule("sign", r"°(?=[\s=),.;:]|\Z|[fr]\b)(?<=[ΔΔ][HGSE]°)", always(" naught")),
    # “H2,4”: two indices of a letter, where the source does not lower them.
    rule(
        "index",
        r"(?P<base>[A-Za-z])(?P<first>\d),(?P<last>\d)(?![\w.,]\d|\w)(?<!\w\w\d,\d)",
        lambda match, _context: (
            f"{match['base']} {cardinal(int(match['first']))} {cardinal(int(match['last']))}"
        ),
    ),
    # “5 t CO2e”: as much as has the same effect.
    rule("formula", r"CO[2₂]-?e(?:q(?:uiv)?)?(?!\w)", always("C O two equivalent")),
    # “Ca2+”: an ion whose charge the source does not raise.
    rule(
        "formula",
        r"(?P<element>[A-Z][a-z]|[HK])(?P<charge>[2-4]?\+)(?![\w+]|\s?\d)",
        _ion,
    ),
    rule(
        "formula",
        r"""
        (?P<count>\d{0,2})
        (?P<formula>(?:[A-Z][a-z]?(?:\d{1,2}|[₀-₉]{1,3})?|\((?:[A-Z][a-z]?(?:\d|[₀-₉])?){1,4}\)(?:\d|[₀-₉])){1,12}+)
        (?P<charge>[⁰¹²³⁴-⁹]?[⁺⁻])?
        (?![\w⁰-⁹])
        """,
        _formula,
    ),
    # “¹H₂”: the mass before a formula.
    rule(
        "isotope",
        r"(?P<mass>[⁰¹²³⁴-⁹]{1,3})(?=[A-Z][a-z]?[₀-₉A-Z])(?<![\w)]¹)(?<![\w)][²³⁰⁴-⁹])",
        lambda match, context: (
            f"{cardinal_or_digits(match['mass'].translate(SUPERSCRIPTS), context.region)} "
        ),
    ),
    # “(NO₂)₂”
    rule(
        "index",
        r"(?P<index>[₀-₉]{1,3})(?<=[)\]][₀-₉])",
        lambda match, context: (
            f" {cardinal_or_digits(match['index'].translate(SUBSCRIPTS), context.region)}"
        ),
    ),
    rule("isotope", r"(?P<mass>[⁰¹²³⁴-⁹]{1,3})(?P<element>[A-Z][a-z]?)(?![^\W_])", _isotope),
)
