"""English: abbreviations, how speech is printed, and the words of audiomill itself.

An abbreviation has what is said for it, and whether its full stop ends a sentence.
Spoken forms follow The Chicago Manual of Style (17th ed.), chapter 10, and New Hart's Rules,
chapter 10, which print British ones without full stops: so the keys here have none.
"""

from __future__ import annotations

from dataclasses import replace

from audiomill.inputs.languages.declaration import (
    LATIN,
    Abbreviations,
    Announcements,
    CreditsWording,
    DialogueConventions,
    words,
)

# With a full stop. In small letters, these are written at the beginning of a sentence too.
_WITH_STOP = {
    "etc": "et cetera",
    "viz": "namely",
    "æt": "aged",
    "ætat": "aged",
    "cf": "compare",
    "vs": "versus",
    "ibid": "ibid",
    "approx": "approximately",
    "dept": "department",
    "depts": "departments",
    "govt": "government",
    "misc": "miscellaneous",
    "assn": "association",
    "assoc": "association",
    "asst": "assistant",
    "univ": "university",
    "intl": "international",
    "natl": "national",
    "educ": "education",
    "yr": "year",
    "yrs": "years",
    "hr": "hour",
    "hrs": "hours",
    "wk": "week",
    "wks": "weeks",
    "tsp": "teaspoon",
    "tbsp": "tablespoon",
    "pkg": "package",
    "bibl": "bibliography",
    "equiv": "equivalent",
    "publ": "published",
    "bldg": "building",
    "incl": "including",
    "excl": "excluding",
    "esp": "especially",
    "orig": "originally",
    "tel": "telephone",
    "hosp": "hospital",
    "mfg": "manufacturing",
    "mgr": "manager",
    "mgmt": "management",
    "attn": "attention",
    "anon": "anonymous",
    "feb": "February",
    "sept": "September",
    "oct": "October",
    "nov": "November",
    "dec": "December",
    "apr": "April",
    "aug": "August",
    "mon": "Monday",
    "tues": "Tuesday",
    "tue": "Tuesday",
    "thurs": "Thursday",
    "thur": "Thursday",
    "thu": "Thursday",
    "fri": "Friday",
    "messrs": "messers",
    "mmes": "mesdames",
    "thos": "Thomas",
    "wm": "William",
    "geo": "George",
    "chas": "Charles",
    "jas": "James",
    "robt": "Robert",
    "benj": "Benjamin",
    "ltd": "limited",
    "corp": "corporation",
    "inc": "incorporated",
    "bros": "brothers",
    "esq": "esquire",
}
# Those of them that are other words in small letters.
CAPITALIZED = words(
    """
    feb sept oct nov dec apr aug mon tues tue thurs thur thu fri thos wm chas jas robt benj geo inc
    messrs anon
    """
)
# Words when no month or weekday is meant: only after words that tell of time.
AFTER_TIME = {
    "Jan": "January",
    "Mar": "March",
    "Jun": "June",
    "Jul": "July",
    "Sep": "September",
    "Wed": "Wednesday",
    "Sat": "Saturday",
    "Sun": "Sunday",
}
# With or without a name, and a full stop.
ADDRESSES = {
    "Mr": "Mister",
    "Mrs": "Missus",
    "Ms": "Miz",
    "Mme": "Madame",
    "Mlle": "Mademoiselle",
    "Messrs": "Messers",
}
# Before a name.
TITLES = {
    "Capt": "Captain",
    "Lieut": "Lieutenant",
    "Lt": "Lieutenant",
    "Col": "Colonel",
    "Gen": "General",
    "Maj": "Major",
    "Sgt": "Sergeant",
    "Cpl": "Corporal",
    "Pvt": "Private",
    "Brig": "Brigadier",
    "Adm": "Admiral",
    "Cmdr": "Commander",
    "Cdr": "Commander",
    "Comdr": "Commander",
    "Rev": "Reverend",
    "Revd": "Reverend",
    "Fr": "Father",
    "Prof": "Professor",
    "Gov": "Governor",
    "Sen": "Senator",
    "Rep": "Representative",
    "Pres": "President",
    "Supt": "Superintendent",
    "Insp": "Inspector",
    "Mt": "Mount",
    "Ft": "Fort",
    "Dr": "Doctor",
    "Amb": "Ambassador",
    "Atty": "Attorney",
    "Det": "Detective",
    "Bp": "Bishop",
    "Abp": "Archbishop",
    "Ens": "Ensign",
    "Pt": "Point",
}
# After an ordinal: “the 2nd Bn.”, “the 9th Cir.”
AFTER_ORDINAL = {
    "Bn": "Battalion",
    "Btn": "Battalion",
    "Regt": "Regiment",
    "Div": "Division",
    "Inf": "Infantry",
    "Cav": "Cavalry",
    "Lt": "Lieutenant",
    "Lieut": "Lieutenant",
    "Cir": "Circuit",
    "Cong": "Congress",
    "Dist": "District",
    "Sess": "Session",
}
# After a name.
STREETS = {
    "Ave": "Avenue",
    "Blvd": "Boulevard",
    "Rd": "Road",
    "Ln": "Lane",
    "Ct": "Court",
    "Sq": "Square",
    "Pl": "Place",
    "Pkwy": "Parkway",
    "Hwy": "Highway",
    "Terr": "Terrace",
    "St": "Street",
    "Dr": "Drive",
}
# The singular, and the abbreviations of the singular and of the plural.
_PARTS = (
    ("number", "no num", "nos"),
    ("chapter", "ch chap chapt", "chs chaps"),
    ("page", "p pg", "pp pgs"),
    ("volume", "vol", "vols"),
    ("figure", "fig", "figs"),
    ("section", "sec sect", "secs sects"),
    ("article", "art", "arts"),
    ("line", "l", "ll"),
    ("verse", "v", "vv"),
    ("note", "n", "nn"),
    ("appendix", "app", "apps"),
    ("paragraph", "para par", "paras pars"),
    ("book", "bk", "bks"),
    ("part", "pt", "pts"),
    ("column", "col", "cols"),
    ("clause", "cl", "cls"),
    ("equation", "eq eqn", "eqs eqns"),
    ("table", "tab", "tabs"),
    ("plate", "pl", "pls"),
    ("example", "ex", "exs"),
    ("scene", "sc", ""),
    ("folio", "fol", "fols"),
    ("stanza", "st", "sts"),
    ("apartment", "apt", "apts"),
    ("suite", "ste", ""),
    ("room", "rm", "rms"),
    ("route", "rte rt", "rtes"),
    ("highway", "hwy", ""),
    ("opus", "op", ""),
    ("extension", "ext", ""),
    ("theorem", "thm", "thms"),
    ("lemma", "lem", ""),
    ("proposition", "prop", "props"),
    ("corollary", "cor", ""),
    ("definition", "def", "defs"),
    ("series", "ser", ""),
    ("division", "div", "divs"),
)
_PLURALS = {"appendix": "appendices", "opus": "opuses"}
_PART_NAMES = {
    short: name if index == 0 else _PLURALS.get(name, f"{name}s")
    for name, *shorts in _PARTS
    for index, group in enumerate(shorts)
    for short in group.split()
}
MANY_PARTS = frozenset(short for _, _, many in _PARTS for short in many.split())

