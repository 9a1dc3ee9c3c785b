"""The books of the Bible in German.

Source: the list of books and their short forms in the Einheitsübersetzung.
"""

from __future__ import annotations

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.spoken.european.language import ScriptureWords

SCRIPTURE = ScriptureWords(
    books=words(
        """
        Genesis Exodus Levitikus Numeri Deuteronomium Josua Richter Samuel Könige Chronik
        Hiob Psalm Psalmen Sprüche Prediger Jesaja Jeremia Ezechiel Hesekiel Daniel Hosea
        Joel Amos Jona Micha Sacharja Maleachi Matthäus Markus Lukas Johannes
        Apostelgeschichte Römer Korinther Galater Epheser Philipper Kolosser Thessalonicher
        Timotheus Titus Hebräer Jakobus Petrus Offenbarung
        """
    ),
    short={
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
    firsts=("erster", "zweiter", "dritter"),
    first_letters=("erster", "zweiter", "dritter"),
    histories=words("Samuel Samuele Könige Chronik"),
)
