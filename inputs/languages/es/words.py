"""Spanish words: genders of nouns, signs, currencies, places that numbers stand behind."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european.language import CurrencyWords, Gender, portions

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
