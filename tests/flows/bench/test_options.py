"""The options of a benchmark, and those that are refused before anything is loaded."""

import argparse

import pytest

from audiomill.flows.bench.arguments import add_bench_options
from audiomill.flows.bench.options import WrongOptions, parse_options
from audiomill.renderers.kokoro.bench_model import WORDS
from support.case_files import each_row


def parsed(*words):
    parser = argparse.ArgumentParser()
    add_bench_options(parser)
    return parse_options(parser.parse_args(words))


def test_the_default_is_kokoro_on_the_corpus():
    options = parsed()
    assert (options.engines, options.source) == (("kokoro",), None)
    assert (options.batch_frames, options.chunkings) == ((0,), ("planned",))
    assert options.devices == ("auto",)
    assert options.mark == ""


def test_lists_keep_their_order_and_lose_duplicates():
    options = parsed("--batch-frames", "2048, 0,2048", "--chunking", "sentence,planned")
    assert options.batch_frames == (2048, 0)
    assert options.chunkings == ("sentence", "planned")


def test_precisions_are_those_of_the_device_unless_they_are_named():
    assert parsed().precisions == ()
    assert parsed("--precision", "tf32,float32").precisions == ("tf32", "float32")


def test_random_weights_have_a_mark():
    assert "random weights" in parsed("--random-weights").mark


def test_the_number_of_words(tmp_path):
    assert parsed().n_words("cpu") == WORDS["cpu"]
    assert parsed().n_words("cuda:1") == WORDS["cuda"]
    assert parsed("--engine", "tone").n_words("cpu") == 10_000
    assert parsed("--words", "7").n_words("cuda") == 7
    assert parsed(str(tmp_path / "own.md")).n_words("cpu") == 0  # a text of one's own: all of it


@each_row
def test_options_that_make_no_sense_are_refused_by_name(words, message):
    with pytest.raises(WrongOptions, match=message):
        parsed(*[f"{words[0]}={words[1]}", *words[2:]])


def test_engines_may_be_several_and_each_counts_once():
    options = parsed(
        "--engine=tone", "--engine=openai", "--engine=tone", "--in-flight=1,8", "--yes"
    )
    assert options.engines == ("tone", "openai")
    assert (options.in_flight, options.is_agreed) == ((1, 8), True)
    assert options.model is None
    assert parsed("--engine=kokoro", "--in-flight=2").model is None
