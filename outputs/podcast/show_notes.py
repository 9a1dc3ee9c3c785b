"""Makes the HTML of show notes safe: only a few elements, and links to the web, are left.

The tree is serialised anew, without comments, scripts or foreign elements, so no reader can take
it for other elements than those checked here.
"""

from __future__ import annotations

from typing import Any

from lxml import html

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.podcast.urls import web_url
from audiomill.outputs.text import prose

_KEPT = frozenset(("p", "a", "em", "strong", "ul", "ol", "li", "blockquote", "code"))
_RENAMED = {
    "b": "strong",
    "i": "em",
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "p"),
}
# Without their content, which is no text of the notes.
_DROPPED = frozenset(
    (
        *("script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "math"),
        *("head", "title", "textarea", "select", "option", "xmp", "noembed", "noframes"),
    )
)
_INLINE = frozenset(("span", "b", "i", "u", "s", "small", "sub", "sup", "abbr", "mark", "font"))


def safe_notes(text: str) -> Element:
    """The notes in a `<div>`. Text of elements that are not kept stays, on a line of its own."""
    # Within an element, so that lxml does not take the text for a whole page.
    root = html.fragment_fromstring(f"<div>{prose(text)}</div>", create_parent="div")
    for element in list(root.iter()):
        if element is not root:
            _clean(element)
    return root


def safe_html(text: str) -> str:
    """The notes as HTML; "" if nothing is left of them."""
    root = safe_notes(text)
    inner = html.tostring(root, encoding="unicode").removeprefix("<div>").removesuffix("</div>")
    return inner.strip()


def _clean(element: Any) -> None:
    """Remove an element, or what it may not have. Its descendants come later."""
    if element.getparent() is None:
        return  # it went with one around it
    if not isinstance(element.tag, str) or element.tag in _DROPPED:
        element.drop_tree()
        return
    link = web_url(element.get("href") or "") if element.tag == "a" else ""
    element.tag = _RENAMED.get(element.tag, element.tag)
    element.attrib.clear()
    if link:
        element.attrib.update({"href": link, "rel": "noopener noreferrer"})
    if element.tag not in _KEPT or (element.tag == "a" and not link):
        _unwrap(element)


def _unwrap(element: Any) -> None:
    """Replace an element by its content; a block's text keeps its distance to the text around."""
    if element.tag not in _INLINE | {"a"}:
        element.text = " " + (element.text or "")
        element.tail = " " + (element.tail or "")
    element.drop_tag()
