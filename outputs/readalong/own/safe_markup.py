"""Copies elements of a foreign page so that they can be shown anywhere: what is known stays. Pure.

    <p onclick="…">A <blink>mill</blink><script>…</script>    <p>A mill</p>
    <img src="mill.png" alt="A mill">                         as `References` say, or “A mill”

Elements and attributes that are not on the lists go: no scripts, handlers, forms, frames, films,
styles or addresses of other resources are left. The words of an unknown element stay. The copy is
XHTML, with SVG and MathML as far as `safe_foreign.py` knows them; where elements stand is not
changed (see `upgrade/structure.py`).

Sources: HTML (whatwg.org), EPUB 3 Structural Semantics 1.1, DPUB-ARIA 1.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lxml import etree

from audiomill.inputs.epub.opf_repair import XML_LANG
from audiomill.inputs.markup.parser import XHTML, Element, local_name
from audiomill.inputs.markup.pictures import alternative_text
from audiomill.inputs.markup.semantics import XML
from audiomill.inputs.markup.text import normalise_spaces
from audiomill.outputs.readalong.documents.xml import EPUB_TYPE
from audiomill.outputs.readalong.own.safe_foreign import safe_math, safe_svg
from audiomill.outputs.readalong.upgrade.elements import PAGE_PREFIXES, add_text, html, html_name

LONGEST_VALUE = 2000  # characters of an attribute
_KNOWN_NAMES = """
a abbr address article aside b bdi bdo blockquote br caption cite code col colgroup dd del details
dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i ins kbd li mark nav
ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead
time tr u ul var wbr
"""
KNOWN = frozenset(_KNOWN_NAMES.split())
RENAMED = {
    "acronym": "abbr",
    "body": "div",
    "center": "div",
    "dir": "ul",
    "fieldset": "div",
    "form": "div",
    "html": "div",
    "legend": "p",
    "listing": "pre",
    "main": "div",
    "menu": "ul",
    "search": "div",
    "strike": "s",
    "tt": "code",
    "xmp": "pre",
}
_GONE_NAMES = """
applet area audio base basefont bgsound button canvas datalist dialog embed frame frameset head
iframe input link map meta meter noembed noframes optgroup option output param progress script
select source style template textarea title track video
"""
GONE = frozenset(_GONE_NAMES.split())  # with all that is in them
_PICTURES = frozenset(("image", "img"))
_LABELLED = frozenset(("a", "article", "aside", "figure", "nav", "section", "table"))
_OF_ELEMENTS: Mapping[str, tuple[str, ...]] = {
    "col": ("span",),
    "colgroup": ("span",),
    "del": ("datetime",),
    "details": ("open",),
    "ins": ("datetime",),
    "li": ("value",),
    "ol": ("type", "start", "reversed"),
    "td": ("colspan", "rowspan"),
    "th": ("scope", "abbr", "colspan", "rowspan"),
    "time": ("datetime",),
}
_NUMBERS = frozenset(("colspan", "height", "rowspan", "span", "start", "value", "width"))
_NUMBER = re.compile(r"-?[0-9]{1,4}")  # a table of a thousand columns is no table
_FLAGS = frozenset(("open", "reversed"))
_ALIGNED = re.compile(r"(?:^|;)\s*text-align\s*:\s*([a-z]{1,9})\s*(?:;|$)", re.IGNORECASE)
_ALIGNMENTS = frozenset(("center", "end", "justify", "left", "right", "start"))
_DIRECTIONS = frozenset(("auto", "ltr", "rtl"))
_ROLES = re.compile(r"doc-[a-z]+")
_TYPES = re.compile(r"[a-z][a-z0-9 -]*")
_LINK = re.compile(r"(?:https?://|mailto:)[^\s<>\"\\^`{|}]+", re.IGNORECASE)


def outer_link(href: str) -> str:
    """The address of a link that leads to the web or to a mailbox; "" for any other."""
    href = href.strip()
    return href if len(href) <= LONGEST_VALUE and _LINK.fullmatch(href) else ""


@dataclass(frozen=True, slots=True)
class References:
    """What becomes of that by which a page refers to other places.

    `link` has the new address of a link (also of "#n1") and `picture` that of a picture, by the
    element that shows it; "" for none: then the words stay. `name` has the new id for an id, ""
    for none, `keeps_class` whether a class stays. With `keeps_alignment` a style may say how text
    is aligned, and nothing else; a page that forbids styles in elements leaves it.
    """

    link: Callable[[str], str] = outer_link
    picture: Callable[[Element], str] = lambda _: ""
    name: Callable[[str], str] = lambda name: name
    keeps_class: Callable[[str], bool] = lambda _: False
    keeps_alignment: bool = False


def safe_copy(element: Element, references: References | None = None) -> Element:
    """A copy of an element as XHTML that is safe to show; of a `body` or `html` a `div`.

    An element that is not known is a `div`, too. No node of the copy is a comment.
    """
    references = references or References()
    name = _known_name(element) or "div"
    top = etree.Element(f"{{{XHTML}}}{name}", nsmap=PAGE_PREFIXES)
    _set_attributes(top, element, name, references)
    pending = [(element, top)]
    while pending:
        old, new = pending.pop()
        add_text(new, old.text)
        pending += _copied_children(old, new, references)
    return top


def _copied_children(
    old: Element, new: Element, references: References
) -> list[tuple[Element, Element]]:
    """The children of `old` that have a copy in `new`; elements that go leave their content."""
    copied: list[tuple[Element, Element]] = []
    rest: list[Element | str] = [*reversed(old)]  # the next one last; a str is a text
    while rest:
        one = rest.pop()
        if isinstance(one, str):
            add_text(new, one)
            continue
        rest.append(one.tail or "")
        made = _copy(one, references)
        if made is not None:
            new.append(made)
            if _known_name(one):
                copied.append((one, made))
        elif _is_unwrapped(one):
            rest += [*reversed(one), one.text or ""]
    return copied


def _is_unwrapped(element: Element) -> bool:
    """Whether an element of which nothing is known leaves its content."""
    name = local_name(element)
    is_foreign = name in {"math", "svg"} or name in _PICTURES
    return bool(name) and name not in GONE and not is_foreign


def _copy(element: Element, references: References) -> Element | None:
    """The copy of an element without its content, or with it if that is not XHTML; or None."""
    name = local_name(element)
    if name in _PICTURES:
        return _picture(element, references)
    if name == "svg":
        return safe_svg(element, references.name)
    if name == "math":
        made = safe_math(element)
        if made is not None:
            _set_id(made, element, references)
        return made
    known = _known_name(element)
    if not known:
        return None
    made = html(known)
    _set_attributes(made, element, known, references)
    return made


def _known_name(element: Element) -> str:
    name = local_name(element)
    return RENAMED.get(name) or (name if name in KNOWN else "")


def _picture(element: Element, references: References) -> Element | None:
    """The picture, or the words that stand for it; None if there is neither."""
    words = alternative_text(element)[:LONGEST_VALUE]
    address = references.picture(element)
    if address:
        made = html("img")
        made.set("src", address)
        made.set("alt", words)
        for key in ("width", "height"):
            if _NUMBER.fullmatch(value := (element.get(key) or "").strip()):
                made.set(key, value)
        _set_everywhere(made, element, references)
        return made
    if not words:
        return None
    made = html("span")
    _set_id(made, element, references)
    made.set("class", "picture")
    made.text = words
    return made


def _set_attributes(made: Element, old: Element, name: str, references: References) -> None:
    _set_everywhere(made, old, references)
    for key in _OF_ELEMENTS.get(name, ()):
        value = old.get(key)
        if value is not None and (key not in _NUMBERS or _NUMBER.fullmatch(value.strip())):
            made.set(key, key if key in _FLAGS else value.strip()[:LONGEST_VALUE])
    if name == "a" and (href := old.get("href")) is not None and (to := references.link(href)):
        made.set("href", to)


def _set_everywhere(made: Element, old: Element, references: References) -> None:
    for key in ("title", "aria-label"):
        value = normalise_spaces(old.get(key) or "")
        is_wanted = key == "title" or html_name(made) in _LABELLED
        if value and is_wanted and len(value) <= LONGEST_VALUE:
            made.set(key, value)
    if (direction := (old.get("dir") or "").strip().lower()) in _DIRECTIONS:
        made.set("dir", direction)
    if old.get("hidden") is not None:
        made.set("hidden", "hidden")
    language = old.get(XML_LANG) or old.get("xml:lang") or old.get("lang")
    if language and len(language) <= LONGEST_VALUE:
        made.set("lang", language)
        made.set(XML_LANG, language)
    _set_id(made, old, references)
    classes = [one for one in (old.get("class") or "").split() if references.keeps_class(one)]
    if classes:
        made.set("class", " ".join(classes))
    if references.keeps_alignment:
        _set_alignment(made, old)
    _set_semantics(made, old)


def _set_id(made: Element, old: Element, references: References) -> None:
    own = old.get("id") or old.get(f"{{{XML}}}id") or _anchor_name(old)
    if own and (name := references.name(own)):
        made.set("id", name)


def _set_alignment(made: Element, old: Element) -> None:
    styled = _ALIGNED.search(old.get("style") or "")
    value = (styled[1] if styled else old.get("align") or "").strip().lower()
    if value in _ALIGNMENTS and html_name(made) not in {"img", "table"}:
        made.set("style", f"text-align:{value}")


def _anchor_name(old: Element) -> str:
    """The id that HTML 4 wrote as `<a name>`."""
    return (old.get("name") or "").strip() if local_name(old) == "a" else ""


def _set_semantics(made: Element, old: Element) -> None:
    """The type of EPUB's vocabulary, and the role of DPUB-ARIA."""
    kind = normalise_spaces(old.get(EPUB_TYPE) or old.get("epub:type") or "")
    if _TYPES.fullmatch(kind):
        made.set(EPUB_TYPE, kind)
    role = (old.get("role") or "").strip()
    if _ROLES.fullmatch(role):
        made.set("role", role)
