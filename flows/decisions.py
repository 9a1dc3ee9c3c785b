"""The decision about every block of a book: spoken, or listed with the reason. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audiomill.flows.pipeline.plan import Plan
from audiomill.inputs.book import Skipped, SkipReason


@dataclass(frozen=True, slots=True)
class BlockDecision:
    """A piece of text, and whether it is spoken. `kind` is what the file beside the book names."""

    chapter: str  # its title; "": none, as for a page that is not read
    spoken: bool
    kind: str  # of the block, or the reason why the text is listed
    where: str
    text: str


def block_decisions(plan: Plan) -> Iterator[BlockDecision]:
    """Each block of the book in its order; what is listed follows the blocks of its document."""
    spoken = {(segment.span.chapter, segment.span.block) for segment in plan.segments}
    chosen = {chapter for chapter, _ in spoken}
    listed: dict[str, list[Skipped]] = {}
    for skipped in plan.book.skipped:
        listed.setdefault(_document(skipped.where), []).append(skipped)
    places = [
        (index, at, chapter.title, block)
        for index, chapter in enumerate(plan.book.chapters)
        for at, block in enumerate(chapter.blocks)
    ]
    last_at = {_document(block.where): number for number, (*_, block) in enumerate(places)}
    for number, (index, at, title, block) in enumerate(places):
        is_spoken = (index, at) in spoken
        not_said = SkipReason.NOT_SPEAKABLE if index in chosen else SkipReason.NOT_CHOSEN
        if block.text:
            kind = str(block.kind if is_spoken else not_said)
            yield BlockDecision(title, is_spoken, kind, block.where, block.text)
        document = _document(block.where)
        if last_at[document] == number:
            yield from _listed(listed.pop(document, ()), title)
    for rest in listed.values():
        yield from _listed(rest, "")


def _listed(skipped: Sequence[Skipped], chapter: str) -> Iterator[BlockDecision]:
    return (
        BlockDecision(chapter, spoken=False, kind=str(one.reason), where=one.where, text=one.text)
        for one in skipped
    )


def _document(where: str) -> str:
    return where.partition("#")[0]
