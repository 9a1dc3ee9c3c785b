"""The page on which a server of speech is tried. Its script asks the server for all it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.html_tree import element, page_bytes, text_beside

_EXAMPLE = "The mill stood by the water. It cost £2.5m in 1897, or so they said."


def speech_page(formats: Mapping[str, str], *, needs_key: bool) -> bytes:
    """The page as UTF-8. `formats` are those that browsers may play, with their media types."""
    body = [
        element("header", {}, element("h1", {}, "Say a text")),
        element("noscript", {}, element("p", {}, "Without JavaScript this page says nothing.")),
        element(
            "main",
            {},
            element(
                "form",
                {"id": "form"},
                *([_key()] if needs_key else []),
                _text(),
                element("div", {"class": "choices"}, *_choices(formats)),
                _buttons(),
            ),
            element("p", {"id": "problem", "role": "alert"}),
            element("p", {"id": "state", "class": "facts", "role": "status"}),
            element("audio", {"id": "sound", "controls": "controls", "aria-label": "The sound"}),
        ),
    ]
    return page_bytes(
        "audiomill – say a text",
        body,
        [{"rel": "icon", "href": "data:,"}],
        style=text_beside(__file__, "speech.css"),
        script=text_beside(__file__, "waking.js") + text_beside(__file__, "speech.js"),
        connects="'self'",
        plays="blob:",
    )


def _key() -> Element:
    field = {"id": "key", "type": "password", "autocomplete": "off", "required": "required"}
    return _field("key", "Key of the server", element("input", field))


def _text() -> Element:
    field = {"id": "text", "rows": "7", "required": "required", "dir": "auto"}
    return _field("text", "Text", element("textarea", field, _EXAMPLE))


def _choices(formats: Mapping[str, str]) -> Sequence[Element]:
    speed = {"type": "number", "min": "0.25", "max": "4", "step": "0.05", "value": "1"}
    return (
        _field("model", "Engine", element("select", {"id": "model"})),
        _field("voice", "Voice", element("select", {"id": "voice"})),
        _field("speed", "Speed", element("input", {"id": "speed", **speed})),
        _field(
            "format",
            "Format",
            element(
                "select",
                {"id": "format"},
                *(
                    element("option", {"value": name, "data-type": media_type}, name.upper())
                    for name, media_type in formats.items()
                ),
            ),
        ),
    )


def _field(name: str, label: str, control: Element) -> Element:
    return element("div", {"class": "field"}, element("label", {"for": name}, label), control)


def _buttons() -> Element:
    return element(
        "div",
        {"class": "buttons"},
        _button("say", "submit", "Say it"),
        _button("stop", "button", "Stop", disabled="disabled"),
        element("span", {"class": "facts"}, "Ctrl+Enter says it, Escape stops."),
    )


def _button(name: str, kind: str, label: str, **others: str) -> Element:
    return element("button", {"id": name, "type": kind, **others}, label)
