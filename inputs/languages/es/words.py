"""Spanish words: signs, currencies, places that numbers stand behind. Nouns are in `nouns.py`."""

from __future__ import annotations

from audiomill.inputs.spoken.european.language import CurrencyWords, Gender, portions

_EURO = CurrencyWords("euro", "euros", "céntimo", "céntimos")
_DOLLAR = CurrencyWords("dólar", "dólares", "centavo", "centavos")
_POUND = CurrencyWords("libra", "libras", "penique", "peniques", "f")
PESO = CurrencyWords("peso", "pesos", "centavo", "centavos")
_PESETA = CurrencyWords("peseta", "pesetas", "céntimo", "céntimos", "f")
CURRENCIES = {
    "€": _EURO,
    "EUR": _EURO,
    "euro": _EURO,
    "euros": _EURO,
    "M€": CurrencyWords("millón de euros", "millones de euros"),
    "$": _DOLLAR,
    **dict.fromkeys(("US$", "U$", "U$S", "u$s", "US$S", "USD$"), _DOLLAR),
    "US $": _DOLLAR,  # as some programs write it
    "USD": _DOLLAR,
    "dólares": _DOLLAR,
    "£": _POUND,
    "¥": CurrencyWords("yen", "yenes"),
    "R$": CurrencyWords("real", "reales", "centavo", "centavos"),
    "MXN": CurrencyWords("peso mexicano", "pesos mexicanos", "centavo", "centavos"),
    "pesos": PESO,
    "ptas.": _PESETA,
    "pesetas": _PESETA,
    **dict.fromkeys(("pts.", "pta."), _PESETA),
    "rs.": CurrencyWords("real", "reales"),
    **dict.fromkeys(("rs. vn.", "rs. vellón"), CurrencyWords("real de vellón", "reales de vellón")),
    "mrs.": CurrencyWords("maravedí", "maravedís"),
}
SCALES = {
    "millón": ("millón", "millones"),
    "millones": ("millón", "millones"),
    "mill.": ("millón", "millones"),
    "billones": ("billón", "billones"),
    "billón": ("billón", "billones"),
}
# As English prints them: “$5bn”.
SHORT_SCALES = {
    **dict.fromkeys(("m", "M", "mn", "mm", "MM", " mm", " MM"), ("millón", "millones")),
    **dict.fromkeys(("bn", "b", "B"), ("mil millones", "mil millones")),
}
SYMBOLS = {
    "&": "y",
    "%": "por ciento",
    "@": "arroba",
    "+": "más",
    "=": "igual a",
    **dict.fromkeys(("≥", ">="), "mayor o igual que"),
    **dict.fromkeys(("≤", "<="), "menor o igual que"),
    "≠": "distinto de",
    "×": "por",
    "÷": "entre",
    "<": "menor que",
    ">": "mayor que",
    "±": "más menos",
    "≈": "aproximadamente",
    "§": "sección",
}
PLACES: dict[str, Gender] = {
    **dict.fromkeys(
        (
            "siglo",
            "capítulo",
            "tomo",
            "libro",
            "acto",
            "canto",
            "volumen",
            "título",
            "artículo",
            "anexo",
            "apéndice",
        ),
        "m",
    ),
    **dict.fromkeys(("parte", "escena", "sección", "lámina", "fase", "jornada"), "f"),
}
# Of which recipes take parts: “1 1/2 …”.
PORTIONS = portions(
    """
    taza tazas cucharada cucharadas cucharadita cucharaditas cuchara cucharas copa copas
    libra libras onza onzas botella botellas lata latas rama ramas cebolla cebollas
    zanahoria zanahorias manzana manzanas naranja naranjas barra barras tableta tabletas
    hora horas docena docenas pizca pizcas
    """,
    """
    vaso vasos litro litros decilitro decilitros paquete paquetes sobre sobres limón limones
    pimiento pimientos pepino pepinos repollo repollos kilo kilos pollo pollos aguacate aguacates
    diente dientes manojo manojos bote botes tomate tomates
    """,
)
