"""French words: signs, currencies, nouns that numbers agree with."""

from __future__ import annotations

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.spoken.european.language import CurrencyWords, Gender, portions

_EURO = CurrencyWords("euro", "euros", "centime", "centimes")
_FRANC = CurrencyWords("franc", "francs", "centime", "centimes")
_DOLLAR = CurrencyWords("dollar", "dollars", "cent", "cents")
_POUND = CurrencyWords("livre", "livres", "penny", "pence", "f")
CURRENCIES = {
    "€": _EURO,
    "EUR": _EURO,
    "euro": _EURO,
    "euros": _EURO,
    "M€": CurrencyWords("million d'euros", "millions d'euros"),
    **dict.fromkeys(
        ("Md€", "Mds€", "Mrd€", "G€"), CurrencyWords("milliard d'euros", "milliards d'euros")
    ),
    **dict.fromkeys(("ME", "MEUR"), CurrencyWords("million d'euros", "millions d'euros")),
    **dict.fromkeys(("ct", "cts"), CurrencyWords("centime", "centimes")),
    "k€": CurrencyWords("millier d'euros", "mille euros"),
    "K€": CurrencyWords("millier d'euros", "mille euros"),
    "MF": CurrencyWords("million de francs", "millions de francs"),
    "F": _FRANC,
    "FF": _FRANC,
    "Fr.": _FRANC,
    "francs": _FRANC,
    "$": _DOLLAR,
    **dict.fromkeys(("US$", "USD$"), _DOLLAR),
    "US $": _DOLLAR,
    "$ US": _DOLLAR,
    "USD": CurrencyWords("dollar américain", "dollars américains", "cent", "cents"),
    "dollars": _DOLLAR,
    "£": _POUND,
    "¥": CurrencyWords("yen", "yens"),
}
SCALES = {
    "million": ("million", "millions"),
    "millions": ("million", "millions"),
    "milliard": ("milliard", "milliards"),
    "milliards": ("milliard", "milliards"),
    "Mio": ("million", "millions"),
    "Mrd": ("milliard", "milliards"),
    "Md": ("milliard", "milliards"),
    "Mds": ("milliard", "milliards"),
}
# As English prints them: “$5bn”.
SHORT_SCALES = {
    **dict.fromkeys(("m", "M", "mn"), ("million", "millions")),
    **dict.fromkeys(("bn", "b", "B"), ("milliard", "milliards")),
}
SYMBOLS = {
    "&": "et",
    "%": "pour cent",
    "@": "arobase",
    "+": "plus",
    "=": "égale",
    **dict.fromkeys(("≥", ">="), "supérieur ou égal à"),
    **dict.fromkeys(("≤", "<="), "inférieur ou égal à"),
    "≠": "différent de",
    "×": "fois",
    "÷": "divisé par",
    "<": "inférieur à",
    ">": "supérieur à",
    "±": "plus ou moins",
    "≈": "environ",
    "§": "paragraphe",
}
FEMININE = words(
    """
    heure minute seconde année page femme fois personne semaine nuit ville maison voix étape lettre
    partie chose raison tonne place pièce ligne carte porte fille mère sœur île rue famille
    bouteille feuille table chaise fenêtre chambre langue phrase syllabe arme vie mort fleur couleur
    douleur guerre bataille victoire défaite école église banque lampe tasse goutte dent main jambe
    bête vache poule tête onde branche marche plante feuille demi-heure note
    """
)
PLACES: dict[str, Gender] = {
    **dict.fromkeys(
        ("chapitre", "livre", "tome", "volume", "acte", "titre", "article", "chant", "an"), "m"
    ),
    **dict.fromkeys(("partie", "scène", "planche", "figure", "annexe", "section", "strophe"), "f"),
    **dict.fromkeys(("pape", "type", "phase", "stade", "niveau", "vatican", "tableau"), "m"),
}
# Words that end as plurals do.
NOT_COUNTED = words(
    """
    dans sous sans plus moins mais vers pas après dès lors alors jamais toujours puis depuis hors
    très ces ses les des leurs nous vous ils elles tous toutes dont certes environs autres ailleurs
    """
)
# Of which recipes take parts: “1 1/2 …”.
PORTIONS = portions(
    """
    tasse tasses cuillère cuillères cuillerée cuillerées cuiller cuillers livre livres once onces
    boîte boîtes botte bottes gousse gousses bouteille bouteilles tranche tranches pomme pommes
    orange oranges carotte carottes courgette courgettes aubergine aubergines échalote échalotes
    tomate tomates baguette baguettes tablette tablettes brique briques conserve conserves
    noix noix pinte pintes heure heures minute minutes journée journées finale finales
    """,
    """
    verre verres litre litres décilitre décilitres bol bols paquet paquets sachet sachets
    bouquet bouquets citron citrons oignon oignons poivron poivrons concombre concombres chou choux
    pot pots cube cubes rouleau rouleaux ananas ananas melon melons avocat avocats
    poulet poulets pain pains kilo kilos gramme grammes jaune jaunes blanc blancs céleri céleris
    """,
)
