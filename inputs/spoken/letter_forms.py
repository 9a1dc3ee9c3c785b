"""Plain letters for letters that only look different: “𝐁𝐨𝐥𝐝”, “ꜱᴍᴀʟʟ”, “Ｗｉｄｅ”, “19ᵗʰ”.

People set words in them where no markup is at hand. Engines say the name of each such letter, or
nothing. Each becomes one plain letter, so places in a text stay what they are.

Source of the plain letters: the compatibility decompositions of Unicode (UAX 15), which small
capitals lack.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from audiomill.inputs.spoken.edits import Edit
from audiomill.inputs.spoken.rules import Grammar

LETTER_FORM = "letter form"  # the kind of these edits
_SMALL_CAPITALS = dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True))
_PHONETIC = frozenset("ʙɢʜɪʟɴʀʏ")  # the International Phonetic Alphabet has these
_MATHEMATICAL = "\U0001d400-\U0001d7cb\U0001d7ce-\U0001d7ff"
_SCRIPT = "ℂℊ-ℓℕℙ-ℝℤℨℬ-ℭℯ-ℱℳ-ℴ"  # which the mathematical letters lack
_WIDE = "０-９Ａ-Ｚａ-ｚ"
_ENCIRCLED = "Ⓐ-ⓩ\U0001f130-\U0001f149"
_RAISED = "ᵃ-ᵇᵈ-ᵉᵍᵏᵐᵒ-ᵗᵘᵛʰʲʳʷʸⁱⁿˡˢˣᶜᶠᶻ"
_SUBSCRIPTS = "₀-₉"
_SMALL = "".join(_SMALL_CAPITALS)
_ANY = re.compile(f"[{_MATHEMATICAL}{_SCRIPT}{_WIDE}{_ENCIRCLED}{_RAISED}{_SUBSCRIPTS}{_SMALL}]")
# A letter alone is a sign of its own, if it is no mathematical one: “ℝ”, “Ⓐ”, “ʰ” in a phonetic
# spelling. Raised letters end the number of a thing.
_WORD = re.compile(
    rf"[{_MATHEMATICAL}{_SCRIPT}]*[{_MATHEMATICAL}][{_MATHEMATICAL}{_SCRIPT}]*|[{_WIDE}]+"
    rf"|[{_SCRIPT}]{{2,}}|[{_ENCIRCLED}]{{2,}}|(?<=\d)[{_RAISED}]{{1,3}}(?![^\W_])"
)
# “1.ᵒ”, “2.ᵃ”
_RAISED_MARK = re.compile(r"(?<=\d\.)[ᵒᵃ](?!\w)")
_SMALL_WORD = re.compile(rf"(?<![^\W_])[A-Za-z{_SMALL}]*[{_SMALL}][A-Za-z{_SMALL}]*(?![^\W_])")
_SUBSCRIPT = re.compile(rf"(?<=[A-Za-z)])[{_SUBSCRIPTS}]+")
_PRINTED_WORD = re.compile(r"\w+")


def plain_letters(text: str, grammar: Grammar) -> str:
    """The text with plain letters; as many characters.

    Subscripts become digits in a language that has no rules for them: “CO₂” is “CO2”.
    """
    if text.isascii() or not _ANY.search(text):
        return text
    if grammar.raises_ordinal_marks:
        text = _RAISED_MARK.sub(lambda mark: "º" if mark[0] == "ᵒ" else "ª", text)
    text = _WORD.sub(_decomposed, text)
    if any(one in text for one in _SMALL_CAPITALS if one not in _PHONETIC):
        text = _SMALL_WORD.sub(_capitals, text)
    return text if grammar.has_subscript_rules else _SUBSCRIPT.sub(_decomposed, text)


def with_letter_forms(text: str, plain: str, edits: Sequence[Edit]) -> Iterator[Edit]:
    """The edits of a text, and one for each word between them whose letters are others in `plain`.

    Edits are in order and do not overlap.
    """
    at = 0
    for edit in edits:
        yield from _forms_between(text, plain, at, edit.start)
        yield edit
        at = edit.end
    yield from _forms_between(text, plain, at, len(text))


def _forms_between(text: str, plain: str, start: int, end: int) -> Iterator[Edit]:
    for word in _PRINTED_WORD.finditer(plain, start, end):
        if text[word.start() : word.end()] != word[0]:
            yield Edit(word.start(), word.end(), word[0], LETTER_FORM)


def _decomposed(match: re.Match[str]) -> str:
    plain = (unicodedata.normalize("NFKC", one) for one in match[0])
    return "".join(new if len(new) == 1 else old for new, old in zip(plain, match[0], strict=True))


def _capitals(match: re.Match[str]) -> str:
    return "".join(_SMALL_CAPITALS.get(one, one) for one in match[0])
