"""IPA as a Piper voice takes it, between double brackets. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from audiomill.renderers.base import UnknownPhoneme
from audiomill.renderers.espeak.codes import ipa_of_kokoro

_NO_SOUND = re.compile("[\u035c\u0361.\u203f]")  # ties, and dots between syllables
_MARKS = frozenset("_^$")  # phonemes of a voice that stand for no sound of a word


def own_phonemes(phonemes: str, known: Collection[str]) -> str:
    """The phonemes, each a character that the voice has an id for. Raises UnknownPhoneme."""
    ipa = _NO_SOUND.sub("", ipa_of_kokoro(phonemes))
    for one in ipa:
        if one not in known or one in _MARKS:
            raise UnknownPhoneme(unicodedata.normalize("NFC", one))
    return " ".join(ipa.split())
