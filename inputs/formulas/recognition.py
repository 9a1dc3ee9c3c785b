"""Tells LaTeX from prices, programs and prose, where marks that these use too may hold it. Pure."""

from __future__ import annotations

import re

_WORDS_OF_TEX = re.compile(
    r"\\(?:text\w*|mbox|mathrm|operatorname\*?)\s?\{[^{}]{0,200}\}|\\[A-Za-z]+"
)
# What is LaTeX without a doubt: a command, a power or an index.
_TEX = re.compile(
    r"\A[\^_][\w{]|\\[A-Za-z]{2,}|\\[A-Za-z](?![\w:\\])|[\w)}\]'][\^_][\w{\\(*+-]|\\[{}|]"
)
_PROSE = re.compile(r"\b[A-Za-z]{2,},? [a-z]{3,}\b")
_PROGRAM = re.compile(
    r"[`\"@#]|\$\{|(?<![_^])\{\{[\w .|-]*\}\}|://"
    r"|[A-Za-z]{3,}_[A-Za-z]{2}|[A-Z]{2,}_[A-Z]|\w/\w+/\w"
)
# Letters, numbers and brackets, with operators between: “n = 5”, “2x + 1”.
_PART = r"[\w().!'\[\]{}%|]+"
_OPERATOR = r"[-=<>+*/:;,~&−≤≥≠≈∈×·→]+"
_PLAIN = re.compile(
    rf"(?:{_OPERATOR}\s*)?{_PART}(?:\s*{_OPERATOR}\s*{_PART})*|{_OPERATOR}"
    r"|(?:O\()?(?:[A-Za-z]\s){1,5}[A-Za-z]\)?"
)
_MAX_PLAIN = 80  # characters


def looks_like_formula(text: str) -> bool:
    """True for what can stand between dollar signs as a formula, and is no price or program."""
    bare = _WORDS_OF_TEX.sub(" ", text)
    if _PROGRAM.search(bare) or _PROSE.search(bare):
        return False
    is_plain = len(text) <= _MAX_PLAIN and _PLAIN.fullmatch(text.strip())
    return _TEX.search(text) is not None or bool(is_plain)


def is_tex(text: str) -> bool:
    """True for what is LaTeX without a doubt."""
    return _TEX.search(text) is not None and looks_like_formula(text)
