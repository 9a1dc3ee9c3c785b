"""Parses bytes of HTML, XHTML or XML, well formed or not, into an element tree.

Of entities only the named characters of HTML are resolved. Nothing is fetched. However deep a page
is nested, its text is kept. Knows nothing of what elements mean.
"""

from __future__ import annotations

import html
import re
import sys
from functools import lru_cache
from html.entities import html5
from typing import Any, TypeAlias

from lxml import etree

from audiomill.inputs.markup.encodings import CONTROLS, decode
from audiomill.inputs.model.book import SourceCorrupt, SourceTooLarge

# lxml has no public name for the type of an element.
Element: TypeAlias = etree._Element  # pyright: ignore[reportPrivateUsage]

OPS = "http://www.idpf.org/2007/ops"
XHTML = "http://www.w3.org/1999/xhtml"
# Elements without an end tag (HTML, 13.1.2).
_VOID_NAMES = "area base br col embed hr img input link meta param source track wbr"
VOID = frozenset(_VOID_NAMES.split())
MAX_ATTRIBUTES_OF_A_TAG = 1000  # the parser compares each with all before it
MAX_TAGS = 1_000_000  # of a document; the longest novels have some 100,000
MAX_ATTRIBUTES = 1_000_000
MAX_REFERENCE_DIGITS = 7  # of the last character, after zeros
PROLOGUE_CHARS = 1 << 14  # searched for a DTD; the limit keeps the pattern cheap
_INLINE_NAMES = """
a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small
span strike strong sub sup time tt u var wbr
"""
INLINE = frozenset(_INLINE_NAMES.split())
# Elements that a head may hold; any other one begins the body (HTML standard, "in head").
_IN_HEAD_NAMES = "base basefont bgsound link meta noframes noscript script style template title"
IN_HEAD = frozenset(_IN_HEAD_NAMES.split())
KEPT_FLAT = frozenset(("br", "hr", "script", "style", "title"))  # see `_flatten`
_REFERENCE = re.compile(r"&#(?:[xX](?=[0-9A-Fa-f])0*+([0-9A-Fa-f]*)|(?=[0-9])0*+([0-9]*));?")
_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]*;)")
_DOCTYPE = re.compile(
    r"(?:\s|<!--.*?-->|<\?.*?\?>)*+<!DOCTYPE(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*+"
    r"(?:\[(?P<subset>(?:[^\]\"'<]|\"[^\"]*\"|'[^']*'|<!--.*?-->|<)*+)\]\s*+)?>",
    re.DOTALL | re.IGNORECASE,
)
_DECLARED = re.compile(r"<!ENTITY\s+([\w:.-]+)")
# The lookahead with \2 is a possessive group; `sentences.py` says why it is written so.
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:.-]*+)(?=((?:[^<>\"'/]|/(?!>)|\"[^\"]*\"|'[^']*')*))\2/>")
# A comment, the code of a page, or a tag with its attributes, whose quoted values may hold “>”.
_MARKUP = re.compile(
    r"<!--(?s:.)*?(?:-->|\Z)|<(script|style)\b[^>]*+>(?s:.)*?(?:</\1|\Z)"
    r"|<[A-Za-z](?P<attributes>(?:[^>=]++|=\s*+(?:\"[^\"]*+\"?|'[^']*+'?)?)*+)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"=\s*+(?:\"[^\"]*+\"?|'[^']*+'?)")
_ATTRIBUTE = re.compile(r"[^\s/=]++(?:=[^\s=]*+)?")
_TAG = re.compile(r"</?([A-Za-z][^\s/<>]*+)[^<>]*+>")


def parse_xhtml(data: bytes, charset: str = "") -> Element:
    """Return the root element of an HTML or XHTML document, well formed or not.

    `charset` is what its server told, as for `decode`.

    Tries XML first, because HTML parsers misread `<title/>` and lose CDATA; then HTML.
    Raises SourceCorrupt if `data` is not text, and SourceTooLarge as `check_markup`.
    """
    text = decode(data, charset)
    check_markup(text)
    text = without_entities(text)
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), _xml_parser())
    except etree.XMLSyntaxError:
        return _parse_html(text)


def parse_xml(data: bytes) -> Element:
    """Return the root element of an XML document; a broken one is repaired as far as possible.

    Raises SourceCorrupt if no element can be recovered, and SourceTooLarge as `check_markup`.
    """
    text = decode(data)
    check_markup(text)
    encoded = without_entities(text).encode("utf-8", "replace")
    for recover in (False, True):
        try:
            root = etree.fromstring(encoded, _xml_parser(recover=recover))
        except etree.XMLSyntaxError:
            continue
        if root is not None:  # None: the recovery gives no element
            return root
    raise SourceCorrupt("it is not well-formed XML")


def check_markup(text: str, max_tags: int = MAX_TAGS) -> None:
    """Raise SourceTooLarge for a page with more tags or attributes than are read.

    Each becomes an object of some hundred bytes, before any of its text is known.
    """
    for sign, most, things in (("<", max_tags, "tags"), ("=", MAX_ATTRIBUTES, "attributes")):
        if (found := text.count(sign)) > most:
            raise SourceTooLarge(f"it has {found:,} {things}; at most {most:,} are read")
    for markup in _MARKUP.finditer(text):
        attributes = markup["attributes"] or ""
        if len(attributes) > MAX_ATTRIBUTES_OF_A_TAG:
            found = len(_ATTRIBUTE.findall(_QUOTED.sub("= ", attributes)))
            if found > MAX_ATTRIBUTES_OF_A_TAG:
                raise SourceTooLarge(
                    f"a tag has {found:,} attributes; at most {MAX_ATTRIBUTES_OF_A_TAG:,} are read"
                )


def body_of(root: Element) -> Element:
    """Return the body of a document, or `root` if it has none."""
    return next((e for e in root.iter() if local_name(e) == "body"), root)


def local_name(node: Element) -> str:
    """Return an element's name in lower case without namespace; "" for comments and the like."""
    tag: Any = node.tag  # a function, not a str as the stubs say, for nodes that are no elements
    return _without_namespace(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=1024)  # called several times per element; there are few names
def _without_namespace(tag: str) -> str:
    return tag.rpartition("}")[2].rpartition(":")[2].lower()


def without_forbidden_references(text: str) -> str:
    """Markup whose references to characters that XML has not, such as `&#1;`, are spaces."""

    def character(reference: re.Match[str]) -> str:
        base, digits = (10, reference[2]) if reference[1] is None else (16, reference[1])
        number = int(digits or "0", base) if len(digits) <= MAX_REFERENCE_DIGITS else sys.maxsize
        is_forbidden = number > sys.maxunicode or CONTROLS.fullmatch(chr(number))
        return " " if is_forbidden else reference[0]

    return _REFERENCE.sub(character, text)


def without_entities(text: str) -> str:
    """Return text whose only references are the five of XML and those that its DTD declares.

    `&nbsp;` and the like become characters; undeclared names stay as they were typed. The DTD is
    replaced by one that is never read. So a reference to a declared entity becomes a node of the
    tree, never its value: nothing is expanded, no file is opened, no error is raised.
    """
    match = _DOCTYPE.match(text, 0, PROLOGUE_CHARS)
    declared = frozenset(_DECLARED.findall(match["subset"] or "")) if match else frozenset[str]()

    def character(reference: re.Match[str]) -> str:
        name = reference[1]
        known = html5.get(name)
        if known is not None and name.removesuffix(";") not in declared:
            return reference[0] if known in "&<>\"'" else known
        return reference[0] if name.removesuffix(";") in declared else f"&amp;{name}"

    body = _ENTITY.sub(character, text[match.end() :] if match else text)
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
    text = _SELF_CLOSED.sub(_expand_self_closed, _without_cdata(text))
    # huge_tree lifts libxml2's limits on size. It is safe here, because an HTML parser expands no
    # entities; without it a paragraph of 10 MB would be lost.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:  # there is no element at all
        return etree.Element("html")
    if root is None:
        return etree.Element("html")
    too_deep = any("depth" in entry.message for entry in parser.error_log)
    return _parse_html(_flatten(text)) if too_deep else _with_whole_body(root)


def _with_whole_body(root: Element) -> Element:
    """The page with what cannot be in a head moved to its body, as the HTML standard has it.

    A page may leave out the tags of both. libxml2 does not know that an <article> ends a head.
    """
    elements = root.iterfind("head/*")
    first = next((one for one in elements if one.tag not in IN_HEAD), None)
    if first is None:
        return root
    moved = [first, *first.itersiblings()]
    body = root.find("body")
    if body is None:
        body = etree.SubElement(root, "body")
    moved[-1].tail = (moved[-1].tail or "") + (body.text or "")
    body.text = None
    body[:0] = moved
    return root


def _without_cdata(text: str) -> str:
    """The text with CDATA sections escaped; one without an end stays as it is."""
    parts: list[str] = []
    at = 0
    while (start := text.find("<![CDATA[", at)) >= 0:
        end = text.find("]]>", start)
        if end < 0:
            break
        parts += (text[at:start], html.escape(text[start + len("<![CDATA[") : end]))
        at = end + len("]]>")
    return "".join((*parts, text[at:]))


def _expand_self_closed(match: re.Match[str]) -> str:
    """`<a id="x"/>` as HTML writes it: `<a id="x"></a>`."""
    name = match[1]
    return match[0] if name.lower() in VOID else f"<{name}{match[2]}></{name}>"


def _flatten(text: str) -> str:
    """The text without nesting: every block becomes a <p>, inline tags are removed.

    It is used for pages of about two thousand nested elements, which no author writes, so that
    their words are kept. Scripts and styles stay as they are.
    """

    def paragraph(match: re.Match[str]) -> str:
        name = match[1].lower()
        return match[0] if name in KEPT_FLAT else "" if name in INLINE else "<p>"

    return _TAG.sub(paragraph, text)
