"""What Piper's espeak-ng gets for a request, and the way back from its positions. Pure."""

from __future__ import annotations

from audiomill.renderers.base import Rendered, Request
from audiomill.renderers.espeak.long_words import break_long_words
from audiomill.renderers.espeak.pronounced import TextWithCodes, literal, with_codes
from audiomill.renderers.unspeakable import speakable


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
