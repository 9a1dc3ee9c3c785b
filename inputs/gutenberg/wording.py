"""The sentences by which the editions of Project Gutenberg are known, since 1991.

    *** START OF THE PROJECT GUTENBERG EBOOK THE MILL ***     where the book begins
    Produced by …                                             who made the edition
    End of Project Gutenberg's The Mill, by Ann Ode           where the book ends
    *** END OF THE PROJECT GUTENBERG EBOOK THE MILL ***

Knows text alone: neither files nor elements.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_EDITION = r"\bE-?(?:book|text)s?\b"
# The sentence of the beginning or the end may go on for some lines, up to its last asterisks.
_REST = r"[^\n]{0,200}?(?:(?:\n[^\n]{1,120}){0,3}?\*{3}[ \t]*$|$)"
START = re.compile(
    rf"^[ \t]*\*{{2,3}} ?START OF [^\n]{{0,200}}?{_EDITION}{_REST}", re.MULTILINE | re.IGNORECASE
)
END = re.compile(
    rf"^[ \t]*\*{{2,3}} ?END OF [^\n]{{0,200}}?{_EDITION}{_REST}", re.MULTILINE | re.IGNORECASE
)
# Before 2004 the licence was above the book, and ended so.
SMALL_PRINT = re.compile(r"^\*END\*? ?THE SMALL PRINT![^\n]*$", re.MULTILINE)
# Old editions end with such a line, above the one with asterisks or without it.
LAST_LINE = re.compile(
    r"^[ \t]*\**[ \t]*(?:This is the )?End of (?:the |this )?"
    r"(?:Project Gutenberg(?:['’]s\b|[ .]*$|(?=\s+E-?(?:book|text|dition)))"
    r"|Gutenberg(?:['’]s)? E-?(?:book|text)\b)",
    re.MULTILINE | re.IGNORECASE,
)
LAST_CHARS = 3_000  # between the last line of a book and the line with asterisks, or the end
MADE_BY = "Project Gutenberg"

_MADE = r"produced|prepared|transcribed|scanned|digiti[sz]ed|proofread|updated|revised"
_CREDIT = re.compile(
    r"(?:this )?(?:e-?text|e-?book|file|html version)\s*"
    rf"(?:was |were |is |has been )?(?:originally )?(?:{_MADE}|created)"
    r"(?: and \w+)?,? (?:by|from|for)\b"
    r"|note: (?:project gutenberg|images of the original)"
    r"|images of the original pages",
    re.IGNORECASE,
)
# A sentence of a story may begin so; in a credit, names and no more follow.
_BY_NAMES = re.compile(
    rf"(?:(?:this )?(?:book|text) (?:was )?)?(?:originally )?(?:{_MADE})"
    r"(?: and \w+)?,? (?:by|from|for)\b(?P<names>.+)",
    re.IGNORECASE | re.DOTALL,
)
_BETWEEN_NAMES = re.compile(
    r"and|the|an?|of|for|from|at|by|with|in|on|del?|la|van|von|der|edition|magazine|e-?mail"
    r"|version|volunteers?|team|others|help|assistance|proof(?:read)?ing|corrections?|\S*@\S*|\S+\.\S+"
)
# "Produced by Dee Low. The previous edition was updated by Bo Li."
_EARLIER = re.compile(
    rf"\.\s+(?:the )?(?:previous|earlier) editions? (?:was |were )?(?:{_MADE}) by\b", re.IGNORECASE
)
_PAGE_ON_THE_WEB = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
_BREAKS = re.compile(r"[\s,;:()<>\[\]*_]+")
_OF_MAKERS = re.compile(
    r"project gutenberg|distributed proof|pgdp\.net|gutenberg\.(?:org|net|ca)"
    r"|images generously made available"
    r"|\b(?:this|the) e-text\b|\bUTF-8\b|version électronique"
    r"|\((?:added|provided|supplied) by (?:the )?transcriber\)"
    r"|\be-?(?:book|text)\s*\[?\s*#\s*\d",  # another edition: "eBook #150"
    re.IGNORECASE,
)
# "Transcriber's note he was called" goes on; a title has its text below it.
_SENTENCE = r",?\s+(?-i:(?!(?:on|about|for|regarding|at the end of) (?:the|this)\b)[a-z])"
_NOTE = re.compile(
    r"[\[({|+*=_~\s-]*(?:see also the |note from the )?(?:original )?"
    rf"transcriber(?:s|['’]s|s['’])?['’]?(?:\s+(?:end)?notes?\b(?!{_SENTENCE})|$)"
    r"|e-?book editor['’]s note|format choice\s*$"
    r"|(?:typographical )?(?:errata|errors|corrections):? \(?(?:noted|made|corrected) by"
    r" (?:the )?(?:e-?text )?transcriber"
    r"|every (?:attempt|effort) has been made to replicate (?:this|the) (?:text|book|original)\b"
    r"|[\[*_ ]*(?:notes? (?:du transcripteur|(?:de|sur la) transcription)"
    r"|anmerkungen zur transkription"
    r"|notas? (?:de(?:l)? transcrip(?:tor|ción)|do transcritor)|note? del trascrittore"
    r"|opmerkingen van de bewerker)",
    re.IGNORECASE,
)
_PICTURE_FILE = re.compile(
    r"[\w-]+\.(?:jpe?g|png|gif)(?: \(\d+ ?[KM]B?\))?|(?:enlarge(?: to)? )?full size", re.IGNORECASE
)
LONGEST_CREDIT = 600  # characters of a paragraph about the makers of an edition

_NAME = r"(?:the )?(?:full )?project gutenberg(?:['’]s)?"
_TITLE = re.compile(
    rf"{_NAME}(?: (?:e-?book|e-?text)(?: of|,)?)?[ ,:]+(?P<title>\S.*)", re.IGNORECASE
)
# A line that says nothing but which book follows.
LABEL = re.compile(rf"{_NAME} (?:e-?book|e-?text) of \S.*", re.IGNORECASE)
_AFTER_TITLE = re.compile(
    r"\s*(?:[|—–]|--)\s*(?:a |the )?project gutenberg(?: (?:e-?book|e-?text))?\.?$"
    r"|,? a project gutenberg e-?book\.?$",
    re.IGNORECASE,
)
_BY = re.compile(
    r",? by (?P<author>[^,]+(?:, (?:jr|sr|m\.? ?d|ph\.? ?d)\b\.?)?)\.?$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class LabelledTitle:
    """The title that a file has for people who look for editions: without their maker's name."""

    title: str
    author: str  # "" if it names none


