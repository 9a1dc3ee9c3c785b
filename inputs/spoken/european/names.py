"""Rules for roman numerals after a word: monarchs, popes, chapters, volumes, centuries.

A numeral is read only next to a word that asks for one: “I” and “V” are letters too, and “MIX”,
“DIV” and “CD” are words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from audiomill.inputs.spoken.european.counting import SPACE
from audiomill.inputs.spoken.european.language import Gender
from audiomill.inputs.spoken.roman import roman_value
from audiomill.inputs.spoken.rules import Context, Rule, dense_rule

_INITIAL_ENDS = re.compile(r"\.\s[^\W\d_a-zß-öø-ÿ]")
_LETTER_ENDS = re.compile(r"\.?[ \u00a0-]?\d")  # “l'article L. 123”
# “l'annexe C”, “el anexo D”: letters, but for those that are small numbers, too.
_LETTERED_PLACES = frozenset(("annexe", "anexo", "allegato", "apéndice", "apêndice", "appendice"))
MAX_MONARCH = 24  # no king or pope has a higher number than John XXIII
# “M. Paul X.”, whose name is not told.
_TITLED = re.compile(r"\b(?:MM?|Mme|Mlle|Me|Dr|Sra?|Srta|Sig|Herr|Frau|Hr|Fr|Don|Doña|Dona)\.?\s\Z")
_WORDS = frozenset(("DIX", "MIL", "MILL", "MIX"))  # “CHAPITRE DIX”
ROMAN = r"[IVXLCDM]+"
# What is said for a word and a numeral: (word as printed, number, region, gender).
SayNumbered = Callable[[str, int, str, Gender], str]

_MEN = """
Adolf Albert Alberto Alexander Alexandre Alessandro Alejandro Alfons Alfonso Afonso Alfonse
Amadeo Amedeo Andreas August Augusto Auguste Baudouin Benedetto Benedicto Benedikt Bento Benoît
Bonifacio Bonifatius Bonifácio Boniface Calixto Carl Carlo Carlos Célestin Celestino Charles
Christian Christophe Clemens Clément Clemente Constantin Constantino Cosimo Cosme Denis Diniz
Duarte Eduard Eduardo Edoardo Édouard Enrico Enrique Henrique Ernst Ernesto Erik Eugen Eugène
Eugenio Federico Felipe Filipe Filippo Ferdinand Ferdinando Fernando Francesco Francisco François
Franz Friedrich Frédéric Georg George Georges Giacomo Giorgio Giovanni Giulio Gregor Gregório
Gregorio Grégoire Guglielmo Guilherme Guillaume Guillermo Gustav Gustavo Haakon Heinrich Henri
Henry Honorius Honorio Hugo Humberto Umberto Innozenz Innocent Innocenzo Inocencio Inocêncio Isaak
Iván Ivan Iwan Jacques Jakob Jaime Jacobo James Jean Joachim Johann Johannes John João Jorge José
Joseph Josef Josep Juan Jules Julius Julio Júlio Karl Konrad Conrad Konstantin Kasimir Ladislaus
Leo Leon León Leone Léon Leão Leopold Leopoldo Léopold Lothar Lotario Louis Ludwig Luigi Luis Luís
Luiz Manuel Manoel Martin Martín Martino Max Maximilian Maximiliano Massimiliano Mehmed Michael
Miguel Michele Moritz Muhammad Napoleon Napoléon Napoleón Napoleone Napoleão Nicolas Nicolás
Nicolau Nicola Nikolaus Niccolò Olaf Otto Ottone Otón Otão Paul Paulo Pablo Paolo Pedro Peter
Petrus Philipp Philippe Pie Pierre Pietro Pio Pío Pius Rama Ramses Ramsès Ramsés Ricardo Riccardo
Richard Robert Roberto Rudolf Rodolfo Rodolphe Ruprecht Sancho Sancio Sebastian Sebastião Selim
Sigismund Sigismondo Silvester Silvestre Silvestro Sisto Sixte Sixto Sixtus Stanislas Stanislaus
Stanislao Stephan Stefano Süleyman Theodor Teodoro Thutmosis Tutmosis Umberto Urban Urbain Urbano
Vicente Viktor Victor Vittorio Emanuele Emmanuel Vladimir Wenzel Wilhelm William Wladimir Zar
Paolo Paulus Paul-Jean Jean-Paul
Affonso Innocencio Theodorico Frederico Filippe Rudolpho Rodolpho Ramiro Ordonho Bermudo
"""
_WOMEN = """
Anna Anne Caterina Catherine Catalina Catarina Cristina Christina Christine Elena Elisabeth
Élisabeth Elisabetta Elizabeth Elisabete Giovanna Giulia Isabel Isabella Isabelle Isabela Jeanne
Johanna Joana Juana Juliana Julienne Katharina Kleopatra Cléopâtre Cleopatra Leonor Margarete
Izabel Margarita Margarida Margherita Margrethe Marguerite Maria María Maria Marie Mary Wilhelmina
"""
MEN = frozenset(_MEN.split())
WOMEN = frozenset(_WOMEN.split())


@dataclass(frozen=True, slots=True)
class Numbered:
    """How a language says numerals after words."""

    monarch: SayNumbered
    places: Mapping[str, Gender]  # words before a numeral: chapter, volume, century
    place: SayNumbered
    short: Mapping[str, str]  # abbreviations of such words: “chap.”


def rules(numbered: Numbered) -> tuple[Rule, ...]:
    """The rules for numerals after a name or a word such as “chapter”."""
    name = (
        rf"(?P<name>[^\W\d_]+(?:-[^\W\d_]+)?\.?){SPACE}(?P<numeral>{ROMAN})"
        r"(?:er|re|º|ª|(?<=[ ]I)[ ]er(?=[ ,.;:)]))?(?![\w’'])"
    )

    def monarch(match: re.Match[str], context: Context) -> str | None:
        number = roman_value(match["numeral"])
        gender = _gender_of_name(match["name"])
        if not number or not gender or number > MAX_MONARCH or _is_initial(match, context):
            return None
        return numbered.monarch(match["name"], number, context.region, gender)

    def place(match: re.Match[str], context: Context) -> str | None:
        number = roman_value(match["numeral"])
        printed = match["name"]
        # “S. M.” is no century.
        small = printed[0].lower() + printed[1:] if len(printed) > 2 else printed
        name = numbered.short.get(printed) or numbered.short.get(small, "").capitalize() or printed
        gender = numbered.places.get(name.lower())
        if not number or not gender or _is_letter_or_word(match, context, name.lower()):
            return None
        return numbered.place(name, number, context.region, gender)

    return (
        dense_rule("monarch", name, monarch),
        dense_rule("numeral", name, place),
    )


def articles(say: Callable[[int, str], str]) -> Rule:
    """The rule for an article with the number of its part: “l'article III-365”."""

    def said(match: re.Match[str], context: Context) -> str | None:
        part = roman_value(match["numeral"])
        number = say(int(match["number"]), context.region)
        return f"{match['word']} {say(part, context.region)}, {number}" if part else None

    word = r"(?P<word>(?:art(?:icles?|[íi]culos?|igos?|icol[oi])|Art(?:icle|[íi]culo|igo|icolo)))"
    pattern = rf"{word}{SPACE}(?P<numeral>[IVX]{{1,5}})[-‑](?P<number>\d{{1,4}})(?![\w-])"
    return dense_rule("numeral", pattern, said)


