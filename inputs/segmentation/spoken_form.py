"""Converts printed text to the text that the voice speaks.

For now this removes characters without sound and shortens web addresses to their hosts. Numbers,
dates and signs are left to the engine. Knows characters, not blocks or engines.
"""

from __future__ import annotations

import re

# Control characters separate words. Lone surrogates and noncharacters are removed (`_SILENT`).
_SEPARATORS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
# Soft hyphen, zero-width space, marks of direction, fillers, variation selectors, tags. Joiners
# stay next to letters from Arabic to Khmer, where they change the word.
_SILENT = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\uffa0\ufe00-\ufe0f\ufeff\ufff0-\ufffb\ufdd0-\ufdef\ufffe\uffff"
    "\U000e0000-\U000e0fff\ud800-\udfff]+"
    "|[\u200c\u200d](?![\u0600-\u17ff])|(?<![\u0600-\u17ff])[\u200c\u200d]"
)
_ADDRESS = re.compile(r"https?://(?:www\.)?([^\s/?#<>()\[\]\"“”]+)[^\s<>\"“”]*+", re.IGNORECASE)
_AFTER_ADDRESS = ".,;:!?)]}’'"  # at the end of an address, these belong to the sentence


def spoken_form(text: str) -> str:
    """Return the text that the voice speaks for `text`; it is never longer than `text`.

    It has single spaces and no line breaks, control characters, characters of zero width or
    surrogates.
    """
    spoken = _SEPARATORS.sub(" ", _SILENT.sub("", text)).strip()
    return _ADDRESS.sub(_host, spoken) if "://" in spoken else spoken


def _host(address: re.Match[str]) -> str:
    """`https://www.example.org/a/b?c).` becomes `example.org).`."""
    host = address[1].rstrip(_AFTER_ADDRESS)
    return host + address[0][len(address[0].rstrip(_AFTER_ADDRESS)) :] if host else address[0]


def is_speakable(spoken: str) -> bool:
    """Return True if `spoken` has a letter or a digit of any script."""
    return any(map(str.isalnum, spoken))


def n_characters(spoken: str, voice: str) -> int:  # noqa: ARG001 - other engines measure by voice
    """Return the length of `spoken` for an engine that counts characters, for any voice."""
    return len(spoken)
