"""The books of the Bible in Spanish."""

from __future__ import annotations

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.spoken.european.language import ScriptureWords

SCRIPTURE = ScriptureWords(
    books=words(
        """
        Génesis Éxodo Levítico Números Deuteronomio Josué Jueces Samuel Reyes Crónicas Job
        Salmo Salmos Proverbios Eclesiastés Isaías Jeremías Ezequiel Daniel Oseas Joel Amós
        Jonás Miqueas Zacarías Malaquías Mateo Marcos Lucas Juan Hechos Romanos Corintios
        Gálatas Efesios Filipenses Colosenses Tesalonicenses Timoteo Tito Hebreos Santiago
        Pedro Apocalipsis
        """
    ),
    short={
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
    firsts=("primero", "segundo", "tercero"),
    first_letters=("primera", "segunda", "tercera"),
    histories=words("Samuel Reyes Crónicas"),
)
