"""Makes the metadata of EPUB 3 (EPUB 3.3, 5.5) of that of EPUB 2 (OPF 2.0.1, 2.2)."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Iterator
from typing import Any

from lxml import etree

from audiomill.inputs.epub.opf_repair import DC, OPF, XML_LANG
from audiomill.inputs.languages.codes import language_tag
from audiomill.inputs.markup.parser import Element, local_name

PREFIXES: Any = {None: OPF, "dc": DC}  # lxml's stubs know none without a name
NO_DATE = "2000-01-01T00:00:00Z"  # of a book that tells none: the same input gives the same bytes
_DC_NAMES = """
contributor coverage creator date description format identifier language publisher relation rights
source subject title type
"""
DC_NAMES = frozenset(_DC_NAMES.split())
WITHOUT_LANGUAGE = frozenset(("date", "format", "identifier", "language", "type"))
# Types that promise what a specification says (EPUB Type Registry); in EPUB 2 they were just words.
_PROMISES = frozenset(("dictionary", "edupub", "index", "preview"))
NC_NAME = re.compile(r"[A-Za-z_][\w.-]*")
_DATE = re.compile(
    r"(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?"
    r"(T[0-2]\d:[0-5]\d(?::[0-5]\d)?)?(?:\.\d+)?(Z|[+-]\d\d:\d\d)?"
)
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
# Prefixes that need no declaration (EPUB 3.3, D.1).
RESERVED_PREFIXES = frozenset(
    ("a11y", "dcterms", "marc", "media", "onix", "rendition", "schema", "xsd")
)
# Properties without a prefix (EPUB 3.3, D.3).
PROPERTIES = frozenset(
    (
        "alternate-script",
        "authority",
        "belongs-to-collection",
        "collection-type",
        "display-seq",
        "file-as",
        "group-position",
        "identifier-type",
        "role",
        "source-of",
        "term",
        "title-type",
    )
)
_REFINED = {"role": "marc:relators", "file-as": None, "scheme": None}


def upgraded_metadata(old: Element, identifier_id: str, title: str, language: str) -> Element:
    """Return the metadata of EPUB 3; `old` is that of `repair_package`.

    `title` and `language` are for a book that tells none. The first identifier of the result is
    that of the publication, `identifier_of`.
    """
    new = etree.Element(f"{{{OPF}}}metadata", nsmap=PREFIXES)
    fields = [node for node in old if local_name(node) in DC_NAMES and (node.text or "").strip()]
    dates = [node for node in fields if local_name(node) == "date"]
    fields = [
        node
        for node in fields
        if local_name(node) not in {"date", "language"} and not _is_promise(node)
    ]
    fields.sort(key=lambda node: not _is_identifier(node, identifier_id))
    _add_required(new, old, fields, title)
    for number, node in enumerate(fields):
        _add_field(new, node, number)
    for language_of_book in _languages(old) or [language_tag(language) or "und"]:
        etree.SubElement(new, f"{{{DC}}}language").text = language_of_book
    _add_dates(new, old, dates)
    for node in old:
        if local_name(node) == "meta":
            _add_meta(new, node)
    _end_refinements(new)
    return new


def identifier_of(metadata: Element) -> tuple[str, str]:
    """Return (id, value) of the identifier of the publication."""
    node = metadata.find(f"{{{DC}}}identifier")
    return ("", "") if node is None else (node.get("id") or "", node.text or "")


def _is_identifier(node: Element, identifier_id: str) -> bool:
    return local_name(node) == "identifier" and node.get("id") == identifier_id


def _is_promise(node: Element) -> bool:
    return local_name(node) == "type" and (node.text or "").strip().lower() in _PROMISES


def _add_required(new: Element, old: Element, fields: list[Element], title: str) -> None:
    """An identifier and a title, where the book has none."""
    names = {local_name(node) for node in fields}
    if "identifier" not in names:
        digest = hashlib.sha256(etree.tostring(old)).hexdigest()
        made = etree.SubElement(new, f"{{{DC}}}identifier", {"id": "publication-id"})
        made.text = uuid.uuid5(uuid.NAMESPACE_OID, digest).urn
    if "title" not in names:
        etree.SubElement(new, f"{{{DC}}}title").text = title


def _add_field(new: Element, node: Element, number: int) -> None:
    """A field of Dublin Core; what its attributes say refines it."""
    name = local_name(node)
    ids = {one.get("id") for one in new.iter()}
    own = node.get("id") or ""
    is_free = NC_NAME.fullmatch(own) and own not in ids
    attributes = {"id": own if is_free else f"{name}-{number}"}
    language = (node.get(XML_LANG) or "").strip().replace("_", "-")
    if name not in WITHOUT_LANGUAGE and _LANGUAGE.fullmatch(language):
        attributes[XML_LANG] = language
    added = etree.SubElement(new, f"{{{DC}}}{name}", attributes)
    added.text = " ".join((node.text or "").split())
    for key, scheme in _REFINED.items():
        value = (node.get(key) or "").strip()
        if value and (key != "scheme" or name == "identifier"):
            _add_refinement(new, attributes["id"], key, value, scheme)


def _add_refinement(new: Element, refined: str, key: str, value: str, scheme: str | None) -> None:
    if key == "role" and not re.fullmatch(r"[a-z]{3}", value):
        scheme = None
    attributes = {
        "refines": f"#{refined}",
        "property": "identifier-type" if key == "scheme" else key,
    }
    made = etree.SubElement(
        new, f"{{{OPF}}}meta", attributes | ({"scheme": scheme} if scheme else {})
    )
    made.text = value


def _languages(old: Element) -> list[str]:
    """The languages that the book tells and that are languages (BCP 47), each once."""
    languages = [language_tag(node.text or "") for node in old if local_name(node) == "language"]
    return list(dict.fromkeys(tag for tag in languages if tag))


def _add_dates(new: Element, old: Element, dates: list[Element]) -> None:
    """The date of publication; the others are those of the DCMI terms (EPUB 3.3, 5.5.4)."""
    by_event: dict[str, str] = {}
    for node in dates:
        event = (node.get("event") or "publication").strip().lower()
        by_event.setdefault("".join(event.split("-")), (node.text or "").strip())
    published = by_event.get("publication") or by_event.get("originalpublication")
    if published and _DATE.fullmatch(published):
        etree.SubElement(new, f"{{{DC}}}date").text = published
    elif published:
        _add_term(new, "dcterms:date", published)
    if "creation" in by_event:
        _add_term(new, "dcterms:created", by_event["creation"])
    modified = [node.text or "" for node in old if node.get("property") == "dcterms:modified"]
    candidates = [*modified, by_event.get("modification", ""), *by_event.values()]
    _add_term(new, "dcterms:modified", next(filter(None, map(_second, candidates)), NO_DATE))


def _add_term(new: Element, name: str, value: str) -> None:
    etree.SubElement(new, f"{{{OPF}}}meta", {"property": name}).text = value


def _second(date: str) -> str:
    """A date as CCYY-MM-DDThh:mm:ssZ, as `dcterms:modified` must be; "" for what is none."""
    match = _DATE.fullmatch(date.strip())
    if not match:
        return ""
    year, month, day, time, zone = match.groups()
    is_exact = time and zone == "Z"
    clock = (time + ":00")[:9] if is_exact and time else "T00:00:00"
    return f"{year}-{month or '01'}-{day or '01'}{clock}Z"


def _add_meta(new: Element, node: Element) -> None:
    """A `meta` of either version, if it says something that is known without a declaration."""
    name, content = (node.get("name") or "").strip(), node.get("content")
    key, value = (node.get("property") or "").strip(), (node.text or "").strip()
    if name and content is not None:
        etree.SubElement(new, f"{{{OPF}}}meta", {"name": name, "content": content})
    elif value and _is_known(key):
        attributes = {"property": key, "refines": node.get("refines") or ""}
        own = node.get("id") or ""
        if NC_NAME.fullmatch(own) and own not in {one.get("id") for one in new.iter()}:
            attributes["id"] = own
        if key == "role" and re.fullmatch(r"[a-z]{3}", value):
            attributes["scheme"] = "marc:relators"
        attributes = {key: value for key, value in attributes.items() if value}
        etree.SubElement(new, f"{{{OPF}}}meta", attributes).text = value


def _is_known(key: str) -> bool:
    """Whether a property needs no declaration, and is not set anew."""
    prefix, colon, _ = key.partition(":")
    known = prefix in RESERVED_PREFIXES if colon else key in PROPERTIES
    return known and key != "dcterms:modified"


def _end_refinements(new: Element) -> None:
    """Take out what refines nothing that is there."""
    ids = {f"#{one.get('id')}" for one in new.iter() if one.get("id")}
    for node in _metas(new):
        if node.get("refines") not in {None, *ids}:
            new.remove(node)


def _metas(metadata: Element) -> Iterator[Element]:
    return iter(metadata.findall(f"{{{OPF}}}meta"))
