"""Portuguese words: signs, currencies, nouns that numbers agree with."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european.language import CurrencyWords, Gender, portions

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
WHOLE_THINGS = words(
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
