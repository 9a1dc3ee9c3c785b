"""Rules for abbreviations, signs and addresses on the web in European languages."""

from __future__ import annotations

import re
from collections.abc import Mapping

from audiomill.inputs.languages.abbreviations import Abbreviations, words
from audiomill.inputs.spoken.european import names
from audiomill.inputs.spoken.european.counting import SPACE, alternatives
from audiomill.inputs.spoken.european.language import LanguageWords
from audiomill.inputs.spoken.rules import NEAR, Context, Rule

_DOMAINS = (
    "com|org|net|edu|gov|info|io|eu|de|at|ch|fr|be|es|mx|ar|it|pt|br|uk|com\\.br|com\\.mx|co\\.uk"
)
_HOST = rf"[a-zA-Z0-9][\w-]{{0,60}}+(?:\.[\w-]{{1,60}}+){{0,4}}?\.(?:{_DOMAINS})"
_ADDRESS = (
    rf"(?:(?:https?://)?(?P<address>(?:[\w.+-]{{1,40}}+@)?{_HOST})(?![\w@])(?!\.[a-z])"
    r"|https?://(?P<host>[a-zA-Z0-9][\w-]{0,60}(?:\.[\w-]{1,60}){1,4}))"
    r"(?P<path>/[^\s<>\"“”«»]*(?<![.,;:!?…)\]}’'*_])/?)?"
)
# Only a short path of plain words is said, as people tell each other where to look.
_SHORT_PATH = re.compile(r"(?:/[^\W\dA-Z_]{2,16}(?:-[^\W\dA-Z_]{2,16})?){1,2}/?")
# A given name, an initial and a surname: “Amy D. Lykins”; “el Rey D. Alfonso” is a lord.
_TITLES = (
    "Rey|Reina|Infante|Infanta|Pr[íi]ncipe|Princesa|Señora?|Duque|Duquesa|Conde|Condesa|Marqu[ée]sa?"
    "|Emperador|Maestre|Obispo|Arzobispo|Cardenal|Maestro|General|Capit[áã]n?o?|Coronel|Almirante"
    "|Presidente|Ministro|Alcalde|Gobernador|Padre|Doctor|Doutor|Licenciado|Caballero|Majestad|Alteza"
    "|Rei|Rainha|Senhora?|Duquesa|Imperador|Imperatriz|Bispo|Arcebispo|Cardeal|Mestre|Governador"
    "|Majestade|Dom|Don|Virrey|Vice-Rei|Infanta|Visconde|Viscondessa|Barão|Barón|Baronesa|Frei|Fray"
)
_INITIAL_OF_NAME = re.compile(
    rf"[^\s.!?…:;»”—–-][,]?\s(?:[(“\"«])?(?!(?:{_TITLES})\s)[A-ZÀ-Þ][a-zà-ÿ]{{1,15}}\s\Z"
)
# “la Gloria(93)”: the number of a note, set against its word.
_NOTE = re.compile(r"(?:(?<=[a-zà-ÿ]{2})|(?<=[a-zà-ÿ][!?»”]))\(\d{1,3}\)(?=[\s.,;:!?»”\"]|\Z)")
# “anch'essi82.”, “è venuto1 a”: names of things with a number are “covid19” and “html5”.
_GLUED_NOTE = re.compile(
    r"(?<![/\\_@#$-])(?P<word>[A-ZÀ-Þ]?[a-zà-ÿ]{1,30})(?P<mark>[.,;:!?»”]?)[1-9]\d{0,2}(?=[.,;:!?»”)]|\s|\Z)(?![.,:]\d)"
)
_NUMBERED = words(
    """
    python html css utf base windows covid web area formula int uint float word excel office vers
    java node angular react next version release log code unit test file foto figura nota pagina
    linea sect chap punto capitulo parte livro tomo canto verso linha ponto vitamina omega intel
    eth ext sda sdb sdc page canale radio rete italia serie tipo model modelo dolby xbox playstation
    nokia apollo euro expo
    """
)
# “de 1'esprit”, as it was scanned.
_SCANNED_ARTICLE = re.compile(r"(?<![^\s(«“])1['’](?=[a-zà-ÿ]{2})")
# “Castilla[15]”, “un gato [11].”; but “[15]” itself begins the note.
_BRACKETED_NOTE = re.compile(
    r"(?:(?<=\S)|(?<=\S[ \u00a0])(?=\[\d+\][.,;:!?»”)]))\[\d{1,3}\](?!\w)"
    # “, (18) imitando”: higher than the points of a list.
    r"|(?<=[^\W\d_]{2}[,.;][ ])\([1-9]\d{1,2}\)(?=[ ][^\W\d_])"
    r"|(?<=[^\W\d_][ ])\[ \d{1,3} \](?=[ ])"
    # “[pág. 270] Al sur”, also where it begins a line
    r"|\[(?:[Pp][áa]?g?|[Ss]eite|S|[Pp]age)\.?[ ]?\d{1,4}\][ ]?"
    # “¿Es ese?... (2)”
    r"|(?<=[?!.…»”][ ])\(\d{1,2}\)\Z"
)
# “quasi [215] dimenticata”, “una losa [3] -dijo”: the number of a page or note; “in [12] è
# mostrato” has that of a source.
_PAGE_MARK = re.compile(r"\[\d{1,3}\](?=[ ]?[^\W\d_]|[ ][-–—]|\Z)[ ]?")
_AT_SOURCES = frozenset(
    ("in", "da", "di", "cfr", "vedi", "en", "de", "voir", "dans", "em", "ver", "cf", "por", "selon")
)
# Given names before initials at the beginning of a sentence: “Sandra D. Guajardo”.
_GIVEN_NAMES = frozenset(
    (
        *("Sandra", "Laura", "Ana", "Marta", "Patricia", "Andrea", "Claudia", "Mónica", "Silvia"),
        *(
            "Rosa",
            "David",
            "Daniel",
            "Jesús",
            "Rafael",
            "Amy",
            "John",
            "Thomas",
            "Franklin",
            "Susan",
        ),
        *("Linda", "Nancy", "Karen", "Donald", "Harry", "Lyndon", "Dwight", "Samuel", "Edward"),
    )
)
_INITIALS_OF_NAME = re.compile(r"(?<!\bS\. )(?<!\bS\.)\b[A-Z]\.\s?\Z")
_INITIAL = re.compile(r"\s?[IVXLCDM]\.")
_INITIALS = re.compile(r"(?:[A-Z]\.\s?){2,3}")
_INITIAL_BEFORE = re.compile(r"\b[A-Z]\.\s?\Z")
_NO_NUMERAL_BEFORE = re.compile(r"\b[ABE-HJKN-UWYZ]\.\s?\Z")
_INITIAL_AFTER = re.compile(r"\s?[A-Z]\.")
# “sirviese.de provechosa”: a sentence without a space.
_WORDS_JOINED = re.compile(r"[a-zà-ÿ]+\.de")
_EQUATION = re.compile(r"\d[ ][^\W\d_]{1,5}\.\Z")  # “3 qrs. = 180 sh.”
_PART = re.compile(r"[^\W_]+|[./@_+~%-]")


