"""The text of a benchmark: slices with something of every register, and the prepared phonemes."""

import json
import os
import subprocess
from shutil import copytree, ignore_patterns

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.bench.corpus import (
    CORPUS,
    BenchPassage,
    dump_prepared,
    prepared_corpus,
    sliced,
)
from audiomill.flows.bench.texts import bench_text_of, read, sentences_of, write_slice
from audiomill.inputs.segmentation.chunking import CHUNKINGS
from audiomill.renderers.kokoro.bench_model import PREPARED
from audiomill.renderers.kokoro.g2p.requirements import has_english_model
from audiomill.renderers.kokoro.model.config import OFFICIAL
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from support.documents import documented, process_of
from support.paths import ROOT

CHAPTERS = st.lists(st.lists(st.integers(1, 200), min_size=1, max_size=30), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def book():
    return read(CORPUS)


@pytest.fixture(scope="module")
def corpus():
    return prepared_corpus(PREPARED)


def passages_of(chapters):
    return [
        BenchPassage(chapter, block, n_words, {})
        for chapter, blocks in enumerate(chapters)
        for block, n_words in enumerate(blocks)
    ]


@given(CHAPTERS, st.integers(1, 3000))
def test_a_slice_has_whole_passages_in_order_and_some_of_each_chapter(chapters, n_words):
    passages = passages_of(chapters)
    taken = list(sliced(passages, n_words))
    places = [(one.chapter, one.block) for one in taken]
    assert places == sorted(places)
    assert all(one in passages for one in taken)
    assert {one.chapter for one in taken} == set(range(len(chapters)))


@given(CHAPTERS)
def test_zero_means_all(chapters):
    passages = passages_of(chapters)
    assert list(sliced(passages, 0)) == passages


@pytest.mark.parametrize("n_words", [80, 300, 2_000, 6_000])
def test_slices_of_the_corpus_are_about_as_long_as_requested(corpus, n_words):
    taken = corpus.slice(n_words)
    assert 0.85 * n_words <= taken.n_words <= 1.15 * n_words
    assert {one.chapter for one in taken.passages} == set(range(10))


def test_a_prepared_text_reads_back(corpus, tmp_path):
    path = tmp_path / "prepared.json"
    path.write_text(dump_prepared(corpus, "by hand"), "utf-8")
    assert prepared_corpus(path) == corpus


def test_the_prepared_phonemes_are_of_this_corpus(corpus, book):
    """If this fails: python -m audiomill.flows.bench.prepare."""
    assert corpus.sha256 == book.source_id


@pytest.mark.prove
def test_the_prepared_phonemes_are_cut_as_the_corpus_is(corpus, book):
    """If this fails, run that command."""
    limits = KokoroRenderer(KokoroOptions()).limits
    now = bench_text_of(book, tuple(CHUNKINGS), limits, corpus.voice, lambda spoken: (spoken,))
    assert [(one.chapter, one.block, one.n_words) for one in corpus.passages] == [
        (one.chapter, one.block, one.n_words) for one in now.passages
    ]
    for chunking in CHUNKINGS:
        n_chars = [line.n_chars for line in corpus.lines(chunking) if line.n_chars]
        assert n_chars == [line.n_chars for line in now.lines(chunking)]


@pytest.mark.parametrize("chunking", CHUNKINGS)
def test_every_prepared_line_is_a_row_that_the_model_takes(corpus, chunking):
    for line in corpus.lines(chunking):
        assert 1 <= len(line.text) <= 510
        assert set(line.text) <= set(OFFICIAL["vocab"])


@pytest.mark.prove
@pytest.mark.skipif(has_english_model(), reason="prepared without spaCy's English model")
def test_the_prepared_phonemes_are_those_of_our_g2p(tmp_path):
    """If this fails, run that command in the checkout."""
    copytree(
        ROOT,
        tmp_path / "audiomill",
        ignore=ignore_patterns(".*", "build", "library", "__pycache__"),
    )
    again = tmp_path / "audiomill" / "inputs" / "samples" / PREPARED.name
    again.unlink()
    words = process_of(documented("python -m audiomill.flows.bench.prepare"))
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    subprocess.run(words, cwd=tmp_path, env=environment, check=True)
    written, committed = (json.loads(path.read_bytes()) for path in (again, PREPARED))
    # The versions of its packages may be others here.
    assert written | {"g2p": ""} == committed | {"g2p": ""}


def test_a_slice_written_for_the_pipeline_has_the_same_sentences(book, corpus, tmp_path):
    taken = corpus.slice(300)
    path = tmp_path / "slice.html"
    write_slice(book, taken, path)
    sentences = sentences_of(book)
    expected = [sentences[one.chapter, one.block] for one in taken.passages]
    again = list(sentences_of(read(path)).values())
    assert again == [block for block in expected if block]
