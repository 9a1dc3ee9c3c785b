"""The controls of audio on a page, and the script that makes links with times play in them.

A browser that is led to a file of a kind that it does not know by its name, such as `.m4b`, saves
it. As the source of an audio element it plays.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.pages.html_tree import Content, element


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


@cache
def player_script() -> str:
    """What defines `playPlaces`, which a page calls with its audio element."""
    return Path(__file__).with_name("player.js").read_text(encoding="utf-8")
