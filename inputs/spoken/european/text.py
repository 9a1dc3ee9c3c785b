"""Rules for abbreviations, signs and addresses on the web in European languages."""

from __future__ import annotations

import re
from collections.abc import Mapping

from audiomill.inputs.languages.declaration import Abbreviations, words
from audiomill.inputs.spoken.european import names, notes
from audiomill.inputs.spoken.european.counting import SPACE, alternatives
from audiomill.inputs.spoken.european.language import LanguageWords
from audiomill.inputs.spoken.rules import Context, Rule, always, dense_rule

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
# “de 1'esprit”, as it was scanned.
_SCANNED_ARTICLE = r"(?<![^\s(«“])1['’](?=[a-zà-ÿ]{2})"
# Given names before initials at the beginning of a sentence: “Sandra D. Guajardo”.
_GIVEN_NAMES = words(
    """
    Sandra Laura Ana Marta Patricia Andrea Claudia Mónica Silvia Rosa David Daniel Jesús Rafael Amy
    John Thomas Franklin Susan Linda Nancy Karen Donald Harry Lyndon Dwight Samuel Edward
    """
)
_INITIALS_OF_NAME = re.compile(r"(?<!\bS\. )(?<!\bS\.)\b[A-Z]\.\s?\Z")
_INITIAL = re.compile(r"\s?[IVXLCDM]\.")
_INITIALS = re.compile(r"(?:[A-Z]\.\s?){2,3}")
_INITIAL_BEFORE = re.compile(r"\b[A-Z]\.\s?\Z")
_NO_NUMERAL_BEFORE = re.compile(r"\b[ABE-HJKN-UWYZ]\.\s?\Z")
_INITIAL_AFTER = re.compile(r"\s?[A-Z]\.")
# “sirviese.de provechosa”: a sentence without a space.
_WORDS_JOINED = re.compile(r"[a-zà-ÿ]+\.(?P<last>[a-z]{2,3})")
_EQUATION = re.compile(r"\d[ ][^\W\d_]{1,5}\.\Z")  # “3 qrs. = 180 sh.”
_EQUALS = re.compile(r"\s*(?:(?:ca|etwa|circa|cerca)\.?\s)?\d")
_PART = re.compile(r"[^\W_]+|[./@_+~%-]")


def rules(language: LanguageWords, short: Abbreviations) -> tuple[Rule, ...]:
    """The rules for text that is not words, in the order in which they are tried."""
    large = r"(?![CDLM]\.|M(?![^\W_]))[IVXLCDM]++(?![^\W_]|['’])"  # “V. M, non”
    number = rf"(?={SPACE}?(?:\d|{large}|[ivxlc]++(?![^\W_]|['’])))"
    # Two letters: before another initial it is an initial itself.
    name = rf"(?={SPACE}[^\W\d_a-zß-öø-ÿ][^\W\d_])"
    return (
        dense_rule("article", _SCANNED_ARTICLE, always("l'")),
        *notes.rules(language, short),
        _web(language),
        *_abbreviated(short.always, ""),
        *_abbreviated(short.before_number, number),
        *_abbreviated(short.before_name, name),
    )


def signs(language: LanguageWords) -> tuple[Rule, ...]:
    """The rules for signs on their own, which come after all others."""
    pattern = alternatives(language.symbols)
    loose = rf"(?:(?<=[\s\u00a0\d])|^)(?P<sign>{pattern})(?=[\s\u00a0\d])"
    tight = rf"(?P<sign>{alternatives(set(language.symbols) - _ONLY_LOOSE)})"

    def say(match: re.Match[str], context: Context) -> str:
        before = context.text_before(match.start()).rstrip()
        equation = _EQUATION.search(before) and _EQUALS.match(context.text, match.end())
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
        dense_rule("sign", rf"[#№]{SPACE}?(?=[\d.,]*\d(?!\w))", say_number_sign),
        dense_rule("tag", _TAG, lambda match, context: _said_tag(language, match, context)),
        dense_rule("sign", loose, say),
        dense_rule("sign", tight, say),
    )


