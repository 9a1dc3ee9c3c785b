"""The page on which a book is heard while it is rendered (`audiomill listen`).

Its server fills it: chapters, text and sound are asked for by `listen.js`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.html_tree import element, page_bytes, text_beside, text_element
from audiomill.outputs.text import UNTITLED, line

# Each with its words, and its sign: a text, or the paths of a drawing of 24 by 24.
_BUTTONS = (
    ("previous-chapter", "Previous chapter ([)", {"": "M19 5v14L8 12zM5 5h2.5v14H5z"}),
    ("back", "15 seconds back (←)", "−15"),
    (
        "play",
        "Play or pause (space)",
        {"to-play": "M8 5v14l11-7z", "to-pause": "M7 5h3.5v14H7zM13.5 5H17v14h-3.5z"},
    ),
    ("on", "30 seconds on (→)", "+30"),
    ("next-chapter", "Next chapter (])", {"": "M5 5v14l11-7zM16.5 5H19v14h-2.5z"}),
)
_SPEEDS = (0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)


def listen_page(title: str, authors: Sequence[str], language: str) -> bytes:
    """The page as UTF-8."""
    name = line(title) or UNTITLED
    by = [element("p", {"class": "facts"}, line(", ".join(authors)))] if authors else []
    body = [
        element("header", {}, text_element("h1", name, language), *by),
        element("noscript", {}, element("p", {}, "Without JavaScript this page is empty.")),
        element("nav", {"aria-label": "Chapters"}, element("ol", {"id": "chapters"})),
        element("main", {"id": "text", "lang": language}),
        _player(),
    ]
    return page_bytes(
        f"{name} – listen",
        body,
        [{"rel": "icon", "href": "data:,"}],
        style=text_beside(__file__, "listen.css"),
        script=text_beside(__file__, "waking.js") + text_beside(__file__, "listen.js"),
        connects="'self'",
    )


def _player() -> Element:
    buttons = [
        element(
            "button",
            {"type": "button", "id": name, "aria-label": label, "title": label},
            sign if isinstance(sign, str) else _drawing(sign),
        )
        for name, label, sign in _BUTTONS
    ]
    speeds = [
        element("option", {"value": f"{speed:g}", **_selected(speed)}, f"{speed:g}×")
        for speed in _SPEEDS
    ]
    slider = {"id": "position", "type": "range", "min": "0", "value": "0", "step": "1"}
    return element(
        "section",
        {"class": "bar", "aria-label": "Player"},
        element("p", {"id": "problem", "role": "alert"}),
        element("input", {**slider, "aria-label": "Position in the chapter"}),
        element(
            "div",
            {"class": "buttons"},
            element("span", {"id": "clock"}, "0:00"),
            *buttons,
            element("select", {"id": "speed", "aria-label": "Speed"}, *speeds),
        ),
        element("audio", {"id": "voice", "preload": "none"}),
    )


def _drawing(paths: Mapping[str, str]) -> Element:
    """A drawing of paths, by their class."""
    drawn = [element("path", {"class": name, "d": path}) for name, path in paths.items()]
    return element("svg", {"viewBox": "0 0 24 24", "aria-hidden": "true"}, *drawn)


def _selected(speed: float) -> dict[str, str]:
    return {"selected": "selected"} if speed == 1 else {}
