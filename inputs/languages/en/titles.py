"""English abbreviations that depend on a name: titles before it, words after it, places.

“St. John lives in St. John St.”: a saint before a name, a street after one. Spoken forms follow
The Chicago Manual of Style (17th ed.), 10.11 to 10.30; British titles have no full stop.

“M.” is Monsieur, or the initial of a forename:

    the policy of M. Lormier ─▶ Monsieur     a note by M. Hale     ─▶ M
    M. Paul Lormier came in  ─▶ Monsieur     Sir James M. Hale     ─▶ M
                                             We met M. Scott Hale  ─▶ M

Sentences of stories and histories call a Frenchman so far more often than they shorten a forename
to M. and give no other: that is left to bylines, references and signatures.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.declaration import ADDRESSES, AFTER_ORDINAL, STREETS, TITLES
from audiomill.inputs.languages.en.letters import in_capitals
from audiomill.inputs.languages.en.places import AMBIGUOUS, POSTAL, STATES
from audiomill.inputs.languages.en.roman import FIRST_WORDS
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.spoken.rules import Context, Rule, always, any_of, rule

# French forenames, after which a surname may follow.
_FORENAMES = "|".join(
    (
        *("Adolphe", "Adrien", "Alain", "Albert", "Alexandre", "Alexis", "Alfred", "Alphonse"),
        *("Amédée", "Anatole", "André", "Antoine", "Armand", "Arsène", "Auguste", "Augustin"),
        *("Baptiste", "Barthélemy", "Benjamin", "Benoît", "Bernard", "Bertrand", "Camille"),
        *("Casimir", "César", "Charles", "Christophe", "Claude", "Clément", "Daniel", "Denis"),
        *("Edgar", "Edmond", "Édouard", "Edouard", "Émile", "Emile", "Ernest", "Étienne"),
        *("Etienne", "Eugène", "Félix", "Ferdinand", "Fernand", "Firmin", "François", "Frédéric"),
        *("Gabriel", "Gaspard", "Gaston", "Georges", "Gérard", "Germain", "Gilbert", "Guillaume"),
        *("Gustave", "Guy", "Hector", "Henri", "Hippolyte", "Honoré", "Hubert", "Hugues"),
        *("Isidore", "Jacques", "Jean", "Jérôme", "Joseph", "Josef", "Jules", "Julien", "Justin"),
        *("Lambert", "Laurent", "Léon", "Léopold", "Louis", "Luc", "Lucien", "Marc", "Marcel"),
        *("Marius", "Mathieu", "Maurice", "Maxime", "Michel", "Nicolas", "Octave", "Olivier"),
        *("Pascal", "Paul", "Philippe", "Pierre", "Prosper", "Raoul", "Raymond", "Rémy", "René"),
        *("Robert", "Roger", "Roland", "Simon", "Théodore", "Théophile", "Thierry", "Thomas"),
        *("Ulysse", "Victor", "Vincent", "Xavier", "Yves", "Andrea", "Franz", "Maximilian"),
        *("Maximilien", "Max", "Fabien", "Fabrice", "Sébastien", "Valentin"),
    )
)
# After these and those, “M.” is an initial even where a sentence begins with them.
_ENGLISH_FORENAMES = "|".join(
    (
        *("Andrew", "Ann", "Anna", "Anthony", "Arthur", "Carl", "David", "Edward", "Elizabeth"),
        *("Ellen", "Emma", "Francis", "Frank", "Fred", "Frederick", "George", "Harold", "Harry"),
        *("Helen", "Henry", "Howard", "James", "Jane", "John", "Laura", "Lewis", "Lucy", "Mark"),
        *("Martha", "Mary", "Matthew", "Peter", "Richard", "Ruth", "Samuel", "Sarah", "Stephen"),
        *("Susan", "Walter", "William"),
    )
)
_FORENAME = re.compile(rf"\b(?:{_FORENAMES}|{_ENGLISH_FORENAMES})\s\Z")
_NAME = r"(?:[A-Z]['’])?[A-ZÀ-Þ][a-zà-ÿ]++(?:[-’'][A-ZÀ-Þ]?[a-zà-ÿ]+)*+"
# One name; more only after a French forename. A year after it belongs to a reference.
_CALLED = rf"(?:(?:{_FORENAMES})(?![\w.])|{_NAME}(?:(?<=['’]s)|(?!\s[A-ZÀ-Þ])))(?!,?\s\(?\d)"
# “M. Boirac Makes a Statement”, the title of a chapter.
_IN_TITLE = (
    rf"{_NAME}(?=\s[A-Z][a-z]+(?:s|ed)\s(?:an?|the|his|her|to|in|on|at|for|with|from|up|out|it)\b)"
)
_OF_INITIAL = re.compile(
    r"(?:[A-Z]\.\s(?:and|&)|\bDe|[A-Z]\.|&|\b(?:Mrs?|Ms|Dr|Prof|Capt|Col|Gen|Lt|Lieut|Maj|Rev|Sgt)\.)\s\Z"
)
_ENGLISH_TITLED = re.compile(
    r"\b(?:Mrs?|Ms|Dr|Prof|Rev|Hon|Capt|Col|Gen|Lt|Lieut|Maj|Sgt)\.\s[A-Z][a-z]+\s\Z"
)
# What letters count: “Company M. Blue field”.
_LETTERED = frozenset(("Company", "Troop", "Battery", "Section", "Appendix", "Class", "Group"))
_SENTENCE_END = re.compile(r"[.!?…:;,—–-][\s\"'”’»)\]]*\Z")
_SIGNED = re.compile(rf"\s{_NAME}[.\s”\"’]*\Z")


def _monsieur(match: re.Match[str], context: Context) -> str | None:
    text, start = context.text, match.start()
    if context.word_before(start) in _LETTERED:
        return None
    of_name = not context.starts_sentence(start) and context.follows_name(start)
    of_name = of_name or context.search_before(_ENGLISH_TITLED, start)
    if (
        of_name
        or context.search_before(_OF_INITIAL, start)
        or context.search_before(_FORENAME, start)
    ):
        return None
    is_heading = context.kind is BlockKind.HEADING
    is_label = not is_heading and not _SENTENCE_END.search(text)
    is_byline = context.word_before(start).lower() == "by" and not _SENTENCE_END.search(text)
    is_signature = (
        not is_heading and not text[:start].strip('“"—–- ') and _SIGNED.match(text, match.end())
    )
    return None if is_label or is_byline or is_signature else "Monsieur"


def _in_title(match: re.Match[str], context: Context) -> str | None:
    return _monsieur(match, context) if context.kind is BlockKind.HEADING else None


# Clear without a name too: “the capt. said”, “my prof.”
_CLEAR = frozenset(("capt", "lieut", "sgt", "prof", "supt", "gov", "cmdr"))
_COUNTIES = (
    "Antrim|Armagh|Carlow|Cavan|Clare|Cork|Derry|Donegal|Down|Dublin|Durham|Fermanagh|Galway|Kerry"
    "|Kildare|Kilkenny|Laois|Leitrim|Limerick|Longford|Louth|Mayo|Meath|Monaghan|Offaly|Roscommon"
    "|Sligo|Tipperary|Tyrone|Waterford|Westmeath|Wexford|Wicklow"
)
# Capitals before “St.” that are no street: “In St. Paul”, “Lake St. Clair”.
_NO_STREETS = words(
    """
    A An The In On At To Of From By And But For With When Where While As If After Before Since
    Old New Mount Mt Fort Ft Port Lake River Cape Point Rue East West North South Then Now So Or
    Nor Not Yet Mr Mrs Miss Mister Lord Lady Sir Bishop Abbot Prior Brother Sister Father Mother
    Dear Saint Our His Her My Your Their That This Did Does Is Was Has Had Great Little Upper
    Lower Holy Feast
    """
)
_USUAL_STREETS = words(
    """
    Main Wall High Baker Fleet Market State Broad Church Oak Elm Bond Oxford Regent Downing Canal
    Water Park First Second Third Fourth Fifth Sixth King Queen Front Court Bourbon
    """
)
_NUMBERED_STREET = re.compile(
    r"\d+[A-Za-z]?,?\s(?:[NSEW]\.?\s)?(?:[A-Z][\w'’.-]*\s){0,2}[A-Z][\w'’-]*\s\Z"
)
_ARMY_ORDINAL = re.compile(r"\d(?:st|nd|rd|th|d)\s\Z")
_ORDINAL = re.compile(
    r"\d(?:st|nd|rd|th|d)\s\Z"
    r"|\b(?:[A-Z][a-z]+[- ])?(?:First|Second|Third|Fourth|Fifth|Sixth|Seventh|Eighth|Ninth|Tenth"
    r"|Eleventh|Twelfth|[A-Z][a-z]+teenth|[A-Z][a-z]+tieth|(?<=-)(?:first|second|third|fourth|fifth"
    r"|sixth|seventh|eighth|ninth))\s\Z"
)
_NAME_BEFORE = re.compile(r"(?<![\w'’-])[A-ZÀ-ÖØ-Þ][\w'’-]*\.?,?[\s\u00a0]\Z")
_COUNTY_NAME = re.compile(
    r"(?:,|\b(?:in|of|from|near))\s(?:(?:New|San|Santa|Prince|St\.)\s)?[A-Z][a-z]+\s\Z"
)
_CITY = re.compile(r"([A-Z][\w.'’-]+),[\s\u00a0]\Z")
# “Yes, Miss.” and “Well, Pa.” name no state.
_NO_CITIES = words(
    """
    Yes No Well Oh Ah Thanks Please Sorry Why Come Hello Now Look Listen Sure Okay Indeed Sir Good
    Dear Here Hey
    """
)
_PLAIN_NAME = re.compile(
    r"[\s\u00a0]+(?:and\sMrs\s)?(?![XYZ](?:ers?)?\b)[A-ZÀ-ÖØ-Þ](?:[\w'’]|\.?\s[A-Z])"
)
_NAMED = re.compile(
    r"[\s\u00a0]+[“‘\"]?(?:(?:and\s(?=Mrs|Miss|Lady|Dr)|de|du|la|von|van|d['’])\s?)?(?![IVXLC]+\b(?!\.\s[A-Z]))[A-ZÀ-ÖØ-Þ][\w.'’]"
)


def _name_follows(context: Context, at: int) -> bool:
    return bool(_NAMED.match(context.text, at))


def _is_after_street_name(context: Context, at: int) -> bool:
    """Whether a street's name ends at `at`: “42nd”, “Baker”, but not “In” or “Lake”."""
    near = context.text_before(at).replace("\u00a0", " ")
    if _ORDINAL.search(near):
        return True
    before = context.word_before(at)
    return before[:1].isupper() and not before.endswith(".") and before not in _NO_STREETS


