"""Italian: its words, and how its numbers are read.

Numerals are by num2words, without its “e” after millions, with the accent that it forgets in
“centotré”, and with “centodiciotto”, which it has as “centodicotto”. It does not know “un'ora”,
“uno studente”; these are made in `rules.py`. Style: Treccani, La grammatica italiana, “numerali”.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european.language import (
    CurrencyWords,
    Gender,
    LanguageWords,
    ScriptureWords,
    portions,
)
from audiomill.inputs.spoken.european.number_words import numeral, ordinal_numeral

_EURO = CurrencyWords("euro", "euro", "centesimo", "centesimi")
_DOLLAR = CurrencyWords("dollaro", "dollari", "centesimo", "centesimi")
_LIRA = CurrencyWords("lira", "lire", "centesimo", "centesimi", "f")
CURRENCIES = {
    "€": _EURO,
    "EUR": _EURO,
    "euro": _EURO,
    "M€": CurrencyWords("milione di euro", "milioni di euro"),
    "$": _DOLLAR,
    **dict.fromkeys(("US$", "USD$"), _DOLLAR),
    "USD": _DOLLAR,
    "dollari": _DOLLAR,
    "£": CurrencyWords("sterlina", "sterline", "penny", "penny", "f"),
    "¥": CurrencyWords("yen", "yen"),
    "lire": _LIRA,
    "Fr.": CurrencyWords("franco", "franchi", "centesimo", "centesimi"),
    "L.": _LIRA,
}
SCALES = {
    "milione": ("milione", "milioni"),
    "milioni": ("milione", "milioni"),
    "mln": ("milione", "milioni"),
    "miliardo": ("miliardo", "miliardi"),
    "miliardi": ("miliardo", "miliardi"),
    "mld": ("miliardo", "miliardi"),
}
# As English prints them: “$5bn”.
SHORT_SCALES = {
    **dict.fromkeys(("m", "M", "mn"), ("milione", "milioni")),
    **dict.fromkeys(("bn", "b", "B"), ("miliardo", "miliardi")),
}
SYMBOLS = {
    "&": "e",
    "%": "per cento",
    "@": "chiocciola",
    "+": "più",
    "=": "uguale",
    **dict.fromkeys(("≥", ">="), "maggiore o uguale a"),
    **dict.fromkeys(("≤", "<="), "minore o uguale a"),
    "≠": "diverso da",
    "×": "per",
    "÷": "diviso",
    "<": "minore di",
    ">": "maggiore di",
    "±": "più o meno",
    "≈": "circa",
    "§": "paragrafo",
}
FEMININE = words(
    """
    frase base fase serie specie crisi tesi ipotesi analisi sintesi estate immagine origine vergine
    annunziata polvere carne neve febbre morte corte sorte mente sede rete parete pelle canzone dose
    croce pace radice vernice trave nube lente corrente sorgente patente foto moto auto radio mail
    email app chat oasi metropoli opinione unione riunione questione gestione attrice scrittrice
    notte notti ora ore volta volte mano mani parte parti nave navi legge leggi voce voci moglie
    madre madri arte arti luce luci classe classi chiave chiavi torre torri gente fonte valle
    """
)
NOT_COUNTED = words(
    """
    corrisponde indica significa rappresenta equivale contiene vale viene deve può resta rimane
    diventa prevede riguarda a ad ai al alla alle allo agli da dal dalla dai dalle di del della dei
    delle degli dello in nel nella nei nelle con col per tra fra su sul sulla e ed o ma se che chi
    non più meno era è sono fu furono aveva ha hanno già poi come quando dove la le lo gli il i un
    una uno ogni anche così mentre perché dopo prima durante fino circa contro senza sotto sopra
    verso ancora fa
    """
)
PLACES: dict[str, Gender] = {
    **dict.fromkeys(
        ("secolo", "capitolo", "tomo", "libro", "atto", "canto", "volume", "titolo", "articolo"),
        "m",
    ),
    **dict.fromkeys(("parte", "scena", "sezione", "tavola", "fase", "appendice"), "f"),
}
# Of which recipes take parts: “1 1/2 …”.
PORTIONS = portions(
    """
    tazza tazze tazzina tazzine bottiglia bottiglie bustina bustine cipolla cipolle
    mela mele carota carote arancia arance libbra libbre ora ore tavoletta tavolette busta buste
    scatola scatole
    """,
    """
    cucchiaio cucchiai cucchiaino cucchiaini bicchiere bicchieri litro litri decilitro decilitri
    limone limoni peperone peperoni cetriolo cetrioli chilo chili pollo polli panetto panetti
    mazzo mazzi dado dadi vasetto vasetti cubetto cubetti pacchetto pacchetti
    """,
)


SCRIPTURE = ScriptureWords(
    books=words(
        """
        Genesi Esodo Levitico Numeri Deuteronomio Giosuè Giudici Samuele Re Cronache Giobbe
        Salmo Salmi Proverbi Qoelet Isaia Geremia Ezechiele Daniele Osea Gioele Amos Giona
        Michea Zaccaria Malachia Matteo Marco Luca Giovanni Atti Romani Corinzi Galati
        Efesini Filippesi Colossesi Tessalonicesi Timoteo Tito Ebrei Giacomo Pietro
        Apocalisse
        """
    ),
    short={
        "Gen": "Genesi",
        "Es": "Esodo",
        "Dt": "Deuteronomio",
        "Sal": "Salmo",
        "Is": "Isaia",
        "Mt": "Matteo",
        "Mc": "Marco",
        "Lc": "Luca",
        "Gv": "Giovanni",
        "At": "Atti",
        "Rm": "Romani",
        "Cor": "Corinzi",
        "Ap": "Apocalisse",
        "Eb": "Ebrei",
    },
    firsts=("primo", "secondo", "terzo"),
    first_letters=("prima", "seconda", "terza"),
    histories=words("Samuele Re Cronache"),
)


_ENDS_IN_A_BUT_MASCULINE = ("ma", "eta", "ista")
_PREFIXES = frozenset(("giga", "mega", "tera"))


def cardinal(number: int, _region: str, gender: Gender = "") -> str:
    """“ventitré”; before a noun “un” (m), “una” (f)."""
    if number == 1 and gender:
        return "una" if gender == "f" else "un"
    words = re.sub(r"(?<=ion[ei]) e |(?<=iard[oi]) e ", " ", numeral(number, "it"))
    return re.sub(r"(?<=[a-z])tre$", "tré", words.replace("dicotto", "diciotto"))


def gender_of(noun: str) -> Gender:
    """The gender of a noun in small letters, where its ending tells it; else ""."""
    if not noun.islower() or noun in NOT_COUNTED:
        return ""
    if noun in _PREFIXES:
        return "m"
    if noun in FEMININE or noun.endswith(("zione", "sione", "gione", "tà")):
        return "f"
    return "f" if noun.endswith("a") and not noun.endswith(_ENDS_IN_A_BUT_MASCULINE) else "m"


def ordinal(number: int, gender: Gender = "m") -> str:
    """“ventunesimo”, “ventunesima”."""
    said = ordinal_numeral(number, "it").replace("dicott", "diciott")
    return f"{said[:-1]}a" if gender == "f" else said


_PARTS = dict(enumerate(["quinto", "sesto", "settimo", "ottavo", "nono", "decimo"], 5))
ITALIAN = LanguageWords(
    code="it",
    region="IT",
    comma="virgola",
    dot="punto",
    minus="meno",
    to="a",
    percent="per cento",
    permille="per mille",
    pages=("pagina", "pagine"),
    by="per",
    per="per",
    once="una volta",
    times="{} volte",
    parts={n: (word, f"{word[:-1]}i") for n, word in _PARTS.items()},
    fractions={
        "½": "mezzo",
        "⅓": "un terzo",
        "⅔": "due terzi",
        "¼": "un quarto",
        "¾": "tre quarti",
    },
    halves={"": "mezzo", "f": "mezza"},
    mixed_fractions={"½": "{} e mezzo", "¼": "{} e un quarto", "¾": "{} e tre quarti"},
    scales=SCALES,
    short_scales=SHORT_SCALES,
    link="di ",
    cents="{money} e {number}",
    currencies=CURRENCIES,
    symbols=SYMBOLS,
    slash="barra",
    hyphen="trattino",
    number="numero",
    underscore="trattino basso",
    power="alla",
    powers={"2": "al quadrato", "3": "al cubo"},
    cardinal=cardinal,
    portions=PORTIONS,
    year=cardinal,
    labels=words(
        """
        pagina numero capitolo gruppo tipo livello sala linea camera casa tomo nota punto comma
        articolo art. legge parte lettera fase paragrafo allegato sezione titolo tabella figura fig.
        """
    ),
    gender=gender_of,
    unit_words={
        "t": ("tonnellata", "tonnellate"),
        "hg": ("ettogrammo", "ettogrammi"),
        "CV": ("cavallo", "cavalli"),
    },
    units={
        "gr": "mass-gram",
        **dict.fromkeys(("gr", "gr.", "hg"), "mass-gram"),
        **dict.fromkeys(("mt", "mt."), "length-meter"),
        "mq": "area-square-meter",
        "kmq": "area-square-kilometer",
        "mc": "volume-cubic-meter",
        "º": "angle-degree",
        "CV": "power-horsepower",
    },
    point_regions=frozenset({"CH"}),
    scripture=SCRIPTURE,
    raises_ordinal_marks=True,
    numbered_in_chapters=frozenset(("figura", "tabella", "esempio", "listato")),
    plural_ends=("i", "e", "a"),
    drops_filling_zeros=True,
    elided_one=("una", "un'"),
    has_full_one_in_ranges=True,
    out_of="su",
    word_domains=frozenset(("de",)),
)
