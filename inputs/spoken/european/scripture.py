"""Chapters and verses of the Bible: “Jean trois, seize” for “Jean 3,16”, which is no decimal.

A comma, a colon or a full stop stands between chapter and verse.
"""

from __future__ import annotations

import re

from audiomill.inputs.spoken.european.counting import alternatives
from audiomill.inputs.spoken.european.language import LanguageWords
from audiomill.inputs.spoken.rules import Context, Rule, dense_rule

# “Lucas 1,80 m” is a height, “Pedro 3,5 milhões” a sum.
_NO_MEASURE = (
    r"(?![\w%‰€$£°]|[.,:/]\d|[ \u00a0\u202f]?(?:[%‰€$£°]|(?:[mckd]?m|k?g|Mrd|Mio|min|h|fois|pour"
    r"|por|per|Prozent|Uhr|Euro|euros?|mil\w*|reais|francs?|puntos?|pontos?|points?|punti|Punkte|Meter"
    r"|m[eè]tros?|mètres?|metri|d[óo]l\w+|livres?|horas?|heures?|ore)\b))"
)
_LAST_CHAPTER = 150


def rules(language: LanguageWords) -> tuple[Rule, ...]:
    """The rule for a book of the Bible, a chapter and its verses; none without their names."""
    books = language.scripture
    if not books:
        return ()
    names = alternatives((*sorted(books.books), *books.short))
    stop = r"\.?"
    pattern = (
        rf"(?<![\w.,/-])(?:(?P<number>[1-3]){stop}[ \u00a0]?)?(?P<book>{names})\b(?P<stop>\.)?"
        rf"[ \u00a0](?P<chapter>\d{{1,3}})(?:,[ ]?|[:.])(?P<verse>\d{{1,3}})"
        rf"(?:[–-](?P<last>\d{{1,3}}))?{_NO_MEASURE}"
    )

    def say(match: re.Match[str], context: Context) -> str | None:
        if int(match["chapter"]) > _LAST_CHAPTER or match["verse"].startswith("0"):
            return None
        book = books.short.get(match["book"], match["book"])
        said = [book, f"{language.say_whole(match['chapter'], context.region)},"]
        if match["number"]:
            ordinals = books.firsts if book in books.histories else books.first_letters
            said.insert(0, ordinals[int(match["number"]) - 1])
        said.append(language.say_whole(match["verse"], context.region))
        if match["last"]:
            said += [language.to, language.say_whole(match["last"], context.region)]
        return " ".join(said)

    return (dense_rule("scripture", pattern, say),)
