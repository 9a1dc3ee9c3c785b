"""How a benchmark turns text into rows of phonemes for Kokoro, in this process. Knows no model."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from renderers.kokoro.config import KokoroConfig, read_config
from renderers.kokoro.files import find_files
from renderers.kokoro.g2p import open_g2p
from renderers.kokoro.g2p_versions import Alphabet
from renderers.kokoro.mixing import parse_mix
from renderers.kokoro.official import release_named
from renderers.kokoro.split import split
from renderers.options import KokoroOptions

Phonemise = Callable[[str], tuple[str, ...]]


def phonemiser(voice: str, options: KokoroOptions) -> Phonemise:
    """Spoken text to rows for the model that `options` name. Raises EngineMissing, WeightsUnfit."""
    release = release_named(options.release)
    return phonemiser_for(voice, read_config(find_files(options.weights, release).config), options)


def phonemiser_for(voice: str, config: KokoroConfig, options: KokoroOptions) -> Phonemise:
    """Spoken text to rows for a model. Loads what reads the language. Raises EngineMissing."""
    alphabet = Alphabet(frozenset(config.vocab), options.release)
    g2p = open_g2p(parse_mix(voice).language, alphabet)
    g2p.phonemes("Wake up.")

    @cache  # what one chunking says another says too
    def rows(spoken: str) -> tuple[str, ...]:
        parts = split(g2p.phonemes(spoken), config.max_phonemes)
        return tuple(part.text for part in parts if part.text)

    return rows
