"""Portuguese: its words, and how its numbers are read.

Numerals are by num2words in the form of the region (“dezasseis”, “dezesseis”), without the commas
that it puts in Brazil (“mil, oitocentos”) and with genders, which it does not know. Style: Manual
de redação da Presidência da República (Brazil); Ciberdúvidas da Língua Portuguesa, “numerais”.
"""

from __future__ import annotations

import re
from dataclasses import replace

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

_EURO = CurrencyWords("euro", "euros", "cêntimo", "cêntimos")
_REAL = CurrencyWords("real", "reais", "centavo", "centavos")
_DOLLAR = CurrencyWords("dólar", "dólares", "cêntimo", "cêntimos")
CURRENCIES = {
    "€": _EURO,
    "EUR": _EURO,
    "euro": _EURO,
    "euros": _EURO,
    "M€": CurrencyWords("milhão de euros", "milhões de euros"),
    "R$": _REAL,
    "CR$": CurrencyWords("cruzeiro", "cruzeiros", "centavo", "centavos"),
    "Cr$": CurrencyWords("cruzeiro", "cruzeiros", "centavo", "centavos"),
    "R $": _REAL,  # as some programs write it
    "BRL": _REAL,
    "reais": _REAL,
    "$": _DOLLAR,
    **dict.fromkeys(("US$", "U$", "U$S", "USD$"), _DOLLAR),
    "US $": _DOLLAR,
    "USD": _DOLLAR,
    "dólares": _DOLLAR,
    "£": CurrencyWords("libra", "libras", "péni", "pence", "f"),
    "¥": CurrencyWords("iene", "ienes"),
}
SCALES = {
    "milhão": ("milhão", "milhões"),
    "milhões": ("milhão", "milhões"),
    "mi": ("milhão", "milhões"),
    "bilhão": ("bilhão", "bilhões"),
    "bilhões": ("bilhão", "bilhões"),
    "bi": ("bilhão", "bilhões"),
    **dict.fromkeys(("trilhão", "trilhões", "tri"), ("trilhão", "trilhões")),
}
# As English prints them: “$5bn”.
SHORT_SCALES = {
    **dict.fromkeys(("m", "M", "mn", "mm", "MM", " mm", " MM"), ("milhão", "milhões")),
    **dict.fromkeys(("bn", "b", "B"), ("bilhão", "bilhões")),
}
SYMBOLS = {
    "&": "e",
    "%": "por cento",
    "@": "arroba",
    "+": "mais",
    "=": "igual a",
    **dict.fromkeys(("≥", ">="), "maior ou igual a"),
    **dict.fromkeys(("≤", "<="), "menor ou igual a"),
    "≠": "diferente de",
    "×": "vezes",
    "÷": "dividido por",
    "<": "menor que",
    ">": "maior que",
    "±": "mais ou menos",
    "≈": "aproximadamente",
    "§": "parágrafo",
}
FEMININE = words(
    """
    frase base classe série árvore morte ponte fonte fase fases sede sedes tese teses análise
    análises crise crises chave chaves nave ordem ordens nuvem nuvens espécie espécies superfície
    dose doses rede cidade gente mente carne neve febre sorte vezes mulheres noites leis luzes vozes
    flores cores partes torres naves paredes redes tardes mãos noite lei luz voz flor cor parte
    torre nave parede rede tarde mão vez mulher mães mãe classes frases bases séries árvores mortes
    pontes fontes pessoas
    """
)
MASCULINE = words(
    """
    dia mapa problema sistema tema idioma planeta poeta programa poema drama clima guarda polícia
    soldado quilograma miligrama micrograma grama diagrama dilema lema enigma fantasma aroma artista
    cometa
    """
)
NOT_COUNTED = words(
    """
    próximas próximos seguintes passadas passados anteriores as os a o e é de da do das dos em na no
    nas nos ao aos à às um uma uns umas ou que se por para pela pelo pelas pelos com sem sob sobre
    entre desde até quando onde como não já foi era são eram foram tinha havia há mas porém porque
    enquanto também ante contra morreu nasceu seu sua seus suas meu minha este esta estes estas esse
    essa esses essas aquele aquela mais menos depois antes apenas então nem só ainda todos todas
    outros outras muitos muitas alguns algumas vários várias nós vós eles elas três dois duas seis
    após atrás através vamos temos
    """
)
_WHOLE_THINGS = words(
    """
    braças legoas leguas passos palmos habitantes almas homens mulheres pessoas soldados praças
    cavallos cavalos escravos casas fogos exemplares volumes contos francos cruzados réis reis
    libras navios votos
    """
)
PLACES: dict[str, Gender] = {
    **dict.fromkeys(
        words(
            """
            século seculo capitulo capítulo tomo livro ato acto canto volume título artigo anexo
            """
        ),
        "m",
    ),
    **dict.fromkeys(("parte", "cena", "secção", "seção", "fase", "série"), "f"),
}
# Of which recipes take parts: “1 1/2 …”.
PORTIONS = portions(
    """
    xícara xícaras chávena chávenas colher colheres lata latas garrafa garrafas
    cebola cebolas cenoura cenouras maçã maçãs laranja laranjas hora horas dúzia dúzias barra barras
    libra libras onça onças caneca canecas
    """,
    """
    copo copos litro litros decilitro decilitros pacote pacotes limão limões pimentão pimentões
    pimento pimentos pepino pepinos repolho repolhos quilo quilos frango frangos abacaxi abacaxis
    maço maços tablete tabletes tomate tomates dente dentes
    """,
)


