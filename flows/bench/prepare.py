"""Make the corpus's phonemes: `python -m audiomill.flows.bench.prepare`. Needs every extra.

To be run when the corpus, the cutting or the pronunciation has changed; a test says when.
"""

from __future__ import annotations

import sys

from audiomill.flows.bench.corpus import CORPUS, PREPARED, BenchText, written
from audiomill.flows.bench.texts import bench_text_of, phonemiser_for, read
from audiomill.flows.console import say
from audiomill.inputs.book import Book
from audiomill.inputs.segmentation.chunking import CHUNKINGS
from audiomill.renderers.kokoro.bench.random_weights import OFFICIAL
from audiomill.renderers.kokoro.config import parse_config
from audiomill.renderers.kokoro.g2p.requirements import Alphabet, fingerprint_of
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from audiomill.renderers.kokoro.weights.voices import parse_mix
from audiomill.renderers.options import KokoroOptions


def main() -> int:
    """Write the file that `subject.prepared_corpus` reads."""
    subject = phonemes_of(read(CORPUS))
    alphabet = Alphabet(frozenset(parse_config(OFFICIAL).vocab))
    g2p = fingerprint_of(parse_mix(subject.voice).language, alphabet)
    PREPARED.write_text(written(subject, g2p), "utf-8")
    say(f"{PREPARED}: {len(subject.passages)} passages, {subject.n_words:,} words")
    return 0


def phonemes_of(book: Book) -> BenchText:
    """All of `book` as the official model would be given it, cut in every way."""
    options = KokoroOptions()
    renderer = KokoroRenderer(options)
    voice = renderer.default_voice(book.language)
    say_it = phonemiser_for(voice, parse_config(OFFICIAL), options)
    return bench_text_of(book, tuple(CHUNKINGS), renderer.limits, voice, say_it)


if __name__ == "__main__":
    sys.exit(main())
