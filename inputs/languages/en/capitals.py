"""English words in capitals: initialisms are spelled, acronyms and emphasis are said as words.

Spoken forms follow The Chicago Manual of Style (17th ed.), 10.2 and 10.6: an initialism is said
letter by letter (BBC), an acronym as a word (NASA). Capitals that no table knows are a word if
English could spell a word so and they have four letters, or stand among other capitals.
"""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import words
from audiomill.inputs.languages.en.letters import in_capitals, is_pronounceable, spell
from audiomill.inputs.spoken.roman import roman_value
from audiomill.inputs.spoken.rules import Context, Rule, rule

_RESPELLED = {
    "JPEG": "jay peg",
    "MPEG": "em peg",
    "ASCII": "askey",
    "GUI": "gooey",
    "WYSIWYG": "wizzywig",
    "EPUB": "e-pub",
    "JSON": "jason",
    "YAML": "yaml",
    "WWI": "World War One",
    "WWII": "World War Two",
    "OK": "okay",
    "STDIN": "standard in",
    "STDOUT": "standard out",
    "STDERR": "standard error",
    "IEEE": "I triple E",
    "NAACP": "N double A C P",
    "NCAA": "N C double A",
    "USAID": "U S aid",
    "IAAF": "I double A F",
    "LCROSS": "L cross",
    "PAC": "pack",
    "IUPAC": "I U pack",
    "EBITDA": "ebit da",
    "DR": "doctor",
    "MS": "M S",
    "ETC": "et cetera",
    "ESQ": "esquire",
    "LTD": "Limited",
}
# These look like words or Roman numerals, and are spelled.
_SPELLED = words(
    """
    AARP ACLU ACSI AI AKA API APR ASAP ATM AV BA CAD CAT CD CC CEO CFO CGI CIA CIO COO CPU CV DC DA
    DIY DM DNA EC ECG EEG EEOC EFL EMI EP ER ESL ESP ETA EU EUR FAQ FBI FDA GCSE GDP GI GNP GPA GPU
    HBO HIV HR IBM ICU ID IDE IMF INS IOU IP IPA IQ IRA IRS ISBN ISO ISP IUD IVF KGB LA LED
    LP MA MC MD MI MIT MO MP NBA NE NGO NHS NSA OAP OECD OED OMB PA PC PE PHD PI PIN-UP PO POV PR
    RAF RNA ROI RSVP SEO SOS SUV TA UAE UCLA UFO UI UK UN UNIA URL USA USB USD USSR UV VAT VIP VO WC
    AEAD CI CLI EITI ISSO OBS RSSI SAIC USCIS XL XML YMCA YWCA
    """
)
# They are words among other words in capitals: “THE CAT AND THE FIDDLE”.
_WORDS_IN_RUNS = frozenset(("CAT", "CAD", "LED"))
# Common words of two and three letters. Other capitals as short as these are spelled.
SHORT_WORDS = words(
    """
    am an as at be by do go ha he hi if in is it me my no of oh on or ow so to up us we ye act
    add age ago aid aim air all and any are arm art ask ate bad bag bed beg bet big bit boo boy
    bus but buy bye can car cat cry cup cut dad day dee did die dig dim dog due dum ear eat egg end
    eye far fat few fit fix fly for fox fun gas get god got gun guy had ham has hat her hey him his
    hit hot how huh ice ill its jam jar job joy key kid lab lad law lay leg let lid lie lip lot
    low mad man map max may men mix mom mud mum new nor not now nun nut oak odd off oil old one our
    out own pan pay pen pet pie pig pin pop pot put ram ran rat raw red rid rip rod row run sad
    saw say sea see set sex she shy sin sir sit six sky son spy sum sun tab tax tea tell ten the tie
    tip toe ton too top toy try two ugh use van wad war was way wet who why win wit won woo wow
    yes yet you zip zoo rom sim lan fed nor per via yep nah eve elf inn sis bro ash awe fir sow
    hen cow ere bee fee wee oar ore owl axe jaw mug rug rub sob tar tub wig wax web
    ant ape bow box bun cab cot cub den dew dye eel elk elm emu fig foe fog foo gin gum hag hay
    hip hop hug hum hut ink ivy jug keg kin lap mop nap nod pea peg rag rib rot rum rye tow
    tug vow yak sly wed wry hew lax lye nag nay nip pry pun pup sag sip sup thy vat vex vie yea yew
    ado aft ale arc ass bar bat bay bid bin bum cap dam dip dot dry dug ebb err fro fur gap gay gem
    gig hem hue icy jet lee lit log mat mob net owe pal pew pit rap rig rim rob rue sod tan tap
    tin wan woe yon ben bob dan jay jim joe kit meg ned ray roy sue ted tom
    """
)
# Acronyms that are said as the short words they look like.
_SHORT_ACRONYMS = words(
    """
    aid bus fan gas gut lab lan pet pin ram ran rem rip rom sad sam sim sin
    """
)
# They stay small in a title: The Chicago Manual of Style, 8.159.
_SMALL = words(
    """
    a an the and but or nor for of in on at by to as from with is
    """
)
_ARTICLES = frozenset(("the", "a", "an"))
# What “IT” stands before where it is information technology, and no stressed “it”.
_TECHNICAL = words(
    """
    department support manager staff team sector industry company consultant systems specialist
    skills service services guy worker people folks person person's shop work world leader leaders
    project projects program programs budget budgets spending costs infrastructure office offices
    director system pro pros group environment environments solutions products professional
    professionals assets resources policies job jobs firm firms giant teams contracts contractors
    vendors purchases hardware workforce reform outsourcing training procurement portfolio strategy
    help helpdesk governance standards executive executives needs experts expertise
    """
)
_NOUN_ENDING = re.compile(r"[a-z]{3,}(?:[ts]ion|ment|ity|ance|ence)s?")
# Before it too: a stressed “it” follows a verb.
_BEFORE_TECHNICAL = words(
    """
    the an in our their your its my for and or of federal government agency health enterprise
    corporate legacy modern internal central commercial traditional public better
    """
)
_SEQUENCE = re.compile(r"[ACGTU]{6,}")  # of bases in DNA or RNA
_BEGINS = re.compile(r"(?:\A|[A-Z]{2},\s|[.!?:—][\"'”’)]*\s+|[“‘\"(\[])['‘“\"]*\Z")
_AFTER_STROKE = re.compile(r"[/–]([A-Z]{2,4})(?![^\W_])")
_BEFORE_STROKE = re.compile(r"(?<![^\W_])([A-Z]{2,4})[/–]\Z")
# No word begins so, but for these few: “EEOC”, “IORB”.
_ODD_VOWELS = re.compile(r"(?!e+ons?\Z|eels?\Z|eerie)(?:ee|aa|ii|uu|ao|uo|eo|iu|ue)|io(?![wtn])")
# Nor has any word of four or five letters such a middle: “UTXO”, “OCFO”, “IGCA”.
_ODD_MIDDLE = re.compile(
    r"[aeiou](?:c[bdfgp]|g[cfkp]|t[fgx]|b[cfgkx]|p[cfkx]|k[fgx]|f[cgkpx])[aeiou]"
)
_AFTER_HEALTH = words(
    """
    chief data director expert experts guideline guidelines headquarters official officials
    recommendation recommendations scientists spokesman spokesperson spokeswoman staff standards
    """
)
_HEALTH = re.compile(
    r"\b(?:the WHO|World Health|CDC)\b|\(WHO\)"
    r"|\b[A-Z]{2,6},\sWHO,?\s(?:and|or)\s[A-Z]{2}|\b[A-Z]{2,6},?\s(?:and|or)\sWHO\b"
)
# The name of a speaker, alone or with what the speaker does, and one of those at a brace.
# “ANN. What?” begins a speech, and “IDA B. WELLS” is a name.
_SPEECH = re.compile(r"\.\s+[\[(“\"'A-Z]")
_INITIALS = re.compile(r"(?:\s[A-Z]\.){1,2}\s[A-Z]{3}")
_SPEAKER = re.compile(r"[A-Z]{3,20}(?:\.|\.?\s?[\[(][a-z][^\])]{1,80}[\])]\.?|\s+\}.{0,80})")
_DEGREES = {"PhD": "P H D", "DPhil": "D Phil", "MSc": "M S C", "BSc": "B S C", "MEd": "M Ed"}


