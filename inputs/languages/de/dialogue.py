"""How German prints what people say."""

from __future__ import annotations

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.languages.dialogue import DialogueConventions

DIALOGUE = DialogueConventions(
    pairs=(("„", "“”"), ("»", "«"), ("«", "»"), ("“", "”"), ('"', '"')),
    verbs=words(
        """sagte sagt rief ruft fragte fragt antwortete antwortet erwiderte entgegnete meinte meint
        flüsterte flüstert murmelte brummte knurrte schrie brüllte stammelte erklärte bemerkte
        wiederholte versetzte seufzte lachte begann setzte fuhr bat befahl warnte raunte zischte
        stöhnte jammerte schluchzte gestand behauptete ergänzte warf berichtete erkundigte dachte
        keuchte stieß höhnte spottete tröstete mahnte drängte verlangte""",
    ),
    titles=r"Herr|Frau|Fräulein|Doktor|Dr\.|Professor|Onkel|Tante|Graf|Gräfin|Baron|König|Königin"
    r"|Pfarrer|Hauptmann|Meister",
    conjunction="und",
    name_first_verbs=words(
        """sagte rief fragte antwortete erwiderte entgegnete flüsterte murmelte schrie meinte
        erklärte brummte"""
    ),
    openers="Da|Dann|Darauf|Daraufhin|Endlich|Schließlich|Nun|Jetzt|Leise|Laut",
    no_names=words(
        """Er Sie Es Wir Ihr Ich Du Man Der Die Das Ein Eine Da Dann Nun Doch Aber Und So Niemand
        Jemand Alle Beide Jeder Keiner Was Wer"""
    ),
)
