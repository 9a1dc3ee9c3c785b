"""The books of the Bible in Portuguese.

Source: the list of books and their short forms in the Bíblia Sagrada.
"""

from __future__ import annotations

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.spoken.european.language import ScriptureWords

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
