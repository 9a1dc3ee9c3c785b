"""How each language prints what people say: its quotation marks, dashes and verbs of saying.

The tables have what novels use. Forms of verbs are those that stand beside a quotation: the past
and the present of the third person, and in English and French also those beside “I”.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from audiomill.inputs.languages.codes import primary_subtag


@dataclass(frozen=True)
class Conventions:
    """How one language prints speech."""

    pairs: tuple[tuple[str, str], ...]  # of outer quotation marks: opening, closing ones
    verbs: frozenset[str]  # of saying
    titles: str = ""  # words before a name, as alternatives of a pattern
    conjunction: str = "and"  # between two names
    name_first_verbs: frozenset[str] = frozenset()  # those that may follow a name; () for none
    openers: str = ""  # words that may begin a sentence before a verb and a name, as a pattern
    no_names: frozenset[str] = frozenset()  # capitalised words that are no names
    has_dashes: bool = False  # a dash at the start of a paragraph opens speech
    has_inner_tags: bool = False  # “dit-il” stands inside the quotation marks

    @cached_property
    def verb(self) -> str:
        """A pattern of the verbs."""
        return "|".join(sorted(self.verbs, key=len, reverse=True))

    @cached_property
    def name(self) -> str:
        """A pattern of a person's name, with a title or without."""
        titled = rf"(?:(?:{self.titles})\s)?" if self.titles else ""
        # An initial, or a capitalised word that is not a possessive.
        word = r"(?:[A-ZÀ-ÖØ-Þ]\.|(?:[DO][’'])?[A-ZÀ-ÖØ-Þ][\w-]*+)"
        return rf"{titled}{word}(?:\s(?:de\s|von\s|van\s|du\s|da\s)?{word}){{0,2}}"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.replace("_", " ").split())


_SAID = """said cried replied answered asked exclaimed shouted whispered muttered murmured yelled
screamed demanded inquired enquired retorted responded stammered declared insisted announced
admitted"""
_ENGLISH = Conventions(
    pairs=(("“", "”"), ('"', '"')),
    verbs=_words(
        _SAID
        + """ says called began continued added observed remarked returned growled sighed laughed
        snapped repeated agreed suggested explained protested gasped groaned hissed sobbed
        interrupted ventured urged pleaded begged warned promised persisted resumed roared bellowed
        mumbled grumbled wondered thought told saying crying asks replies cries""",
    ),
    name_first_verbs=_words(_SAID + " says asks"),
    titles=r"Mr\.?|Mrs\.?|Ms\.?|Miss|Dr\.?|Doctor|Sir|Lady|Lord|Captain|Colonel|Major|Professor"
    r"|Father|Mother|Uncle|Aunt|Inspector|Sergeant|King|Queen|Prince|Princess",
    no_names=_words(
        """He She It They We You The A An This That These Those There Then Nobody Everybody Everyone
        Someone Somebody Anyone One Both Neither All Another His Her Their My Your Our Its Who What
        But And So As When If At In On Now Here No Yes Not Only For From With After Before Each Some
        Several Many Most Few Two Three"""
    ),
)

