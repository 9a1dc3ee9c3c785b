"""Chapters and verses of the Bible: “Jean trois, seize” for “Jean 3,16”, which is no decimal.

A comma, a colon or a full stop stands between chapter and verse. Sources: the lists of books and
their short forms in the Einheitsübersetzung, the Bible de Jérusalem and the Bíblia Sagrada.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.spoken.european.counting import alternatives
from audiomill.inputs.spoken.european.language import LanguageWords
from audiomill.inputs.spoken.rules import Context, Rule

_BOOKS = {
    "de": """Genesis Exodus Levitikus Numeri Deuteronomium Josua Richter Samuel Könige Chronik Hiob
        Psalm Psalmen Sprüche Prediger Jesaja Jeremia Ezechiel Hesekiel Daniel Hosea Joel Amos Jona
        Micha Sacharja Maleachi Matthäus Markus Lukas Johannes Apostelgeschichte Römer Korinther
        Galater Epheser Philipper Kolosser Thessalonicher Timotheus Titus Hebräer Jakobus Petrus
        Offenbarung""",
    "fr": """Genèse Exode Lévitique Nombres Deutéronome Josué Juges Samuel Rois Chroniques Job
        Psaume Psaumes Proverbes Ecclésiaste Isaïe Ésaïe Jérémie Ézéchiel Daniel Osée Joël Amos
        Jonas Michée Zacharie Malachie Matthieu Marc Luc Jean Actes Romains Corinthiens Galates
        Éphésiens Philippiens Colossiens Thessaloniciens Timothée Tite Hébreux Jacques Pierre
        Apocalypse""",
    "es": """Génesis Éxodo Levítico Números Deuteronomio Josué Jueces Samuel Reyes Crónicas Job
        Salmo Salmos Proverbios Eclesiastés Isaías Jeremías Ezequiel Daniel Oseas Joel Amós Jonás
        Miqueas Zacarías Malaquías Mateo Marcos Lucas Juan Hechos Romanos Corintios Gálatas Efesios
        Filipenses Colosenses Tesalonicenses Timoteo Tito Hebreos Santiago Pedro Apocalipsis""",
    "it": """Genesi Esodo Levitico Numeri Deuteronomio Giosuè Giudici Samuele Re Cronache Giobbe
        Salmo Salmi Proverbi Qoelet Isaia Geremia Ezechiele Daniele Osea Gioele Amos Giona Michea
        Zaccaria Malachia Matteo Marco Luca Giovanni Atti Romani Corinzi Galati Efesini Filippesi
        Colossesi Tessalonicesi Timoteo Tito Ebrei Giacomo Pietro Apocalisse""",
    "pt": """Gênesis Génesis Êxodo Levítico Números Deuteronômio Deuteronómio Josué Juízes Samuel
        Reis Crônicas Crónicas Jó Salmo Salmos Provérbios Eclesiastes Isaías Jeremias Ezequiel
        Daniel Oseias Joel Amós Jonas Miqueias Zacarias Malaquias Mateus Marcos Lucas João Atos
        Actos Romanos Coríntios Gálatas Efésios Filipenses Colossenses Tessalonicenses Timóteo Tito
        Hebreus Tiago Pedro Apocalipse""",
}
_SHORT = {
    "de": {
        "Gen": "Genesis",
        "Ex": "Exodus",
        "Jes": "Jesaja",
        "Jer": "Jeremia",
        "Ps": "Psalm",
        "Mt": "Matthäus",
        "Mk": "Markus",
        "Lk": "Lukas",
        "Joh": "Johannes",
        "Röm": "Römer",
        "Kor": "Korinther",
        "Gal": "Galater",
        "Eph": "Epheser",
        "Phil": "Philipper",
        "Apg": "Apostelgeschichte",
        "Hebr": "Hebräer",
        "Petr": "Petrus",
        "Offb": "Offenbarung",
    },
    "fr": {
        "Gn": "Genèse",
        "Ex": "Exode",
        "Dt": "Deutéronome",
        "Ps": "Psaume",
        "Is": "Isaïe",
        "Mt": "Matthieu",
        "Mc": "Marc",
        "Lc": "Luc",
        "Jn": "Jean",
        "Ac": "Actes",
        "Rm": "Romains",
        "Co": "Corinthiens",
        "Ga": "Galates",
        "Ép": "Éphésiens",
        "Ap": "Apocalypse",
        "He": "Hébreux",
    },
    "es": {
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
    "it": {
        "Gen": "Genesi",
        "Es": "Esodo",
        "Dt": "Deuteronomio",
        "Sal": "Salmo",
        "Is": "Isaia",
        "Mt": "Matteo",
        "Mc": "Marco",
        "Lc": "Luca",
        "Gv": "Giovanni",
        "At": "Atti",
        "Rm": "Romani",
        "Cor": "Corinzi",
        "Ap": "Apocalisse",
        "Eb": "Ebrei",
    },
    "pt": {
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
}
# Before a name in the singular, which is a person's book, and before others, which are letters.
_FIRSTS = {
    "de": (("erster", "zweiter", "dritter"), ("erster", "zweiter", "dritter")),
    "fr": (("premier", "deuxième", "troisième"), ("première", "deuxième", "troisième")),
    "es": (("primero", "segundo", "tercero"), ("primera", "segunda", "tercera")),
    "it": (("primo", "secondo", "terzo"), ("prima", "seconda", "terza")),
    "pt": (("primeiro", "segundo", "terceiro"), ("primeira", "segunda", "terceira")),
}
_BOOKS_OF_KINGS = words(
    "Samuel Samuele Könige Rois Reyes Re Reis Chronik Chroniques Crónicas Crônicas Cronache"
)
# “Lucas 1,80 m” is a height, “Pedro 3,5 milhões” a sum.
_NO_MEASURE = (
    r"(?![\w%‰€$£°]|[.,:/]\d|[ \u00a0\u202f]?(?:[%‰€$£°]|(?:[mckd]?m|k?g|Mrd|Mio|min|h|fois|pour"
    r"|por|per|Prozent|Uhr|Euro|euros?|mil\w*|reais|francs?|puntos?|pontos?|points?|punti|Punkte|Meter"
    r"|m[eè]tros?|mètres?|metri|d[óo]l\w+|livres?|horas?|heures?|ore)\b))"
)
_LAST_CHAPTER = 150


def rules(language: LanguageWords) -> tuple[Rule, ...]:
    """The rule for a book of the Bible, a chapter and its verses."""
    code = language.code
    short = _SHORT[code]
    names = alternatives((*_BOOKS[code].split(), *short))
    stop = r"\.?"
    pattern = re.compile(
        rf"(?<![\w.,/-])(?:(?P<number>[1-3]){stop}[ \u00a0]?)?(?P<book>{names})\b(?P<stop>\.)?"
        rf"[ \u00a0](?P<chapter>\d{{1,3}})(?:,[ ]?|[:.])(?P<verse>\d{{1,3}})"
        rf"(?:[–-](?P<last>\d{{1,3}}))?{_NO_MEASURE}"
    )

    def say(match: re.Match[str], context: Context) -> str | None:
        if int(match["chapter"]) > _LAST_CHAPTER or match["verse"].startswith("0"):
            return None
        book = short.get(match["book"], match["book"])
        said = [book, f"{language.say_whole(match['chapter'], context.region)},"]
        if match["number"]:
            of_letters = book not in _BOOKS_OF_KINGS
            said.insert(0, _FIRSTS[code][of_letters][int(match["number"]) - 1])
        said.append(language.say_whole(match["verse"], context.region))
        if match["last"]:
            said += [language.to, language.say_whole(match["last"], context.region)]
        return " ".join(said)

    return (Rule("scripture", pattern, say),)
