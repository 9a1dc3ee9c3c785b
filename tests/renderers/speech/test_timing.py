"""Sentence timings span the sentence's words, are in order and disjoint, and within the audio."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from audiomill.renderers.engine.protocol import Batch, Request, ShardInfo, WordTiming
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from audiomill.renderers.kokoro.weights.random_weights import write_random_model
from audiomill.renderers.speech.timing import SentenceTiming, sentence_timings
from audiomill.renderers.store.store import open_store
from support.kokoro_reference import CONFIGS, built
from support.segments_data import book, paragraph

RATE = 24_000
TEXTS = {
    "en": "The mill stood over the water. “Who is there?” she asked. … Nobody came, and in 1984"
    " it was sold. It rained.",
    "es": "El molino estaba junto al agua. «¿Quién va?», preguntó ella. Nadie vino, y en 1984 se"
    " vendió. Llovía.",
}


def shard(duration_s, *words):
    timings = tuple(WordTiming(*word) for word in words)
    return ShardInfo("0" * 64, round(duration_s * RATE), RATE, timings)


def times(sentences, shard):
    return [(one.start_s, one.end_s) for one in sentence_timings(sentences, shard)]


def check(timings, sentences, duration_s):
    """Assert what must hold for any words."""
    assert [(one.start, one.end) for one in timings] == list(sentences)
    for one in timings:
        assert 0 <= one.start_s <= one.end_s <= duration_s
    for one, following in pairwise(timings):
        assert one.end_s <= following.start_s


def test_a_sentence_spans_its_first_to_its_last_word():
    spoken = shard(4.0, (0, 3, 0.1, 0.4), (4, 8, 0.4, 1.5), (10, 12, 1.7, 2.0), (13, 20, 2.0, 3.6))
    assert sentence_timings([(0, 9), (10, 21)], spoken) == (
        SentenceTiming(0, 9, 0.1, 1.5),
        SentenceTiming(10, 21, 1.7, 3.6),
    )


def test_sentences_without_a_word_share_the_time_between_their_neighbours():
    spoken = shard(5.0, (0, 3, 0.5, 1.0), (13, 15, 2.0, 3.0))
    sentences = [(0, 3), (4, 7), (8, 9), (10, 12), (13, 16), (17, 18)]
    assert times(sentences, spoken) == [
        (0.5, 1.0),
        (1.0, 1.5),
        pytest.approx((1.5, 1.5 + 1 / 6)),
        pytest.approx((1.5 + 1 / 6, 2.0)),
        (2.0, 3.0),
        (3.0, 5.0),
    ]


def test_without_timed_words_sentences_share_the_audio():
    assert times([(0, 3), (4, 5)], shard(4.0)) == [(0.0, 3.0), (3.0, 4.0)]
    assert times([], shard(4.0, (0, 3, 0.0, 1.0))) == []


def test_words_that_overlap_or_outlast_the_audio_are_clipped():
    spoken = shard(2.0, (0, 3, 0.5, 1.2), (4, 6, 1.0, 1.5), (7, 9, 1.4, 2.6))
    assert times([(0, 3), (4, 6), (7, 9)], spoken) == [(0.5, 1.2), (1.2, 1.5), (1.5, 2.0)]


@st.composite
def spoken_texts(draw):
    """Disjoint sentences, and words at any position and time, also outside the sentences."""
    edges = sorted(draw(st.sets(st.integers(0, 200), max_size=20)))
    sentences = list(zip(edges[::2], edges[1::2], strict=False))
    moments = st.floats(0, 30)
    spans = st.tuples(st.integers(0, 200), st.integers(1, 9), moments, moments)
    words = [
        (start, start + size, min(one_s, other_s), max(one_s, other_s))
        for start, size, one_s, other_s in sorted(draw(st.lists(spans, max_size=20)))
    ]
    return sentences, shard(draw(st.floats(0, 30)), *words)


@given(spoken_texts())
def test_sentences_are_in_order_and_within_the_audio(drawn):
    sentences, spoken = drawn
    check(sentence_timings(sentences, spoken), sentences, spoken.n_samples / RATE)


@st.composite
def words_in_order(draw):
    """Sentences of consecutive words, as an engine speaks them; some sentences have no words."""
    sentences, words, at, at_s = [], [], 0, 0.0
    for n_words in draw(st.lists(st.integers(0, 4), max_size=6)):
        start = at
        for duration_s in draw(st.lists(st.floats(0.01, 2), min_size=n_words, max_size=n_words)):
            words.append((at, at + 3, at_s, at_s + duration_s))
            at, at_s = at + 4, at_s + duration_s
        sentences.append((start, at + 1))
        at += 2
    return sentences, shard(at_s + 1, *words)


@given(words_in_order())
def test_every_word_sounds_within_its_sentence(drawn):
    sentences, spoken = drawn
    for one in sentence_timings(sentences, spoken):
        own = [word for word in spoken.timings if one.start <= word.start < one.end]
        if own:
            assert (one.start_s, one.end_s) == (own[0].start_s, own[-1].end_s)


@pytest.fixture(scope="module")
def kokoro(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kokoro")
    with built("narrow"):
        write_random_model(folder, ["af_heart", "ef_dora"], config=CONFIGS["narrow"])
        yield KokoroRenderer(KokoroOptions(weights=folder, workers=0, device="cpu"))


@pytest.mark.parametrize("language", TEXTS)
def test_from_a_text_to_the_times_of_its_sentences(kokoro, language, tmp_path):
    rules = SegmentRules(
        kokoro.default_voice, 510, length=kokoro.limits.length, best_length=(9, 500)
    )
    text = TEXTS[language]
    (segment,) = segment_book(book([paragraph(text)], language=language), rules).segments
    request = Request("a" * 64, segment.spoken, segment.voice, 1.0)
    (rendered,) = kokoro.render(Batch((request,)))
    store = open_store(str(tmp_path))
    with store.session():
        stored = store.put(request.key, rendered, sample_rate=RATE, bits=24)
        assert store.check(request.key) == stored
    timings = sentence_timings(segment.sentences, stored)
    check(timings, segment.sentences, stored.n_samples / RATE)
    assert len(timings) >= 4
    for one in timings:
        sentence = segment.spoken[one.start : one.end]
        assert one.start_s < one.end_s or not any(map(str.isalnum, sentence))
    for word in stored.timings:
        (own,) = (one for one in timings if one.start <= word.start < one.end)
        assert own.start_s <= word.start_s < word.end_s <= own.end_s
    printed = [segment.text[first:last] for first, last in segment.printed]
    for as_printed, one in zip(printed, timings, strict=True):
        as_spoken = segment.spoken[one.start : one.end]
        assert as_printed == as_spoken or any(map(str.isdecimal, as_printed))
