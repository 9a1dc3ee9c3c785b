"""Text and IPA as Piper's espeak-ng gets them, and the way back from its positions. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from audiomill.renderers.engine.errors import UnknownPhoneme
from audiomill.renderers.engine.protocol import Rendered, Request
from audiomill.renderers.espeak.codes import decomposed_ipa
from audiomill.renderers.espeak.pronounced import TextWithCodes, literal, with_codes
from audiomill.renderers.espeak.speakable_text import break_long_words, speakable

_NO_SOUND = re.compile("[\u035c\u0361.\u203f]")  # ties, and dots between syllables
_MARKS = frozenset("_^$")  # phonemes of a voice that stand for no sound of a word


def own_phonemes(phonemes: str, known: Collection[str]) -> str:
    """The phonemes, each a character that the voice has an id for. Raises UnknownPhoneme."""
    ipa = _NO_SOUND.sub("", decomposed_ipa(phonemes))
    for one in ipa:
        if one not in known or one in _MARKS:
            raise UnknownPhoneme(unicodedata.normalize("NFC", one))
    return " ".join(ipa.split())


def said_text(request: Request) -> str:
    """What the child gets: the text with phonemes in brackets, and no other brackets like them."""
    return speakable(break_long_words(_coded(request).text).text)


def _coded(request: Request) -> TextWithCodes:
    if request.pronunciations:
        return with_codes(request.spoken, request.pronunciations)
    return TextWithCodes(request.spoken, literal(request.spoken))


def of_spoken(rendered: Rendered, request: Request) -> Rendered:
    """The audio with positions in the spoken text, as it was before it became what is said."""
    coded = _coded(request)
    return coded.of_spoken(break_long_words(coded.text).of_original(rendered))
