"""Bytes of HTML, XHTML or XML to an element tree; knows encodings and broken markup, not meaning.

Entities are never resolved beyond HTML's named characters, nothing is ever fetched, and no input
nests deeply enough to lose its text.
"""

from __future__ import annotations

import codecs
import html
import re
from html.entities import html5
from html.parser import HTMLParser
from typing import Any, TypeAlias, cast

from lxml import etree

from inputs.book import SourceCorrupt

# lxml has no public name for the type of an element; this one name is used everywhere.
Element: TypeAlias = etree._Element  # pyright: ignore[reportPrivateUsage]

XHTML = "http://www.w3.org/1999/xhtml"
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
MAX_DEPTH = 200  # below libxml2's 256, past which it drops what follows

_XML_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]+?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_PROLOGUE = re.compile(r"^\s*<\?xml[^>]*\?>")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*;)")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:.-]*)((?:[^<>\"'/]|/(?!>)|\"[^\"]*\"|'[^']*')*+)/>")
_NAME = re.compile(r"[A-Za-z_][\w.-]*$")


def parse_xhtml(data: bytes) -> Element:
    """The root element of an HTML or XHTML document, well formed or not.

    XML is tried first, because HTML parsers misread `<title/>` and lose CDATA; then HTML.
    Raises `SourceCorrupt` if `data` is not text.
    """
    text = _named_characters(decode(data))
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), _xml_parser())
    except etree.XMLSyntaxError:
        return _parse_html(text)


def parse_xml(data: bytes) -> Element:
    """The root element of an XML document such as a package file, mended where it is broken.

    Raises `SourceCorrupt` if nothing can be made of it.
    """
    encoded = _named_characters(decode(data)).encode("utf-8", "replace")
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
    tag = cast(
        object, node.tag
    )  # a function for nodes that are not elements, whatever the stubs say
    if not isinstance(tag, str):
        return ""
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
        return data.decode(RELABELLED.get(name, name))
    except (LookupError, UnicodeError):
        return None


def _by_bytes(data: bytes) -> str:
    """UTF-8, with a few bad bytes replaced, unless windows-1252 explains `data` better."""
    text = data.decode("utf-8", "replace")
    n_bad = text.count("\ufffd")
    n_good = sum(1 for character in text if character > "\x7f") - n_bad if n_bad else 0
    return text if n_good >= n_bad else data.decode("cp1252", "replace")


def _named_characters(text: str) -> str:
    """`&nbsp;` and the like as characters; the five names XML knows stay as they are."""

    def character(found: re.Match[str]) -> str:
        known = html5.get(found[1])
        return found[0] if known is None or known in "&<>\"'" else known

    return _ENTITY.sub(character, text)


def _xml_parser(*, recover: bool = False) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        recover=recover,
    )


def _parse_html(text: str) -> Element:
    text = _CDATA.sub(lambda found: html.escape(found[1]), text)
    text = _SELF_CLOSED.sub(_opened, text)
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
    return _Shallow().parse(text) if too_deep else root


def _opened(found: re.Match[str]) -> str:
    """`<a id="x"/>` as HTML means it: opened and closed at once."""
    name = found[1]
    return found[0] if name.lower() in VOID else f"<{name}{found[2]}></{name}>"


class _Shallow(HTMLParser):
    """A parser that stops nesting at `MAX_DEPTH` and keeps the text of what lies deeper."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._builder: Any = etree.TreeBuilder()  # its stubs take no dict of str
        self._open: list[str] = []
        self._n_ignored: dict[str, int] = {}

    def parse(self, text: str) -> Element:
        self._builder.start("html", {})
        self.feed(text)
        self.close()
        for name in reversed(self._open):
            self._builder.end(name)
        self._builder.end("html")
        return self._builder.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        name = tag.rpartition(":")[2]
        if len(self._open) >= MAX_DEPTH or not _NAME.match(name):
            if name not in VOID:
                self._n_ignored[name] = self._n_ignored.get(name, 0) + 1
            return
        self._builder.start(name, _plain_attributes(attrs))
        if name in VOID:
            self._builder.end(name)
        else:
            self._open.append(name)

    def handle_endtag(self, tag: str) -> None:
        name = tag.rpartition(":")[2]
        if self._n_ignored.get(name):
            self._n_ignored[name] -= 1
        elif name in self._open:
            while self._open:
                last = self._open.pop()
                self._builder.end(last)
                if last == name:
                    break

    def handle_data(self, data: str) -> None:
        self._builder.data(_CONTROLS.sub(" ", data))


def _plain_attributes(attributes: list[tuple[str, str | None]]) -> dict[str, str]:
    known = {"epub:type": f"{{{OPS}}}type", "xml:lang": "lang"}
    return {
        known.get(name, name): _CONTROLS.sub(" ", value or "")
        for name, value in attributes
        if name in known or _NAME.match(name)
    }
