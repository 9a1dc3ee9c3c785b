"""Phonemes as engines other than Kokoro take them: decomposed IPA. Pure."""

from __future__ import annotations

import unicodedata

# Single letters that Kokoro has for sounds, and their IPA.
_SINGLE_LETTERS = {
    "A": "eɪ",
    "I": "aɪ",
    "O": "oʊ",
    "Q": "əʊ",
    "W": "aʊ",
    "Y": "ɔɪ",
    "T": "ɾ",
    "S": "ss",
    "ʤ": "dʒ",
    "ʧ": "tʃ",
    "ʣ": "dz",
    "ʦ": "ts",
    "ʨ": "tɕ",
    "ʥ": "dʑ",
    "ᵊ": "ə",
    "ᵻ": "ɪ",
    "ꭧ": "ʈʂ",
    "ɝ": "ɜːɹ",
    "g": "ɡ",
    ":": "ː",
}


def decomposed_ipa(phonemes: str) -> str:
    """Phonemes in decomposed IPA, whether they come in IPA or as Kokoro writes them."""
    return unicodedata.normalize("NFD", "".join(_SINGLE_LETTERS.get(one, one) for one in phonemes))
