"""Copies the tree of a page as elements of XHTML 5: names, namespaces and attributes.

Obsolete elements (HTML standard, 16.2) become those of today with a style of the same look. The
order of the elements and their text stay; `structure.py` mends where they stand.
"""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

from audiomill.inputs.markup.parser import OPS, XHTML, Element, local_name
from audiomill.inputs.markup.semantics import MATHML, XML, is_entity, text_of_style
from audiomill.outputs.pages.svg import SVG
from audiomill.outputs.readalong.upgrade.attributes import OF_ELEMENTS, kept_attributes
from audiomill.outputs.readalong.upgrade.elements import (
    PAGE_PREFIXES,
    PREFIXES,
    XLINK,
    add_style,
    add_text,
    html_name,
)
from audiomill.outputs.readalong.upgrade.presentation import presentational_style

_ELEMENT_NAMES = """
abbr address article aside b bdi bdo body br caption cite code datalist dd dfn div dl dt em
figcaption figure footer h1 h2 h3 h4 h5 h6 head header hgroup hr html i kbd legend main mark menu
nav p picture pre rp rt ruby s samp section small span strong sub summary sup table tbody template
tfoot thead title tr u ul var wbr
"""
ELEMENTS = frozenset((*_ELEMENT_NAMES.split(), *OF_ELEMENTS))
# The obsolete element ─▶ today's, and its style.
RENAMED = {
    "acronym": ("abbr", ""),
    "applet": ("div", ""),
    "big": ("span", "font-size:larger"),
    "center": ("div", "text-align:center"),
    "dir": ("ul", ""),
    "frameset": ("div", ""),
    "image": ("img", ""),
    "listing": ("pre", ""),
    "marquee": ("div", ""),
    "menu": ("ul", ""),
    "multicol": ("div", ""),
    "nobr": ("span", "white-space:nowrap"),
    "noframes": ("div", ""),
    "noscript": ("div", ""),
    "plaintext": ("pre", ""),
    "strike": ("s", ""),
    "tt": ("span", "font-family:monospace"),
    "xmp": ("pre", ""),
}
# Names that an HTML parser put into lower case.
_SVG_NAMES = """
clipPath foreignObject linearGradient radialGradient textPath attributeName baseProfile
clipPathUnits contentScriptType gradientTransform gradientUnits markerHeight markerUnits markerWidth
patternContentUnits patternTransform patternUnits preserveAspectRatio refX refY spreadMethod
startOffset textLength viewBox
"""
_SVG_CASE = {name.lower(): name for name in _SVG_NAMES.split()}


def html5_tree(root: Element, entities: Mapping[str, str]) -> Element:
    """Return a copy of the tree in the namespaces of XHTML, SVG and MathML, without comments.

    `entities` are the texts of those that the document declares itself.
    """
    top = etree.Element(f"{{{XHTML}}}html", nsmap=PAGE_PREFIXES)
    is_whole = local_name(root) == "html"
    pending = [(root, top)] if is_whole else [(root, _add_copy(top, root))]
    if is_whole:
        _set_attributes(top, root, "html")
    while pending:
        old, new = pending.pop()
        add_text(new, text_of_style(old) if local_name(old) == "style" else old.text)
        for child in old if local_name(old) != "style" else ():
            if local_name(child):
                pending.append((child, _add_copy(new, child)))
            elif is_entity(child):
                add_text(new, entities.get((child.text or "").strip("&;"), ""))
            add_text(new, child.tail)
    return top


def _add_copy(parent: Element, old: Element) -> Element:
    """Add the element that stands for `old`, without its content."""
    namespace = _namespace(parent, old)
    if namespace != XHTML:
        return _add_foreign(parent, old, namespace)
    name, style = RENAMED.get(local_name(old), (local_name(old), ""))
    if name not in ELEMENTS:
        name = "span"
    new = etree.SubElement(parent, f"{{{XHTML}}}{name}", nsmap=PREFIXES[XHTML])
    _set_attributes(new, old, name)
    add_style(new, style)
    if name in {"a", "map"}:
        _set_name(new, (old.get("name") or "").strip())
    return new


def _set_name(new: Element, name: str) -> None:
    """The name of an anchor is an id today; where it has both, the name is that of a `span`."""
    known = new.get("id")
    if html_name(new) == "map":
        new.set("name", name or known or "map")
        new.set("id", new.get("name") or "")
    elif name and known is None:
        new.set("id", name.replace(" ", "_"))
    elif name and name != known:
        etree.SubElement(new, f"{{{XHTML}}}span").set("id", name.replace(" ", "_"))


def _set_attributes(new: Element, old: Element, name: str) -> None:
    for key, value in kept_attributes(name, old).items():
        new.set(key, value)
    own = (old.get("style") or "").strip()
    if own:
        new.set("style", own)
    add_style(new, presentational_style(old))


def _namespace(parent: Element, old: Element) -> str:
    """The namespace of a copy: its own, or that which an HTML parser has lost."""
    own = str(old.tag).rpartition("}")[0].lstrip("{")
    around = str(parent.tag).rpartition("}")[0].lstrip("{")
    name = local_name(old)
    if own in {SVG, MATHML} or (own not in {"", XHTML} and around != XHTML):
        return own
    if own == "" and name in {"svg", "math"}:
        return SVG if name == "svg" else MATHML
    is_within = own == "" and around != XHTML and local_name(parent) != "foreignobject"
    return around if is_within else XHTML


def _add_foreign(parent: Element, old: Element, namespace: str) -> Element:
    """Add a copy of an element of SVG, of MathML, or of what a drawing says of itself."""
    written = str(old.tag).rpartition("}")[2].rpartition(":")[2]
    is_lost = "}" not in str(old.tag)
    name = _SVG_CASE.get(written, written) if is_lost and namespace == SVG else written
    nsmap = PREFIXES.get(namespace) or {key: uri for key, uri in old.nsmap.items() if key}
    new = etree.SubElement(parent, f"{{{namespace}}}{name}", nsmap=nsmap)
    for key, value in old.attrib.items():
        local = _foreign_attribute(str(key), is_lost=is_lost)
        if local:
            new.set(local, str(value))
    return new


def _foreign_attribute(key: str, *, is_lost: bool) -> str:
    """The name of an attribute with its namespace; "" for the declaration of one."""
    if not is_lost:
        return key
    prefix, _, name = key.rpartition(":")
    if key == "xmlns" or prefix not in {"", "xlink", "xml", "epub"}:
        return ""
    namespace = {"xlink": XLINK, "xml": XML, "epub": OPS}.get(prefix)
    return f"{{{namespace}}}{name}" if namespace else _SVG_CASE.get(name, name)
