"""Reads the words that stand for pictures, and tells which of them say nothing.

The words for the pictures in a block are kept until it ends: then they are read, or listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import is_formula_alone, semantics, words_within
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.inputs.model.book import Block, BlockKind, Skipped, SkipReason
from audiomill.inputs.reading.rules import ReadingRules

PICTURES = frozenset(("area", "embed", "image", "img", "object", "svg"))
DECORATIVE_ROLES = frozenset(("none", "presentation"))
_GENERIC = """
abb abbildung alt bild capa chart copertina couverture cover cubierta decoration decorative diagram
drawing dsc dscn fig figur figura figure foto fotografia fotografie grafik graphic graphics icon
icono illustration illustrazione ilustración ilustração image imagem imagen img immagine logo map
ornament page photo photograph pic picture portada scan screenshot separator spacer tabelle table
thumbnail titelbild umschlag umschlagbild unknown untitled
"""
_FILE_NAME = re.compile(r"\S+\.(?:avif|bmp|gif|jpe?g|png|svg|tiff?|webp)", re.IGNORECASE)
_GENERIC_WORDS = frozenset(_GENERIC.split())
_ARTICLES = frozenset(("a", "an", "the", "ein", "eine", "un", "une", "una", "um", "uma"))
_WORD = re.compile(r"[^\W\d_]+")
_ROMAN = re.compile(r"[ivxlc]+")
# The addresses of pictures that show the state of a project.
_BADGE = re.compile(
    r"//(?:img\.)?shields\.io/|//(?:\w+\.)?badge(?:n|\.fury|s)\b|/badges?[/.]|[-_/]badge\.(?:svg|png)"
    r"|/workflows/[^/]+/|//(?:app\.)?(?:codecov|coveralls)\.io/|//travis-ci\.|//ci\.appveyor\.",
    re.IGNORECASE,
)


def alternative_text(picture: Element) -> str:
    """Return the words that stand for a picture; "" for one that is only decoration.

    They are in its attributes, or are the text of the `title` or `desc` of a drawing.
    """
    if semantics(picture) & DECORATIVE_ROLES:
        return ""
    if local_name(picture) in {"desc", "title"}:
        return normalise_spaces(words_within(picture))
    return normalise_spaces(picture.get("alt") or picture.get("aria-label") or "")


def words_and_pictures(element: Element) -> str:
    """Return the words of a subtree, and after them the words that stand for its pictures."""
    if is_formula_alone(element):
        return normalise_spaces(words_within(element))
    pictures = (node for node in element.iter() if local_name(node) in PICTURES)
    words = (words_within(element), *map(alternative_text, pictures))
    return normalise_spaces(" ".join(words))


def printed_texts(element: Element) -> Iterator[str]:
    """Yield every text of a subtree, and the words for its pictures, in any order.

    `ledger.py` counts them. Comments and style sheets are no text.
    """
    for node in element.iter():
        name = local_name(node)
        if name in PICTURES:
            yield alternative_text(node)
        if name and name != "style":
            yield node.text or ""
        if node is not element:
            yield node.tail or ""


def drop_cap(image: Element) -> str:
    """Return the letter of a picture that shows the first letter of the word after it, or ""."""
    letter, rest = image.get("alt") or "", image.tail or ""
    return letter if len(letter) == 1 and letter.isalpha() and rest[:1].isalpha() else ""


def is_placeholder(text: str) -> bool:
    """True for an alternative text that describes nothing: "image", "img_0234", "cover.jpg"."""
    if _FILE_NAME.fullmatch(text):
        return True
    words = [word for word in _WORD.findall(text.lower()) if word not in _ARTICLES]
    known = [word for word in words if word in _GENERIC_WORDS]
    return not words or (
        bool(known) and all(word in known or _ROMAN.fullmatch(word) for word in words)
    )


def is_badge(picture: Element) -> bool:
    """True for a picture of the state of a project: "build passing", "coverage 94 %".

    It is known by its address, or is a drawing that is a link.
    """
    source = picture.get("src") or ""
    parent = picture.getparent()
    is_link = parent is not None and local_name(parent) == "a"
    is_drawing = source.partition("?")[0].lower().endswith(".svg")
    return (is_link and is_drawing) or _BADGE.search(source) is not None


class BlockPictures:
    """The pictures of the current block of a page."""

    def __init__(self, rules: ReadingRules) -> None:
        self._rules = rules
        self._pending: list[Skipped] = []  # as they would be listed

    def add(self, picture: Element, where: str, *, in_heading: bool) -> Skipped | None:
        """Keep the words for a picture. Returns them if they are to be listed at once.

        Those in a heading are kept: they are its text if it has no other.
        """
        text = alternative_text(picture)
        reason = SkipReason.BADGE if is_badge(picture) else SkipReason.ALTERNATIVE_TEXT
        listed = Skipped(reason, text, where)
        is_wanted = in_heading or self._rules.reads(reason, text, where)
        if is_wanted and text and reason is not SkipReason.BADGE and not is_placeholder(text):
            self._pending.append(listed)
            return None
        return listed if text else None

    def take_heading(self) -> str:
        """Return the words for the first picture, which a heading without text is; "" if none."""
        return self._pending.pop(0).text if self._pending else ""

    def end_block(self, language: str | None) -> Iterator[Block | Skipped]:
        """Yield the pictures of a block that has ended, as blocks after it or as listed."""
        pending, self._pending = self._pending, []
        for one in pending:
            is_read = self._rules.reads(one.reason, one.text, one.where)
            yield Block(BlockKind.IMAGE, one.text, language, where=one.where) if is_read else one
