"""Spanish: its words, and how its numbers are read.

Numerals are by num2words, which knows no gender and no short forms (“veintiuno mil”): both are made
here. Style: Real Academia Española, Ortografía (2010) and Diccionario panhispánico de dudas,
“números”.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european.language import (
    CurrencyWords,
    Gender,
    LanguageWords,
    NounGenders,
    ScriptureWords,
    portions,
)
from audiomill.inputs.spoken.european.number_words import numeral

FEMININE = words(
    """
    especies especie superficies fases frases dosis hipótesis síntesis cárceles catedrales señales
    sedes mentes lentes corrientes raíces variantes constantes vertientes cruces actrices labores
    reses sales imágenes vírgenes costumbres cumbres legumbres muchedumbres pieles veces mujeres
    noches leyes luces voces flores calles llaves naves paredes redes clases bases partes torres
    nubes tardes manos mujer noche ley luz voz flor calle llave nave pared red clase base parte
    torre nube tarde mano vez serpientes fuentes muertes suertes sangre gentes imagen imágenes
    órdenes frases series crisis tesis sílabas aves
    """
)
MASCULINE = words(
    """
    día mapa problema sistema tema idioma planeta poeta programa poema drama clima cura guardia
    policía soldado kilograma diagrama dilema lema enigma fantasma aroma artista
    """
)
NOT_COUNTED = words(
    """
    las los unas unos ellas ellos estas estos esas esos aquellas aquellos muchas muchos nuestras
    nuestros sus mis tus más mas menos tras tres dos seis después antes además entonces nosotros
    vosotros todas todos otras otros de del a al en y e o u ni que se la lo el le les con por para
    sin sobre entre desde hasta hacia según durante cuando donde como si no ya fue era es son eran
    fueron había hubo ha han está están pero aunque porque mientras también ante bajo contra murió
    nació su mi tu un una me te nos os esta este ese esa aquel aquella algunas algunos varias varios
    apenas quizás jamás atrás detrás pues luego así muy solo sólo hay
    """
)
_EURO = CurrencyWords("euro", "euros", "céntimo", "céntimos")
_DOLLAR = CurrencyWords("dólar", "dólares", "centavo", "centavos")
_POUND = CurrencyWords("libra", "libras", "penique", "peniques", "f")
_PESO = CurrencyWords("peso", "pesos", "centavo", "centavos")
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
    "pesos": _PESO,
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
        words(
            """
            siglo capítulo tomo libro acto canto volumen título artículo anexo apéndice
            """
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


SCRIPTURE = ScriptureWords(
    books=words(
        """
        Génesis Éxodo Levítico Números Deuteronomio Josué Jueces Samuel Reyes Crónicas Job
        Salmo Salmos Proverbios Eclesiastés Isaías Jeremías Ezequiel Daniel Oseas Joel Amós
        Jonás Miqueas Zacarías Malaquías Mateo Marcos Lucas Juan Hechos Romanos Corintios
        Gálatas Efesios Filipenses Colosenses Tesalonicenses Timoteo Tito Hebreos Santiago
        Pedro Apocalipsis
        """
    ),
    short={
        "Gn": "Génesis",
        "Ex": "Éxodo",
        "Dt": "Deuteronomio",
        "Sal": "Salmo",
        "Is": "Isaías",
        "Mt": "Mateo",
        "Mc": "Marcos",
        "Lc": "Lucas",
        "Jn": "Juan",
        "Hch": "Hechos",
        "Rm": "Romanos",
        "Cor": "Corintios",
        "Ap": "Apocalipsis",
        "Heb": "Hebreos",
    },
    firsts=("primero", "segundo", "tercero"),
    first_letters=("primera", "segunda", "tercera"),
    histories=words("Samuel Reyes Crónicas"),
)


# A decimal point is printed in Mexico, Central America and the Caribbean.
POINT_REGIONS = frozenset(["MX", "GT", "HN", "NI", "PA", "PR", "DO", "SV", "CU", "US"])
_PESO_REGIONS = ("MX", "AR", "CL", "CO", "CU", "DO", "UY")
_LAST_MILLIONS = re.compile(r"(?P<millions>.*ill(?:ón|ones))?(?P<rest>.*)")


def cardinal(number: int, _region: str, gender: Gender = "") -> str:
    """“veintiuno”; before a noun “veintiún” (m), “veintiuna” (f); “doscientas” (f)."""
    words = re.sub(r"veintiuno(?= )", "veintiún", numeral(number, "es"))
    words = re.sub(r"\buno(?= (?:mil|\w+ill))", "un", words)
    if gender == "f":
        parts = _LAST_MILLIONS.fullmatch(words)
        millions, rest = (parts["millions"] or "", parts["rest"]) if parts else ("", words)
        return millions + re.sub(r"uno$", "una", rest.replace("ientos", "ientas"))
    if gender:
        words = re.sub(r"veintiuno$", "veintiún", words)
        words = re.sub(r"\buno$", "un", words)
    return words


gender_of = NounGenders(
    feminine_ends=("a", "as", "ción", "ciones", "sión", "siones", "dad", "dades", "tud", "tudes"),
    feminine=FEMININE,
    masculine=MASCULINE,
    not_counted=NOT_COUNTED,
    # “435 congresistas”: persons of any gender, but not “listas”.
    persons=re.compile(
        r"(?!(?:l|v|p|rev|entrev|conqu|ar)istas?\Z)\w*(?:ist|naut|crat|tlet|coleg)as?"
    ),
).of

_PARTS = dict(enumerate(["quinto", "sexto", "séptimo", "octavo", "noveno", "décimo"], 5))
SPANISH = LanguageWords(
    code="es",
    region="ES",
    comma="coma",
    dot="punto",
    minus="menos",
    to="a",
    percent="por ciento",
    permille="por mil",
    pages=("página", "páginas"),
    by="por",
    per="por",
    once="una vez",
    times="{} veces",
    parts={n: (word, f"{word}s") for n, word in _PARTS.items()},
    fractions={
        "½": "medio",
        "⅓": "un tercio",
        "⅔": "dos tercios",
        "¼": "un cuarto",
        "¾": "tres cuartos",
    },
    halves={"": "medio", "f": "media"},
    mixed_fractions={"½": "{} y medio", "¼": "{} y cuarto", "¾": "{} y tres cuartos"},
    scales=SCALES,
    short_scales=SHORT_SCALES,
    link="de ",
    cents="{money} con {number}",
    currencies=CURRENCIES,
    symbols=SYMBOLS,
    slash="barra",
    hyphen="guion",
    number="número",
    underscore="guion bajo",
    power="elevado a",
    powers={"2": "al cuadrado", "3": "al cubo"},
    cardinal=cardinal,
    year=cardinal,
    labels=words(
        """
        página número capítulo grupo tipo día nivel sala línea habitación casa tomo nota fase etapa
        paso parte
        """
    ),
    gender=gender_of,
    plural="s",
    portions=PORTIONS,
    before_hours=frozenset(("la", "las")),
    units={
        "gr": "mass-gram",
        **dict.fromkeys(("kms", "kms."), "length-kilometer"),
        **dict.fromkeys(("mts", "mts."), "length-meter"),
        **dict.fromkeys(("grs", "grs.", "gr."), "mass-gram"),
        "º": "angle-degree",
        "CV": "power-horsepower",
    },
    unit_words={"CV": ("caballo", "caballos")},
    tell_years=frozenset(("en", "desde", "hasta", "hacia", "año", "entre")),
    regional_currencies={region: {"$": _PESO} for region in _PESO_REGIONS},
    point_regions=POINT_REGIONS,
    scripture=SCRIPTURE,
    raises_ordinal_marks=True,
    numbered_in_chapters=frozenset(("figura", "tabla", "ejemplo", "listado")),
    feminine_articles=frozenset(("las", "unas", "otras", "estas", "esas", "todas")),
    before_days=frozenset(("el", "del", "al")),  # what is counted has “los”
    bare_thousand="mil",
    drops_filling_zeros=True,
    has_full_one_in_ranges=True,
    out_of="sobre",
    has_short_telephones=True,
    word_domains=frozenset(("de",)),
    apostrophe_millions=True,
    thousands_scale="millones",
)
