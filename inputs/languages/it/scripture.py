"""The books of the Bible in Italian."""

from __future__ import annotations

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.spoken.european.language import ScriptureWords

SCRIPTURE = ScriptureWords(
    books=words(
        """
        Genesi Esodo Levitico Numeri Deuteronomio Giosuè Giudici Samuele Re Cronache Giobbe
        Salmo Salmi Proverbi Qoelet Isaia Geremia Ezechiele Daniele Osea Gioele Amos Giona
        Michea Zaccaria Malachia Matteo Marco Luca Giovanni Atti Romani Corinzi Galati
        Efesini Filippesi Colossesi Tessalonicesi Timoteo Tito Ebrei Giacomo Pietro
        Apocalisse
        """
    ),
    short={
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
    firsts=("primo", "secondo", "terzo"),
    first_letters=("prima", "seconda", "terza"),
    histories=words("Samuele Re Cronache"),
)