_GERMAN = Conventions(
    pairs=(("„", "“”"), ("»", "«"), ("«", "»"), ("“", "”"), ('"', '"')),
    verbs=_words(
        """sagte sagt rief ruft fragte fragt antwortete antwortet erwiderte entgegnete meinte meint
        flüsterte flüstert murmelte brummte knurrte schrie brüllte stammelte erklärte bemerkte
        wiederholte versetzte seufzte lachte begann setzte fuhr bat befahl warnte raunte zischte
        stöhnte jammerte schluchzte gestand behauptete ergänzte warf berichtete erkundigte dachte
        keuchte stieß höhnte spottete tröstete mahnte drängte verlangte""",
    ),
    titles=r"Herr|Frau|Fräulein|Doktor|Dr\.|Professor|Onkel|Tante|Graf|Gräfin|Baron|König|Königin"
    r"|Pfarrer|Hauptmann|Meister",
    conjunction="und",
    name_first_verbs=_words(
        """sagte rief fragte antwortete erwiderte entgegnete flüsterte murmelte schrie meinte
        erklärte brummte"""
    ),
    openers="Da|Dann|Darauf|Daraufhin|Endlich|Schließlich|Nun|Jetzt|Leise|Laut",
    no_names=_words(
        """Er Sie Es Wir Ihr Ich Du Man Der Die Das Ein Eine Da Dann Nun Doch Aber Und So Niemand
        Jemand Alle Beide Jeder Keiner Was Wer"""
    ),
)
_FRENCH = Conventions(
    pairs=(("«", "»"), ("“", "”"), ('"', '"')),
    verbs=_words(
        """dit dis demanda demande répondit répond répondis cria crie s’écria s'écria s’exclama
        s'exclama murmura murmure chuchota souffla reprit reprend ajouta ajoute répliqua répéta
        continua poursuivit expliqua déclara hurla soupira gémit balbutia bredouilla fit lança
        protesta observa remarqua interrompit objecta riposta avoua grogna grommela annonça insista
        pensa supplia ordonna affirma conclut rétorqua""",
    ),
    titles=r"M\.|Monsieur|Mme|Madame|Mlle|Mademoiselle|Docteur|Dr|Maître|Père|Mère|Oncle|Tante"
    r"|Capitaine|Comte|Comtesse|Baron|Sire",
    conjunction="et",
    name_first_verbs=_words("dit demanda répondit cria murmura répliqua ajouta déclara"),
    openers="Alors|Enfin|Puis|Soudain",
    no_names=_words(
        """Il Elle Ils Elles On Nous Vous Je Tu Le La Les Un Une Ce Cette Ces Mais Et Puis Alors
        Personne Quelqu Tout Tous Qui Que Quoi"""
    ),
    has_dashes=True,
    has_inner_tags=True,
)
_SPANISH = Conventions(
    pairs=(("«", "»"), ("“", "”"), ('"', '"')),
    verbs=_words(
        """dijo dice preguntó pregunta respondió responde contestó contesta exclamó gritó grita
        murmuró susurró añadió repuso replicó repitió continuó prosiguió explicó declaró observó
        interrumpió suspiró insistió protestó ordenó pidió suplicó advirtió balbuceó gimió rugió
        anunció afirmó admitió comentó pensó aseguró masculló gruñó indicó""",
    ),
    titles=r"señor|señora|señorita|don|doña|doctor|doctora|padre|madre|tío|tía|capitán|Sr\.|Sra\."
    r"|Dr\.|Dra\.",
    conjunction="(?:y|e)",
    name_first_verbs=_words("dijo preguntó respondió contestó exclamó gritó murmuró susurró"),
    openers="Entonces|Luego|Después|Al fin|Por fin",
    no_names=_words(
        """Él Ella Ellos Ellas Yo Tú Usted El La Los Las Un Una Nadie Alguien Todos Todo Pero Y
        Entonces Luego Quien Que Qué"""
    ),
    has_dashes=True,
)
_ITALIAN = Conventions(
    pairs=(("«", "»"), ("“", "”"), ('"', '"')),
    verbs=_words(
        """disse dice chiese chiede domandò rispose risponde esclamò gridò urlò mormorò sussurrò
        bisbigliò aggiunse replicò ripeté continuò proseguì spiegò dichiarò osservò interruppe
        sospirò insistette protestò ordinò supplicò avvertì balbettò gemette annunciò affermò
        ammise commentò pensò ribatté soggiunse fece borbottò riprese concluse""",
    ),
    titles=r"signor|signora|signorina|don|donna|dottor|dottoressa|padre|madre|zio|zia|capitano"
    r"|Sig\.|Dott\.",
    conjunction="(?:e|ed)",
    name_first_verbs=_words("disse chiese rispose esclamò gridò mormorò sussurrò domandò"),
    openers="Allora|Poi|Infine|Finalmente",
    no_names=_words(
        """Egli Ella Lui Lei Essi Loro Io Tu Il Lo La I Gli Le Un Una Nessuno Qualcuno Tutti Ma E
        Poi Allora Chi Che"""
    ),
    has_dashes=True,
)
_PORTUGUESE = Conventions(
    pairs=(("«", "»"), ("“", "”"), ('"', '"')),
    verbs=_words(
        """disse diz perguntou pergunta respondeu responde exclamou gritou berrou murmurou sussurrou
        cochichou acrescentou replicou repetiu continuou prosseguiu explicou declarou observou
        interrompeu suspirou insistiu protestou ordenou pediu suplicou avisou balbuciou gemeu
        anunciou afirmou admitiu comentou pensou retrucou indagou resmungou concluiu fez""",
    ),
    titles=r"senhor|senhora|dona|dom|doutor|doutora|padre|madre|tio|tia|capitão|Sr\.|Sra\.|D\."
    r"|Dr\.|Dra\.",
    conjunction="e",
    name_first_verbs=_words("disse perguntou respondeu exclamou gritou murmurou sussurrou"),
    openers="Então|Depois|Por fim|Enfim",
    no_names=_words(
        """Ele Ela Eles Elas Eu Tu Você O A Os As Um Uma Ninguém Alguém Todos Mas E Então Depois
        Quem Que"""
    ),
    has_dashes=True,
)

# With single quotation marks outside, as most British books are printed.
ENGLISH_SINGLE = replace(_ENGLISH, pairs=(("‘", "’"), ("'", "'")))
ENGLISH_DOUBLE = _ENGLISH

_BY_LANGUAGE: Mapping[str, Conventions] = MappingProxyType(
    {
        "en": ENGLISH_DOUBLE,
        "de": _GERMAN,
        "fr": _FRENCH,
        "es": _SPANISH,
        "it": _ITALIAN,
        "pt": _PORTUGUESE,
    }
)


def conventions_of(language: str) -> Conventions | None:
    """Return the conventions of a language (BCP 47); None if they are not known here."""
    return _BY_LANGUAGE.get(primary_subtag(language))
