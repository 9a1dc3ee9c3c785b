"""Italian words: signs, currencies, nouns that numbers agree with."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european.language import CurrencyWords, Gender, portions

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