ABBREVIATIONS = Abbreviations(
    always=_WITH_STOP,
    before_number=_PART_NAMES,
    before_name=TITLES,
    never_end=LATIN
    | words(
        """mr mrs ms mx dr prof rev revd lt col gen sgt capt cpl pvt maj adm cmdr cdr hon gov sen
        rep pres fr messrs mssrs mme mlle mt supt insp lieut sergt atty det bp abp esp incl approx
        ca geo chas thos benj robt jas wm"""
    ),
    may_end=words(
        """jr sr st co ave rd blvd est al jan jun jul sep inst dist calif mass penn conn minn tenn
        mich wash"""
    ),
    number_follows=words("c ed line yrs mos lib cap fax Jan Mar Jun Jul Sep Wed Sat Sun"),
    starters=words(
        """the he she it they we you this that these those there then but and so when what who
        why how where in on at if as for after before yet now here his her its their my our your
        not no yes nobody nothing everyone every all some one"""
    ),
    short_words=words(
        "ah am an as at be by do go he hi if in is it me my no of oh on or so to up us we"
    ),
)

ANNOUNCEMENTS = Announcements(
    "Note", "Code", "Image", "empty", "Table, rows: {rows}, columns: {columns}"
)
CREDITS = CreditsWording(
    "{title}[: {subtitle}][, by {author}][, translated by {translator}]. Read by {narrator}.",
    "The end of {title}[, by {author}]. Read by {narrator}.",
    and_word="and",
    before_author=("by", "written by"),
)

DEMO_SENTENCE = "Good evening. This is how I sound when I read you a book."


_SAID = """said cried replied answered asked exclaimed shouted whispered muttered murmured yelled
screamed demanded inquired enquired retorted responded stammered declared insisted announced
admitted"""
DIALOGUE = DialogueConventions(
    pairs=(("“", "”"), ('"', '"')),
    verbs=words(
        _SAID
        + """ says called began continued added observed remarked returned growled sighed laughed
        snapped repeated agreed suggested explained protested gasped groaned hissed sobbed
        interrupted ventured urged pleaded begged warned promised persisted resumed roared bellowed
        mumbled grumbled wondered thought told saying crying asks replies cries""",
    ),
    name_first_verbs=words(_SAID + " says asks"),
    titles=r"Mr\.?|Mrs\.?|Ms\.?|Miss|Dr\.?|Doctor|Sir|Lady|Lord|Captain|Colonel|Major|Professor"
    r"|Father|Mother|Uncle|Aunt|Inspector|Sergeant|King|Queen|Prince|Princess",
    no_names=words(
        """He She It They We You The A An This That These Those There Then Nobody Everybody Everyone
        Someone Somebody Anyone One Both Neither All Another His Her Their My Your Our Its Who What
        But And So As When If At In On Now Here No Yes Not Only For From With After Before Each Some
        Several Many Most Few Two Three"""
    ),
)
# With single quotation marks outside, as most British books are printed.
DIALOGUE_SINGLE = replace(DIALOGUE, pairs=(("‘", "’"), ("'", "'")))
