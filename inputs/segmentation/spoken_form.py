"""From what is printed to what is said. Knows characters, not blocks or engines.

For now this takes away what makes no sound and shortens web addresses to their hosts; numbers,
dates and signs are left to the engine.
"""

from __future__ import annotations

import re

# Control characters part words; lone surrogates and noncharacters are nothing.
_APART = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
# Soft hyphen, zero-width space, marks of direction, fillers, variation selectors, tags. Joiners
# stay between letters from Arabic to Khmer, where they change the word.
_SILENT = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\uffa0\ufe00-\ufe0f\ufeff\ufff0-\ufffb\ufdd0-\ufdef\ufffe\uffff"
    "\U000e0000-\U000e0fff\ud800-\udfff]+"
    "|[\u200c\u200d](?![\u0600-\u17ff])|(?<![\u0600-\u17ff])[\u200c\u200d]"
)
_ADDRESS = re.compile(r"https?://(?:www\.)?([^\s/?#<>()\[\]\"“”]+)[^\s<>\"“”]*+", re.IGNORECASE)
_AFTER_ADDRESS = ".,;:!?)]}’'"  # these belong to the sentence, not to the address before them


def spoken_form(text: str) -> str:
    """What the voice is given for `text`; never longer than it.

    Single spaces, no line breaks, no control characters, nothing of zero width, no surrogates.
    """
    sounding = _APART.sub(" ", _SILENT.sub("", text)).strip()
    return _ADDRESS.sub(_host, sounding) if "://" in sounding else sounding


def _host(address: re.Match[str]) -> str:
    """`https://www.example.org/a/b?c).` is said as `example.org).`."""
    host = address[1].rstrip(_AFTER_ADDRESS)
    return host + address[0][len(address[0].rstrip(_AFTER_ADDRESS)) :] if host else address[0]


def is_speakable(spoken: str) -> bool:
    """Whether there is a letter or a digit of any script in it."""
    return any(map(str.isalnum, spoken))


def n_characters(spoken: str, voice: str) -> int:  # noqa: ARG001 - other rulers ask who speaks
    """The ruler of an engine that counts characters, whoever speaks."""
    return len(spoken)
