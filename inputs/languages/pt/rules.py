"""The rules of Portuguese, of Portugal and of Brazil.

Monarchs, centuries and chapters are ordinals to ten, then cardinals.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.pt import old_books
from audiomill.inputs.languages.pt.declaration import ABBREVIATIONS
from audiomill.inputs.languages.pt.language import PLACES, PORTUGUESE, cardinal, gender_of
from audiomill.inputs.languages.pt.ordinals import marked, ordinal
from audiomill.inputs.spoken.european import (
    amounts,
    calendar,
    codes,
    counting,
    durations,
    names,
    scripture,
    text,
)
from audiomill.inputs.spoken.european.language import Gender, european_grammar
from audiomill.inputs.spoken.european.measures import angles
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_LADIES = words(
    """
    Beatriz Inês Ignez Inez Isabel Raquel Ester Esther Carmen Carmo Rosário Luz Mercedes Dolores
    Dores Judite Matilde Alice Clotilde Adelaide Henriqueta Conceição Conceiçao Assunção Consuelo
    Elisabeth Elizabeth Ruth Noémia Irene Filomena Felicidade Zoé Guiomar Leonor Lianor Pilar
    Soledade Piedade Rachel Salomé Fé Violante Iracy Gertrudes Mafalda Berengária Urraca Constança
    """
)
_LORDS = frozenset(("Nuna", "Garcia", "Sousa", "Gama", "Luca", "Josa", "Silva", "Bragança"))


def _time(hour: int, minute: int, region: str) -> str:
    said = cardinal(hour, region, "f")
    if not minute:
        return f"{said} {'hora' if hour < 2 else 'horas'}"
    if not hour:
        return f"zero {'hora' if region == 'BR' else 'horas'} e {cardinal(minute, region)}"
    if minute == 30 and 0 < hour <= 12:
        return f"{said} e meia"
    return f"{said} e {cardinal(minute, region)}"


def _first(printed: str, region: str) -> str:
    return "primeiro" if region == "BR" or not printed.isdecimal() else "um"


def _numbered(name: str, number: int, region: str, gender: Gender) -> str:
    counted = number > 10 or name.lower() in {"fase", "série"}
    return f"{name} {cardinal(number, region) if counted else ordinal(number, gender)}"


_OTHER_MONEY = frozenset(("libras", "cruzados", "francos", "escudos", "pesos", "ducados"))


def _reis(match: re.Match[str], context: Context) -> str | None:
    """“vinte e cinco mil réis” for “25$000”: a conto is a thousand thousands of réis."""
    region = context.region
    following = context.word_after(match.end())
    if following in _OTHER_MONEY:  # “1:620$829 libras”
        return cardinal(int(re.sub(r"\D", "", match[0])), region, gender_of(following))
    contos = int((match["contos"] or "0").replace(".", ""))
    thousands = int((match["thousands"] or "0").replace(".", ""))
    units = int(match["units"] or 0)
    said = list[str]()
    if contos:
        said.append(f"{cardinal(contos, region)} conto{'s' if contos > 1 else ''}")
    rest = thousands * 1000 + units
    if not rest:
        return f"{said[0]} de réis" if said else "zero réis"
    return " e ".join((*said, f"{cardinal(rest, region)} réis"))


def _old_reis(match: re.Match[str], context: Context) -> str:
    """“trinta mil e quinhentos réis” for “30:500 rs.”: a colon separated thousands."""
    return f"{cardinal(int(re.sub(':', '', match['number'])), context.region)} réis"


def _thousands(match: re.Match[str], context: Context) -> str:
    gender = gender_of(context.word_after(match.end())) or ""
    return cardinal(int(re.sub(r"[.:]", "", match["number"])), context.region, gender)


def _lady(match: re.Match[str], context: Context) -> str | None:
    if text.is_initial_of_name(match.start(), context):
        return None
    name = match["name"]
    lady = name in names.WOMEN or name in _LADIES or (name.endswith("a") and name not in _LORDS)
    space = "" if context.text[match.end()].isspace() else " "  # “D.Quixote”
    return f"{'dona' if lady else 'dom'}{space}"


def _leading(match: re.Match[str], _: Context) -> str | None:
    number = names.roman_value(match["numeral"])
    return f"{match['lead'] or ''}{ordinal(number, 'f')}" if number else None


def _century(number: int, highest: int, region: str) -> str:
    """An ordinal up to ten: “oitavo”; but “oito a doze”, alike in a range."""
    return ordinal(number) if highest <= 10 else cardinal(number, region)


_CALENDAR = calendar.Calendar(
    language=PORTUGUESE,
    has_pointed_days=True,
    short_months={
        "jan": 1,
        "fev": 2,
        "mar": 3,
        "abr": 4,
        "jun": 6,
        "jul": 7,
        "ago": 8,
        "set": 9,
        "out": 10,
        "nov": 11,
        "dez": 12,
    },
    of="de",
    first=_first,
    hour_marks=rf"{counting.SPACE}?h{counting.SPACE}?|[:.]",
    time_words=r"horas|h|min|m",
    before_times=frozenset(("às", "pelas")),
    hours="",
    time=_time,
)
# “custou 4m”, but “4m de altura”.
_COSTING = re.compile(
    r"\b(?:cust(?:ou|aram|a|am|ar)|pag(?:ou|aram|ar)|val(?:e|em|ia)|gast(?:ou|aram|ar)|arrecadou"
    r"|faturou|lucrou|investi(?:u|ram)|rendeu)[ ]"
    r"(?:(?:cerca|mais|menos)[ ]de[ ]|quase[ ]|até[ ]|apenas[ ])?\Z",
    re.IGNORECASE,
)
_OF_LENGTH = re.compile(r"\s(?:de|em|por)\s(?!pessoas|habitantes|euros|reais|dólares|libras)")


def _millions(match: re.Match[str], context: Context) -> str | None:
    """“quatro milhões” for “4m” after a verb of paying."""
    near = context.text_before(match.start())
    if not _COSTING.search(near) or _OF_LENGTH.match(context.text, match.end()):
        return None
    number = PORTUGUESE.read(match["number"], context.region)
    if number is None:
        return None
    noun = "milhão" if number.value < 2 else "milhões"
    return f"{PORTUGUESE.say(number, context.region, 'm')} {noun}"


_RULES: tuple[Rule, ...] = (
    *old_books.RULES,
    *scripture.rules(PORTUGUESE),
    rule("number", r"(?<![\w.,])(?P<number>\d{1,3}(?:,\d)?)m(?![\w²³/'’])", _millions),
    rule(
        "money",
        r"""(?<![\w,:$])(?<!\w\.)(?:(?P<contos>\d{1,3}(?:\.\d{3}){1,2}|\d{1,6}):)?
        (?:(?P<thousands>(?<!:)\d{4}|\d{1,3}(?:\.\d{3}){0,2})(?<!:\d)(?<!:\d\d))?
        \$(?P<units>\d{3})(?![\w$]|[.,:]\d)(?:\s(?:réis|reis|rs\.?)(?!\w))?""",
        _reis,
    ),
    rule(
        "money",
        r"(?<![\w.,:$])(?P<number>\d{1,3}(?::\d{3}){1,2})\s(?:réis|reis|rs\b\.?)",
        _old_reis,
    ),
    # “50:000 francos”, “1.700:000 homens”.
    rule(
        "number",
        r"(?<![\w.,:$])(?P<number>\d{1,3}(?:[.:]\d{3})?:\d{3})(?![\w:$]|[.,]\d)",
        _thousands,
    ),
    rule(
        "ordinal",
        r"(?<=[Aa]rtigo[ ])(?P<number>[1-9])[°º]|(?<=[Aa]rt\.[ ])(?P<short>[1-9])[°º]",
        lambda match, _context: ordinal(int(match["number"] or match["short"])),
    ),
    # “Artigo 37. o”, as some conversions leave it.
    rule("ordinal", r"(?<=rtigo[ ])(?P<number>\d{1,4})\.[ ](?P<mark>o)(?![^\W_])\^?", marked),
    rule(
        "unit",
        r"(?<=\b[Aa]os[ ])(?P<number>\d{1,3})['’](?=[\s,.;)])",
        lambda match, context: f"{cardinal(int(match['number']), context.region)} minutos",
    ),
    # “3ª-feira”, “3ª a 6ª, das 10h às 19h”: the only weekday that is not named by its ordinal.
    rule(
        "weekday",
        r"""3[ªa](?=[ ]?-?[ ]?feiras?\b|[ ]a[ ](?:s[áa]b|dom)
        |[ ][aàe][ ][4-6][ªa](?:,[ ]das|[ ](?:das|às|feira)|-feira))
        |(?<=2ª[ ][ae][ ])3ª(?=,[ ]das|[ ](?:das|às)[ ])""",
        always("terça"),
    ),
    # “13 ° salário”.
    rule(
        "ordinal",
        r"""(?P<number>\d{1,2})[ ]°(?=[ ]
        (?!(?:celsius|de|do|da|na|no|com|em|para|norte|sul|leste|oeste|aos?)\b)
        [a-zà-ú]{3})""",
        lambda match, context: ordinal(
            int(match["number"]), gender_of(context.word_after(match.end())) or "m"
        ),
    ),
    # The number of a lawsuit in Brazil, as its council of justice orders it.
    rule(
        "digits",
        r"\d{7}-\d\d(?:\.\d{1,4}){2,4}(?![\w-]|\.\d)",
        lambda match, context: ", ".join(
            PORTUGUESE.say_digits(group, context.region) for group in re.findall(r"\d+", match[0])
        ),
    ),
    rule("abbreviation", r"inc\.(?=[ ](?:\d|[IVX]+\b))", always("inciso")),
    rule("abbreviation", r"c\.(?=[ ]\d{1,2}(?!\d|[.,]\d))", always("capítulo")),
    rule("abbreviation", r"c\.(?=[ ]\d{3}|[ ]\d[.,]\d)", always("cerca de")),
    rule("abbreviation", r"C\.(?=[ ][IVX]{1,4}(?!\w))", always("Canto")),
    rule("abbreviation", r"D\.(?=[ \u00a0]?(?P<name>[^\W\d_a-zß-öø-ÿ][^\W\d_]+))", _lady),
    rule("abbreviation", r"(?<=por[ ])ex\.", always("exemplo")),
    rule(
        "time",
        r"(?P<hour>\d{1,2})(?=\sda\s(?:manhã|tarde|noite|madrugada))",
        lambda match, context: cardinal(int(match["hour"]), context.region, "f"),
    ),
    names.series(("séculos", "Séculos", "sécs."), r"e|ao?|ou", "séculos", _century),
    names.sessions(cardinal),
    names.articles(cardinal),
    *names.rules(names.Numbered(_numbered, PLACES, _numbered, ABBREVIATIONS.before_number)),
    *text.rules(PORTUGUESE, ABBREVIATIONS),
    rule(
        "ordinal",
        r"(?P<lead>[^\W\d_]+\s)?(?P<numeral>[IVX]{1,4})(?=\sGuerra\b|\sRepública\b)",
        _leading,
    ),
    *angles(PORTUGUESE, {"N": "norte", "S": "sul", "E": "leste", "O": "oeste", "W": "oeste"}),
    *codes.scores(PORTUGUESE),
    durations.lasting(
        PORTUGUESE,
        r"dur(?:ou|a|am|aram|ará|ava)|demor(?:ou|a)|lev(?:ou|a|aram)|(?:tempo|duração) de|quase"
        r"|venceu em|apenas|(?:filme|jogo|voo|prova|partida|aula|show) de",
        "duração|filme|jogo|prova|voo|viagem|espera|atraso",
    ),
    *calendar.rules(_CALENDAR),
    # “na 13a. Vara”, “a 2a. edição”: a full stop that ends no sentence.
    rule(
        "ordinal",
        r"""(?:(?<=\b[aoàAO][ ])|(?<=\b[dnDN][ao][ ])|(?<=\bao[ ])|(?<=\bpel[ao][ ]))
        (?P<number>\d{1,3})(?P<mark>[ºªoa])\.
        (?=(?<=[aª]\.)\s[^\W\d_]{3}|\s(?:Tribunal|Cart[óo]rio|Of[íi]cio|Juizado|Batalhão|Regimento
        |Congresso|Encontro|Simp[óo]sio|Grupo|Distrito|Lugar|Centro|Salão|Exército|Juízo|Vice))""",
        marked,
    ),
    rule("ordinal", r"(?P<number>\d{1,3})(?P<mark>[oa]s?|[ºª])\.(?=\s[a-zà-ú]{2})", marked),
    rule(
        "ordinal",
        r"""(?P<number>\d{1,3}|\d{4}(?=\.º))(?:\.|[ ](?=[ºª]))?
        (?P<mark>[ºª]s?(?!\s?C\b)|(?<=\(1)°(?=\))|°(?=\s[^\W\d_]{3}|\s[A-Z]{2}|-[A-Z]|[,;:])|(?P<place>°(?=\sd[oae]\s|[.)!?»”]|\s*\Z))
        |(?<=\.)[oa]s?|[oa]s?(?=\s|\.\s[A-Z]|[,;]\s)|(?<=\(\d)a(?=\))|os?(?=[).,;:]))(?![^\W_])""",
        marked,
    ),
    *amounts.rules(PORTUGUESE),
    *text.signs(PORTUGUESE),
)
GRAMMAR = european_grammar(PORTUGUESE, _RULES)
