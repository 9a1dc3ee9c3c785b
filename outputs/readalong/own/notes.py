"""Links the notes of a source and their marks both ways, and sets each in the chapter of its mark.

    source    <sup><a href="#fn1">[1]</a></sup> … <ol><li id="fn1">An ell. <a href="#r1">↩</a></li>
    page      <a id="r1" href="#fn1" epub:type="noteref" role="doc-noteref">[1]</a> …
              <section epub:type="footnotes"><aside id="fn1" epub:type="footnote"
              role="doc-footnote"><p><a href="#r1" role="doc-backlink">[1]</a> An ell.</p>

A note is what a mark leads to, if it leads back or is marked as a note. Notes that are spoken are
no asides: reading systems hide these, and show them only by their marks.

Sources: EPUB 3 Structural Semantics 1.1, DPUB-ARIA 1.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from audiomill.inputs.epub.opf_repair import XML_LANG
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import classes, own_ids, text_within
from audiomill.inputs.markup.skips import NOTE_CLASSES, note_link, skip_reason
from audiomill.inputs.model.book import SkipReason
from audiomill.outputs.readalong.documents.xml import EPUB_TYPE, xhtml
from audiomill.outputs.readalong.upgrade.elements import (
    Part,
    drop,
    fill,
    html,
    html_name,
    name_of,
    parts_of,
    take_out,
    wrapped,
)
from audiomill.outputs.readalong.upgrade.phrases import FLOW_ONLY

NOTEREF, NOTE, BACKLINK, NOTES = "noteref", "footnote", "backlink", "footnotes"
_BLOCKS = frozenset(("aside", "blockquote", "dd", "div", "li", "p", "section", "td"))
_MOVABLE = frozenset(("aside", "blockquote", "div", "li", "p"))
_N_AROUND = 3  # elements around a mark that a note may lead back to
_AGAIN = re.compile(r"\[(\d+):\d+\]")  # how the second mark of a note is written in Markdown
_ROLES = {NOTEREF: "doc-noteref", BACKLINK: "doc-backlink"}


def mark_notes(body: Element) -> None:
    """Set the types of notes, of their marks, and of the links back; each mark gets an id."""
    order = {node: at for at, node in enumerate(body.iter())}
    places = {name: node for node in reversed(order) for name in own_ids(node)}
    marked = set[Element]()
    for number, link in enumerate(order):
        if local_name(link) != "a" or link in marked:
            continue
        href = note_link(link) or ""
        target = places.get(href[1:]) if href.startswith("#") else None
        note = None if target is None else _note_block(target, body)
        if note is None or order[note] < number or note in link.iterancestors():
            continue
        back = [one for one in note.iter() if _leads_to(one, link, places)]
        if back or _is_marked(note):
            marked.update(back)
            _mark(link, note, back, href[1:], f"note-mark-{number}")


def _mark(link: Element, note: Element, back: Sequence[Element], name: str, mark_name: str) -> None:
    link.set(EPUB_TYPE, NOTEREF)
    if again := _AGAIN.fullmatch(link.text or ""):
        link.text = f"[{again[1]}]"
    note.set(EPUB_TYPE, NOTE)
    if name not in own_ids(note):
        for node in note.iter():
            if node.get("id") == name:
                del node.attrib["id"]
            if local_name(node) == "a" and node.get("name") == name:
                del node.attrib["name"]
        link.set("href", f"#{note.get('id') or name}")
        note.set("id", note.get("id") or name)
    if not back or not own_ids(link):
        link.set("id", link.get("id") or mark_name)
    for one in back:
        one.set(EPUB_TYPE, BACKLINK)
        one.set("href", f"#{link.get('id') or own_ids(link)[0]}")


def _note_block(target: Element, body: Element) -> Element | None:
    """The block that a mark leads to, or the marked note around it."""
    block = next(
        (
            one
            for one in (target, *target.iterancestors())
            if local_name(one) in _BLOCKS and one is not body
        ),
        None,
    )
    parent = None if block is None else block.getparent()
    is_part = parent is not None and parent is not body and "footnote" in classes(parent)
    return parent if is_part else block


def _leads_to(link: Element, mark: Element, places: Mapping[str, Element]) -> bool:
    """Whether `link` is a link back to `mark`, or to what is right around it or in it."""
    href = link.get("href") or "" if local_name(link) == "a" else ""
    target = places.get(href[1:]) if href.startswith("#") else None
    if target is None:
        return False
    around = [mark, *list(mark.iterancestors())[:_N_AROUND]]
    is_small = len(text_within(target)) <= len(text_within(mark)) + _N_AROUND
    return (
        target is mark
        or (is_small and (target in around or mark in target.itersiblings()))
        or (mark in target.iterancestors())
    )


def _is_marked(note: Element) -> bool:
    for one in (note, *note.iterancestors()):
        if skip_reason(one) is SkipReason.NOTE or classes(one) & NOTE_CLASSES:
            return True
    return False


def place_notes(pages: Sequence[Element], *, are_spoken: bool) -> None:
    """Move notes to the end of the page with their first mark, and tell what each element is."""
    notes = {one.get("id") or "": (one, page) for page in pages for one in _typed(page, NOTE)}
    done = set[str]()
    for page in pages:
        moved: list[Element] = []
        for mark in list(_typed(page, NOTEREF)):
            name = (mark.get("href") or "")[1:]
            mark.set("role", _ROLES[NOTEREF])
            note, own_page = notes.get(name, (None, page))
            if note is None or name in done or mark in note.iter():
                continue
            done.add(name)
            _link_back(note, mark)
            if html_name(note) in _MOVABLE and (own_page is not page or html_name(note) == "li"):
                moved.append(_taken(note, are_spoken=are_spoken))
            elif html_name(note) in {"aside", "div", "p", "section"}:
                note.set("role", "doc-footnote")
        if moved:
            page.append(xhtml("section", {"epub:type": NOTES, "class": "notes"}, *moved))
    for page in pages:
        for one in _typed(page, BACKLINK):
            one.set("role", _ROLES[BACKLINK])


def _typed(page: Element, kind: str) -> Iterator[Element]:
    return (node for node in page.iter() if node.get(EPUB_TYPE) == kind)


def _link_back(note: Element, mark: Element) -> None:
    """Begin the note with its mark, as a link back; signs such as “↩” at its end go."""
    back = list(_typed(note, BACKLINK))
    if any(any(map(str.isalnum, text_within(one))) for one in back):
        return
    for one in back:
        _strip_before(one)
        take_out(one)
    link = xhtml("a", {"epub:type": BACKLINK, "href": f"#{mark.get('id')}"}, text_within(mark))
    first = next((one for one in note if html_name(one) == "p"), None)
    at = note if first is None or (note.text or "").strip() else first
    fill(at, [link, " ", *parts_of(at)])


def _strip_before(link: Element) -> None:
    before, parent = link.getprevious(), link.getparent()
    if before is not None:
        before.tail = (before.tail or "").rstrip()
    elif parent is not None:
        parent.text = (parent.text or "").rstrip()


def _taken(note: Element, *, are_spoken: bool) -> Element:
    """The note as an element of its own; what was only around it goes."""
    parent = note.getparent()
    name = note.get("id") or ""
    drop(note, "id", EPUB_TYPE)
    attributes = {"class": "note", "epub:type": NOTE, "role": "doc-footnote", "id": name}
    made = xhtml("div" if are_spoken else "aside", attributes)
    take_out(note)
    if html_name(note) == "p":
        made.append(note)
    else:
        for key in ("lang", "dir", XML_LANG):
            if key in note.attrib:
                made.set(key, note.attrib[key])
        fill(made, wrapped(parts_of(note), _is_block, lambda: html("p")))
    _remove_empty(parent)
    return made


def _is_block(part: Part) -> bool:
    return name_of(part) in FLOW_ONLY


def _remove_empty(element: Element | None) -> None:
    """Take out an element that is empty now, and those around it that are."""
    while element is not None and html_name(element) not in {"body", "html"}:
        parent = element.getparent()
        rest = [one for one in element if html_name(one) != "hr"]
        if rest or text_within(element).strip() or parent is None:
            return
        take_out(element)
        element = parent
