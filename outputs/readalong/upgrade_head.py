"""Parts a page into its head and its body, as the HTML standard has them (4.1 to 4.3)."""

from __future__ import annotations

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.readalong.upgrade_elements import html, html_name, rename
from audiomill.outputs.readalong.upgrade_parts import (
    Part,
    fill,
    is_blank,
    name_of,
    parts_of,
    take_out,
)

IN_HEAD = frozenset(("base", "link", "meta", "script", "style", "template", "title"))
MOVED_TO_HEAD = frozenset(("base", "link", "meta", "style", "title"))  # from wherever they stand
CSS_TYPES = frozenset(("", "text/css", "text/x-oeb1-css"))


def mend_head(root: Element, title: str) -> None:
    """Give `root` one head and one body. `title` is for a page that has none (4.2.2)."""
    parts = parts_of(root)
    heads = [part for part in parts if name_of(part) == "head"]
    bodies = [part for part in parts if name_of(part) == "body"]
    head, body = _merged("head", heads), _merged("body", bodies)
    before = [part for part in parts if part not in heads and part not in bodies]
    inner = [*parts_of(head), *before]
    body_parts = parts_of(body)
    fill(body, [one for one in inner if name_of(one) not in IN_HEAD and not is_blank(one)])
    fill(body, body_parts)
    kept = [one for one in inner if name_of(one) in IN_HEAD]
    fill(root, [head, "\n", body])
    _fill_head(head, [*kept, *_taken_out(body)], title)


def _merged(name: str, elements: list[Part]) -> Element:
    """The first of the elements with the content of all; a new one if there is none."""
    first, *more = [one for one in elements if not isinstance(one, str)] or [html(name)]
    for element in more:
        fill(first, parts_of(element))
    return first


def _taken_out(body: Element) -> list[Element]:
    """The elements of a head that stand in the body. A title there is a text that is not shown."""
    found = [node for node in body.iter() if html_name(node) in MOVED_TO_HEAD]
    for node in found:
        if html_name(node) == "title":
            rename(node, "span")
            node.set("hidden", "hidden")
        else:
            take_out(node)
    return [node for node in found if html_name(node) != "span"]


def _fill_head(head: Element, parts: list[Part], title: str) -> None:
    charset = html("meta")
    charset.set("charset", "utf-8")
    nodes = [node for node in parts if not isinstance(node, str)]
    titles = [node for node in nodes if html_name(node) == "title" and _text(node)]
    shown = titles[0] if titles else html("title")
    text = _text(shown) or title
    parts_of(shown)
    shown.text = text
    kept = [node for node in nodes if html_name(node) not in {"base", "title"} and _is_useful(node)]
    for node in (charset, shown, *kept):
        fill(head, ["\n", node])
    fill(head, ["\n"])


def _text(element: Element) -> str:
    return "".join(map(str, element.itertext())).strip()


def _is_useful(node: Element) -> bool:
    """Whether an element of a head says something that EPUB 3 allows."""
    name = html_name(node)
    if name == "meta":
        return node.get("name") is not None and node.get("content") is not None
    kind = (node.get("type") or "").partition(";")[0].strip().lower()
    is_sheet = name == "style" or "stylesheet" in (node.get("rel") or "").lower().split()
    if is_sheet and kind in CSS_TYPES:
        node.set("type", "text/css")
    if name == "link":
        return bool(node.get("rel") and node.get("href")) and (not is_sheet or kind in CSS_TYPES)
    return name != "style" or kind in CSS_TYPES
