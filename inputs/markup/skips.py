"""Tells which elements may be left out, and why; and the text that stands for them.

The reading rules decide whether they are read, except for what is never read (`blocks.py`). Uses
the element's name, its semantics, and the classes and styles that are common in books.
"""

from __future__ import annotations

import re

from audiomill.inputs.markup.parser import Element, body_of, local_name, parse_xhtml
from audiomill.inputs.markup.pictures import words_and_pictures
from audiomill.inputs.markup.semantics import BLOCKS, classes, semantics, short_text
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.model.book import SkipReason

BY_NAME = {
    **dict.fromkeys(("script", "style"), SkipReason.SCRIPT),
    # Not shown, or only as a fallback.
    **dict.fromkeys(("audio", "canvas", "head", "template", "video"), SkipReason.HIDDEN),
    **dict.fromkeys(("datalist", "defs", "metadata", "noframes"), SkipReason.HIDDEN),
    **dict.fromkeys(("desc", "title"), SkipReason.ALTERNATIVE_TEXT),  # of a drawing (SVG 2, 5.6)
    **dict.fromkeys(("rp", "rt", "rtc"), SkipReason.RUBY),
    "case": SkipReason.HIDDEN,  # of epub:switch; its `default` is read
    "iframe": SkipReason.FRAME,
    "math": SkipReason.FORMULA,
    "nav": SkipReason.NAVIGATION,
}
# EPUB 3 Structural Semantics Vocabulary, and the same words as ARIA roles (DPUB-ARIA).
BY_SEMANTICS = {
    **dict.fromkeys(
        ("footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes"), SkipReason.NOTE
    ),
    **dict.fromkeys(("noteref", "backlink", "referrer"), SkipReason.NOTE_REFERENCE),
    "change-reference": SkipReason.CHANGE_REFERENCE,  # our own, of `markdown/marks.py`
    "template": SkipReason.TEMPLATE,  # our own, of `markdown/marks.py`
    **dict.fromkeys(("landmarks", "loi", "lot", "navigation"), SkipReason.NAVIGATION),
    "index": SkipReason.INDEX,
    "bibliography": SkipReason.REFERENCES,
    **dict.fromkeys(("page-list", "pagelist"), SkipReason.NAVIGATION),
    "toc": SkipReason.TABLE_OF_CONTENTS,
    **dict.fromkeys(
        (
            *("copyright-page", "cover", "halftitlepage", "titlepage"),
            *("imprint", "colophon", "imprimatur", "seriespage"),
        ),
        SkipReason.FRONT_MATTER,
    ),
}
INLINE_REASONS = frozenset(
    (
        *(SkipReason.CHANGE_REFERENCE, SkipReason.TEMPLATE),
        *(SkipReason.NOTE, SkipReason.NOTE_REFERENCE),
    )
)
NOTE_CLASSES = frozenset(
    ("footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "footnote-item")
)
_NOTEREF_CLASSES = """
endnote-ref fnanchor fnref footnote-anchor footnote-backref footnote-ref footnote-reference
footnoteref note-ref noteanchor noteref
"""
NOTEREF_CLASSES = frozenset(_NOTEREF_CLASSES.split())
_PAGE_CLASSES = """
pagebreak page-break pagenum pagenumber page-number pageno page-num pagnum pgnum
"""
PAGE_CLASSES = frozenset(_PAGE_CLASSES.split())
_SHORT_PAGE_CLASSES = frozenset(("pn", "pg", "page", "pag"))  # of other things, too
_LINE_CLASSES = """
line-no line-num line-number lineno linenum linenumber lnum
v-no v-num verse-no verse-num verse-number verseno versenum versenumber vnum
"""
LINE_CLASSES = frozenset(_LINE_CLASSES.split())
LONGEST_PAGE_NUMBER = 40  # characters; longer text has the wrong label

_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b")
# "4a": the columns of an edition in two languages are counted so.
_PAGE_NUMBER = re.compile(
    r"(?:\{\d{1,4}\}\s*){2,4}$"  # of empty pages
    r"|[ivxl]{1,5}\.\d{1,4}$"  # of a volume
    r"|[\[({|]?\s*(?:p\.|pg\.?|p[aá]g\.?|page|s\.|seite)?\s*(?:\d{1,5}[a-d]?|[ivxlcdm]{1,9})\s*[\])}|]?\s*$",
    re.IGNORECASE,
)
# 90, १२, 12a, 3:16, 4–6; digits of every script
_LINE_NUMBER = re.compile(r"[\[(]?\s*\d{1,5}(?:\s?[:.,–-]\s?\d{1,5})?[a-z]?\s*[.:।॥]?\s*[\])]?$")
_PAGE_ID = re.compile(r"p(?:g|ag?|age)?[-_.]?\d", re.IGNORECASE)
_LINE_ID = re.compile(r"(?:ln|line|v|verse)[-_.]?\d", re.IGNORECASE)
_NOTE_MARK = re.compile(
    r"[\[({]?\s*(?:\d{1,4}(?::\d{1,2})?|[a-z]|(?<=\[)[a-z]{2}(?=\])|[ivxlc]{1,6}|[*†‡§¶‖#⁎⁑]{1,4}|note\s+\d{1,4})\s*[\])}]?\.?$",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[\[({].*[\])}]$")
_BACK_MARK = re.compile(r"[↩↑↵⏎^⤴]+[\ufe0e\ufe0f]?$")
_NOTE_FRAGMENT = re.compile(r"#_?(?:(?:foot|end|rear)?note|fn|ftn|edn|en\d)", re.IGNORECASE)


def skip_reason(element: Element) -> SkipReason | None:
    """Return the reason why an element with its content may be left out; None if it is read."""
    name = local_name(element)
    by_name = BY_NAME.get(name)
    reason = by_name if by_name and name != "nav" else _by_semantics(element, name) or by_name
    if reason or not element.attrib:
        return reason or (SkipReason.NOTE_REFERENCE if _is_noteref(element, name) else None)
    if _is_page_number(element):
        return SkipReason.PAGE_NUMBER
    if _is_line_number(element):
        return SkipReason.LINE_NUMBER
    if _is_noteref(element, name):
        return SkipReason.NOTE_REFERENCE
    if _is_hidden(element):
        return SkipReason.HIDDEN
    return SkipReason.NOTE if name in BLOCKS and classes(element) & NOTE_CLASSES else None


def text_left_out(element: Element, reason: SkipReason) -> str:
    """Return the text of an element that is not spoken; of a frame without words, its address."""
    document = element.get("srcdoc") if reason is SkipReason.FRAME else None
    if document is not None:
        element = body_of(parse_xhtml(document.encode("utf-8-sig")))
    text = words_and_pictures(element)
    return text or normalise_spaces(element.get("src") or "" if reason is SkipReason.FRAME else "")


def note_link(element: Element) -> str | None:
    """Return the href of a note mark: an <a>, or one in a <sup> or <span>, that is only a mark.

    It can be the reference in the text or the mark before the note, because both are links.
    """
    if local_name(element) not in {"a", "sup", "span"}:
        return None
    text = short_text(element)
    if text is None or not _NOTE_MARK.match(text.strip()):
        return None
    hrefs = (node.get("href") or "" for node in element.iter() if local_name(node) == "a")
    return next((href for href in hrefs if "#" in href), None)


def _by_semantics(element: Element, name: str) -> SkipReason | None:
    """The reason by `epub:type` or role. Of inline elements only notes and the like count."""
    for term in semantics(element):
        reason = BY_SEMANTICS.get(term)
        if reason in INLINE_REASONS or (reason and name in BLOCKS):
            return reason
    return None


def _is_hidden(element: Element) -> bool:
    style = (element.get("style") or "").lower()
    return (
        element.get("hidden") is not None
        or (element.get("aria-hidden") or "").strip().lower() == "true"
        or bool(style and _HIDDEN_STYLE.search(style))
    )


def _is_page_number(element: Element) -> bool:
    if "pagebreak" in semantics(element):
        text = short_text(element)
        return text is not None and len(text) <= LONGEST_PAGE_NUMBER
    names = classes(element)
    if not names & (PAGE_CLASSES | _SHORT_PAGE_CLASSES) and not _PAGE_ID.match(_id(element)):
        return False
    text = (short_text(element) or "").strip()
    is_certain = names & PAGE_CLASSES or _BRACKETED.match(text)
    return bool(is_certain and _PAGE_NUMBER.match(text))


def _id(element: Element) -> str:
    return element.get("id") or element.get("name") or ""


def _is_line_number(element: Element) -> bool:
    """True for the number of a line or verse, by its class; class "num" also needs a line's id."""
    names = {name.replace("_", "-") for name in classes(element)}
    is_num = "num" in names and _LINE_ID.match(element.get("id") or "")
    if not (is_num or names & LINE_CLASSES):
        return False
    text = short_text(element)
    return text is not None and bool(_LINE_NUMBER.match(text.strip()))


def _is_noteref(element: Element, name: str) -> bool:
    """True for a link that looks like a note reference, or a <sup> or <span> around one."""
    if name == "a":
        return _is_note_link(element)
    if name != "sup" and not (name == "span" and classes(element) & NOTEREF_CLASSES):
        return False
    text = short_text(element)
    if text is None or not _NOTE_MARK.match(text.strip()):
        return False
    links = [node for node in element.iter() if local_name(node) == "a"]
    return bool(links) and all("#" in (link.get("href") or "") for link in links)


def _is_note_link(link: Element) -> bool:
    href = link.get("href") or ""
    text = (short_text(link) or "").strip()
    if "#" not in href or not text:
        return False
    if _BACK_MARK.match(text):
        return True
    return bool(_NOTE_MARK.match(text)) and (
        bool(_BRACKETED.match(text))
        or bool(_NOTE_FRAGMENT.search(href))
        or bool(classes(link) & NOTEREF_CLASSES)
        or any(local_name(node) == "sup" for node in link.iter())
    )
