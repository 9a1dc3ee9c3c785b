"""Which elements are not read aloud, and why; knows the marks that books in the wild carry."""

from __future__ import annotations

import re

from audiomill.inputs.book import SkipReason
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import BLOCKS, classes, semantics, short_text

BY_NAME = {
    **dict.fromkeys(("script", "style"), SkipReason.SCRIPT),
    # Shown only where the machine cannot do better, or not at all.
    **dict.fromkeys(
        ("audio", "canvas", "head", "iframe", "template", "title", "video"), SkipReason.HIDDEN
    ),
    **dict.fromkeys(("datalist", "defs", "desc", "metadata", "noframes"), SkipReason.HIDDEN),
    **dict.fromkeys(("rp", "rt", "rtc"), SkipReason.RUBY),
    "case": SkipReason.HIDDEN,  # epub:switch; its `default` is what is read
    "math": SkipReason.FORMULA,
    "nav": SkipReason.NAVIGATION,
}
# EPUB 3 Structural Semantics Vocabulary, and the same words as ARIA roles (DPUB-ARIA).
BY_MEANING = {
    **dict.fromkeys(
        ("footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes"), SkipReason.NOTE
    ),
    **dict.fromkeys(("noteref", "backlink", "referrer"), SkipReason.NOTE_REFERENCE),
    **dict.fromkeys(("index", "landmarks", "loi", "lot", "navigation"), SkipReason.NAVIGATION),
    **dict.fromkeys(("page-list", "pagelist"), SkipReason.NAVIGATION),
    "toc": SkipReason.TABLE_OF_CONTENTS,
    **dict.fromkeys(
        ("copyright-page", "cover", "halftitlepage", "titlepage"), SkipReason.FRONT_MATTER
    ),
}
NOTE_CLASSES = frozenset(
    ("footnote", "footnotes", "endnote", "endnotes", "rearnote", "rearnotes", "footnote-item")
)
_NOTEREF_CLASSES = """
endnote-ref fnanchor fnref footnote-anchor footnote-backref footnote-ref footnote-reference
footnoteref note-ref noteanchor noteref
"""
NOTEREF_CLASSES = frozenset(_NOTEREF_CLASSES.split())
PAGE_CLASSES = frozenset(
    ("pagebreak", "page-break", "pagenum", "pagenumber", "page-number", "pageno", "page-num")
)
_LINE_CLASSES = """
line-no line-num line-number lineno linenum linenumber lnum
v-no v-num verse-no verse-num verse-number verseno versenum versenumber vnum
"""
LINE_CLASSES = frozenset(_LINE_CLASSES.split())
LONGEST_PAGE_NUMBER = 40  # characters; more than that is text that someone mislabelled

_HIDDEN_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b")
_PAGE_NUMBER = re.compile(
    r"[\[({|]?\s*(?:p\.|pg\.?|page)?\s*(?:\d{1,5}|[ivxlcdm]{1,9})\s*[\])}|]?\s*$", re.IGNORECASE
)
# 90, १२, 12a, 3:16, 4–6; digits of every script
_LINE_NUMBER = re.compile(r"[\[(]?\s*\d{1,5}(?:\s?[:.,–-]\s?\d{1,5})?[a-z]?\s*[.:।॥]?\s*[\])]?$")
_LINE_ID = re.compile(r"(?:ln|line|v|verse)[-_.]?\d", re.IGNORECASE)
_NOTE_MARK = re.compile(
    r"[\[({]?\s*(?:\d{1,4}|[a-z]|[ivxlc]{1,6}|[*†‡§¶‖#⁎⁑]{1,4}|note\s+\d{1,4})\s*[\])}]?\.?$",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[\[({].*[\])}]$")
_BACK_MARK = re.compile(r"[↩↑↵⏎^⤴]+[\ufe0e\ufe0f]?$")
_NOTE_FRAGMENT = re.compile(r"#_?(?:(?:foot|end|rear)?note|fn|ftn|edn|en\d)", re.IGNORECASE)


def skip_reason(element: Element) -> SkipReason | None:
    """Why an element and all within it stay unspoken, or None if it is to be read."""
    name = local_name(element)
    reason = BY_NAME.get(name) or _by_meaning(element, name)
    if reason or not element.attrib:
        return reason or (SkipReason.NOTE_REFERENCE if _is_noteref(element, name) else None)
    if _is_hidden(element):
        return SkipReason.HIDDEN
    if _is_page_number(element):
        return SkipReason.PAGE_NUMBER
    if _is_line_number(element):
        return SkipReason.LINE_NUMBER
    if _is_noteref(element, name):
        return SkipReason.NOTE_REFERENCE
    return SkipReason.NOTE if name in BLOCKS and classes(element) & NOTE_CLASSES else None


def note_link(element: Element) -> str | None:
    """Where a note's mark leads: the href of an <a> (or of the one in a <sup>) that is only a mark.

    It may be the mark in the text or the one before the note; marks lead both ways.
    """
    if local_name(element) not in {"a", "sup", "span"}:
        return None
    text = short_text(element)
    if text is None or not _NOTE_MARK.match(text.strip()):
        return None
    hrefs = (node.get("href") or "" for node in element.iter() if local_name(node) == "a")
    return next((href for href in hrefs if "#" in href), None)


def _by_meaning(element: Element, name: str) -> SkipReason | None:
    """A reason by `epub:type` or role. Only notes may be a run of words; the rest are parts."""
    for word in semantics(element):
        reason = BY_MEANING.get(word)
        if reason in {SkipReason.NOTE_REFERENCE, SkipReason.NOTE} or (reason and name in BLOCKS):
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
    if not classes(element) & PAGE_CLASSES:
        return False
    text = short_text(element)
    return text is not None and bool(_PAGE_NUMBER.match(text.strip()))


def _is_line_number(element: Element) -> bool:
    """A number beside a line or verse, by its class; a mere "num" must have a line's id too."""
    named = {name.replace("_", "-") for name in classes(element)}
    counts = "num" in named and _LINE_ID.match(element.get("id") or "")
    if not (counts or named & LINE_CLASSES):
        return False
    text = short_text(element)
    return text is not None and bool(_LINE_NUMBER.match(text.strip()))


def _is_noteref(element: Element, name: str) -> bool:
    """A link to a note by its looks, a `<sup>` around one, or one around a `<sup>`."""
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
