"""Which languages are written from right to left, without spaces, or without vowels. Pure."""

from __future__ import annotations

import re

from audiomill.inputs.languages.codes import primary_subtag
from audiomill.inputs.languages.declaration import words

# Languages that are written from right to left where no script is named, and such scripts.
_RIGHT_TO_LEFT = words(
    "ar arc ary arz azb ckb dv fa he khw ks lrc mzn nqo pnb ps sd skr syr ug ur yi"
)
_RIGHT_TO_LEFT_SCRIPTS = words("adlm arab aran hebr mand nkoo rohg samr syrc thaa yezi")
_SCRIPT = re.compile(r"-([a-z]{4})(?=-|$)")
_WITHOUT_SPACES = words("bo ja km ko lo my th yue zh")  # between words
_WITHOUT_VOWELS = words("ar fa he ps sd ur yi")


def is_right_to_left(language: str) -> bool:
    """Whether the script of the language (BCP 47) runs from right to left."""
    tag = language.lower()
    script = _SCRIPT.search(tag)
    if script:
        return script[1] in _RIGHT_TO_LEFT_SCRIPTS
    return primary_subtag(tag) in _RIGHT_TO_LEFT


def shows_sound_of_words(language: str) -> bool:
    """Whether two texts of the language can be compared by the sound of their words.

    Else there are no spaces between words, or vowels are left out.
    """
    primary = primary_subtag(language)
    return primary not in _WITHOUT_SPACES and primary not in _WITHOUT_VOWELS
