"""Finds the pictures of a document whose alternative texts are spoken. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from audiomill.inputs.model.book import Block, BlockKind
from audiomill.outputs.readalong.source_text import (
    SourceElement,
    SourcePicture,
    SourceText,
    letters_with_places,
)


def spoken_pictures(blocks: Iterable[Block], source: SourceText) -> list[SourceElement | None]:
    """The picture of each block of the words for one, each picture once and in order."""
    unused = list(source.pictures)
    found: list[SourceElement | None] = []
    for block in blocks:
        picture = _picture(block, source, unused) if unused else None
        if picture is not None:
            unused.remove(picture)
        found.append(picture.element if picture else None)
    return found


def _picture(
    block: Block, source: SourceText, unused: Iterable[SourcePicture]
) -> SourcePicture | None:
    """The first picture of the words of a block, which may have “Image:” before them."""
    letters = ""
    if block.kind in {BlockKind.IMAGE, BlockKind.HEADING}:
        letters = letters_with_places(block.text)[0]
    if block.kind is BlockKind.HEADING:  # it may be a picture and nothing else
        is_text = letters in source.letters
        return next((one for one in unused if one.letters == letters and not is_text), None)
    alike = (one for one in unused if letters.endswith(one.letters))
    return max(alike, key=lambda one: len(one.letters), default=None)