def _is_letters_by_context(caps: str, before: str, after: str, text: str) -> bool | None:
    """Whether “US”, “IT”, “WHO”, “AM” are letters here; None for all others."""
    if caps == "US":
        return before.lower() == "the" or not (in_capitals(before) and _looks_like_word(before))
    if caps == "IT":
        return _is_technology(before, after)
    if caps in {"AS", "AD"} and after.lower() in {"curve", "curves", "model", "diagram"}:
        return True
    if caps in {"AS", "IS", "AD"} and before in {"a", "an", "An", "A", "the", "The"}:
        return True  # “an AS curve”
    if caps == "WHO":
        known = before in {"the", "The"} or after in _AFTER_HEALTH
        return known or bool(_HEALTH.search(text))
    if caps in {"AM", "FM"}:
        return after.lower() in {"radio", "station", "band"} or before in {"and", "or"}
    if caps in {"SAT", "ACT"}:
        return before in _ARTICLES and after.lower() not in {"of", "to"} and caps == "SAT"
    return None


def _is_technology(before: str, after: str) -> bool:
    """Whether “IT” is information technology; among other capitals it is the pronoun."""
    if in_capitals(before) and _looks_like_word(before):
        return False
    known = before.lower() in _BEFORE_TECHNICAL or after.lower() in _TECHNICAL
    return known or bool(_NOUN_ENDING.fullmatch(after))


