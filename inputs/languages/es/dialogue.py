"""How Spanish prints what people say."""

from __future__ import annotations

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.languages.dialogue import DialogueConventions

DIALOGUE = DialogueConventions(
    pairs=(("«", "»"), ("“", "”"), ('"', '"')),
    verbs=words(
        """dijo dice preguntó pregunta respondió responde contestó contesta exclamó gritó grita
        murmuró susurró añadió repuso replicó repitió continuó prosiguió explicó declaró observó
        interrumpió suspiró insistió protestó ordenó pidió suplicó advirtió balbuceó gimió rugió
        anunció afirmó admitió comentó pensó aseguró masculló gruñó indicó""",
    ),
    titles=r"señor|señora|señorita|don|doña|doctor|doctora|padre|madre|tío|tía|capitán|Sr\.|Sra\."
    r"|Dr\.|Dra\.",
    conjunction="(?:y|e)",
    name_first_verbs=words("dijo preguntó respondió contestó exclamó gritó murmuró susurró"),
    openers="Entonces|Luego|Después|Al fin|Por fin",
    no_names=words(
        """Él Ella Ellos Ellas Yo Tú Usted El La Los Las Un Una Nadie Alguien Todos Todo Pero Y
        Entonces Luego Quien Que Qué"""
    ),
    has_dashes=True,
)