SCRIPTURE = ScriptureWords(
    books=words(
        """
        Gênesis Génesis Êxodo Levítico Números Deuteronômio Deuteronómio Josué Juízes Samuel
        Reis Crônicas Crónicas Jó Salmo Salmos Provérbios Eclesiastes Isaías Jeremias
        Ezequiel Daniel Oseias Joel Amós Jonas Miqueias Zacarias Malaquias Mateus Marcos
        Lucas João Atos Actos Romanos Coríntios Gálatas Efésios Filipenses Colossenses
        Tessalonicenses Timóteo Tito Hebreus Tiago Pedro Apocalipse
        """
    ),
    short={
        "Gn": "Gênesis",
        "Ex": "Êxodo",
        "Dt": "Deuteronômio",
        "Sl": "Salmo",
        "Is": "Isaías",
        "Mt": "Mateus",
        "Mc": "Marcos",
        "Lc": "Lucas",
        "Jo": "João",
        "At": "Atos",
        "Rm": "Romanos",
        "Cor": "Coríntios",
        "Ap": "Apocalipse",
        "Hb": "Hebreus",
    },
    firsts=("primeiro", "segundo", "terceiro"),
    first_letters=("primeira", "segunda", "terceira"),
    histories=words("Samuel Reis Crônicas Crónicas"),
)


_LAST_MILLIONS = re.compile(r"(?P<millions>.*ilh\w+|.*ili\w+)?(?P<rest>.*)")


def cardinal(number: int, region: str, gender: Gender = "") -> str:
    """“vinte e um”; before a feminine noun “vinte e uma”, “duas”, “duzentas”."""
    words = numeral(number, "pt_BR" if region == "BR" else "pt").replace(",", "")
    if gender != "f":
        return words
    parts = _LAST_MILLIONS.fullmatch(words)
    millions, rest = (parts["millions"] or "", parts["rest"]) if parts else ("", words)
    rest = re.sub(r"entos\b", "entas", rest)
    return millions + re.sub(r"\bum$", "uma", re.sub(r"\bdois\b", "duas", rest))


gender_of = NounGenders(
    feminine_ends=("a", "as", "ção", "ções", "são", "sões", "dade", "dades", "gem", "gens"),
    feminine=FEMININE,
    masculine=MASCULINE,
    not_counted=NOT_COUNTED,
    # “435 congressistas”: persons of any gender, but not “listas”.
    persons=re.compile(
        r"(?!(?:l|v|p|rev|entrev|conqu|cr)istas?\Z)\w*(?:ist|naut|crat|tlet|coleg)as?"
    ),
).of

_DOLLAR_OF_BRAZIL = replace(CURRENCIES["$"], cent="centavo", cents="centavos")
_EURO_OF_BRAZIL = replace(CURRENCIES["€"], cent="centavo", cents="centavos")
_PARTS = dict(enumerate(["quinto", "sexto", "sétimo", "oitavo", "nono", "décimo"], 5))
PORTUGUESE = LanguageWords(
    code="pt",
    region="BR",  # of most readers, and of its voices
    comma="vírgula",
    dot="ponto",
    minus="menos",
    to="a",
    percent="por cento",
    permille="por mil",
    pages=("página", "páginas"),
    by="por",
    per="por",
    once="uma vez",
    times="{} vezes",
    parts={n: (word, f"{word}s") for n, word in _PARTS.items()},
    fractions={
        "½": "meio",
        "⅓": "um terço",
        "⅔": "dois terços",
        "¼": "um quarto",
        "¾": "três quartos",
    },
    halves={"": "meio", "f": "meia"},
    mixed_fractions={"½": "{} e meio", "¼": "{} e um quarto", "¾": "{} e três quartos"},
    scales=SCALES,
    short_scales=SHORT_SCALES,
    link="de ",
    cents="{money} e {cents}",
    currencies=CURRENCIES,
    symbols=SYMBOLS,
    slash="barra",
    hyphen="hífen",
    number="número",
    underscore="traço inferior",
    power="elevado a",
    powers={"2": "ao quadrado", "3": "ao cubo"},
    cardinal=cardinal,
    year=cardinal,
    labels=words(
        """
        página número capítulo grupo tipo dia nível sala linha quarto casa tomo nota fase etapa
        passo parte
        """
    ),
    gender=gender_of,
    plural="s",
    whole_things=_WHOLE_THINGS,
    portions=PORTIONS,
    before_hours=frozenset(("à", "às", "as")),
    units={
        "gr": "mass-gram",
        "H": "duration-hour",  # “DAS 9H ÀS 12H”
        "º": "angle-degree",
        "cv": "power-horsepower",
    },
    regional_currencies={
        "BR": {
            **dict.fromkeys(
                ("$", "US$", "U$", "U$S", "US $", "USD", "USD$", "dólares"), _DOLLAR_OF_BRAZIL
            ),
            **dict.fromkeys(("€", "EUR", "euro", "euros"), _EURO_OF_BRAZIL),
        }
    },
    unit_words={"t": ("tonelada", "toneladas"), "cv": ("cavalo", "cavalos")},
    tell_years=frozenset(("em", "desde", "até", "ano", "entre")),
    scripture=SCRIPTURE,
    raises_ordinal_marks=True,
    numbered_in_chapters=frozenset(("figura", "tabela", "exemplo", "listagem")),
    feminine_articles=words(
        """
        as das nas pelas às umas outras destas dessas estas essas duas suas nossas todas
        """
    ),
    bare_thousand="mil",
    drops_filling_zeros=True,
    is_singular_below_two=True,
    out_of="em",
    score="a",
    named_products={"4x4": "quatro por quatro"},  # a car
    has_short_telephones=True,
    word_domains=frozenset(("de",)),
)
