"""Portuguese: its words, and how its numbers are read.

Numerals are by num2words in the form of the region (“dezasseis”, “dezesseis”), without the commas
that it puts in Brazil (“mil, oitocentos”) and with genders, which it does not know. Style: Manual
de redação da Presidência da República (Brazil); Ciberdúvidas da Língua Portuguesa, “numerais”.
"""

from __future__ import annotations

import re
from dataclasses import replace

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.pt.words import (
    CURRENCIES,
    FEMININE,
    MASCULINE,
    NOT_COUNTED,
    PORTIONS,
    SCALES,
    SHORT_SCALES,
    SYMBOLS,
    WHOLE_THINGS,
)
from audiomill.inputs.spoken.european.language import (
    Gender,
    LanguageWords,
    NounGenders,
    ScriptureWords,
)
from audiomill.inputs.spoken.european.number_words import numeral

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
    whole_things=WHOLE_THINGS,
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
