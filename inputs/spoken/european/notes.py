"""Numbers of notes and pages in European texts, which nobody says: “Gloria(93)”, “essi82.”."""

from __future__ import annotations

import re

from audiomill.inputs.languages.declaration import Abbreviations, words
from audiomill.inputs.spoken.european.language import LanguageWords
from audiomill.inputs.spoken.rules import Context, Rule, always, dense_rule

# “la Gloria(93)”: the number of a note, set against its word.
_NOTE = r"(?:(?<=[a-zà-ÿ]{2})|(?<=[a-zà-ÿ][!?»”]))\(\d{1,3}\)(?=[\s.,;:!?»”\"]|\Z)"
# “anch'essi82.”, “è venuto1 a”: names of things with a number are “covid19” and “html5”.
_GLUED_NOTE = (
    r"(?<![/\\_@#$-])(?P<word>[A-ZÀ-Þ]?[a-zà-ÿ]{1,30})(?P<mark>[.,;:!?»”]?)[1-9]\d{0,2}"
    r"(?:(?<=[.,;]\d{3})-\d{1,3})?(?=[.,;:!?»”)]|\s|\Z)(?![.,:]\d)"
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
# “Castilla[15]”, “un gato [11].”; but “[15]” itself begins the note.
_BRACKETED_NOTE = (
    r"(?:(?<=\S)|(?<=\S[ \u00a0])(?=\[\d+\][.,;:!?»”)]))\[\d{1,3}\](?!\w)"
    # “, (18) imitando”: higher than the points of a list.
    r"|(?<=[^\W\d_]{2}[,.;][ ])\([1-9]\d{1,2}\)(?=[ ][^\W\d_])"
    r"|(?<=[^\W\d_][ ])\[ \d{1,3} \](?=[ ])"
    # “[pág. 270] Al sur”, also where it begins a line
    r"|\[(?:[Pp][áa]?g?|[Ss]eite|S|[Pp]age)\.?[ ]?\d{1,4}\][ ]?"
    # “Bordeaux. {247}”: a page
    r"|\{(?:\d{2,4}|(?:(?<=\A\{)|(?<=\n\{))\d(?=\}(?:\Z|\n)))\}[ ]?"
    # “¿Es ese?... (2)”
    r"|(?<=[?!.…»”][ ])\(\d{1,2}\)\Z"
)
# “quasi [215] dimenticata”, “una losa [3] -dijo”: the number of a page or note; “in [12] è
# mostrato” has that of a source.
_PAGE_MARK = r"\[\d{1,3}\](?=[ ]?[^\W\d_]|[ ][-–—]|\Z)[ ]?"
# “a un caballero, (6) en el Reino”, “Diluvio Universal. (1)”: also of a list, with its others.
_SMALL_MARK = r"(?<=[^\W\d_]{2}[,.;][ ])\((?P<number>[1-9])\)(?:[ ]|\Z)(?![IVXLC]+\b)"
_AT_SOURCES = words("in da di cfr vedi en de voir dans em ver cf por selon")


def rules(language: LanguageWords, short: Abbreviations) -> tuple[Rule, ...]:
    """The rules for marks of notes in a language that has these abbreviations."""
    return (
        dense_rule("note", _NOTE, always("")),
        dense_rule("note", _BRACKETED_NOTE, always("")),
        dense_rule("note", _SMALL_MARK, _small_mark),
        *_glued_notes(language, short),
        dense_rule("note", _PAGE_MARK, _page_mark),
    )


def _glued_notes(language: LanguageWords, short: Abbreviations) -> tuple[Rule, ...]:
    if not language.has_glued_notes:
        return ()
    return (dense_rule("note", _GLUED_NOTE, lambda match, _context: _without_note(match, short)),)


def _page_mark(match: re.Match[str], context: Context) -> str | None:
    """Nothing for “[215]” between two words."""
    before = context.word_before(match.start()).lower().rstrip(".")
    is_source = before in _AT_SOURCES and len(match[0].strip()) < len("[215]")
    if is_source or not match.start():
        return None
    return "" if context.text[match.start() - 1].isspace() else " "


def _small_mark(match: re.Match[str], context: Context) -> str | None:
    """Nothing for “(6)” that is no point of a list."""
    number = int(match["number"])
    in_list = any(f"({other})" in context.text for other in (number - 1, number + 1))
    return None if in_list else ""


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
    is_word = len(digits) > 1 and word[0].islower() and bool(_VOWEL.search(word))
    return is_word and not match["mark"] and (len(word) == 2 or word in "èéàòì")


_VOWEL = re.compile("[aeiouà-ÿ]")


def _is_abbreviation(word: str, short: Abbreviations) -> bool:
    tables = (short.always, short.before_number, short.before_name)
    known = {key.lower().rstrip(".") for table in tables for key in table}
    return len(word) < 4 or word in known or word in short.never_end | short.number_follows
