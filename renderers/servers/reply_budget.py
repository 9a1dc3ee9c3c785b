"""How large a server's answer may be: as large as what was asked for can plausibly need.

Generous, as it is not a judgement of the audio: slow speech in Chinese takes half a second for a
character, and a model that runs on stops by itself after some two minutes.
"""

from __future__ import annotations

LONGEST_BASE_S, LONGEST_CHAR_S = 150.0, 0.5
MAX_BYTES_PER_S = 256 << 10  # stereo PCM of 48 kHz in base64
MAX_LIST_BYTES = 8 << 20  # of voices, models, pages of documentation
MAX_LIST_PAGES = 100
MAX_ERROR_BYTES = 64 << 10  # of which a message shows the beginning


def longest_s(n_chars: int, n_texts: int = 1) -> float:
    """The seconds of audio that texts of so many characters together may become."""
    return LONGEST_BASE_S * n_texts + LONGEST_CHAR_S * n_chars


def max_speech_bytes(n_chars: int, n_texts: int = 1) -> int:
    """The bytes of an answer with the audio of such texts, in whatever form it is sent."""
    return int(longest_s(n_chars, n_texts) * MAX_BYTES_PER_S)