def rules(language: LanguageWords, short: Abbreviations) -> tuple[Rule, ...]:
    """The rules for text that is not words, in the order in which they are tried."""
    number = rf"(?={SPACE}?(?:\d|(?![CDLM]\.)[IVXLCDM]++(?![^\W_]|['’])|[ivxlc]++(?![^\W_]|['’])))"
    # Two letters: before another initial it is an initial itself.
    name = rf"(?={SPACE}[^\W\d_a-zß-öø-ÿ][^\W\d_])"
    return (
        Rule("article", _SCANNED_ARTICLE, lambda _match, _context: "l'"),
        Rule("note", _NOTE, lambda _match, _context: ""),
        Rule("note", _BRACKETED_NOTE, lambda _match, _context: ""),
        *_glued_notes(language, short),
        Rule("note", _PAGE_MARK, _page_mark),
        _web(language),
        *_abbreviated(short.always, ""),
        *_abbreviated(short.before_number, number),
        *_abbreviated(short.before_name, name),
    )


def _glued_notes(language: LanguageWords, short: Abbreviations) -> tuple[Rule, ...]:
    if language.code == "de":
        return ()  # “den4.” is a date without its space
    return (Rule("note", _GLUED_NOTE, lambda match, _context: _without_note(match, short)),)


def _page_mark(match: re.Match[str], context: Context) -> str | None:
    """Nothing for “[215]” between two words."""
    before = context.word_before(match.start()).lower().rstrip(".")
    is_source = before in _AT_SOURCES and len(match[0].strip()) < len("[215]")
    if is_source or not match.start():
        return None
    return "" if context.text[match.start() - 1].isspace() else " "


