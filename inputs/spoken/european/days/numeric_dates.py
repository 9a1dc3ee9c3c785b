"""Dates in digits, as all European languages print them: “5.3.2024”, “2024-03-05”, “’98”."""

from __future__ import annotations

import re

from audiomill.inputs.spoken.european import number_words
from audiomill.inputs.spoken.rules import Context

MONTHS = 12
NUMERIC_DATE = (
    r"(?:(?P<day>0?[1-9]|[12]\d|3[01])(?P<mark>[./-])(?:(?<=\.)[ \u00a0])?"
    r"(?P<month>0?[1-9]|1[0-2])(?P=mark)"
    r"(?:(?<=\.)[ \u00a0])?"
    r"(?P<year>\d{4}|\d\d)|(?P<iso_year>\d{4})(?P<iso_mark>[-/])(?P<iso_month>0[1-9]|1[0-2])"
    r"(?P=iso_mark)(?P<iso_day>0[1-9]|[12]\d|3[01]))(?![\w/]|[.,-]\d)"
)
# “2020-05-11T14:08:32Z”, as programs write it: seconds and zone are not said.
STAMP = (
    r"(?<![\w./-])(?P<year>\d{4})-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12]\d|3[01])"
    r"T(?P<hour>[01]\d|2[0-4]):(?P<minute>[0-5]\d)(?::[0-5]\d(?:[.,]\d{1,9})?)?"
    r"(?:Z|[-+]\d\d:?\d\d)?(?!\w)"
)
SHORT_YEAR = r"(?<!\w)['’‘](?P<digits>\d\d|[1-9]00)(?!['’\d])(?![^\W_])"

_SECTION = re.compile(
    r"§|secci[óo]n|sezione|se[cç][çc]ão|sección|cap[íi]tulo|capitolo|par[áa]grafo|paragrafo|punto"
    r"|ponto|comma|versi[óo]n|versione|versão|apartado|tabla|tabella|tabela|figura|nota|art\.?"
    r"|art[íi]culo|artigo|articolo|item|ítem|regla|regola|norma|subitem|vedi|lettera|n\.[ºo]?|nº"
)
_TO_NINE = re.compile(r"[1-9]\.[1-9]\.")
_HEADS = re.compile(r"\.?\s[^\W\d_]")


def month_numbers(code: str) -> dict[str, int]:
    """The names of the months in a language, from 1."""
    return {name.lower(): number for number, name in enumerate(number_words.months(code), 1)}


def date_parts(match: re.Match[str], context: Context) -> tuple[int, int, str]:
    """Day, month and year of `NUMERIC_DATE`. In the United States the month comes first."""
    day, month = match["day"] or match["iso_day"], match["month"] or match["iso_month"]
    if context.region in {"US", "PR"} and not match["iso_year"] and int(day) <= MONTHS:
        day, month = month, day
    return int(day), int(month), match["year"] or match["iso_year"]


def is_section(match: re.Match[str], context: Context) -> bool:
    """Whether “2.2.33” numbers a part of a text: after a word for one, or at its very start."""
    before = context.word_before(match.start()).lower()
    first = not context.text[: match.start()].strip() and _HEADS.match(context.text, match.end())
    return bool(first and _TO_NINE.match(match[0])) or _SECTION.fullmatch(before) is not None
