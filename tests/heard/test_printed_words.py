"""The starts of printed words agree with an aligner's, and are found out where they are wrong."""

import json

import numpy as np
import pytest

from heard.models import Models
from heard.printed_words import WordStart, aligner_errors_s, word_starts
from heard.rendering import Case, render
from heard.word_starts import exceeds, several_spoken

TEXT = "# The Dues\n\nIn 1984 Dr Hale took £2.5m, on 3 January. Nobody had seen the old keeper.\n"
SEVERAL = {"1984": 3, "£2.5m": 5, "3 January": 4}


@pytest.fixture(scope="module")
def espeak(tmp_path_factory):
    folder = tmp_path_factory.mktemp("heard")
    (folder / "dues.en.md").write_text(TEXT)
    models = Models(folder)  # of which espeak has none
    rendering = render(Case(folder / "dues.en.md", "espeak", "en-us"), models, folder)
    return rendering, models, folder


@pytest.mark.prove
def test_printed_words_start_with_the_first_of_their_spoken_ones(espeak):
    found = word_starts(espeak[0])
    assert found.n_left_out == 0
    assert len(found.words) == 2 + 8 + 6
    assert {one.printed: one.n_spoken for one in several_spoken(found.words)} == SEVERAL
    assert not exceeds(found.words)


@pytest.mark.prove
def test_words_that_are_marked_late_are_found(espeak):
    rendering = espeak[0]
    told = json.loads(rendering.words.read_text())
    for word in told["segments"]:
        word["startTime"] += 0.15
    right = rendering.words.read_text()
    rendering.words.write_text(json.dumps(told))
    found = word_starts(rendering).words
    rendering.words.write_text(right)
    assert np.median([one.late_s for one in found]) == pytest.approx(0.15, abs=0.04)
    assert exceeds(found)


@pytest.mark.prove
def test_the_aligner_is_close_to_where_joined_words_begin(espeak):
    errors_s = np.abs(aligner_errors_s(*espeak))
    assert errors_s.size > 20
    assert np.median(errors_s) < 0.04


def test_words_that_are_a_little_off_do_not_exceed():
    words = [WordStart("mill", 1, 1.0, late_s) for late_s in (0.03, -0.03, 0.02, -0.1)]
    assert not exceeds(words)
    assert exceeds([*words, WordStart("it", 1, 2.0, -0.3)])
    assert exceeds([])
