"""Lexicons in the Pronunciation Lexicon Specification (PLS 1.0, W3C 2008), which EPUB 3 links.

    <lexeme><grapheme>Nguyen</grapheme><phoneme>wˈɪn</phoneme></lexeme>
    <lexeme><grapheme>W3C</grapheme><alias>World Wide Web Consortium</alias></lexeme>

Of several pronunciations, and of several lexemes with the same grapheme, the first counts (4.9).
Roles of words are not known here: a lexeme with a role counts where there is none without.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from audiomill.inputs.lexicon.entries import LexiconEntry, LexiconError, fault_of, place

NAMESPACE = "{http://www.w3.org/2005/01/pronunciation-lexicon}"
MEDIA_TYPE = "application/pls+xml"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_TRUE = ("true", "1")


@dataclass(frozen=True, slots=True)
class PlsLexicon:
    """The entries that can be used, and what is wrong with the others, with their places."""

    entries: tuple[LexiconEntry, ...]
    faults: tuple[str, ...]


def read_pls(data: bytes, file: str) -> PlsLexicon:
    """The entries of a lexicon; `file` is its name in messages.

    Raises LexiconError if it is not well-formed XML, or is no lexicon.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        line, _ = error.position
        raise LexiconError(f"{place(file, line)}: this is not valid XML: {error.msg}.") from error
    if root.tag != f"{NAMESPACE}lexicon":
        raise LexiconError(f"{file}: this XML is no pronunciation lexicon (PLS 1.0).")
    entries: dict[str, LexiconEntry] = {}
    faults: list[str] = []
    lexemes = sorted(root.iter(f"{NAMESPACE}lexeme"), key=lambda lexeme: "role" in lexeme.attrib)
    for lexeme in lexemes:
        for entry in _entries(lexeme, root, file):
            if fault := fault_of(entry):
                faults.append(f"{entry.where}: {fault}")
            else:
                entries.setdefault(entry.written, entry)
    return PlsLexicon(tuple(entries.values()), tuple(faults))


def _entries(
    lexeme: etree._Element,  # pyright: ignore[reportPrivateUsage]  lxml has no public name
    root: etree._Element,  # pyright: ignore[reportPrivateUsage]
    file: str,
) -> Iterator[LexiconEntry]:
    """The entries of a lexeme: one for each grapheme."""
    said = [*lexeme.iterchildren(f"{NAMESPACE}phoneme", f"{NAMESPACE}alias")]
    alphabets = root.get("alphabet", "ipa")
    readable = [one for one in said if one.get("alphabet", alphabets).lower() == "ipa"]
    preferred = [one for one in readable if one.get("prefer") in _TRUE]
    chosen = next(iter((*preferred, *readable)), None)
    text = "" if chosen is None else _text(chosen)
    is_alias = chosen is not None and chosen.tag == f"{NAMESPACE}alias"
    for grapheme in lexeme.iterchildren(f"{NAMESPACE}grapheme"):
        yield LexiconEntry(
            written=_text(grapheme),
            say=text if is_alias else "",
            phonemes="" if is_alias else text,
            language=root.get(_LANGUAGE, ""),
            file=file,
            line=int(grapheme.sourceline or 0),
        )


def _text(node: etree._Element) -> str:  # pyright: ignore[reportPrivateUsage]
    """The text of an element, without comments, with single spaces."""
    return " ".join("".join(str(part) for part in node.itertext()).split())
