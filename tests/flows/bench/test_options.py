"""What may be asked of a benchmark, and what is refused before anything is loaded."""

import argparse

import pytest

from audiomill.flows.bench.options import (
    KOKORO_WORDS,
    WORDS,
    WrongOptions,
    add_bench_options,
    parse_options,
)


def asked(*words):
    parser = argparse.ArgumentParser()
    add_bench_options(parser)
    return parse_options(parser.parse_args(words))


def test_by_default_it_is_kokoro_on_the_corpus_beside_the_others():
    order = asked()
    assert (order.engine, order.source, order.rivals) == ("kokoro", None, ("upstream", "onnx"))
    assert (order.batch_frames, order.chunkings, order.devices) == ((0,), ("planned",), ("auto",))
    assert order.mark == ""


def test_lists_keep_their_order_and_lose_what_comes_twice():
    order = asked("--batch-frames", "2048, 0,2048", "--chunking", "sentence,planned")
    assert order.batch_frames == (2048, 0)
    assert order.chunkings == ("sentence", "planned")


def test_precisions_are_those_of_the_device_until_they_are_named():
    assert asked().precisions == ()
    assert asked("--precision", "tf32,float32").precisions == ("tf32", "float32")


def test_random_weights_have_a_mark():
    assert "random weights" in asked("--random-weights").mark


def test_only_kokoro_is_compared():
    assert asked("--engine", "tone").rivals == ()
    assert asked("--rivals", "none").rivals == ()
    assert asked("--rivals", "onnx").rivals == ("onnx",)


def test_how_many_words(tmp_path):
    assert asked().n_words("cpu") == KOKORO_WORDS["cpu"]
    assert asked().n_words("cuda:1") == KOKORO_WORDS["cuda"]
    assert asked("--engine", "tone").n_words("cpu") == WORDS["tone"]
    assert asked("--words", "7").n_words("cuda") == 7
    assert asked(str(tmp_path / "own.md")).n_words("cpu") == 0  # a text of one's own: all of it


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--engine", "trumpet"], "trumpet"),
        (["--batch-frames", "some"], "some"),
        (["--batch-frames", "-1"], "-1"),
        (["--batch-frames", ","], "nothing"),
        (["--chunking", "planned,rows"], "rows"),
        (["--rivals", "everything"], "everything"),
        (["--rivals", "none,onnx"], "either"),
        (["--repeat", "0"], "--repeat"),
        (["--words", "-5"], "--words"),
        (["--engine", "tone", "--random-weights"], "--random-weights"),
        (["--engine", "tone", "--batch-frames", "100"], "--batch-frames"),
        (["--engine", "espeak", "--device", "cpu"], "--device"),
        (["--precision", "float32,int4"], "unknown int4; known: float32, tf32, bf16"),
        (["--precision", ""], "nothing"),
        (["--engine", "tone", "--precision", "float32"], "--precision"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(words, told):
    with pytest.raises(WrongOptions, match=told):
        asked(*[f"{words[0]}={words[1]}", *words[2:]])
