"""Mends where the elements of a page stand, by the content models of the HTML standard, 4.

Words keep their order: what stands where it must not is wrapped, or becomes an element that may
stand there, with the look that it had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from audiomill.inputs.markup.parser import INLINE, VOID, Element
from audiomill.outputs.readalong.upgrade_elements import add_text, drop, html, html_name, rename

Part: TypeAlias = Element | str
PHRASING = (INLINE | {"bdi", "mark", "rp", "rt", "ruby"}) - {"a", "del", "ins"}
PARAGRAPHS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "p", "pre"))
# Elements whose content is phrasing; those of `PARAGRAPHS` are blocks themselves.
PHRASING_ONLY = PARAGRAPHS | PHRASING | {"button", "label", "legend", "summary"}
GENERIC = frozenset(("address", "article", "blockquote", "div", "footer", "header", "p", "section"))
_PARAGRAPH_LOOK = "display:block;margin:1em 0"
# The look of an element, for a `div` or a `span` in its place (HTML standard, 15.3).
_LOOKS = {
    "address": "display:block;font-style:italic",
    "b": "font-weight:bold",
    "blockquote": "display:block;margin:1em 40px",
    "cite": "font-style:italic",
    "code": "font-family:monospace",
    "dfn": "font-style:italic",
    "em": "font-style:italic",
    "i": "font-style:italic",
    "kbd": "font-family:monospace",
    "p": _PARAGRAPH_LOOK,
    "pre": "font-family:monospace;white-space:pre;margin:1em 0",
    "s": "text-decoration:line-through",
    "samp": "font-family:monospace",
    "small": "font-size:smaller",
    "strong": "font-weight:bold",
    "sub": "vertical-align:sub;font-size:smaller",
    "sup": "vertical-align:super;font-size:smaller",
    "u": "text-decoration:underline",
    "var": "font-style:italic",
}
_RULE_LOOK = "display:block;border-top:1px solid;margin:0.5em 0"
_HEADING_SIZES = {"h1": 2, "h2": 1.5, "h3": 1.17, "h4": 1, "h5": 0.83, "h6": 0.67}  # in em
_FLOW_NAMES = """
address article aside blockquote details div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header
hgroup hr main nav ol p pre section table ul
"""
FLOW_ONLY = frozenset(_FLOW_NAMES.split())  # what may not stand in a paragraph
SCRIPTS = frozenset(("script", "template"))
ITEMS = SCRIPTS | {"li"}
# Elements that stand in few others ─▶ those, and the look of one that stands elsewhere.
_PARENTS = {
    "li": ("ol ul", "display:list-item"),
    "dt": ("dl div", "display:block"),
    "dd": ("dl div", "display:block;margin-left:40px"),
    "caption": ("table", "display:table-caption"),
    "thead": ("table", "display:table-header-group"),
    "tbody": ("table", "display:table-row-group"),
    "tfoot": ("table", "display:table-footer-group"),
    "tr": ("table thead tbody tfoot", "display:table-row"),
    "td": ("tr", "display:table-cell"),
    "th": ("tr", "display:table-cell;font-weight:bold;text-align:center"),
    "legend": ("fieldset", "display:block"),
    "figcaption": ("figure", "display:block"),
    "rt": ("ruby rtc", ""),
    "rp": ("ruby rtc", ""),
}


def mend_structure(root: Element) -> None:
    """Mend all of a page but its head."""
    for element in list(root.iter()):
        if html_name(element) in VOID and (len(element) or element.text):
            _move_content_behind(element)
    for names, mend in _MENDERS:
        for element in list(root.iter()):
            if html_name(element) in names:
                mend(element)


def parts_of(parent: Element) -> list[Part]:
    """Take the content out of an element: its texts and elements, in their order."""
    parts: list[Part] = [parent.text or ""]
    parent.text = None
    for child in list(parent):
        tail, child.tail = child.tail or "", None
        parent.remove(child)
        parts += (child, tail)
    return [part for part in parts if part != ""]


def fill(parent: Element, parts: Sequence[Part]) -> Element:
    """Add texts and elements at the end of an element, and return it."""
    for part in parts:
        if isinstance(part, str):
            add_text(parent, part)
        else:
            parent.append(part)
    return parent


def name_of(part: Part) -> str:
    """Return the name of an element of XHTML; "" for a text."""
    return "" if isinstance(part, str) else html_name(part)


def is_blank(part: Part) -> bool:
    """Whether a part is only white space."""
    return isinstance(part, str) and not part.strip()


def wrapped(
    parts: Sequence[Part], may_stay: Callable[[Part], bool], make: Callable[[], Element]
) -> list[Part]:
    """Return the parts, with each run of what may not stay in an element. White space stays."""
    result: list[Part] = []
    run: list[Part] = []
    for part in parts:
        if is_blank(part):
            (run or result).append(part)
        elif may_stay(part):
            result += [fill(make(), run)] if run else []
            result.append(part)
            run = []
        else:
            run.append(part)
    return [*result, fill(make(), run)] if run else result


def _move_content_behind(element: Element) -> None:
    """`<br>text</br>` becomes `<br/>text`."""
    parent = element.getparent()
    if parent is None:
        return
    inner = parts_of(element)
    parts = parts_of(parent)
    at = parts.index(element) + 1
    fill(parent, [*parts[:at], *inner, *parts[at:]])


def _mend_stray(element: Element) -> None:
    """An element that stands in no list or table becomes a `div` with its look."""
    parents, look = _PARENTS[html_name(element)]
    parent = element.getparent()
    around = "" if parent is None else html_name(parent)
    in_group = around == "div" and parent is not None and _is_group(parent)
    if around not in parents.split() or (around == "div" and not in_group):
        rename(element, "span" if html_name(element) in {"rt", "rp"} else "div", look)


def _is_group(division: Element) -> bool:
    """Whether a `div` groups terms of a `dl` (4.4.9)."""
    parent = division.getparent()
    return parent is not None and html_name(parent) == "dl"


def _mend_list(element: Element) -> None:
    """A list has only items (4.4.5); what stands between them becomes one without a marker."""
    parts = wrapped(
        parts_of(element),
        lambda part: name_of(part) in ITEMS,
        lambda: html("li", "list-style-type:none"),
    )
    fill(element, parts)
    for item in element if html_name(element) == "ul" else ():
        drop(item, "value")


def _mend_terms(element: Element) -> None:
    """A `dl` has groups of terms and their descriptions (4.4.9), or each group in a `div`."""
    if all(name_of(part) == "div" or is_blank(part) for part in (*element, element.text or "")):
        return
    names = SCRIPTS | {"dt", "dd"}
    parts = wrapped(
        parts_of(element), lambda part: name_of(part) in names, lambda: html("dd", "margin-left:0")
    )
    before = ""
    for part in parts:
        if name_of(part) == "dd" and not before:
            element.append(html("dt"))
        fill(element, [part])
        before = name_of(part) if name_of(part) in {"dt", "dd"} else before
    if before == "dt":
        element.append(html("dd"))


def _mend_table(table: Element) -> None:
    """A table has a caption, columns, a head, and bodies or rows, and a foot, in this order."""
    parts = [_in_group(part) for part in parts_of(table)]
    columns = [part for part in parts if name_of(part) == "colgroup"]
    rest = [part for part in parts if name_of(part) != "colgroup"]
    first = next((part for part in rest if not is_blank(part)), "")
    names = SCRIPTS | {"thead", "tbody", "tfoot", "tr"}
    caption = [first] if name_of(first) == "caption" else []
    for part in rest:
        if not isinstance(part, str) and name_of(part) == "caption" and part not in caption:
            rename(part, "div", "text-align:center")
    rows = wrapped(
        [part for part in rest if part not in caption],
        lambda part: name_of(part) in names,
        lambda: html("tbody"),
    )
    fill(table, [*caption, *columns, *rows])
    _mend_order_of_sections(table)


def _in_group(part: Part) -> Part:
    return fill(html("colgroup"), [part]) if name_of(part) == "col" else part


def _mend_order_of_sections(table: Element) -> None:
    """A head that is not the first, and a foot that is not the last, look so in a body."""
    rows = [one for one in table if html_name(one) in {"thead", "tbody", "tfoot", "tr"}]
    for number, section in enumerate(rows):
        name = html_name(section)
        is_misplaced = (name == "thead" and number) or (name == "tfoot" and section is not rows[-1])
        if is_misplaced:
            rename(section, "tbody", _PARENTS[name][1])
    if any(html_name(one) == "tbody" for one in rows):
        parts = wrapped(parts_of(table), lambda part: name_of(part) != "tr", lambda: html("tbody"))
        fill(table, parts)


def _mend_section(section: Element) -> None:
    names = SCRIPTS | {"tr"}
    parts = wrapped(parts_of(section), lambda part: name_of(part) in names, lambda: html("tr"))
    fill(section, parts)


def _mend_row(row: Element) -> None:
    names = SCRIPTS | {"td", "th"}
    parts = wrapped(parts_of(row), lambda part: name_of(part) in names, lambda: html("td"))
    fill(row, parts)


def _mend_anchor(anchor: Element) -> None:
    """An anchor has no anchor in it (4.5.1): the inner one stays, the outer one is around it."""
    inner = [node for node in anchor.iter() if node is not anchor and html_name(node) == "a"]
    for node in inner:
        if node.get("href") is None:
            rename(node, "span")
    links = [node for node in inner if html_name(node) == "a"]
    if not links:
        return
    href = anchor.get("href")
    rename(anchor, "span")
    for node in {id(one): one for link in links for one in _up_to(link, anchor)}.values():
        make = _link_maker(href)
        may_stay = _holds_one_of(links)
        if make is not None:
            fill(node, wrapped(parts_of(node), may_stay, make))


def _up_to(link: Element, anchor: Element) -> Iterator[Element]:
    """The elements around `link`, up to `anchor`."""
    for node in link.iterancestors():
        yield node
        if node is anchor:
            return


def _link_maker(href: str | None) -> Callable[[], Element] | None:
    def make() -> Element:
        link = html("a")
        link.set("href", href or "")
        return link

    return None if href is None else make


def _holds_one_of(links: Sequence[Element]) -> Callable[[Part], bool]:
    def holds(part: Part) -> bool:
        return not isinstance(part, str) and any(node in links for node in part.iter())

    return holds


def _mend_phrase(element: Element) -> None:
    """Only phrases are in a phrase (3.2.5.2.5): blocks in it become spans, or it a `div`."""
    blocks = _blocks_in(element)
    if not blocks:
        return
    name = html_name(element)
    if name in PHRASING and name not in {"ruby", "rt", "rp"}:
        rename(element, "div", _joined("display:inline", _LOOKS.get(name, "")))
    elif all(html_name(block) in GENERIC or html_name(block) == "hr" for block in blocks):
        for block in blocks:
            look = _RULE_LOOK if html_name(block) == "hr" else "display:block"
            rename(block, "span", _joined(look, _LOOKS.get(html_name(block), "")))
    elif name in PARAGRAPHS:
        _make_division(element)


def _make_division(element: Element) -> None:
    name = html_name(element)
    size = _HEADING_SIZES.get(name)
    look = f"font-size:{size}em;font-weight:bold;margin:0.67em 0" if size else _LOOKS[name]
    rename(element, "div", look)
    if size:
        element.set("role", "heading")
        element.set("aria-level", name[1])


def _joined(*styles: str) -> str:
    return ";".join(style for style in styles if style)


def _blocks_in(element: Element) -> list[Element]:
    """The blocks in an element, in any order. Drawings have a content of their own."""
    found: list[Element] = []
    pending = list(element)
    while pending:
        node = pending.pop()
        if html_name(node):
            pending.extend(node)
            found += [node] if html_name(node) in FLOW_ONLY else []
    return found


_MENDERS: tuple[tuple[frozenset[str], Callable[[Element], None]], ...] = (
    (frozenset(_PARENTS), _mend_stray),
    (frozenset(("ol", "ul")), _mend_list),
    (frozenset(("dl",)), _mend_terms),
    (frozenset(("table",)), _mend_table),
    (frozenset(("thead", "tbody", "tfoot")), _mend_section),
    (frozenset(("tr",)), _mend_row),
    (frozenset(("a",)), _mend_anchor),
    (PHRASING_ONLY, _mend_phrase),
)
