"""Make the corpus's phonemes anew: `python -m flows.bench.prepare`. Needs the full installation.

To be run when the corpus, the cutting or the pronunciation has changed; a test says when.
"""

from __future__ import annotations

import sys

from flows.bench.phonemes import phonemiser_for
from flows.bench.subject import CORPUS, PREPARED, Subject, written
from flows.bench.texts import read, subject_of
from flows.console import say
from inputs.book import Book
from inputs.chunking import CHUNKINGS
from renderers.kokoro.config import parse_config
from renderers.kokoro.g2p_versions import Alphabet, fingerprint_of
from renderers.kokoro.mixing import parse_mix
from renderers.kokoro.random_weights import OFFICIAL
from renderers.kokoro.renderer import KokoroRenderer
from renderers.options import KokoroOptions


def main() -> int:
    """Write the file that `subject.prepared_corpus` reads."""
    subject = phonemes_of(read(CORPUS))
    alphabet = Alphabet(frozenset(parse_config(OFFICIAL).vocab))
    g2p = fingerprint_of(parse_mix(subject.voice).language, alphabet)
    PREPARED.write_text(written(subject, g2p), "utf-8")
    say(f"{PREPARED}: {len(subject.passages)} passages, {subject.n_words:,} words")
    return 0


def phonemes_of(book: Book) -> Subject:
    """All of `book` as the official model would be given it, cut in every way."""
    options = KokoroOptions()
    renderer = KokoroRenderer(options)
    voice = renderer.default_voice(book.language)
    say_it = phonemiser_for(voice, parse_config(OFFICIAL), options)
    return subject_of(book, tuple(CHUNKINGS), renderer.traits, voice, say_it)


if __name__ == "__main__":
    sys.exit(main())
