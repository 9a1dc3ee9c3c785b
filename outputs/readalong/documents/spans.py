"""Puts `<span id>` around ranges of a document's text, and gives ids to pictures. Pure.

    range    [He said <em>no</em>. ]         one span around all of it
             <em>Yes. [He said</em> no.]     one in the <em>, one after it: <em> cannot be cut

A span stands where HTML allows one: around text and inline elements, never around blocks or inside
lists, tables and their rows, MathML or SVG: there the whole formula or drawing has the id. An
element that has an id of its own keeps it. All other bytes stay as they are.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from audiomill.outputs.readalong.documents.source_text import SourceElement, SourceText

# Elements that hold only certain elements, of which a span is none (HTML standard, 4), and those
# whose text is no markup.
_CLOSED_NAMES = """
audio col colgroup datalist dl fieldset html math menu object ol optgroup option picture select
svg table tbody textarea tfoot thead tr ul video
"""
CLOSED = frozenset(_CLOSED_NAMES.split())
RUBY = "ruby"  # its text may have spans, of which none holds what is set beside it

_TAG = re.compile(rb"<[^\s/>]+")  # the beginning of a start tag, with its name

_Insertion = tuple[int, int, int, str]  # (byte, two keys of the order, tag)


@dataclass(frozen=True, slots=True)
class MarkedRange:
    """Characters [first, last) of a document's text, to be found by `id`."""

    id: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class PlacedSpan:
    """A span in the document, around its characters [first, last); none of a whole element."""

    id: str
    first: int
    last: int


Choose = Callable[[str, tuple[PlacedSpan, ...]], tuple[PlacedSpan, ...]]


@dataclass(frozen=True, slots=True)
class _SpanPart:
    """Bytes [start, end) of siblings with characters [first, last), not counting outer spaces."""

    start: int
    end: int
    first: int
    last: int

    @property
    def has_words(self) -> bool:
        """Whether it is to have a span; else it may lie in one."""
        return self.first < self.last


def with_spans(
    document: bytes,
    source: SourceText,
    ranges: Sequence[MarkedRange],
    pictures: Mapping[str, SourceElement] | None = None,
    choose: Choose | None = None,
) -> tuple[bytes, dict[str, tuple[PlacedSpan, ...]]]:
    """The document with spans around the ranges, and the spans of each range by its id, in order.

    The ranges do not overlap, or lie within each other, the outer ones first. The first span of a
    range has its id, the others have "-2", "-3" at its end; a range that no span can be put around
    has none. `pictures` are elements that are marked themselves, by the ids that they get. `choose`
    tells which of the spans of a range are put into the document.
    """
    insertions: list[_Insertion] = []
    spans: dict[str, tuple[PlacedSpan, ...]] = {}
    whole = dict(pictures or {})
    for order, one in enumerate(ranges):
        parts = tuple(_parts(source, one))
        placed = tuple(_placed(one.id, parts))
        chosen = spans[one.id] = choose(one.id, placed) if choose else placed
        for span, part in zip(placed, parts, strict=True):
            # At one place what ends comes before what begins, and inner ones end first.
            if span in chosen:
                insertions.append((part.start, 1, order, f'<span id="{span.id}">'))
                insertions.append((part.end, 0, -order, "</span>"))
        if not parts and (root := _foreign_root(source, one)) is not None:
            whole[one.id] = root
    for own_id, element in whole.items():
        if element.id == "":
            element.id = own_id
            at = _end_of_name(document, element)
            insertions.append((at, 0, 0, f' id="{own_id}"'))
        spans[own_id] = (PlacedSpan(element.id, 0, 0),) if element.id else ()
    insertions.sort(key=lambda one: one[:3])
    return b"".join(_inserted(document, insertions)), spans


def without_overlaps(ranges: Iterable[MarkedRange]) -> Iterator[MarkedRange]:
    """The ranges, each without the characters that one before it has."""
    taken = -1
    for one in sorted(ranges, key=lambda one: (one.first, -one.last)):
        first = max(one.first, taken)
        if first < one.last:
            yield replace(one, first=first)
            taken = one.last


def _placed(name: str, parts: Iterable[_SpanPart]) -> Iterator[PlacedSpan]:
    for number, part in enumerate(parts, 1):
        yield PlacedSpan(name if number == 1 else f"{name}-{number}", part.first, part.last)


