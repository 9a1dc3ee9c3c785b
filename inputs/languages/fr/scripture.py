"""The books of the Bible in French.

Source: the list of books and their short forms in the Bible de Jérusalem.
"""

from __future__ import annotations

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.spoken.european.language import ScriptureWords

SCRIPTURE = ScriptureWords(
    books=words(
        """
        Genèse Exode Lévitique Nombres Deutéronome Josué Juges Samuel Rois Chroniques Job
        Psaume Psaumes Proverbes Ecclésiaste Isaïe Ésaïe Jérémie Ézéchiel Daniel Osée Joël
        Amos Jonas Michée Zacharie Malachie Matthieu Marc Luc Jean Actes Romains Corinthiens
        Galates Éphésiens Philippiens Colossiens Thessaloniciens Timothée Tite Hébreux
        Jacques Pierre Apocalypse
        """
    ),
    short={
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
    firsts=("premier", "deuxième", "troisième"),
    first_letters=("première", "deuxième", "troisième"),
    histories=words("Samuel Rois Chroniques"),
)