def _is_surely_street(context: Context, at: int) -> bool:
    near = context.text_before(at).replace("\u00a0", " ")
    usual = context.word_before(at) in _USUAL_STREETS
    return usual or bool(_NUMBERED_STREET.search(near) or _ORDINAL.search(near))


def _usual(match: re.Match[str], _: Context) -> str:
    return ADDRESSES[match["short"].capitalize()] + " " * (match["joined"] is not None)


def _saint_or_street(match: re.Match[str], context: Context) -> str | None:
    """“Saint” or “Street”, “Doctor” or “Drive”."""
    short = match["short"].capitalize()
    person = "Saint" if short == "St" else "Doctor"
    is_street = _is_after_street_name(context, match.start())
    if _name_follows(context, match.end()):
        surely = is_street and _is_surely_street(context, match.start())
        return STREETS[short] if surely else person
    if is_street:
        return STREETS[short]
    return "Doctor" if match[0] == "Dr." else None


def _county(match: re.Match[str], context: Context) -> str | None:
    """“Sandy Hill, Washington Co., NY”, but not “the Ford Motor Co., Michigan”."""
    near = context.text_before(match.start()).replace("\u00a0", " ")
    return "County" if _COUNTY_NAME.search(near) else None


_OTHER_WORDS = frozenset(("brig", "rep", "ens", "pt"))


