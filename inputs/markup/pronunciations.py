"""Pronunciations that a page gives: elements with `ssml:ph` (SSML in EPUB 3, W3C).

    <span ssml:ph="wˈɪn">Nguyen</span>

While a block is collected, two noncharacters mark such words in its text, as those in `text.py`.
"""

from __future__ import annotations

from collections import deque

from audiomill.inputs.book import Pronunciation
from audiomill.inputs.markup.parser import Element

BEGIN, END = "\ufdd5", "\ufdd6"
SSML = "http://www.w3.org/2001/10/synthesis"
# With a namespace in XHTML; HTML has none.
_PHONEMES, _ALPHABETS = (f"{{{SSML}}}ph", "ssml:ph"), (f"{{{SSML}}}alphabet", "ssml:alphabet")


def given_phonemes(node: Element) -> str:
    """The phonemes of an element's words in IPA; "" if it has none, or in another alphabet."""
    phonemes = node.get(_PHONEMES[0]) or node.get(_PHONEMES[1]) or ""
    if not phonemes.strip():
        return ""
    around = (node, *node.iterancestors())
    alphabets = (one.get(name) for one in around for name in _ALPHABETS)
    alphabet = next((name for name in alphabets if name), "ipa")
    return " ".join(phonemes.split()) if alphabet.lower() == "ipa" else ""


def mark_begin(text: str) -> str:
    """The text of a piece with a mark before its first word."""
    bare = text.lstrip()
    return f"{text[: len(text) - len(bare)]}{BEGIN}{bare}"


def mark_end(text: str) -> str:
    """The text of a piece with a mark after its last word."""
    bare = text.rstrip()
    return f"{bare}{END}{text[len(bare) :]}"


def without_marks(text: str, phonemes: deque[str]) -> tuple[str, tuple[Pronunciation, ...]]:
    """The text of a block, and its pronunciations. Takes one of `phonemes` for each beginning."""
    if BEGIN not in text and END not in text:
        return text, ()
    plain, start, given = "", -1, ""
    found = list[Pronunciation]()
    for character in text:
        if character == BEGIN:
            start, given = len(plain), phonemes.popleft()
        elif character != END:
            plain += character
        elif 0 <= start < len(plain):
            found.append(Pronunciation(start, len(plain), given))
            start = -1
    return plain, tuple(found)
