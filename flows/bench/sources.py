"""Which text a benchmark has spoken, in the form that each engine takes.

The corpus comes as phonemes made beforehand where Kokoro speaks it; anything else is read, which
needs the full installation.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from flows.bench.options import Order, WrongOrder
from flows.bench.subject import CORPUS, Passage, Subject, prepared_corpus
from flows.bench.variants import UPSTREAM_CHUNKINGS
from inputs.book import Book
from renderers.options import KokoroOptions
from renderers.registry import open_renderer
from renderers.trial import Line


def subject_for(order: Order, options: KokoroOptions, n_words: int) -> Subject:
    """What is spoken in synthesis only. Raises SourceError, EngineMissing, WrongOrder."""
    if order.engine == "kokoro" and order.source is None:
        return prepared_corpus().slice(n_words)
    book = _read(order)
    from flows.bench.texts import subject_of

    if order.engine != "kokoro":
        renderer = open_renderer(order.engine)
        voice = renderer.default_voice(book.language)
        whole = subject_of(book, order.chunkings, renderer.traits, voice, _as_it_is)
        return whole.slice(n_words)
    from flows.bench.phonemes import phonemiser
    from renderers.kokoro.renderer import KokoroRenderer

    renderer = KokoroRenderer(options)
    voice = renderer.default_voice(book.language)
    chunkings = tuple(dict.fromkeys((*order.chunkings, *UPSTREAM_CHUNKINGS)))
    say = phonemiser(voice, options)
    return subject_of(book, chunkings, renderer.traits, voice, say).slice(n_words)


def write_source(order: Order, subject: Subject, folder: Path) -> Path:
    """The same passages as a file that the mill reads. Raises SourceError, WrongOrder."""
    book = _read(order)
    from flows.bench.texts import write_slice

    path = folder / "source.html"
    write_slice(book, subject, path)
    return path


def as_text(order: Order, subject: Subject) -> Subject:
    """The same passages as upstream's pipeline takes them: sentences, and whole paragraphs.

    Raises SourceError, WrongOrder.
    """
    book = _read(order)
    from flows.bench.texts import sentences_of

    said = sentences_of(book)

    def passage(one: Passage) -> Passage:
        sentences = said[one.chapter, one.block]
        whole = " ".join(sentences)
        lines = {
            "sentence": tuple(Line(text, len(text)) for text in sentences),
            "adaptive": (Line(whole, len(whole)),),
        }
        return replace(one, lines=lines)

    return replace(subject, passages=tuple(map(passage, subject.passages)))


def _as_it_is(spoken: str) -> tuple[str]:
    return (spoken,)


def _read(order: Order) -> Book:
    """The text that was named, or the corpus. Raises SourceError, WrongOrder."""
    try:
        from flows.bench.texts import read
    except ImportError as error:
        raise WrongOrder(
            f"Reading text takes the full installation ({error}): make setup. Without it there is"
            " Kokoro's synthesis of the corpus only."
        ) from error
    return read(order.source or CORPUS)
