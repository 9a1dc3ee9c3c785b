"""Orpheus's tokens as the codes of SNAC. Pure.

    token      128266 + 4096 * 0 + c0, + 4096 * 1 + c1, … + 4096 * 6 + c6, and the next frame
    frame      c0   c1 c4   c2 c3 c5 c6        7 tokens, 2,048 samples at 24 kHz
    codebooks  ──   ─────   ───────────
               L0   L1      L2                 1, 2 and 4 codes a frame

The place of a token in its frame decides its codebook, so one token too many or too few turns all
that follows to noise: a token from another place's range is an error. Code 0 is a code like others.
Tokens below 128266 are control tokens, which count for nothing. Source: `redistribute_codes` of the
model's notebook, and the decoder of orpheus-speech 0.1.0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audiomill.renderers.orpheus.prompt import FRAME_TOKENS

FIRST_CODE = 128_266  # custom_token_10
N_CODES = 4096  # in a codebook
LAYERS = ((0,), (1, 4), (2, 3, 5, 6))  # places in a frame, of each codebook


class OutOfPhase(ValueError):
    """A token is not of its place in the frame. The message is a part of a sentence."""


@dataclass(frozen=True, slots=True)
class SnacCodes:
    """The codes of whole frames, one sequence for each of SNAC's codebooks."""

    layers: tuple[tuple[int, ...], ...]

    @property
    def n_frames(self) -> int:
        """Frames of 2,048 samples."""
        return len(self.layers[0])


class CodeReader:
    """Reads tokens as they come. Raises OutOfPhase at the first that does not fit."""

    def __init__(self) -> None:
        self._codes: list[int] = []

    def add(self, token: int) -> None:
        """Read a token. Raises OutOfPhase."""
        if token < FIRST_CODE:
            return
        place = len(self._codes) % FRAME_TOKENS
        code = token - FIRST_CODE - N_CODES * place
        if not 0 <= code < N_CODES:
            raise OutOfPhase(f"token {token} is none of place {place} in a frame")
        self._codes.append(code)

    def add_all(self, tokens: Iterable[int]) -> None:
        """Read tokens. Raises OutOfPhase."""
        for token in tokens:
            self.add(token)

    def codes(self) -> SnacCodes:
        """The codes so far. A frame that has only begun is left out."""
        end = len(self._codes) // FRAME_TOKENS * FRAME_TOKENS
        frames = [self._codes[at : at + FRAME_TOKENS] for at in range(0, end, FRAME_TOKENS)]
        return SnacCodes(
            tuple(tuple(frame[place] for frame in frames for place in layer) for layer in LAYERS)
        )


def tokens_of(codes: Sequence[Sequence[int]]) -> list[int]:
    """The tokens of frames of seven codes: the inverse of `CodeReader`."""
    return [
        FIRST_CODE + N_CODES * place + code for frame in codes for place, code in enumerate(frame)
    ]