def _title(match: re.Match[str], context: Context) -> str | None:
    short, follows = match["short"], _name_follows(context, match.end())
    if not match[0].endswith(".") and not _PLAIN_NAME.match(context.text, match.end()):
        return None  # “Gen Z”, “Col du Galibier”
    if short.lower() in _OTHER_WORDS and not match[0].endswith("."):
        return None  # “the Brig Mahina”, a ship
    if short in {"FT", "MT"} and not in_capitals(context.word_after(match.end())):
        return None  # “told the FT.”
    if match[0] == "Fr." and context.word_before(match.start()) == "Sir":
        return "Francis"
    if follows and short[0].isupper():
        return TITLES[short.capitalize()]
    if match[0].endswith(".") and short.lower() in _CLEAR:
        said = TITLES[short.capitalize()]
        return said if short[0].isupper() else said.lower()
    return None


def _after_ordinal(match: re.Match[str], context: Context) -> str | None:
    near = context.text_before(match.start()).replace("\u00a0", " ")
    return AFTER_ORDINAL[match["short"]] if _ARMY_ORDINAL.search(near) else None


def _lieutenant(match: re.Match[str], _: Context) -> str:
    first = {"L": "Lieutenant", "S": "Sergeant", "M": "Major", "B": "Brigadier"}[match[0][0]]
    return f"{first} {TITLES[(match['second'] or match['large']).capitalize()]}"


