"""Prepare the corpus as models take it: `python -m audiomill.flows.bench.prepare`.

Needs every extra. To be run when the corpus, the chunking or the pronunciation has changed; a test
fails until then.
"""

from __future__ import annotations

import sys

from audiomill.flows.bench.corpus import CORPUS, BenchText, dump_prepared
from audiomill.flows.bench.texts import bench_text_of, read
from audiomill.flows.console import say
from audiomill.inputs.model.book import Book
from audiomill.inputs.segmentation.chunking import CHUNKINGS
from audiomill.renderers.engine.benchmarking import PreparedCorpus
from audiomill.renderers.engine.registry import bench_models, open_renderer


def main() -> int:
    """Write the files that `corpus.prepared_corpus` reads."""
    book = read(CORPUS)
    for engine, model in bench_models().items():
        if model.prepared is not None:
            _write(model.prepared, input_of(book, engine, model.prepared))
    return 0


def _write(prepared: PreparedCorpus, text: BenchText) -> None:
    prepared.path.write_text(dump_prepared(text, prepared.fingerprint(text.voice)), "utf-8")
    say(f"{prepared.path}: {len(text.passages)} passages, {text.n_words:,} words")


def input_of(book: Book, engine: str, prepared: PreparedCorpus) -> BenchText:
    """All of `book` as the engine's official model takes it, in every chunking."""
    renderer = open_renderer(engine)
    voice = renderer.default_voice(book.language)
    to_rows = prepared.to_rows(voice)
    return bench_text_of(book, tuple(CHUNKINGS), renderer.limits, voice, to_rows)


if __name__ == "__main__":
    sys.exit(main())