def _is_introduced(caps: str, text: str) -> bool:
    """Whether the text says what the letters stand for: “sterile insect technique (SIT)”."""
    # Four letters are a word more often, but for those of vowels: “(ICAI)”.
    if len(caps) == 4 and sum(one in "AEIOU" for one in caps) > 2 and f"({caps})" in text:
        return True
    if len(caps) > 3 or caps.lower() in _SHORT_ACRONYMS or (at := text.find(f"({caps})")) < 0:
        return False
    initials = "".join(word[0] for word in re.split(r"[\s-]+", text[max(0, at - 80) : at]) if word)
    return initials.upper().endswith(caps)


def _is_paired(match: re.Match[str], text: str) -> bool:
    """Whether a stroke joins two words to other letters: “AD/AS”, “IS–LM”."""
    found = _AFTER_STROKE.match(text, match.end()) or _BEFORE_STROKE.search(
        text, max(0, match.start() - 6), match.start()
    )
    if not found or len(match["caps"]) > 3:
        return False
    other = found[1].lower()
    return other not in SHORT_WORDS and not (len(other) > 3 and is_pronounceable(other))


def _in_run(match: re.Match[str], context: Context) -> bool:
    """Whether capitals stand beside others that are no initialism."""
    if match["end"] == "s":  # “SMEs”: a heading has no small letters
        return False
    near = (context.word_before(match.start()), context.word_after(match.end()))
    return any(in_capitals(one) and _looks_like_word(one) for one in near)


def _is_speaker(match: re.Match[str], text: str) -> bool:
    if _INITIALS.match(text, match.end()) or _SPEAKER.fullmatch(text):
        return True
    return match.start() == 0 and bool(_SPEECH.match(text, match.end()))


def _is_plural_part(match: re.Match[str], text: str) -> bool:
    """“TIP-UPS”: the plural of a short word after a hyphen; alone it is an initialism."""
    after_hyphen = match.start() > 1 and text[match.start() - 1] == "-"
    plural = match["caps"].lower()
    return after_hyphen and plural.endswith("s") and plural[:-1] in SHORT_WORDS


def _looks_like_word(caps: str) -> bool:
    """Whether capitals may be of a heading or a cry, unlike “GSA” and “HTTP”."""
    lower = caps.lower()
    if caps in _SPELLED:
        return False
    if not caps.isalpha():  # “3RD”
        return True
    is_long = len(caps) > 3 and re.search("[aeiouy]", lower)
    return lower in SHORT_WORDS or is_pronounceable(lower) or bool(is_long)


def _is_stressed(match: re.Match[str], text: str) -> bool:
    """Whether it is the stressed syllable of a respelling: “duh-VOR-zhahk”."""
    ends = text[match.end("caps") : match.end("caps") + 2]
    begins = text[max(0, match.start() - 2) : match.start()]
    return bool(re.fullmatch("-[a-z]", ends) and re.fullmatch("[a-z)]-", begins))


