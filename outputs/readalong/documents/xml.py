"""Builds the XML of an EPUB as trees, so that all text in it is escaped by lxml.

Characters that XML 1.0 forbids are left out, of texts and of attributes. Names of attributes may
have the prefixes `epub` and `xml`, those of elements of a package `dc`.

Sources: EPUB 3.3 (w3.org/TR/epub-33), XML 1.0 (2.2), BCP 47.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from lxml import etree

from audiomill.inputs.epub.opf_repair import DC, OPF
from audiomill.inputs.epub.package import PACKAGE_TYPE
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.languages.writing import is_right_to_left
from audiomill.inputs.markup.parser import OPS, XHTML, Element
from audiomill.inputs.markup.semantics import XML
from audiomill.outputs.pages.html_tree import Content, fill
from audiomill.outputs.text import NO_XML

STYLE_NAME = "book.css"
OCF = "urn:oasis:names:tc:opendocument:xmlns:container"
EPUB_TYPE = f"{{{OPS}}}type"
_PREFIXES = {"epub": OPS, "xml": XML, "dc": DC}
_DECLARED = {XHTML: ("epub",), OPF: ("dc",), OCF: ()}
_UNDETERMINED = "und"


def xhtml(name: str, attributes: Mapping[str, str] | None = None, *content: Content) -> Element:
    """An element of a page, with text and elements in it."""
    return _element(XHTML, name, attributes or {}, content)


def opf(name: str, attributes: Mapping[str, str] | None = None, *content: Content) -> Element:
    """An element of a package document."""
    return _element(OPF, name, attributes or {}, content)


def container(package: str) -> Element:
    """The document that leads to the package document, by its URL (EPUB 3.3, 4.2.6.3.1)."""
    about = {"full-path": package, "media-type": PACKAGE_TYPE}
    roots = _element(OCF, "rootfiles", {}, (_element(OCF, "rootfile", about, ()),))
    return _element(OCF, "container", {"version": "1.0"}, (roots,))


def _element(
    namespace: str, name: str, attributes: Mapping[str, str], content: tuple[Content, ...]
) -> Element:
    declared = {prefix: _PREFIXES[prefix] for prefix in _DECLARED[namespace]}
    # The stubs know no None.
    nsmap = cast("dict[str, str]", {None: namespace, **declared})
    made = etree.Element(_name(name, namespace), nsmap=nsmap)
    for key, value in attributes.items():
        made.set(_name(key), _allowed(value))
    fill(made, (_allowed(one) if isinstance(one, str) else one for one in content))
    return made


def _name(name: str, default: str = "") -> str:
    """The name as lxml writes it, with the address of its namespace."""
    prefix, colon, local = name.rpartition(":")
    namespace = _PREFIXES[prefix] if colon else default
    return f"{{{namespace}}}{local}" if namespace else local


def _allowed(text: str) -> str:
    return NO_XML.sub("", text)


def xml_bytes(root: Element) -> bytes:
    """The document as UTF-8."""
    return etree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"


def known_tag(language: str) -> str:
    """The tag of a language, as XML wants it: "und" for none."""
    return language_tag(language) or _UNDETERMINED


def language_attributes(language: str, around: str | None = None) -> dict[str, str]:
    """The attributes of an element in a language, inside of text in another one, or none."""
    if around is not None and language == around:
        return {}
    tag = known_tag(language)
    attributes = {"lang": tag, "xml:lang": tag}
    if is_right_to_left(tag) != is_right_to_left(around or ""):
        attributes["dir"] = "rtl" if is_right_to_left(tag) else "ltr"
    return attributes


def xhtml_bytes(title: str, language: str, body: Element) -> bytes:
    """A whole page, with the style sheet beside it. `title` must not be empty."""
    head = xhtml(
        "head",
        {},
        xhtml("meta", {"charset": "utf-8"}),
        xhtml("title", {}, title),
        xhtml("link", {"rel": "stylesheet", "type": "text/css", "href": STYLE_NAME}),
    )
    root = xhtml("html", language_attributes(language), "\n", head, "\n", body, "\n")
    declared = "<!DOCTYPE html>"
    return etree.tostring(root, encoding="utf-8", xml_declaration=True, doctype=declared) + b"\n"
