"""Takes out of style sheets what EPUB 3 does not allow, and what readers skip as a fault.

A sheet without any keeps its bytes. The direction of texts may not be told by a sheet (EPUB 3.3,
6.3.1): the documents tell it instead. Faults are those of CSS Syntax 3, 5; a file that is not in
the book counts as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from audiomill.inputs.markup.cascade import MAX_COMPARISONS
from audiomill.inputs.markup.parser import Element
from audiomill.inputs.markup.selectors import (
    Matcher,
    TooManyComparisons,
    UnknownSelector,
    parse_selectors,
)
from audiomill.outputs.readalong.upgrade.elements import drop, fill, html, html_name
from audiomill.outputs.readalong.upgrade.links import Places, target

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|<!--|-->", re.DOTALL)
# Strings, addresses and comments may hold braces.
_MARK = re.compile(
    r"/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
    r"|url\(\s*[^\s\"')]*\s*\)|(?P<sign>[{};])",
    re.DOTALL | re.IGNORECASE,
)
_URL = re.compile(r"url\(\s*([\"']?)(.*?)\1\s*\)", re.DOTALL | re.IGNORECASE)
_IMPORT = re.compile(r"@import\s+(?:url\(\s*)?[\"']?([^\"'()\s;]+)", re.IGNORECASE)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
_DECLARATION = re.compile(r"\s*(-{0,2}[A-Za-z_][\w-]*)\s*:\s*(\S.*?)\s*", re.DOTALL)
_VALUE = re.compile(r"(?:[\w\s.#%+*/,()?-]|\\.|![ \t]*[a-z]+$|[^\x00-\x7f]|=)++", re.IGNORECASE)
_NAME = r"(?:-?(?:[A-Za-z_]|[^\x00-\x7f]|\\.)(?:[\w-]|[^\x00-\x7f]|\\.)*)"
_SELECTOR = re.compile(
    rf"(?:{_NAME}|\*|\||\.{_NAME}|#[\w-]+|::?{_NAME}(?:\([^(){{}}]*(?:\([^()]*\)[^()]*)*\))?"
    r"|\[[^\]]+\]|[>+~,\s])++"
)
_EMPTY_PART = re.compile(r"^\s*,|,\s*(?:,|$)|^\s*$")
_GROUPS = ("@media", "@supports", "@document", "@layer", "@container")
_KEYFRAMES = re.compile(r"@(-[a-z]+-)?keyframes", re.IGNORECASE)
FORBIDDEN = frozenset(("direction", "unicode-bidi"))


@dataclass(slots=True)
class Sheet:
    """A sheet as EPUB 3 may have it, and the directions that it told: (selectors, "rtl")."""

    text: str
    directions: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])


@dataclass(slots=True)
class _Block:
    """An open block: what is before its brace, and where that begins."""

    prelude: str
    begins: int

    @property
    def has_rules(self) -> bool:
        """Whether rules are in the block, not declarations."""
        name = self.prelude.lower()
        return name.startswith(_GROUPS) or _KEYFRAMES.match(name) is not None


def mended_sheet(text: str, is_missing: Callable[[str], bool]) -> Sheet:
    """Return a style sheet without what EPUB 3 does not allow.

    `is_missing` tells whether an address leads to no file of the book.
    """
    sheet = Sheet("")
    cuts = list(_cuts(text, is_missing, sheet))
    kept: list[str] = []
    at = 0
    for begin, end in sorted(cuts):
        if end > at:
            kept.append(text[at : max(begin, at)])
            at = end
    sheet.text = "".join([*kept, text[at:]]) + "}" * _n_open(text)
    return sheet


def mended_style(text: str, is_missing: Callable[[str], bool]) -> Sheet:
    """Return the declarations of an attribute `style`, as `mended_sheet`; its selector is ""."""
    sheet = mended_sheet(f"*{{{text}}}", is_missing)
    return Sheet(sheet.text[2:-1].strip(), sheet.directions)


def _signs(text: str) -> Iterator[re.Match[str]]:
    return (mark for mark in _MARK.finditer(text) if mark["sign"])


def _n_open(text: str) -> int:
    """How many blocks a sheet leaves open at its end."""
    n_open = 0
    for mark in _signs(text):
        n_open += {"{": 1, "}": -1, ";": 0}[mark[0]]
        n_open = max(n_open, 0)
    return n_open


def _cuts(text: str, is_missing: Callable[[str], bool], sheet: Sheet) -> Iterator[tuple[int, int]]:
    """The parts that are taken out: (begin, end). Those of a rule may be within another."""
    blocks: list[_Block] = []
    begins = 0
    for mark in _signs(text):
        part = text[begins : mark.start()]
        in_rules = not blocks or blocks[-1].has_rules
        if mark[0] == "{":
            blocks.append(_Block(_bare(part), begins))
        elif not in_rules and _is_fault(part, is_missing, blocks[-1], sheet):
            yield begins, mark.end() if mark[0] == ";" else mark.start()
        elif in_rules and mark[0] == ";" and _is_wrong_statement(part, is_missing):
            yield begins, mark.end()
        if mark[0] == "}" and blocks:
            block = blocks.pop()
            if _is_wrong_prelude(block.prelude, blocks):
                yield block.begins, mark.end()
        elif mark[0] == "}":
            yield begins, mark.end()
        begins = mark.end()
    if _bare(text[begins:]) and not blocks:
        yield begins, len(text)


def _bare(text: str) -> str:
    return _COMMENT.sub(" ", text).strip()


def _is_fault(part: str, is_missing: Callable[[str], bool], block: _Block, sheet: Sheet) -> bool:
    """Whether a declaration is none, or one that EPUB 3 does not allow."""
    bare = _bare(part)
    if not bare:
        return False
    match = _DECLARATION.fullmatch(bare)
    if not match:
        return True
    name, value = match[1].lower(), match[2]
    if name == "direction":
        sheet.directions.append((block.prelude, value.split()[0].lower()))
    is_lost = any(is_missing(one[2]) for one in _URL.finditer(value))
    plain = _URL.sub("x", _STRING.sub("x", value))
    is_value = _VALUE.fullmatch(plain) and plain.count("(") == plain.count(")")
    return name in FORBIDDEN or is_lost or not is_value


def _is_wrong_statement(part: str, is_missing: Callable[[str], bool]) -> bool:
    """Whether what ends with a semicolon between rules is no at-rule, or imports nothing."""
    bare = _bare(part)
    imported = _IMPORT.match(bare)
    return not bare.startswith("@") or (imported is not None and is_missing(imported[1]))


def _is_wrong_prelude(prelude: str, around: list[_Block]) -> bool:
    """Whether a rule has no selector, so that readers skip all of it."""
    if prelude.startswith("@") or any(_KEYFRAMES.match(block.prelude) for block in around):
        return False
    plain = _STRING.sub("x", prelude)
    return not _SELECTOR.fullmatch(plain) or _EMPTY_PART.search(plain) is not None


def addresses(text: str) -> list[str]:
    """Return the addresses of the files that a sheet uses."""
    return [one[2] for one in _URL.finditer(_COMMENT.sub(" ", text))]


def set_directions(root: Element, directions: list[tuple[str, str]]) -> None:
    """Tell the directions of a sheet in the elements that it was about; the last one counts."""
    matcher = Matcher(MAX_COMPARISONS)
    elements = [node for node in root.iter() if html_name(node)]
    set_before = {node for node in elements if node.get("dir")}
    for text, value in directions:
        try:
            selectors = parse_selectors(text)
            found = [n for n in elements if any(matcher.matches(s, n) for s in selectors)]
        except (UnknownSelector, TooManyComparisons):
            continue
        for node in found if value in {"ltr", "rtl"} else ():
            if node not in set_before:
                node.set("dir", value)


def mend_styles(root: Element, is_missing: Callable[[str], bool]) -> None:
    """Mend the style elements and attributes of a page."""
    for node in list(root.iter()):
        if html_name(node) == "style":
            sheet = mended_sheet(node.text or "", is_missing)
            node.text = sheet.text
            set_directions(root, sheet.directions)
    for node in root.iter():
        style = node.get("style")
        if style is not None and html_name(node):
            _mend_attribute(node, style, is_missing)


def _mend_attribute(node: Element, style: str, is_missing: Callable[[str], bool]) -> None:
    sheet = mended_style(style, is_missing)
    if sheet.text:
        node.set("style", sheet.text)
    else:
        drop(node, "style")
    for _, value in sheet.directions:
        if node.get("dir") is None and value in {"ltr", "rtl"}:
            node.set("dir", value)


def is_styled(page: Element, path: str, places: Places) -> bool:
    """Whether the page at `path` links a style sheet that is in the book."""
    return any(target(href, path, places)[0] for href in _sheet_links(page))


def _sheet_links(page: Element) -> Iterator[str]:
    for node in page.iter():
        is_sheet = "stylesheet" in (node.get("rel") or "").lower().split()
        if html_name(node) == "link" and is_sheet:
            yield node.get("href") or ""


def link_sheet(page: Element, url: str) -> None:
    """Link a style sheet at the end of the head of a page."""
    link = html("link")
    for name, value in (("rel", "stylesheet"), ("type", "text/css"), ("href", url)):
        link.set(name, value)
    fill(page[0], [link, "\n"])
