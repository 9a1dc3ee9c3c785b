"""Characters that espeak-ng cannot take. Pure."""

from __future__ import annotations

import re

# Control characters could start the library's embedded commands (U+0001) or end the text (U+0000);
# lone surrogates cannot be encoded.
UNSPEAKABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")


def speakable(text: str) -> str:
    """`text` with a space for each such character, which keeps all positions."""
    return UNSPEAKABLE.sub(" ", text)