# “Datei > Öffnen”: the way through menus.
_MENU_BEFORE = re.compile(r"[^\W\d_]{2}\Z")
_MENU_AFTER = re.compile(r"[ \u00a0]?[^\W\d_a-zß-öø-ÿ][^\W\d_]")
# Signs that are also parts of names, brackets or smileys: said only between spaces or digits.
_ONLY_LOOSE = frozenset([*"+<>=@~*", ">=", "<="])


# “<h1>”: the name of an element of a page, unless it stands around text.
_TAG = r"<(?P<end>/?)(?P<name>[a-z]{1,15})(?P<digit>[1-6]?)(?:\s[^<>]{0,200})?/?>"


# Elements that stand inside words of a page: “a<br>b”.
_ELEMENTS = words(
    "a b i u s p q br hr em sup sub wbr span div strong small big font img li td tr th"
)


def _is_supplied(match: re.Match[str], context: Context) -> bool:
    """Whether an editor supplies letters: “mo<lto>”, “Ragus<e>i”, no element of a page."""
    text, name = context.text, match["name"]
    is_word = bool(_LETTER_BEFORE.search(text[max(0, match.start() - 1) : match.start()]))
    is_word = is_word or text[match.end() : match.end() + 1].isalpha()
    plain = match[0] == f"<{name}>" and not match["end"]
    return is_word and plain and name not in _ELEMENTS


_LETTER_BEFORE = re.compile(r"[^\W\d_]\Z")


def _said_tag(language: LanguageWords, match: re.Match[str], context: Context) -> str:
    name = match["name"] + match["digit"]
    if _is_supplied(match, context):
        return name
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
    pattern = rf"(?<![\w.])(?:{alternatives(keys)})(?!(?<=[^\W_ºª])[^\W_]|[^\W\d_]){following}"

    def say(match: re.Match[str], context: Context) -> str | None:
        if _are_initials(match, context) or _is_no_abbreviation(match, context):
            return None
        said = printed.get(re.sub(r"\s", "", match[0]))
        joined = context.text[match.end() : match.end() + 1].isdigit()
        return f"{said} " if said and joined else said

    return (dense_rule("abbreviation", pattern, say),)


def _are_initials(match: re.Match[str], context: Context) -> bool:
    """Whether a capital is one of several, or that of a name."""
    is_capital = len(match[0]) == 2 and match[0][0].isupper()
    if is_capital and _INITIAL.match(context.text, match.end()):
        return True  # “I. C. C.”, “S. I.”
    if _INITIALS.fullmatch(match[0]) and (
        _INITIAL_BEFORE.search(context.text_before(match.start(), 4))
        or _INITIAL_AFTER.match(context.text, match.end())
    ):
        return True  # “S. S. Q. S. M. B.”
    if match[0] in {"Z.", "V."} and _NO_NUMERAL_BEFORE.search(
        context.text_before(match.start(), 4)
    ):
        return True  # “J. Z. 1785”
    return match[0] == "D." and is_initial_of_name(match.start(), context)


def _is_no_abbreviation(match: re.Match[str], context: Context) -> bool:
    """Whether the sign is a number's own (“P.1”), or ends a word (“agli occhi ed... al naso”)."""
    following = context.text[match.end() : match.end() + 2]
    is_capital = match[0][0].isupper() and match[0][1:] == "."
    return (is_capital and following[:1].isdigit()) or (match[0] == "ed." and following == "..")


def is_initial_of_name(at: int, context: Context) -> bool:
    """Whether a letter at `at` stands between a given name and a surname."""
    before = context.text_before(at)
    first_name = context.word_before(at)
    if first_name in names.MEN or first_name in names.WOMEN or first_name in _GIVEN_NAMES:
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
        joined = _WORDS_JOINED.fullmatch(match[0])
        if joined and joined["last"] in language.word_domains:
            return None
        path = match["path"] or ""
        said_path = path.rstrip("/") if _SHORT_PATH.fullmatch(path) else ""
        parts: list[str] = _PART.findall((match["address"] or match["host"]) + said_path)
        return " ".join(
            language.say_digits(part, context.region) if part.isdecimal() else words.get(part, part)
            for part in parts
        )

    return dense_rule("web", rf"(?<![\w@.-]){_ADDRESS}", say)
