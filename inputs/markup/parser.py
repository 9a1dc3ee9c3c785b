"""Bytes of HTML, XHTML or XML to an element tree; knows encodings and broken markup, not meaning.

Entities are never resolved beyond HTML's named characters, nothing is ever fetched, and no input
nests deeply enough to lose its text.
"""

from __future__ import annotations

import codecs
import html
import re
from functools import lru_cache
from html.entities import html5
from typing import Any, TypeAlias

from lxml import etree

from audiomill.inputs.book import SourceCorrupt

# lxml has no public name for the type of an element; this one name is used everywhere.
Element: TypeAlias = etree._Element  # pyright: ignore[reportPrivateUsage]

OPS = "http://www.idpf.org/2007/ops"
# Elements without an end tag (HTML, 13.1.2).
_VOID_NAMES = "area base br col embed hr img input link meta param source track wbr"
VOID = frozenset(_VOID_NAMES.split())
BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16: it begins with UTF-16's mark
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What browsers mean by these labels (WHATWG Encoding, 4.2).
RELABELLED = {"iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "gb2312": "gb18030"}
HEAD_BYTES = 2048  # where a declaration of the encoding is looked for
PROLOGUE_CHARS = 1 << 14  # where a DTD is looked for; patterns over it stay cheap
_INLINE_NAMES = """
a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small
span strike strong sub sup time tt u var wbr
"""
INLINE = frozenset(_INLINE_NAMES.split())
KEPT_FLAT = frozenset(("br", "hr", "script", "style", "title"))

_XML_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]+?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_PROLOGUE = re.compile(r"^\s*<\?xml[^>]*\?>")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*;)")
_DOCTYPE = re.compile(
    r"(?:\s|<!--.*?-->|<\?.*?\?>)*+<!DOCTYPE(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*+"
    r"(?:\[(?P<subset>(?:[^\]\"'<]|\"[^\"]*\"|'[^']*'|<!--.*?-->|<)*+)\]\s*+)?>",
    re.DOTALL | re.IGNORECASE,
)
_DECLARED = re.compile(r"<!ENTITY\s+([\w:.-]+)")
# Possessive by looking ahead: see `sentences.py`.
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:.-]*)(?=((?:[^<>\"'/]|/(?!>)|\"[^\"]*\"|'[^']*')*))\2/>")
_TAG = re.compile(r"</?([A-Za-z][^\s/<>]*+)[^<>]*+>")


def parse_xhtml(data: bytes) -> Element:
    """The root element of an HTML or XHTML document, well formed or not.

    XML is tried first, because HTML parsers misread `<title/>` and lose CDATA; then HTML.
    Raises `SourceCorrupt` if `data` is not text.
    """
    text = _without_entities(decode(data))
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), _xml_parser())
    except etree.XMLSyntaxError:
        return _parse_html(text)


def parse_xml(data: bytes) -> Element:
    """The root element of an XML document such as a package file, mended where it is broken.

    Raises `SourceCorrupt` if nothing can be made of it.
    """
    encoded = _without_entities(decode(data)).encode("utf-8", "replace")
    for recover in (False, True):
        try:
            root = etree.fromstring(encoded, _xml_parser(recover=recover))
        except etree.XMLSyntaxError:
            continue
        if root is not None:  # what recovery gives where no element is found
            return root
    raise SourceCorrupt("it is not well-formed XML")


def body_of(root: Element) -> Element:
    """The body of a document, or its root where it has none."""
    return next((e for e in root.iter() if local_name(e) == "body"), root)


def local_name(node: Element) -> str:
    """An element's name in lower case without its namespace; "" for comments and the like."""
    tag: Any = node.tag  # a function for nodes that are not elements, whatever the stubs say
    return _without_namespace(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=1024)  # asked several times of every element, and there are few names
def _without_namespace(tag: str) -> str:
    return tag.rpartition("}")[2].rpartition(":")[2].lower()


def decode(data: bytes) -> str:
    """Text by its mark, its declaration, or its bytes; without characters XML forbids.

    Order: byte order mark, XML declaration, meta charset, UTF-8, windows-1252.
    Raises `SourceCorrupt` if `data` is not text.
    """
    for mark, name in BOMS:
        if data.startswith(mark):
            return _tidy(data[len(mark) :].decode(name, "replace"))
    if data[:1] == b"<" and data[1:2] == b"\0":
        return _tidy(data.decode("utf-16-le", "replace"))
    if data[:2] == b"\0<":
        return _tidy(data.decode("utf-16-be", "replace"))
    if b"\0" in data[:HEAD_BYTES]:
        raise SourceCorrupt("it holds binary data, not text")
    return _tidy(_as_declared(data) or _by_bytes(data))


def _tidy(text: str) -> str:
    return _PROLOGUE.sub("", _CONTROLS.sub(" ", text), count=1)


def _as_declared(data: bytes) -> str | None:
    """`data` decoded as it says of itself, or None where it does not or the claim is false."""
    head = data[:HEAD_BYTES]
    found = _XML_DECLARATION.search(head) or _META_CHARSET.search(head)
    if found is None:
        return None
    try:
        name = codecs.lookup(found[1].decode("ascii", "replace")).name
        if name.startswith(("utf-16", "utf-32")):  # we could read the declaration, so it is not
            return None
        name = RELABELLED.get(name, name)
        # Any bytes at all are text in these; what is UTF-8 as well is UTF-8.
        if name.startswith(("cp125", "iso8859")) and _is_utf8(data):
            name = "utf-8"
        return data.decode(name)
    except (LookupError, UnicodeError):
        return None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _by_bytes(data: bytes) -> str:
    """UTF-8, with a few bad bytes replaced, unless windows-1252 explains `data` better."""
    text = data.decode("utf-8", "replace")
    n_bad = text.count("\ufffd")
    n_good = sum(1 for character in text if character > "\x7f") - n_bad if n_bad else 0
    return text if n_good >= n_bad else data.decode("cp1252", "replace")


def _without_entities(text: str) -> str:
    """Text in which the only references left are XML's five and those its DTD declares.

    `&nbsp;` and the like become characters, and what nobody declares stays as it was typed. The
    DTD itself is replaced by one that is never read, so that a reference to what it declares is
    a node of the tree and never its value: no expansion, no file, no error.
    """
    found = _DOCTYPE.match(text, 0, PROLOGUE_CHARS)
    declared = frozenset(_DECLARED.findall(found["subset"] or "")) if found else frozenset[str]()

    def character(reference: re.Match[str]) -> str:
        name = reference[1]
        known = html5.get(name)
        if known is not None and name.removesuffix(";") not in declared:
            return reference[0] if known in "&<>\"'" else known
        return reference[0] if name.removesuffix(";") in declared else f"&amp;{name}"

    body = _ENTITY.sub(character, text[found.end() :] if found else text)
    return f'<!DOCTYPE html SYSTEM "unread">{body}' if declared else body


def _xml_parser(*, recover: bool = False) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=recover,
    )


