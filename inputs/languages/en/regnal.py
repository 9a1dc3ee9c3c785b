"""Numbers of monarchs and popes in English: “Henry the Eighth”, “Louis the Fourteenth's”.

Also of people named after a father and grandfather: “John D. Rockefeller the Third”.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.numbers import ordinal
from audiomill.inputs.languages.en.roman import FIRST_WORDS
from audiomill.inputs.spoken.roman import roman_value
from audiomill.inputs.spoken.rules import ROMAN, Context, Rule, rule

NAMES = frozenset(
    (
        # Britain and Ireland
        *("Henry", "Edward", "Richard", "William", "George", "James", "Charles", "John"),
        *("Elizabeth", "Mary", "Anne", "Victoria", "Edmund", "Harold", "Aethelred", "Ethelred"),
        *("Malcolm", "David", "Robert", "Alexander", "Kenneth", "Donald", "Constantine"),
        *("Duncan", "Brian", "Llywelyn"),
        # France, Iberia, Italy
        *("Louis", "Philip", "Philippe", "Francis", "François", "Henri", "Hugh", "Lothair"),
        *("Pepin", "Childeric", "Clovis", "Dagobert", "Theuderic", "Chilperic", "Napoleon"),
        *("Napoléon", "Alfonso", "Afonso", "Pedro", "João", "Joao", "Manuel", "Sancho"),
        *("Ferdinand", "Fernando", "Isabella", "Isabel", "Carlos", "Felipe", "Ramiro", "Ordoño"),
        *("Sebastian", "Umberto", "Emmanuel", "Humbert", "Amadeus", "Cosimo", "Roger", "Manfred"),
        *("Frederick", "Joanna"),
        # Germany, Austria, the Low Countries, the North
        *("Otto", "Conrad", "Rudolf", "Rudolph", "Maximilian", "Sigismund", "Leopold", "Joseph"),
        *("Wilhelm", "Friedrich", "Karl", "Heinrich", "Ludwig", "Ernst", "Augustus", "August"),
        *("Albert", "Baudouin", "Christian", "Haakon", "Olav", "Olaf", "Harald", "Magnus"),
        *("Erik", "Eric", "Gustav", "Gustavus", "Adolphus", "Carl", "Oscar", "Valdemar"),
        *("Margrethe", "Margaret", "Sweyn", "Cnut", "Canute", "Håkon", "Gustaf", "Leonard"),
        *("Rupert",),
        # The East
        *("Ivan", "Peter", "Catherine", "Paul", "Nicholas", "Feodor", "Fyodor", "Vasily"),
        *("Vladimir", "Boris", "Casimir", "Stanislaus", "Stanisław", "Vladislaus", "Ladislaus"),
        *("Stephen", "Béla", "Bela", "Andrew", "Matthias", "Mircea", "Michael", "Simeon"),
        *("Bohemond", "Baldwin", "Zog", "Ottokar", "Wenceslaus", "Bolesław", "Boleslaw", "Géza"),
        *("Milan", "Carol"),
        # Antiquity and Byzantium
        *("Ramesses", "Ramses", "Rameses", "Thutmose", "Amenhotep", "Amenemhat", "Seti"),
        *("Ptolemy", "Cleopatra", "Antiochus", "Seleucus", "Demetrius", "Darius", "Xerxes"),
        *("Artaxerxes", "Cyrus", "Cambyses", "Mithridates", "Mithradates", "Attalus", "Eumenes"),
        *("Shalmaneser", "Pileser", "Sargon", "Nebuchadnezzar", "Justinian", "Justin"),
        *("Theodosius", "Valentinian", "Basil", "Romanos", "Alexios", "Andronikos", "Heraclius"),
        *("Leo", "Tiberius", "Khosrow", "Shapur", "Pepi", "Mentuhotep", "Psamtik", "Arcesilaus"),
        *("Archelaus", "Herod", "Agrippa", "Dionysius", "Hieron", "Perseus"),
        # Islam, Asia, Africa, the Pacific
        *("Mehmed", "Mehmet", "Murad", "Selim", "Suleiman", "Bayezid", "Ahmed", "Mahmud"),
        *("Hamid", "Mustafa", "Osman", "Abdullah", "Abdulhamid", "Hussein", "Hassan", "Mohammed"),
        *("Muhammad", "Faisal", "Farouk", "Fuad", "Abbas", "Rama", "Menelik", "Tewodros"),
        *("Yohannes", "Akbar", "Moctezuma", "Montezuma", "Kamehameha", "Pomare", "Moshoeshoe"),
        *("Sobhuza", "Letsie"),
        # Popes
        *("Pius", "Benedict", "Gregory", "Clement", "Innocent", "Urban", "Boniface", "Sixtus"),
        *("Julius", "Adrian", "Hadrian", "Eugene", "Eugenius", "Martin", "Celestine", "Honorius"),
        *("Callixtus", "Calixtus", "Sylvester", "Marcellus", "Lucius", "Paschal", "Gelasius"),
        *("Nicolas", "Victor", "Damasus", "Felix", "Sergius", "Formosus", "Agapetus", "Pelagius"),
    )
)
TITLES = (
    "King|Queen|Pope|Emperor|Empress|Tsar|Czar|Tsarina|Kaiser|Sultan|Pharaoh|Prince|Princess|Duke"
    "|Archduke|Shah|Caliph|Patriarch|Antipope|Count|Margrave|Elector|Landgrave|Doge|Khan|Monarch"
)


_TITLED = re.compile(rf"\b(?:{TITLES})\s(?:[^\W\d_]{{1,20}}\s){{0,2}}\Z", re.IGNORECASE)
_REIGN = re.compile(
    r"\b(?:reign|court|death|coronation|accession|execution|son|daughter|widow|wife|crown|age|tomb"
    r"|days|time|army|portrait|statue|successor|heir|restoration|abdication|murder)\sof\s\Z"
    r"|\bunder\s\Z",
    re.IGNORECASE,
)
# What follows the numeral I, but not the pronoun.
_AFTER_FIRST = re.compile(
    r"['’]s\b|[,;:)\]]|\.(?:[\"'”’)\s]|\Z)|\sof\s(?:the\s)?[A-Z]|\s\((?:r\.|c\.|d\.|b\.)?\s?\d|\s?\Z"
    r"|\sand\s[A-Z][^\W\d_]{1,20}\s[IVX]{1,6}\b"
)
# What a king does or is, and “I” hardly: “King Charles I was executed”.
_AFTER_A_KING = words(
    """
    was is has had and who to in at by died became ruled reigned succeeded granted married himself
    herself from on for
    """
)
_INITIAL = re.compile(r"\.\s?([A-Z][^\W\d_]*)")
_SURNAME = re.compile(r"(?:([A-Z][^\W\d_]{1,20})|[A-Z]\.)\s[A-Z][^\W\d_]{1,20},?\s\Z")
_MOST = 33  # Ramesses had 11 namesakes, John XXIII 22


def _regnal(match: re.Match[str], context: Context) -> str | None:
    name, numeral = match["name"], match["roman"]
    value = roman_value(numeral)
    before = context.text_before(match.start())
    titled = bool(_TITLED.search(before))
    if value is None or value > _MOST or not (titled or name.capitalize() in NAMES):
        return None
    if numeral == "X" and name.capitalize() in {"Malcolm", "Michael"}:
        return None
    if match.start("roman") not in context.numerals:
        if len(numeral) == 1 and _is_initial(match, context, titled=titled):
            return None
        if numeral == "I" and not _is_first(match, context, before, titled=titled):
            return None
    said = f"{name} the {ordinal(value).capitalize()}"
    second = roman_value(match["second"] or "")
    if second is None or not value < second <= _MOST:
        return None if match["second"] else said
    joined = "and" if "and" in match["join"] else "to"
    return f"{said} {joined} the {ordinal(second).capitalize()}"


def _is_initial(match: re.Match[str], context: Context, *, titled: bool) -> bool:
    """True for the letter in “Henry V. Smith”, but not at the end of a sentence."""
    follows = _INITIAL.match(context.text, match.end())
    return bool(follows) and not titled and follows[1] not in FIRST_WORDS


def _is_first(match: re.Match[str], context: Context, before: str, *, titled: bool) -> bool:
    """True if “I” after a name cannot be the pronoun, as in “the Duke of York I saw”."""
    numbered = match[0].endswith(".")  # “Kamehameha I. were cousins”
    if numbered or _REIGN.search(before) or _AFTER_FIRST.match(context.text, match.end()):
        return True
    following = context.word_after(match.end())
    if not titled or not following.islower():
        return titled
    return match["name"].capitalize() in NAMES and following in _AFTER_A_KING


def _namesake(match: re.Match[str], context: Context) -> str | None:
    """The number after a whole name: a first name or an initial, and a surname."""
    before = context.text_before(match.start())
    found = _SURNAME.search(before)
    if not found or (found[1] and found[1] not in NAMES):
        return None
    value = roman_value(match["roman"])
    if not value or (value > 4 and not (found[1] and value <= _MOST)):
        return None  # “James P. X”
    return f"the {ordinal(value).capitalize()}"


RULES: tuple[Rule, ...] = (
    rule(
        "regnal",
        r"""(?P<name>[A-Z][^\W\d_]{1,20})[\s\u00a0](?P<roman>[IVX]{1,7})
        (?P<join>[–-]|\s(?:and|to)\s)(?P<second>[VX][IVX]{0,6}|I[IVX]{1,6})(?![\w'’])""",
        _regnal,
    ),
    rule(
        "regnal",
        r"""(?P<name>[A-Z][^\W\d_]{1,20})[\s\u00a0](?P<roman>[IVX]{1,7})
        (?P<second>)(?!\w|['’](?:m|ve|d|ll|t)\b|[-‑]{1,3}[a-z][-‑])(?:\.(?=[,;]|\s[a-z]))?""",
        _regnal,
    ),
    rule(ROMAN, r"(?P<roman>II|III|IV|[VX][IVX]{1,5})(?![\w-])", _namesake),
)
