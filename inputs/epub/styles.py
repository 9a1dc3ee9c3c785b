"""Collects the style sheets of the documents of an EPUB: linked files, imports, `<style>`.

Each sheet is parsed once, and each combination of sheets is looked through once for what it hides.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Sequence

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import resolve
from audiomill.inputs.markup.cascade import (
    Cascade,
    Properties,
    StyleRule,
    StyleSheet,
    applies_on_screen,
    parse_sheet,
    rules_of,
    selector_rules,
)
from audiomill.inputs.markup.encodings import decode
from audiomill.inputs.markup.hiding import PROPERTIES, HidingRules, hiding_rules, may_hide
from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import text_of_style
from audiomill.inputs.model.book import SourceError

MAX_IMPORTS = 32  # of sheets by sheets, for one document


class StyleSheets:
    """The style sheets of one EPUB."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._sheets: dict[str, StyleSheet] = {}  # by path, or by the text of a `<style>`
        self._rules: dict[tuple[str, Properties], tuple[StyleRule, ...]] = {}
        self._hiding: dict[tuple[str, ...], HidingRules | None] = {}
        self._cascades: dict[tuple[tuple[str, ...], Properties], Cascade] = {}

    def hide(self, root: Element, path: str) -> None:
        """Set `hidden` on what the style sheets of the document at `path` hide."""
        names = self._names_of(root, path)
        if names not in self._hiding:
            self._hiding[names] = self._hiding_rules(names)
        rules = self._hiding[names]
        if rules is not None:
            rules.hide(root)

    def cascade(self, root: Element, path: str, properties: Properties) -> Cascade:
        """What the style sheets of the document at `path` declare of some properties."""
        key = self._names_of(root, path), properties
        if key not in self._cascades:
            rules = self._rules_of(self._with_all_imports(key[0]), properties)
            self._cascades[key] = Cascade(selector_rules(rules), properties)
        return self._cascades[key]

    def _names_of(self, root: Element, path: str) -> tuple[str, ...]:
        return tuple(self._names(root, posixpath.dirname(path)))

    def _hiding_rules(self, names: Sequence[str]) -> HidingRules | None:
        sheets = self._with_all_imports(names)
        if not any(map(may_hide, sheets)):
            return None
        return hiding_rules(self._rules_of(sheets, PROPERTIES))

    def _with_all_imports(self, names: Sequence[str]) -> list[StyleSheet]:
        return [sheet for name in names for sheet in self._with_imports(name)]

    def _rules_of(self, sheets: Iterable[StyleSheet], properties: Properties) -> list[StyleRule]:
        found: list[StyleRule] = []
        for sheet in sheets:
            key = sheet.text, properties
            if key not in self._rules:
                self._rules[key] = tuple(rules_of(sheet.text, properties))
            found += self._rules[key]
        return found

    def _names(self, root: Element, base: str) -> Iterator[str]:
        """The sheets of a document that apply on a screen, in order; loads them."""
        for node in root.iter("{*}link", "{*}style"):
            if not applies_on_screen((node.get("media") or "").lower()):
                continue
            if local_name(node) == "style":
                text = text_of_style(node)
                self._sheets.setdefault(text, parse_sheet(text))
                yield text
            elif (node.get("rel") or "").lower().split() == ["stylesheet"]:
                name = self._load(base, node.get("href") or "")
                if name:
                    yield name

    def _load(self, base: str, href: str) -> str | None:
        """The name of the sheet at `href`, which is read once."""
        target, _ = resolve(base, href)
        path = self._archive.find(target) if target else None
        if path and path not in self._sheets:
            self._sheets[path] = self._read(path)
        return path

    def _read(self, path: str) -> StyleSheet:
        try:
            return parse_sheet(decode(self._archive.read(path)))
        except SourceError as error:
            self._archive.warnings.append(f"the style sheet {path!r}: {error}; it is left out")
            return StyleSheet("", ())

    def _with_imports(self, name: str) -> Iterator[StyleSheet]:
        """A sheet, after the sheets that it imports."""
        pending, found = [name], list[str]()
        while pending and len(found) < MAX_IMPORTS:
            current = pending.pop()
            if current in found:
                continue
            found.append(current)
            base = posixpath.dirname(current)
            loaded = (self._load(base, href) for href in self._sheets[current].imports)
            pending += [one for one in loaded if one]
        return (self._sheets[one] for one in reversed(found))