def prefaced(say: Callable[[int, str], str], joint: str, pages: str) -> Rule:
    """The rule for the pages of a book with a preface: “in-8 de VII-327 pp.”."""

    def said(match: re.Match[str], context: Context) -> str | None:
        preface = roman_value(match["numeral"])
        text = say(int(match["number"]), context.region)
        return f"{say(preface, context.region)} {joint} {text} {pages}" if preface else None

    pattern = rf"(?P<numeral>[IVXL]{{1,8}})[-‑](?P<number>\d{{1,4}}){SPACE}pp?\.(?![^\W_])"
    return dense_rule("numeral", pattern, said)


def sessions(say: Callable[[int, str], str]) -> Rule:
    """The rule for the session after a resolution's number: “217 A (III)”."""

    def said(match: re.Match[str], context: Context) -> str | None:
        number = roman_value(match["numeral"])
        return say(number, context.region) if number else None

    numbered = r"(?:(?<=\d[ ]\()|(?<=\d[A-Za-z][ ]\()|(?<=\d[ ][A-Z][ ]\())"
    return dense_rule("numeral", rf"{numbered}(?P<numeral>[IVXL]{{2,8}})(?=\))", said)


def series(
    words: Iterable[str], joints: str, plural: str, say: Callable[[int, int, str], str]
) -> Rule:
    """A rule for “siglos XIX y XX”, of which `words` are printed and `plural` is said.

    `say` takes a number, the higher one of a range that it belongs to (or itself), and the region.
    """
    word = "|".join(map(re.escape, words))
    joint = rf"(?P<joint>\s(?:{joints})\s|\s?[-–]\s?)"
    pattern = rf"(?P<word>{word})\s(?P<first>[IVX]{{1,6}}){joint}(?P<last>[IVX]{{1,6}})(?![^\W_])"

    def said(match: re.Match[str], context: Context) -> str | None:
        first, last = roman_value(match["first"]), roman_value(match["last"])
        if not first or not last:
            return None
        between = match["joint"].strip()
        between = "a" if between in "-–" else between
        is_range = between.startswith("a")
        said_first = say(first, max(first, last) if is_range else first, context.region)
        return f"{plural} {said_first} {between} {say(last, last, context.region)}"

    return dense_rule("century", pattern, said)


def _is_letter_or_word(match: re.Match[str], context: Context, place: str) -> bool:
    """Whether what could be the numeral of a `place`, in lower case, is none: “annexe C”."""
    text, end, numeral = context.text, match.end(), match["numeral"]
    if len(numeral) > 1:
        return numeral in _WORDS or text.startswith("-", end)
    return bool(
        numeral in "CDM"
        or text.startswith("-", end)
        or place in _LETTERED_PLACES
        or _LETTER_ENDS.match(text, end)
        or (numeral == "L" and _INITIAL_ENDS.match(text, end))
    )


def _is_initial(match: re.Match[str], context: Context) -> bool:
    """Whether the numeral may be an initial: “Juan V. López”, “M. Paul X”."""
    if len(match["numeral"]) > 1:
        return False
    near = context.text_before(match.start())
    is_anonymous = match["numeral"] == "X" and _TITLED.search(near)
    is_anonymous = is_anonymous or context.text.startswith("..", match.end())  # “Alberto X...”
    return bool(is_anonymous or _INITIAL_ENDS.match(context.text, match.end()))


def _gender_of_name(name: str) -> Gender:
    if name in MEN:
        return "m"
    return "f" if name in WOMEN else ""
