"""The pronunciation of a word inside a text, as misaki writes it: [word](/phonemes/). Pure."""

from __future__ import annotations

import re
import unicodedata

NOTATION = re.compile(r"\[([^\[\]]+)\]\(/([^/()\n]+)/\)")
# It counts only if one of these is in it, which nobody types by chance: [more](/about/) is a link.
PHONETIC_SIGNS = frozenset("ˈˌːəɪʊɛɔɑʌæɹʃʒðθŋɡɾᵊᵻ")
_SOUNDS = ("L", "M", "S", "Z")  # categories of letters, accents, modifiers, spaces


def is_pronunciation(phonemes: str) -> bool:
    """Whether the text between the slashes is phonemes, and not the address of a page."""
    return not PHONETIC_SIGNS.isdisjoint(phonemes) and all(
        unicodedata.category(character)[0] in _SOUNDS for character in phonemes
    )
