"""What elements say about their words: how they are pronounced, or that they are Roman numerals.

    <span ssml:ph="wˈɪn">Nguyen</span>                 SSML in EPUB 3 (W3C)
    <span epub:type="z3998:roman">C</span>             Z39.98-2012 Structural Semantics Vocabulary
    <h2 epub:type="ordinal z3998:roman">L</h2>

While a block is collected, two noncharacters mark such words in its text, as those in `text.py`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from audiomill.inputs.markup.parser import Element, local_name
from audiomill.inputs.markup.semantics import BLOCKS, HEADINGS, semantics
from audiomill.inputs.model.book import Pronunciation

BEGIN, END = "\ufdd5", "\ufdd6"
SSML = "http://www.w3.org/2001/10/synthesis"
# With a namespace in XHTML; HTML has none.
_PHONEMES, _ALPHABETS = (f"{{{SSML}}}ph", "ssml:ph"), (f"{{{SSML}}}alphabet", "ssml:alphabet")
_WITHOUT_MARKS = str.maketrans("", "", BEGIN + END)


class _Numeral(Enum):
    """What an element says about words that are a numeral, in the place of phonemes."""

    ROMAN = auto()


_Marking: TypeAlias = "str | _Numeral"  # phonemes, or that the words are a numeral


@dataclass(frozen=True, slots=True)
class BlockText:
    """The text of a block without marks, and what is said about its characters, in order."""

    text: str
    pronunciations: tuple[Pronunciation, ...] = ()
    numerals: tuple[tuple[int, int], ...] = ()


class MarkedWords:
    """Marks words in the text that is being collected. The innermost element counts."""

    def __init__(self) -> None:
        self._given: deque[_Marking] = deque()  # for each of the marked words, in order
        self._is_pending = False  # the first word of the last one is still to come

    def begin(self, node: Element) -> None:
        """Begin an element."""
        given = _given(node)
        if given is not None:
            if self._is_pending:
                self._given.pop()
            self._given.append(given)
            self._is_pending = True

    def marked(self, text: str) -> str:
        """A piece of text that has words, with a mark before them if one is due."""
        if not self._is_pending:
            return text
        self._is_pending = False
        bare = text.lstrip()
        return f"{text[: len(text) - len(bare)]}{BEGIN}{bare}"

    def end(self, node: Element, run: list[str]) -> None:
        """End an element, with a mark after its last word in the pieces of a run."""
        if _given(node) is None:
            return
        if self._is_pending:  # there was no word in it
            self._given.pop()
            self._is_pending = False
            return
        at = next((i for i in reversed(range(len(run))) if run[i].strip()), None)
        if at is not None:
            bare = run[at].rstrip()
            run[at] = f"{bare}{END}{run[at][len(bare) :]}"

    def of(self, text: str) -> BlockText:
        """The text of a block, the next in order, without its marks."""
        if BEGIN not in text and END not in text:
            return BlockText(text)
        plain, start = "", -1
        given: _Marking = ""
        pronunciations, numerals = list[Pronunciation](), list[tuple[int, int]]()
        for character in text:
            if character == BEGIN:
                start, given = len(plain), self._given.popleft()
            elif character != END:
                plain += character
            elif 0 <= start < len(plain):
                if given is _Numeral.ROMAN:
                    numerals.append((start, len(plain)))
                else:
                    pronunciations.append(Pronunciation(start, len(plain), given))
                start = -1
        return BlockText(plain, tuple(pronunciations), tuple(numerals))


def without_marks(text: str) -> str:
    """The text of a run as it is printed."""
    return text.translate(_WITHOUT_MARKS)


def _given(node: Element) -> _Marking | None:
    """What an element says about its words; None if it says nothing."""
    if not node.attrib:
        return None
    name = local_name(node)
    if name in BLOCKS and name not in HEADINGS:
        return None
    phonemes = "" if name in BLOCKS else _phonemes(node)
    return phonemes or (_Numeral.ROMAN if "roman" in semantics(node) else None)


def _phonemes(node: Element) -> str:
    """The phonemes of an element's words in IPA; "" if it has none, or in another alphabet."""
    phonemes = node.get(_PHONEMES[0]) or node.get(_PHONEMES[1]) or ""
    if not phonemes.strip():
        return ""
    around = (node, *node.iterancestors())
    alphabets = (one.get(name) for one in around for name in _ALPHABETS)
    alphabet = next((name for name in alphabets if name), "ipa")
    return " ".join(phonemes.split()) if alphabet.lower() == "ipa" else ""