def _foreign_root(source: SourceText, marked: MarkedRange) -> SourceElement | None:
    """The whole formula or drawing that a range begins in."""
    element: SourceElement | None = source.parents[source.text_of_char(marked.first)]
    root: SourceElement | None = None
    while element is not None:
        root = element if not element.name or element.name == "math" else root
        element = element.parent
    return root


def _end_of_name(document: bytes, element: SourceElement) -> int:
    name = _TAG.match(document, element.start)
    return name.end() if name else element.start


def _inserted(document: bytes, insertions: Iterable[tuple[int, int, int, str]]) -> Iterator[bytes]:
    at = 0
    for place, _, _, tag in insertions:
        yield document[at:place]
        yield tag.encode()
        at = place
    yield document[at:]


def _parts(source: SourceText, marked: MarkedRange) -> Iterator[_SpanPart]:
    """The parts of a range that a span can be put around, in order."""
    first_text, last_text = (source.text_of_char(at) for at in (marked.first, marked.last - 1))
    around = _common(source.parents[first_text], source.parents[last_text])
    if around.name == RUBY and around.parent is not None:
        around = around.parent  # all of it may have one span
    yield from _parts_in(source, around, marked)


def _common(one: SourceElement, other: SourceElement) -> SourceElement:
    """The innermost element around both."""
    above = set[int]()
    element: SourceElement | None = one
    while element is not None:
        above.add(id(element))
        element = element.parent
    element = other
    while id(element) not in above and element.parent is not None:
        element = element.parent
    return element


def _parts_in(
    source: SourceText, element: SourceElement, marked: MarkedRange
) -> Iterator[_SpanPart]:
    if not element.name:  # of another language
        return
    run: list[_SpanPart] = []
    for child in _children_within(source, element, marked):
        may_hold = isinstance(child, int) or element.name != RUBY
        is_open = may_hold and element.name not in CLOSED
        part = _whole_part(source, child, marked) if is_open else None
        if part is not None:
            run.append(part)
        if part is None or element.name == RUBY:
            yield from _joined(run)
            run = []
        if part is None and isinstance(child, SourceElement):
            yield from _parts_in(source, child, marked)
    yield from _joined(run)


def _children_within(
    source: SourceText, element: SourceElement, marked: MarkedRange
) -> Sequence[SourceElement | int]:
    """The children that a range touches, and those between without text."""
    first, last = source.text_of_char(marked.first), source.text_of_char(marked.last - 1)
    start = bisect_right(element.children, first, key=_last_text)
    end = bisect_left(element.children, last + 1, start, key=_first_text)
    return element.children[start:end]


def _first_text(child: SourceElement | int) -> int:
    return child if isinstance(child, int) else child.first_text


def _last_text(child: SourceElement | int) -> int:
    return child + 1 if isinstance(child, int) else child.last_text


def _whole_part(
    source: SourceText, child: SourceElement | int, marked: MarkedRange
) -> _SpanPart | None:
    """What of a child lies in the range; None if a span can not be put around it."""
    start, end = source.text_start(_first_text(child)), source.text_start(_last_text(child))
    if isinstance(child, int):
        start, end = max(start, marked.first), min(end, marked.last)
        first, last = _without_spaces(source.chars, start, end)
        if first < last:
            return _SpanPart(source.starts[first], source.ends[last - 1], first, last)
        return _SpanPart(source.starts[start], source.ends[end - 1], first, first)
    first, last = _without_spaces(source.chars, start, end)
    if child.has_block or (first < last and not marked.first <= first < last <= marked.last):
        return None
    return _SpanPart(child.start, child.end, first, last)


def _without_spaces(chars: str, start: int, end: int) -> tuple[int, int]:
    """The range without the spaces at its ends; it is empty if there is nothing else."""
    text = chars[start:end]
    first = end - len(text.lstrip())
    return first, max(first, start + len(text.rstrip()))


def _joined(run: Sequence[_SpanPart]) -> Iterator[_SpanPart]:
    """One part of all, from the first with words to the last."""
    wordy = [part for part in run if part.has_words]
    if wordy:
        yield _SpanPart(wordy[0].start, wordy[-1].end, wordy[0].first, wordy[-1].last)