def _without_note(match: re.Match[str], short: Abbreviations) -> str | None:
    word, mark = match["word"], match["mark"]
    if word.lower() in _NUMBERED or (len(word) < 3 and not _is_short_word(match)):
        return None
    if mark == "." and _is_abbreviation(word.lower(), short):
        return None  # “art.5”
    return word + mark


def _is_short_word(match: re.Match[str]) -> bool:
    """Whether “le239” and “è95” are words with notes; “Fe2” and “mp3” are not."""
    word, digits = match["word"], match[0].removeprefix(match["word"])
    told = len(digits) > 1 and word[0].islower() and bool(_VOWEL.search(word))
    return told and not match["mark"] and (len(word) == 2 or word in "èéàòì")


_VOWEL = re.compile("[aeiouà-ÿ]")


def _is_abbreviation(word: str, short: Abbreviations) -> bool:
    tables = (short.always, short.before_number, short.before_name)
    known = {key.lower().rstrip(".") for table in tables for key in table}
    return len(word) < 4 or word in known or word in short.never_end | short.number_follows


def signs(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for signs on their own, which come after all others."""
    pattern = alternatives(language.symbols)
    loose = re.compile(rf"(?:(?<=[\s\u00a0\d])|^)(?P<sign>{pattern})(?=[\s\u00a0\d])")
    tight = re.compile(rf"(?P<sign>{alternatives(set(language.symbols) - _ONLY_LOOSE)})")

    def say(match: re.Match[str], context: Context) -> str:
        before = context.text[max(0, match.start() - NEAR) : match.start()].rstrip()
        equation = _EQUATION.search(before) and context.text[match.end() :].lstrip()[:1].isdigit()
        if match["sign"] == "=" and not equation and (not before or before[-1] in ".,:;!?—–»”"):
            return " "  # a mark of a quotation, as it was printed before 1900
        if (
            match["sign"] == ">"
            and not before
            and not context.text[match.end() :].lstrip()[:1].isdigit()
        ):
            return " "  # the mark of a point or of a quoted line
        if match["sign"] == ">" and _MENU_BEFORE.search(before):
            after = _MENU_AFTER.match(context.text, match.end())
            return ", " if after else f" {language.symbols['>']} "
        return f" {language.symbols[match['sign']]} "

    def say_number_sign(match: re.Match[str], context: Context) -> str:
        alone = not match.start() or not context.text[match.start() - 1].isalnum()
        return f"{'' if alone else ' '}{language.number} "

    return (
        Rule("sign", re.compile(rf"[#№]{SPACE}?(?=[\d.,]*\d(?!\w))"), say_number_sign),
        Rule("tag", _TAG, lambda match, context: _said_tag(language, match, context)),
        Rule("sign", loose, say),
        Rule("sign", tight, say),
    )


# “Datei > Öffnen”: the way through menus.
_MENU_BEFORE = re.compile(r"[^\W\d_]{2}\Z")
_MENU_AFTER = re.compile(r"[ \u00a0]?[^\W\d_a-zß-öø-ÿ][^\W\d_]")
# Signs that are also parts of names, brackets or smileys: said only between spaces or digits.
_ONLY_LOOSE = frozenset([*"+<>=@~*", ">=", "<="])


# “<h1>”: the name of an element of a page, unless it stands around text.
_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-z]{1,15})(?P<digit>[1-6]?)(?:\s[^<>]{0,200})?/?>")


def _said_tag(language: LanguageWords, match: re.Match[str], context: Context) -> str:
    name = match["name"] + match["digit"]
    if match["end"] or f"</{name}>" in context.text[match.end() :]:
        return " "
    digit = match["digit"] and f" {language.say_whole(match['digit'], context.region)}"
    return f" {match['name']}{digit}"


def _abbreviated(short: Mapping[str, str], following: str) -> tuple[Rule, ...]:
    if not short:
        return ()
    printed = {re.sub(r"\s", "", key): spoken for key, spoken in short.items()}
    printed |= {
        key[0].upper() + key[1:]: _upper(said) for key, said in printed.items() if _has_capital(key)
    }
    keys = {*short, *(key[0].upper() + key[1:] for key in short if _has_capital(key))}
    # A digit may follow a sign at once: “N°65”.
    pattern = re.compile(
        rf"(?<![\w.])(?:{alternatives(keys)})(?!(?<=[^\W_ºª])[^\W_]|[^\W\d_]){following}"
    )

    def say(match: re.Match[str], context: Context) -> str | None:
        if (
            len(match[0]) == 2
            and match[0][0].isupper()
            and _INITIAL.match(context.text, match.end())
        ):
            return None  # “I. C. C.”, “S. I.”
        if _INITIALS.fullmatch(match[0]) and (
            _INITIAL_BEFORE.search(context.text[max(0, match.start() - 4) : match.start()])
            or _INITIAL_AFTER.match(context.text, match.end())
        ):
            return None  # “S. S. Q. S. M. B.”
        if match[0] in {"Z.", "V."} and _NO_NUMERAL_BEFORE.search(
            context.text[max(0, match.start() - 4) : match.start()]
        ):
            return None  # “J. Z. 1785”: initials
        if match[0] == "D." and is_initial_of_name(match.start(), context):
            return None
        if (
            len(match[0]) == 2
            and match[0][0].isupper()
            and match[0][1] == "."
            and context.text[match.end() :][:1].isdigit()
        ):
            return None  # “P.1”
        if match[0] == "ed." and context.text.startswith("..", match.end()):
            return None  # “agli occhi ed... al naso”: a word
        said = printed.get(re.sub(r"\s", "", match[0]))
        joined = context.text[match.end() : match.end() + 1].isdigit()
        return f"{said} " if said and joined else said

    return (Rule("abbreviation", pattern, say),)


def is_initial_of_name(at: int, context: Context) -> bool:
    """Whether a letter at `at` stands between a given name and a surname."""
    before = context.text[max(0, at - NEAR) : at]
    given = context.word_before(at)
    if given in names.MEN or given in names.WOMEN or given in _GIVEN_NAMES:
        return True
    return bool(_INITIAL_OF_NAME.search(before) or _INITIALS_OF_NAME.search(before))


def _has_capital(key: str) -> bool:
    """Whether an abbreviation is printed with a capital, too, where a sentence begins."""
    return key.islower() and key[0].isalpha()


def _upper(words: str) -> str:
    return words[0].upper() + words[1:]


def _web(language: LanguageWords) -> Rule:
    words: dict[str, str] = {
        ".": language.dot,
        "@": language.symbols["@"],
        "/": language.slash,
        "-": language.hyphen,
        "_": language.underscore,
    }

    def say(match: re.Match[str], context: Context) -> str | None:
        if language.code != "de" and _WORDS_JOINED.fullmatch(match[0]):
            return None
        path = match["path"] or ""
        said_path = path.rstrip("/") if _SHORT_PATH.fullmatch(path) else ""
        parts: list[str] = _PART.findall((match["address"] or match["host"]) + said_path)
        return " ".join(
            language.say_digits(part, context.region) if part.isdecimal() else words.get(part, part)
            for part in parts
        )

    return Rule("web", re.compile(rf"(?<![\w@.-]){_ADDRESS}"), say)
