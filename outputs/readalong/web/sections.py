"""The sections of a page: a book's documents, each with its markup made safe.

    p3.xhtml  <p id="x" style="…">He <a href="p1.xhtml#n">said</a> <span id="am0">no.</span></p>
    section   <p id="d3-x">He <a href="#d1-n">said</a> <span id="s120">no.</span></p>

All documents are on one page, so ids have the number of their document before them. What sounds in
clip k is the span `sk`, or the picture, drawing or formula with the attribute `data-clip` k: links
may lead to its id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from lxml import etree

from audiomill.inputs.markup.parser import XHTML, Element, body_of, local_name
from audiomill.inputs.markup.semantics import own_language, semantics
from audiomill.outputs.pages.html_tree import element
from audiomill.outputs.readalong.documents.addresses import linked_path
from audiomill.outputs.readalong.documents.source_reader import UNPRINTED
from audiomill.outputs.readalong.narration import NarratedClip
from audiomill.outputs.readalong.own.safe_markup import References, outer_link, safe_copy
from audiomill.outputs.readalong.web.looks import PREFIX
from audiomill.outputs.readalong.web.pictures import PagePictures
from audiomill.outputs.readalong.web.times import SpanText

_ASTRAL = 0xFFFF  # characters after it are two units of UTF-16
# What the page shows in another way, by EPUB's vocabulary or DPUB-ARIA's roles: its classes.
_CLASSES = ("endnote", "footnote", "noteref", "pagebreak")


@dataclass(frozen=True, slots=True)
class Section:
    """An element of the page, and the texts of its clips by their numbers."""

    element: Element
    texts: Mapping[int, SpanText]


@dataclass(frozen=True, slots=True)
class ClipNumbers:
    """The numbers of a document's clips, by the ids of their spans, or of what they describe."""

    spans: Mapping[str, int]
    pictures: Mapping[str, int]  # drawings and formulas, too

    @classmethod
    def of(cls, numbered: Iterable[tuple[int, NarratedClip]]) -> ClipNumbers:
        """The numbers of the document's clips, given with them."""
        spans, pictures = dict[str, int](), dict[str, int]()
        for number, clip in numbered:
            (spans if clip.n_chars else pictures)[clip.span] = number
        return cls(spans, pictures)


@dataclass(frozen=True, slots=True)
class SectionPlace:
    """The number and the path of a document, and the numbers of all documents by their paths.

    `find` gives the path of the document that another spelling of it means; "" for none.
    """

    number: int
    path: str
    numbers: Mapping[str, int]
    find: Callable[[str], str]

    def inner_id(self, identifier: str) -> str:
        """The id on the page of an element of the document."""
        return f"{section_id(self.number)}-{identifier}"

    def link(self, href: str) -> str:
        """The address on the page of what a link of the document leads to; "" for none."""
        before, _, fragment = href.partition("#")
        linked = self.find(linked_path(self.path, before)) if before else self.path
        number = self.numbers.get(linked)
        if number is None:
            return outer_link(href)
        section = section_id(number)
        return f"#{section}-{unquote(fragment)}" if fragment else f"#{section}"


def section_id(number: int) -> str:
    """The id of a document's section."""
    return f"d{number}"


def clip_id(number: int) -> str:
    """The id of the span of a clip."""
    return f"s{number}"


def page_section(
    place: SectionPlace, root: Element, clips: ClipNumbers, pictures: PagePictures
) -> Section:
    """The section of a document, of which `root` is the root element: it is changed."""
    root = _page_of(root)
    pictures.take_drawings(root, place.path)

    def name(identifier: str) -> str:
        known = clips.spans.get(identifier)
        return place.inner_id(identifier) if known is None else clip_id(known)

    references = References(
        place.link, lambda image: pictures.address(image, place.path), name, _is_look
    )
    copy = safe_copy(body_of(root), references)
    classes = f"document {copy.get('class') or ''}".rstrip()
    made = element("section", {"id": section_id(place.number), "class": classes})
    if language := own_language(root):
        made.set("lang", language)
    made.text = copy.text
    made.extend(copy)
    _as_html(made, pictures)
    by_id = {one.get("id"): one for one in made.iter()}
    for identifier, number in clips.pictures.items():
        if (picture := by_id.get(place.inner_id(identifier))) is not None:
            picture.set("data-clip", str(number))
    numbers = ((number, by_id.get(clip_id(number))) for number in clips.spans.values())
    return Section(made, {at: _span_text(span) for at, span in numbers if span is not None})


def _is_look(name: str) -> bool:
    return name.startswith(PREFIX)


def _page_of(root: Element) -> Element:
    """The root element; of a document that is a drawing, that of a page that shows it."""
    if local_name(root) != "svg":
        return root
    page = etree.Element(f"{{{XHTML}}}body")
    page.append(root)
    return page


def _as_html(section: Element, pictures: PagePictures) -> None:
    """Give elements their names without namespaces, and pictures their sizes."""
    for one in section.iter():
        if known := semantics(one).intersection(_CLASSES):
            one.set("class", " ".join((*(one.get("class") or "").split(), *sorted(known))))
        for key in one.attrib:
            if str(key).startswith("{"):
                del one.attrib[key]
        one.tag = str(one.tag).rpartition("}")[2]
        if one.tag == "img":
            pictures.set_size(one)
        elif one.tag == "a" and not (one.get("href") or "#").startswith("#"):
            one.set("rel", "noopener noreferrer")
    etree.cleanup_namespaces(section)


def _span_text(span: Element) -> SpanText:
    """Where each printed character of a span stands in its text."""
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for text, is_printed in _texts(span, is_printed=True):
        for character in text:
            end = at + (2 if ord(character) > _ASTRAL else 1)
            if is_printed:
                starts.append(at)
                ends.append(end)
            at = end
    return SpanText(tuple(starts), tuple(ends))


def _texts(source: Element, *, is_printed: bool) -> Iterator[tuple[str, bool]]:
    is_printed = is_printed and local_name(source) not in UNPRINTED
    if source.text:
        yield source.text, is_printed
    for child in source:
        yield from _texts(child, is_printed=is_printed)
        if child.tail:
            yield child.tail, is_printed
