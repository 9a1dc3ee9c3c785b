"""Builds HTML pages as trees, so that all text in them is escaped by lxml, with controls of audio.

A page holds its style and its script, whose digests are all that its Content-Security-Policy
allows: no other script runs, and nothing is asked of any other server.

A browser that is led to a file of a kind that it does not know by its name saves it. As the source
of an audio element it plays.

Sources: HTML (whatwg.org), Content Security Policy Level 3 (w3.org/TR/CSP3).
"""

from __future__ import annotations

import hashlib
import posixpath
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from urllib.parse import quote

from lxml import etree, html

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.text import line

Content = Element | str
# Words of the pages themselves are English. What is said of a show has the show's language.
_LANGUAGE = "en"


def element(tag: str, attributes: Mapping[str, str] | None = None, *content: Content) -> Element:
    """An element with text and elements in it. All text must be clean (`outputs/text.py`)."""
    made = html.Element(tag, dict(attributes or {}))
    fill(made, content)
    return made


def fill(made: Element, content: Iterable[Content]) -> None:
    """Put text and elements in an element that is empty so far."""
    last: Element | None = None
    for one in content:
        if not isinstance(one, str):
            made.append(one)
            last = one
        elif last is None:
            made.text = (made.text or "") + one
        else:
            last.tail = (last.tail or "") + one


def text_element(
    tag: str, text: str, language: str, attributes: Mapping[str, str] | None = None
) -> Element:
    """An element with text in a language, written in the direction of its first letter."""
    return element(tag, {**(attributes or {}), "lang": language, "dir": "auto"}, text)


def link_to(name: str, page_name: str) -> str:
    """How a page refers to a file; both are named as in the show's folder."""
    return quote(posixpath.relpath(name, posixpath.dirname(page_name) or "."))


def page_bytes(
    title: str,
    body: Sequence[Element],
    links: Sequence[Mapping[str, str]] = (),
    *,
    style: str,
    script: str = "",
    is_private: bool = True,
    connects: str = "",
    plays: str = "",
) -> bytes:
    """A whole page as UTF-8. `links` are the attributes of `<link>` elements in its head.

    `style` is added to the style of all pages. Search engines are asked not to list a private page.
    `connects` are the sources that its script may ask ('self'); "": none. `plays` are further
    sources of sound (blob: for what its script makes).
    """
    style = text_beside(__file__, "base.css") + style
    policy = (
        # A page that was opened from a disk has no origin that 'self' could mean.
        "default-src 'none'; img-src 'self' file: data:;"
        f" media-src 'self' file:{f' {plays}' if plays else ''};"
        f" style-src {_digest(style)};{f' script-src {_digest(script)};' if script else ''}"
        f"{f' connect-src {connects};' if connects else ''} base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        {},
        *metas(policy, is_private=is_private),
        element("title", {}, line(title)),
        *(element("link", attributes) for attributes in links),
        element("style", {}, style),
    )
    scripts = [element("script", {}, script)] if script else []
    return html_bytes(head, element("body", {}, *body, *scripts))


def html_bytes(head: Element, body: Element) -> bytes:
    """A page as UTF-8, whose own words are in English."""
    root = element("html", {"lang": _LANGUAGE}, head, body)
    return etree.tostring(root, encoding="utf-8", method="html", doctype="<!DOCTYPE html>") + b"\n"


def metas(
    policy: str, viewport: str = "width=device-width, initial-scale=1", *, is_private: bool = True
) -> list[Element]:
    """What every page says of itself first. `policy` is its Content-Security-Policy."""
    rows = [
        {"charset": "utf-8"},
        {"http-equiv": "Content-Security-Policy", "content": policy},
        {"name": "viewport", "content": viewport},
        {"name": "referrer", "content": "no-referrer"},
        {"name": "color-scheme", "content": "light dark"},
        *([{"name": "robots", "content": "noindex"}] if is_private else []),
    ]
    return [element("meta", attributes) for attributes in rows]


@cache
def text_beside(module_file: str, name: str) -> str:
    """The text of a file beside a module, whose `__file__` is given: a style or a script."""
    return Path(module_file).with_name(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """The source expression that allows exactly this style or script."""
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def player(address: str, label: str) -> Element:
    """The controls of the audio at an address, which is loaded when it is played."""
    attributes = {"controls": "controls", "preload": "none", "src": address, "aria-label": label}
    return element("audio", attributes)


def place_link(address: str, at_s: float, *content: Content) -> Element:
    """A link to a position of audio, in seconds, which the page's player jumps to.

    Without scripts it opens the audio there (Media Fragments URI, w3.org/TR/media-frags).
    """
    at = f"{at_s:.3f}"
    return element("a", {"href": f"{address}#t={at}", "data-at": at}, *content)


def player_script() -> str:
    """The script that defines `playPlaces`, which a page calls with its audio element."""
    return text_beside(__file__, "player.js")
