"""How Italian prints what people say."""

from __future__ import annotations

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.languages.dialogue import DialogueConventions

DIALOGUE = DialogueConventions(
    pairs=(("«", "»"), ("“", "”"), ('"', '"')),
    verbs=words(
        """disse dice chiese chiede domandò rispose risponde esclamò gridò urlò mormorò sussurrò
        bisbigliò aggiunse replicò ripeté continuò proseguì spiegò dichiarò osservò interruppe
        sospirò insistette protestò ordinò supplicò avvertì balbettò gemette annunciò affermò
        ammise commentò pensò ribatté soggiunse fece borbottò riprese concluse""",
    ),
    titles=r"signor|signora|signorina|don|donna|dottor|dottoressa|padre|madre|zio|zia|capitano"
    r"|Sig\.|Dott\.",
    conjunction="(?:e|ed)",
    name_first_verbs=words("disse chiese rispose esclamò gridò mormorò sussurrò domandò"),
    openers="Allora|Poi|Infine|Finalmente",
    no_names=words(
        """Egli Ella Lui Lei Essi Loro Io Tu Il Lo La I Gli Le Un Una Nessuno Qualcuno Tutti Ma E
        Poi Allora Chi Che"""
    ),
    has_dashes=True,
)
