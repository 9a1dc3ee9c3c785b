"""How French prints what people say."""

from __future__ import annotations

from audiomill.inputs.languages.abbreviations import words
from audiomill.inputs.languages.dialogue import DialogueConventions

DIALOGUE = DialogueConventions(
    pairs=(("«", "»"), ("“", "”"), ('"', '"')),
    verbs=words(
        """dit dis demanda demande répondit répond répondis cria crie s’écria s'écria s’exclama
        s'exclama murmura murmure chuchota souffla reprit reprend ajouta ajoute répliqua répéta
        continua poursuivit expliqua déclara hurla soupira gémit balbutia bredouilla fit lança
        protesta observa remarqua interrompit objecta riposta avoua grogna grommela annonça insista
        pensa supplia ordonna affirma conclut rétorqua""",
    ),
    titles=r"M\.|Monsieur|Mme|Madame|Mlle|Mademoiselle|Docteur|Dr|Maître|Père|Mère|Oncle|Tante"
    r"|Capitaine|Comte|Comtesse|Baron|Sire",
    conjunction="et",
    name_first_verbs=words("dit demanda répondit cria murmura répliqua ajouta déclara"),
    openers="Alors|Enfin|Puis|Soudain",
    no_names=words(
        """Il Elle Ils Elles On Nous Vous Je Tu Le La Les Un Une Ce Cette Ces Mais Et Puis Alors
        Personne Quelqu Tout Tous Qui Que Quoi"""
    ),
    has_dashes=True,
    has_inner_tags=True,
)
