"""French: abbreviations, how speech is printed, and the words of audiomill itself.

Abbreviated titles have no capital.
"""

from __future__ import annotations

from audiomill.inputs.languages.declaration import (
    LATIN,
    Abbreviations,
    Announcements,
    CreditsWording,
    DialogueConventions,
    words,
)

ABBREVIATIONS = Abbreviations(
    always={
        "&c.": "et cetera",
        "p. ex.": "par exemple",
        "par ex.": "par exemple",
        "etc.": "et cetera",
        "c.-à-d.": "c'est-à-dire",
        "cf.": "confer",
        "Cf.": "Confer",
        "av. J.-C.": "avant Jésus-Christ",
        "apr. J.-C.": "après Jésus-Christ",
        "J.-C.": "Jésus-Christ",
        "Mme": "madame",
        "Mmes": "mesdames",
        "Mlle": "mademoiselle",
        "Mlles": "mesdemoiselles",
        "Mgr": "monseigneur",
        "MM.": "messieurs",
        "Dr": "docteur",
        "Dr.": "docteur",
        "Pr": "professeur",
        "Cie": "compagnie",
        "& C°": "et compagnie",
        "& Cº": "et compagnie",
        "n.d.l.r.": "note de la rédaction",
        "i.e.": "c'est-à-dire",
        "env.": "environ",
        "éd.": "édition",
        "R.-V.": "rendez-vous",
        "s.v.p.": "s'il vous plaît",
        "S.V.P.": "s'il vous plaît",
        "N.B.": "nota bene",
        "P.-S.": "post-scriptum",
        "boul.": "boulevard",
        "Mme.": "madame",
        "Mmes.": "mesdames",
        "Mlle.": "mademoiselle",
        "Mlles.": "mesdemoiselles",
        "Mgr.": "monseigneur",
        "N. B.": "nota bene",
        "S. M.": "Sa Majesté",
        "S. A. R.": "Son Altesse Royale",
        "ap. J.-C.": "après Jésus-Christ",
        "ibid.": "ibidem",
        "op. cit.": "opus citatum",
        "suiv.": "suivants",
        "hab.": "habitants",
        "id.": "idem",
        "Mᵐᵉ": "madame",
        "Mᵐᵉˢ": "mesdames",
        "Mˡˡᵉ": "mademoiselle",
        "Mᵍʳ": "monseigneur",
        "Dʳ": "docteur",
        "tél.": "téléphone",
        "max.": "maximum",
        "Vᵛᵉ": "veuve",
        "Cⁱᵉ": "compagnie",
    },
    before_number={
        "n °": "numéro",
        "n º": "numéro",
        "n°": "numéro",
        "nº": "numéro",
        "no": "numéro",
        "n°s": "numéros",
        "N°": "Numéro",
        "p.": "page",
        "pp.": "pages",
        "nᵒ": "numéro",
        "Nᵒ": "Numéro",
        "sc.": "scène",
        "tab.": "tableau",
        "éq.": "équation",
        "chap.": "chapitre",
        "ch.": "chapitre",
        "fig.": "figure",
        "vol.": "volume",
        "t.": "tome",
        "tom.": "tome",
        "pag.": "page",
        "art.": "article",
        "env.": "environ",
        "v.": "vers",
        "l.": "ligne",
        "§": "paragraphe",
        "liv.": "livre",
        "tit.": "titre",
        "sect.": "section",
        "al.": "alinéa",
        "pl.": "planche",
        "col.": "colonne",
        "éd.": "édition",
        "§.": "paragraphe",
        "§§": "paragraphes",
        "§§.": "paragraphes",
        "janv.": "janvier",
        "févr.": "février",
        "juil.": "juillet",
        "sept.": "septembre",
        "oct.": "octobre",
        "nov.": "novembre",
        "déc.": "décembre",
    },
    before_name={
        "M.": "monsieur",
        "Me": "maître",
        "St": "saint",
        "Ste": "sainte",
        "Sté": "société",
        "bd": "boulevard",
        "av.": "avenue",
        "Vve": "veuve",
        "St.": "saint",
        "Ste.": "sainte",
        "bd.": "boulevard",
        "Cdt": "commandant",
    },
    never_end=LATIN | words("m mm mme mmes mlle mlles dr pr me mgr st ste p.ex c.-à-d av apr env"),
    number_follows=words("n"),
    starters=words(
        "le la les il elle ils elles on nous vous je tu ce cette c’est c'est mais et puis alors un"
    ),
)

ANNOUNCEMENTS = Announcements(
    "Note", "Code", "Image", "vide", "Tableau, lignes : {rows}, colonnes : {columns}"
)
CREDITS = CreditsWording(
    "{title}[ : {subtitle}][, par {author}][, traduit par {translator}]. Lu par {narrator}.",
    "Vous venez d’écouter {title}[, par {author}]. Lu par {narrator}.",
    "Générique de début",
    "Générique de fin",
    "et",
    before_author=("par", "de"),
)

DEMO_SENTENCE = "Bonsoir. Voici ma voix quand je vous lis un livre."


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