def is_credit(text: str) -> bool:
    """True for a paragraph about those who made the edition: "Produced by …"."""
    if len(text) > LONGEST_CREDIT:
        return False
    bare = text.lstrip("[(*_ ")
    by = _BY_NAMES.match(bare)
    return bool(_CREDIT.match(bare) or _OF_MAKERS.search(text)) or (
        by is not None and _are_names(by["names"])
    )


def _are_names(text: str) -> bool:
    """True for names alone, with places and addresses ("Ann Ode, bo@mill.org"), or a web page."""
    words = [word for word in _BREAKS.split(_EARLIER.sub(",", text)) if any(map(str.isalnum, word))]
    if _PAGE_ON_THE_WEB.search(text):
        return True
    return any(word[0].isupper() for word in words) and all(
        not word[0].islower() or _BETWEEN_NAMES.fullmatch(word.rstrip(".")) for word in words
    )


def is_makers_note(text: str) -> bool:
    """True for a text that begins with "Transcriber's Note", or another of its forms."""
    return _NOTE.match(text) is not None


def is_picture_file(text: str) -> bool:
    """True for what old texts have in the place of a picture: "p003.jpg (307K)", "Full Size"."""
    return _PICTURE_FILE.fullmatch(text.strip()) is not None


def without_label(title: str) -> LabelledTitle:
    """The title of a book, of one such as "The Project Gutenberg eBook of The Mill, by Ann Ode".

    Any other title stays as it is.
    """
    bare = _AFTER_TITLE.sub("", title)
    match = _TITLE.fullmatch(bare)
    if match:
        bare = match["title"]
    if not match and bare == title:
        return LabelledTitle(title, "")
    by = _BY.search(bare)
    return LabelledTitle(bare[: by.start()], by["author"]) if by else LabelledTitle(bare, "")
