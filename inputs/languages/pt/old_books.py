"""What Portuguese books of before print: “a snr.ª D. Rita”, “V. Ex.a”, “M.me”, “no IV acto”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.pt.language import cardinal
from audiomill.inputs.languages.pt.ordinals import ordinal
from audiomill.inputs.spoken.european.names import roman_value
from audiomill.inputs.spoken.rules import Context, Rule, always, rule

_HONORS = {"ex": "excelentíssim", "il": "ilustríssim", "ill": "ilustríssim", "rev": "reverendíssim"}
_PLACES = r"actos?|atos?|canto|cap[íi]tulo|livro|tomo|congresso|cena|parte|edição"
_FEMININE = frozenset(("cena", "parte", "edição"))
_COUNTED = frozenset(("metro", "quilo", "litro", "milha", "hora", "minuto", "segundo", "ponto"))


def _sir(match: re.Match[str], _: Context) -> str:
    """“senhor”, “senhora”, “senhores”: also for “snr.”, “sr.a”, “snr.ª”."""
    feminine = match["feminine"] or ""
    if feminine:
        return "senhoras" if feminine.endswith("s") else "senhora"
    return "senhores" if match["many"] else "senhor"


def _excellency(match: re.Match[str], _: Context) -> str:
    whose = (match["whose"] or match["both"]).lower()
    is_many = match["both"] or match["plural"]
    many = "s" if is_many else ""
    said = "sua" if whose.startswith("s") else "vossa"
    return f"{said}{many} excelência{many}"


def _honor(match: re.Match[str], _: Context) -> str:
    return f"{_HONORS[match['stem'].lower()]}{match['end']}"


def _place(match: re.Match[str], context: Context) -> str | None:
    number = roman_value(match["numeral"])
    if not number or number > 30:
        return None
    noun = context.word_after(match.end()).lower()
    if number > 10:
        return cardinal(number, context.region)
    return ordinal(number, "f" if noun in _FEMININE else "m")


def _joined(match: re.Match[str], _: Context) -> str:
    return f"{ordinal(int(match['number']), 'f' if match['mark'] == 'ª' else 'm')} "


_NEAR_QUOTED = 200
_CAPITAL_FOLLOWS = re.compile(r"[ ][A-ZÀ-Ú][a-zà-ú]*[ ][a-zà-ú]")


def _quoted(match: re.Match[str], context: Context) -> str | None:
    """Nothing for one of two marks, or one before a capital letter."""
    text, start, end = context.text, match.start(), match.end()
    is_pair = "=" in text[max(0, start - _NEAR_QUOTED) : start] + text[end : end + _NEAR_QUOTED]
    return " " if is_pair or _CAPITAL_FOLLOWS.match(text, end) else None


def _lap(match: re.Match[str], context: Context) -> str:
    """“um minuto e vinte e dois segundos”."""
    seconds = f"{cardinal(int(match['seconds']), context.region)} segundos"
    minutes = int(match["minutes"] or 0)
    if not minutes:
        return seconds
    said = f"{cardinal(minutes, context.region)} minuto{'' if minutes == 1 else 's'}"
    return f"{said} e {seconds}"


def _pounds(match: re.Match[str], context: Context) -> str:
    """“catorze libras, onze xelins e um péni” for “£ 14-11-1”."""
    pounds, shillings, pence = (int(match[part]) for part in ("pounds", "shillings", "pence"))
    said = (
        f"{cardinal(pounds, context.region, 'f')} libra{'' if pounds == 1 else 's'}",
        f"{cardinal(shillings, context.region)} {'xelim' if shillings == 1 else 'xelins'}",
        f"{cardinal(pence, context.region)} {'péni' if pence == 1 else 'pence'}",
    )
    return f"{said[0]}, {said[1]} e {said[2]}"


def _leaves(match: re.Match[str], context: Context) -> str:
    leaves = int(match["leaves"])
    said = ordinal(leaves) if leaves < 10 else cardinal(leaves, context.region)
    return f"{' ' * match[0].startswith(('-', '–'))}{said}"


def _page(match: re.Match[str], _: Context) -> str | None:
    """Nothing for “213Adivinhava”: the number of a page, set against a word."""
    word = match["word"].lower()
    return None if word.endswith("s") or word in _COUNTED else ""


RULES: tuple[Rule, ...] = (
    rule(
        "title",
        r"""(?:(?P<both>[Vv]{2}|[Ss]{2})\.[ ]?
        |(?P<whose>[VvSs])(?:\.[ ]?|[ ]))
        [Ee]xc?(?:\.[ ]?)?\^?[aª](?P<plural>s)?
        (?:\.(?=[ ][a-zà-ú])|(?<=[xc][aª])\.(?=[ ]|\Z))?(?![^\W_])""",
        _excellency,
    ),
    rule(
        "title",
        r"(?:(?<=[Ss]ua[ ])|(?<=[Vv]ossa[ ]))[Ee]xc?\.?[ ]?\^?[aª](?![^\W_])",
        always("excelência"),
    ),
    rule("title", r"[Vv]\.[ ]?[Ss]\.\^?[aª](?![^\W_])", always("vossa senhoria")),
    rule("title", r"[Ss]n?r(?P<many>s?)\.(?P<feminine>\^?[aª]s?(?![^\W_]))?", _sir),
    rule("title", r"[Ss]n?r(?P<many>)(?P<feminine>as?)\.", _sir),
    rule(
        "title",
        r"(?P<stem>[Ee]x|[Ii]ll?|[Rr]ev)\.?\^?m(?P<end>[oa]s?)(?![^\W_])\.?(?=[ ,;:]|\Z)",
        _honor,
    ),
    rule(
        "title",
        r"(?P<whose>[SV])\.(?=[ ](?i:alteza|ma[jg]estade|eminência|excel))",
        lambda match, _context: "Sua" if match["whose"] == "S" else "Vossa",
    ),
    rule(
        "title",
        r"[Vv](?:m\.?c\.?[eê]|\.[ ]?[mM]\.?cê)(?P<many>s?)(?![^\W_])",
        lambda match, _context: f"vossemecê{match['many']}",
    ),
    rule(
        "money",
        r"£[ ]?(?P<pounds>\d{1,4})-(?P<shillings>1?\d)-(?P<pence>1?\d)(?![\w-]|[.,]\d)",
        _pounds,
    ),
    # “in-12.º”, “in 8.º”
    rule(
        "format",
        r"(?:(?<=\b[Ii]n[ ])|(?<=\b[Ii]n)[-–])(?P<leaves>4|8|12|16|18|32)\.?[ºo°](?![^\W_])",
        _leaves,
    ),
    rule("title", r"[Mm]\.me(?![^\W_])", always("madame")),
    rule("title", r"[Mm]\.(?:elle|lle)(?![^\W_])", always("mademoiselle")),
    rule(
        "title",
        r"S(?:t\.|\.t)(?P<end>[oaªº])(?=[ ][A-ZÀ-Ú])",
        lambda match, _context: "santa" if match["end"] in "aª" else "santo",
    ),
    rule("numeral", rf"(?P<numeral>[IVX]{{1,6}})(?=[ ](?:{_PLACES})(?![^\W_]))", _place),
    rule("ordinal", r"(?P<number>[1-9]\d?)\.(?P<mark>[ºª])(?=[a-zà-ú]{4})", _joined),
    rule(
        "ordinal",
        r"(?P<number>[1-9]\d?)\.?\^(?P<mark>[oa])(?![^\W_])",
        lambda match, _context: ordinal(int(match["number"]), "f" if match["mark"] == "a" else "m"),
    ),
    # “700^m em 41''”, “em 1',22”: of a race.
    rule(
        "unit",
        r"(?P<number>\d{1,4})\^m(?![^\W_])",
        lambda match, context: f"{cardinal(int(match['number']), context.region)} metros",
    ),
    rule("time", r"(?<=\bem[ ])(?:(?P<minutes>\d{1,2})['’],?)?(?P<seconds>\d{1,2})['’]{2}", _lap),
    rule("time", r"(?<=\bem[ ])(?P<minutes>\d{1,2})['’],?(?P<seconds>\d{1,2})(?!\d)", _lap),
    # “tran- 399quila”: a word that a page broke.
    rule("note", r"(?<=[a-zà-ú])-[ ]\d{2,3}(?=[a-zà-ú]{3})", always("")),
    rule("note", r"(?<![^\s(«“—-])\d{2,3}(?=(?P<word>[A-Za-zÀ-ÿ]{4,24}))", _page),
    # “fosse = Sinto muito”, “disse = dae de beber =”: the marks of a quotation.
    rule("sign", r"(?<=[a-zà-ú,.;:][ ])=(?=[ ](?:[A-ZÀ-Ú]?[a-zà-ú]{2}|,|\.))", _quoted),
    # “0 pistilo”: the article, as it was scanned.
    rule(
        "article",
        r"(?:(?<![^\n])|(?<=[.!?][ ]))0(?=[ ][a-zà-ú]{3,20}(?<!s)[ ])",
        always("O"),
    ),
)