def _honorable(match: re.Match[str], context: Context) -> str | None:
    if not _name_follows(context, match.end()):
        return None
    honorable = "Honorable" if context.region == "US" else "Honourable"
    return f"{'Right ' if match['right'] else ''}{honorable}"


def _honorable_member(_: re.Match[str], context: Context) -> str:
    return "honorable" if context.region == "US" else "honourable"


def _street(match: re.Match[str], context: Context) -> str | None:
    after = _is_after_street_name(context, match.start())
    return STREETS[match["short"]] if after else None


def _junior(match: re.Match[str], context: Context) -> str | None:
    near = context.text_before(match.start())
    if not _NAME_BEFORE.search(near):
        return None
    return "Junior" if match["short"] == "Jr" else "Senior"


def _state(match: re.Match[str], context: Context) -> str | None:
    city = _CITY.search(context.text_before(match.start()))
    if city is None or city[1] in _NO_CITIES:
        return None
    return STATES.get(match[0]) or POSTAL[match[0]]


def _capital_state(match: re.Match[str], _: Context) -> str:
    """“Tennessee” for “NASHVILLE, TENN.”."""
    return STATES[match[0].capitalize()]


_SHORT_STATES = any_of(STATES)
# “ILL.” and “MISS.” are words as well.
_CAPITAL_STATES = "|".join(
    re.escape(one.upper())
    for one in STATES
    if one.count(".") == 1 and one not in ("Ill.", "Miss.", "Me.", "La.", "Pa.")
)
_AFTER_CITY = r"(?<=[a-z],[ \u00a0])"
_CODES = "|".join(code for code in POSTAL if code not in AMBIGUOUS)