def _parse_html(text: str) -> Element:
    text = _SELF_CLOSED.sub(_opened, _without_cdata(text))
    # An HTML parser expands no entities, so lifting libxml2's limits on size is safe here;
    # without it a paragraph of 10 MB reads as nothing.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:  # nothing in it at all
        return etree.Element("html")
    if root is None:
        return etree.Element("html")
    too_deep = any("depth" in entry.message for entry in parser.error_log)
    return _parse_html(_flat(text)) if too_deep else root


def _without_cdata(text: str) -> str:
    """CDATA sections as escaped text; one without an end stays as it is."""
    parts: list[str] = []
    at = 0
    while (start := text.find("<![CDATA[", at)) >= 0:
        end = text.find("]]>", start)
        if end < 0:
            break
        parts += (text[at:start], html.escape(text[start + len("<![CDATA[") : end]))
        at = end + len("]]>")
    return "".join((*parts, text[at:]))


def _opened(found: re.Match[str]) -> str:
    """`<a id="x"/>` as HTML means it: opened and closed at once."""
    name = found[1]
    return found[0] if name.lower() in VOID else f"<{name}{found[2]}></{name}>"


def _flat(text: str) -> str:
    """The same text without nesting: every block a <p>, no inline tags, scripts as they are.

    Nobody writes two thousand elements one in another; what is left of such a page is its words.
    """

    def paragraph(found: re.Match[str]) -> str:
        name = found[1].lower()
        return found[0] if name in KEPT_FLAT else "" if name in INLINE else "<p>"

    return _TAG.sub(paragraph, text)
