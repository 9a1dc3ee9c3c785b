"""A string of phonemes as a row that a model can speak. Knows no text and no voices' names.

Source: `KModel.forward` and `KPipeline.infer` of hexgrad/kokoro.
"""

from __future__ import annotations

from torch import Tensor

from renderers.kokoro.config import KokoroConfig
from renderers.kokoro.model import Utterance
from renderers.kokoro.noise import seed_of
from renderers.kokoro.speaker import Row
from renderers.shard import Request

EDGE = 0  # the token before the first phoneme and after the last


def row_of(
    phonemes: str, pack: Tensor, config: KokoroConfig, request: Request, number: int = 0
) -> Row:
    """The part with this number of `request`, 1 to 510 phonemes.

    A voice's `pack`, (510, 1, 2 * style_dim), holds a style for each number of phonemes.
    """
    tokens = (EDGE, *(config.vocab[phoneme] for phoneme in phonemes), EDGE)
    style = pack[len(phonemes) - 1, 0]
    return Row(Utterance(tokens, style, request.speed), seed_of(request.key, number))