RULES: tuple[Rule, ...] = (
    rule("title", r"MM\.(?=\s(?:d['’]|(?:de|du|des|et)\s|[A-Z]))", always("Messieurs")),
    rule("title", r"M\.(?=\sand\s(?:Madame|Mademoiselle|Mme|Mlle)\b)", always("Monsieur")),
    rule("title", r"M\.(?=\s(?:de|du|des|le|la|d['’])[\s\w])", always("Monsieur")),
    rule("title", rf"M\.(?=\s{_CALLED})", _monsieur),
    rule("title", rf"M\.(?=\s{_IN_TITLE})", _in_title),
    rule(
        "abbreviation",
        rf"MS\.(?=\s(?:[a-z(]|(?:{'|'.join(sorted(FIRST_WORDS))})\b)|[,;:)])",
        always("manuscript"),
    ),
    rule("abbreviation", r"(?<=\b[Tt]he\s)MS\b\.?(?!\s[A-Z]\w)", always("manuscript")),
    rule("abbreviation", r"MSS\b\.?", always("manuscripts")),
    rule(
        "title",
        r"(?P<short>Mrs?|Ms|Mme|Mlle|Messrs|MRS?(?=\.|\s[A-Z])|(?:MS|MME|MLLE)(?=\.))(?![^\W_])(?:\.(?P<joined>(?=[A-Z]))?)?",
        _usual,
    ),
    rule(
        "title",
        r"(?:Lt|Lieut|Sgt|Maj|Brig)\.?[-\s](?P<second>Col|Gen|Cmdr|Maj|Adm)\b\.?(?=\s[A-Z])"
        r"|(?:LT|LIEUT|MAJ|BRIG)\.-(?P<large>COL|GEN)\.(?=\s[A-Z])",
        _lieutenant,
    ),
    rule("title", r"(?P<right>(?:Rt|Right)\.?\s)?(?:Hon\b\.?|HON\.)", _honorable),
    # Of a parliament: “my right hon. and learned Friend”.
    rule(
        "title",
        r"hon\.(?=\s(?:(?:and\s)?(?:[Ll]earned|gallant)\b|Friends?\b|Gentlem[ae]n\b|Members?\b|Lad(?:y|ies)\b))",
        _honorable_member,
    ),
    rule("place", r"(?P<short>St|Dr|(?:ST|DR)(?=\.))\b\.?(?!['’\w-])", _saint_or_street),
    rule("place", r"Ste\.(?=\s[A-Z][a-z])", always("Saint")),  # “Sault Ste. Marie”
    # “Blvd. Haussmann”, “Ave. of the Americas”.
    rule(
        "place",
        r"(?P<short>Ave|Blvd)\.(?=\sof\sthe\s|(?<=d\.)\s[A-Z])",
        lambda match, _: STREETS[match["short"]],
    ),
    rule("place", r"(?P<short>Ave|Blvd|Rd|Ln|Ct|Sq|Pl|Pkwy|Hwy|Terr)\b\.?(?!['’\w-])", _street),
    rule("name", rf"(?P<short>{'|'.join(AFTER_ORDINAL)})\b\.?(?!['’\w-])", _after_ordinal),
    rule("title", r"GEN(?=:)", always("General")),  # of a letter
    rule("title", rf"(?P<short>(?i:{'|'.join(TITLES)}))\b\.?(?!['’\w-])", _title),
    rule("name", r"(?P<short>[JS]r)\b\.?(?!['’\w-])", _junior),
    rule("name", rf"Co\.(?=,\s(?:{_SHORT_STATES}|{_CODES})(?!\w))", _county),
    rule("name", r"Co\b\.?(?=\s(?:" + _COUNTIES + r")\b)", always("County")),
    rule("name", r"(?:(?<=&\s)|(?<=and\s))Co\.(?=['’]s\b)", always("Company")),
    rule(
        "name",
        r"(?:(?<=[\w&,]\s)Co\.|(?:(?<=&\s)|(?<=and\s))Co\b|(?<=&\s)CO\b\.?)(?![\w'’-])",
        always("Company"),
    ),
    rule("name", r"CO\.(?=[,\n]|\s\d|\Z)(?<=[A-Z]{2}\sCO\.)", always("Company")),
    # “D-Calif.”: the party and the state of a member of Congress.
    rule("state", rf"(?<=\b[DRI]-)(?:{_SHORT_STATES})(?!\w)", lambda match, _: STATES[match[0]]),
    rule("state", rf"{_AFTER_CITY}(?:{_SHORT_STATES})(?!\w)", _state),
    rule("state", rf"(?<=[A-Z]{{2}},[ \u00a0])(?:{_CAPITAL_STATES})(?!\w)", _capital_state),
    rule("state", r"(?<=[A-Z]{2},[ \u00a0])MISS\.(?=,|\s?[—–]|--)", always("Mississippi")),
    rule("state", rf"{_AFTER_CITY}HI(?=\s\([A-Z]|[,;)]|\s\d{{5}})", _state),
    rule("state", rf"{_AFTER_CITY}(?:{_CODES})(?=[\s\u00a0]\d{{5}}|[,.;:!?)]|\s[a-z(]|\Z)", _state),
)