def _is_word(caps: str, *, in_run: bool) -> bool:
    lower = caps.lower()
    if lower in SHORT_WORDS or not caps.isalpha():
        return True
    if len(caps) > 3 and not caps.isascii():  # “MAHÉ”, “BJØRG”: names of other languages
        return True
    if len(caps) < 4:
        return in_run and is_pronounceable(lower)
    is_odd = _ODD_VOWELS.match(lower) or _ODD_MIDDLE.match(lower)
    if not in_run and len(caps) < 6 and is_odd:
        return False
    likely = (in_run and len(caps) > 4) or len(caps) > 5
    return is_pronounceable(lower) or (likely and bool(re.search("[aeiouy]", lower)))


def _capitalized(lower: str) -> str:
    first = 2 if re.match("[od]['’]", lower) else 0
    return lower[:first].capitalize() + lower[first:].capitalize()


def _word(caps: str, match: re.Match[str], context: Context, *, in_run: bool) -> str:
    lower = caps.lower()
    begins = _BEGINS.search(context.text_before(match.start(), 5))
    if begins or lower.startswith(("i'", "i’")) or (in_run and lower not in _SMALL):
        return _capitalized(lower)
    return lower


def _letters(match: re.Match[str]) -> str:
    end = match["end"] or ""
    if end == "s":
        end = "'s"  # engines take a bare “Ps” for two letters
    return spell(match["caps"]) + end.lower() + (" " if match["join"] else "")


def _capitals(match: re.Match[str], context: Context) -> str | None:
    caps, rest = match["caps"], (match["end"] or "") + (match["join"] or "")
    before, after = context.word_before(match.start()), context.word_after(match.end())
    letters = _is_letters_by_context(caps, before, after, context.text)
    if caps == "OH" and context.text[: match.start()].endswith(("–", "−", "-")):
        letters = not in_capitals(after)  # “the –OH group” of chemistry
    if caps in _RESPELLED and letters is None:
        return _RESPELLED[caps] + rest.replace("-", " ")
    in_run = _in_run(match, context) or _is_stressed(match, context.text)
    in_run = in_run or _is_speaker(match, context.text) or _is_plural_part(match, context.text)
    spelled = (caps in _SPELLED and not (in_run and caps in _WORDS_IN_RUNS)) or _SEQUENCE.fullmatch(
        caps
    )
    spelled = spelled or _is_paired(match, context.text)
    if _is_introduced(caps, context.text) or letters or (letters is None and spelled):
        return _letters(match)
    if roman_value(caps) and caps.lower() not in SHORT_WORDS:
        return None
    if letters is False or _is_word(caps, in_run=in_run):
        return _word(caps, match, context, in_run=in_run) + rest.lower()
    return _letters(match)


def _key(match: re.Match[str], _: Context) -> str:
    """“control C” for “CTRL-C”, “alt enter” for “ALT-ENTER”."""
    said = "alt" if match["key"] == "ALT" else "control"
    return f"{said} " if match["join"] else said


def _and(match: re.Match[str], _: Context) -> str:
    return " and ".join(map(spell, match[1].split("&"))) + ("'s" if match[2] else "")


def _degree(match: re.Match[str], _: Context) -> str:
    return _DEGREES[match[1]] + ("'s" if match[2] else "")


def _battery(match: re.Match[str], _: Context) -> str:
    return "triple A" if len(match[0]) > 2 else "double A"


# A whole word in capitals, "KING'S" too. Neither digits nor small letters but "s" belong to it.
_CAPITALS = r"""
    (?P<caps>(?=[A-ZÀ-ÖØ-Þ]['’]?[A-ZÀ-ÖØ-Þ])[A-ZÀ-ÖØ-Þ]++(?:['’][A-ZÀ-ÖØ-Þ]++)*+)
    (?P<end>['’]?s(?![^\W_]))?
    (?![^\W_])
    (?P<join>-(?=[^\W\d_]))?
"""

RULES: tuple[Rule, ...] = (
    rule("key", r"(?P<key>C(?:TRL|trl)|ALT(?=[-+][A-Z/]))(?![^\W_])(?P<join>-(?=\w))?", _key),
    rule("initialism", r"([A-Z]{1,3}&[A-Z]{1,3})(['’]?s)?(?![^\W_])", _and),
    rule("degree", r"(PhD|DPhil|MSc|BSc|MEd)(['’]?s)?(?![^\W_])", _degree),
    rule("battery", r"A{2,3}(?=\s(?:\w+\s)?(?:batter|cell|alkaline|NiMH))", _battery),
    rule("capitals", _CAPITALS, _capitals),
)
