"""Takes the asides out of a typed book: each is read, or listed as skipped.

A note is found by its mark, which the text has in brackets: "a mill[3]".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from audiomill.inputs.book import Block, BlockKind, Skipped, SkipReason
from audiomill.inputs.choices.rules import ReadingRules
from audiomill.inputs.markup.joining import AnchoredBlock
from audiomill.inputs.markup.notes import NotePage, Target, separate_notes
from audiomill.inputs.plaintext.asides import Aside, AsideKind

_MARK = re.compile(r"[ ]?\[(\d{1,4}|[A-Za-z]{1,2}|[ivxlc]{1,6}|[*†‡§]{1,3})\]")
_NOTE = re.compile(r"\[(\d{1,4}|[A-Z]{1,2}|[ivxlc]{1,6}|[*†‡§]{1,3})\]\s+(?=\S)")
_TITLES = frozenset(("footnotes", "endnotes", "fußnoten", "notes de bas de page", "voetnoten"))
_REASONS = {
    AsideKind.PAGE: SkipReason.PAGE_NUMBER,
    AsideKind.MAKERS: SkipReason.EDITION,
}


@dataclass(slots=True)
class Separated:
    """The blocks of a text, with the notes that are read with them, and what is listed."""

    blocks: list[AnchoredBlock] = field(default_factory=list[AnchoredBlock])
    skipped: list[Skipped] = field(default_factory=list[Skipped])


def separate_asides(parts: Sequence[Block | Aside], where: str, rules: ReadingRules) -> Separated:
    """The blocks among `parts`, and the asides as blocks or as listed."""
    known = [*_with_notes(parts)]
    result = Separated()
    targets = _targets(known)
    for at, part in enumerate(known):
        if isinstance(part, Block):
            block, marks = _without_marks(part, targets.get(at, {}))
            links = tuple(f"#{targets[at][mark]}" for mark in marks)
            result.blocks.append(AnchoredBlock(block, note_links=links))
            result.skipped += (Skipped(SkipReason.NOTE_REFERENCE, m, where) for m in marks)
        else:
            _add_aside(result, part, f"note-{at}", where, rules)
    page = NotePage(where, tuple(result.blocks), ())
    (separated,), unmarked = separate_notes([page], _target, rules)
    return Separated([*separated.blocks], [*result.skipped, *unmarked])


def _target(path: str, href: str) -> Target:
    return path, href.removeprefix("#")


def _with_notes(parts: Sequence[Block | Aside]) -> Iterator[Block | Aside]:
    """The parts, with paragraphs such as "[3] See the map." as asides.

    So is a title "Footnotes" right above one.
    """
    noted = [*_marked_notes(parts)]
    for at, part in enumerate(noted):
        below = noted[at + 1] if at + 1 < len(noted) else None
        is_above_note = isinstance(below, Aside) and below.kind is AsideKind.NOTE
        if isinstance(part, Block) and is_above_note and part.text.strip(" .:_").lower() in _TITLES:
            yield Aside(AsideKind.NOTE, "", part.text)
        else:
            yield part


def _marked_notes(parts: Sequence[Block | Aside]) -> Iterator[Block | Aside]:
    """The parts, with paragraphs that begin with a mark as asides, if the text above has the mark.

    Others with a number in brackets are text: a verse, a step, an article.
    """
    referred = set[str]()
    for part in parts:
        is_paragraph = isinstance(part, Block) and part.kind is BlockKind.PARAGRAPH
        match = _NOTE.match(part.text) if is_paragraph else None
        text = part.text[match.end() :] if match else part.text
        is_note = match is not None and match[1] in referred
        if match and is_note:
            referred.remove(match[1])
        yield Aside(AsideKind.NOTE, match[1], text) if match and is_note else part
        referred.update(_MARK.findall(text))


def _targets(parts: Sequence[Block | Aside]) -> dict[int, dict[str, str]]:
    """For each block with marks of notes: the id of the note, by mark.

    The same mark may come again, on another page: it belongs to the next note that has it.
    """
    pending: dict[str, list[int]] = {}
    targets: dict[int, dict[str, str]] = {}
    for at, part in enumerate(parts):
        if isinstance(part, Block):
            for mark in _MARK.findall(part.text):
                pending.setdefault(mark, []).append(at)
        elif part.kind is AsideKind.NOTE:
            for block in pending.pop(part.mark, ()):
                targets.setdefault(block, {})[part.mark] = f"note-{at}"
    return targets


def _without_marks(block: Block, known: dict[str, str]) -> tuple[Block, list[str]]:
    """(the block without the marks of these notes, the marks in order)."""
    marks = [mark for mark in _MARK.findall(block.text) if mark in known]
    if not marks:
        return block, []
    text = _MARK.sub(lambda match: "" if match[1] in known else match[0], block.text)
    return replace(block, text=text.strip()), marks


def _add_aside(result: Separated, aside: Aside, name: str, where: str, rules: ReadingRules) -> None:
    if aside.kind is AsideKind.PICTURE:
        result.blocks += _caption(aside, where)
        result.skipped.append(Skipped(SkipReason.ALTERNATIVE_TEXT, aside.label, where))
        return
    reason = _REASONS.get(aside.kind, SkipReason.NOTE)
    if not aside.text or not rules.reads(reason, aside.text, where):
        whole = f"{aside.label} {aside.text}".strip()
        result.skipped.append(Skipped(reason, whole, where))
        return
    kind = BlockKind.NOTE if reason is SkipReason.NOTE else BlockKind.PARAGRAPH
    block = Block(kind, aside.text, where=where)
    result.blocks.append(AnchoredBlock(block, ids=(name,)))
    if aside.label:
        result.skipped.append(Skipped(SkipReason.NOTE_REFERENCE, aside.label, where))


def _caption(aside: Aside, where: str) -> Iterator[AnchoredBlock]:
    if aside.text:
        yield AnchoredBlock(Block(BlockKind.CAPTION, aside.text, where=where))
