"""Prepare the phonemes of the corpus: `python -m audiomill.flows.bench.prepare`. Needs every extra.

To be run when the corpus, the chunking or the pronunciation has changed; a test fails until then.
"""

from __future__ import annotations

import sys

from audiomill.flows.bench.corpus import CORPUS, PREPARED, BenchText, dump_prepared
from audiomill.flows.bench.kokoro import phonemizer_for
from audiomill.flows.bench.texts import bench_text_of, read
from audiomill.flows.console import say
from audiomill.inputs.model.book import Book
from audiomill.inputs.segmentation.chunking import CHUNKINGS
from audiomill.renderers.kokoro.g2p.requirements import Alphabet, fingerprint_of
from audiomill.renderers.kokoro.model.config import OFFICIAL, parse_config
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from audiomill.renderers.kokoro.weights.mixes import parse_mix


def main() -> int:
    """Write the file that `corpus.prepared_corpus` reads."""
    text = phonemes_of(read(CORPUS))
    alphabet = Alphabet(frozenset(parse_config(OFFICIAL).vocab))
    g2p = fingerprint_of(parse_mix(text.voice).language, alphabet)
    PREPARED.write_text(dump_prepared(text, g2p), "utf-8")
    say(f"{PREPARED}: {len(text.passages)} passages, {text.n_words:,} words")
    return 0


def phonemes_of(book: Book) -> BenchText:
    """All of `book` as phonemes for the official model, in every chunking."""
    options = KokoroOptions()
    renderer = KokoroRenderer(options)
    voice = renderer.default_voice(book.language)
    to_rows = phonemizer_for(voice, parse_config(OFFICIAL), options)
    return bench_text_of(book, tuple(CHUNKINGS), renderer.limits, voice, to_rows)


if __name__ == "__main__":
    sys.exit(main())
