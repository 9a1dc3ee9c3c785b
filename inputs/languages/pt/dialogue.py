"""How Portuguese prints what people say."""

from __future__ import annotations

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.languages.dialogue import DialogueConventions

DIALOGUE = DialogueConventions(
    pairs=(("«", "»"), ("“", "”"), ('"', '"')),
    verbs=words(
        """disse diz perguntou pergunta respondeu responde exclamou gritou berrou murmurou sussurrou
        cochichou acrescentou replicou repetiu continuou prosseguiu explicou declarou observou
        interrompeu suspirou insistiu protestou ordenou pediu suplicou avisou balbuciou gemeu
        anunciou afirmou admitiu comentou pensou retrucou indagou resmungou concluiu fez""",
    ),
    titles=r"senhor|senhora|dona|dom|doutor|doutora|padre|madre|tio|tia|capitão|Sr\.|Sra\.|D\."
    r"|Dr\.|Dra\.",
    conjunction="e",
    name_first_verbs=words("disse perguntou respondeu exclamou gritou murmurou sussurrou"),
    openers="Então|Depois|Por fim|Enfim",
    no_names=words(
        """Ele Ela Eles Elas Eu Tu Você O A Os As Um Uma Ninguém Alguém Todos Mas E Então Depois
        Quem Que"""
    ),
    has_dashes=True,
)
