"""Prompts, token budgets, and tokens as codes: the arithmetic of Orpheus."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.orpheus.codes import FIRST_CODE, CodeReader, OutOfPhase, tokens_of
from audiomill.renderers.orpheus.prompt import (
    FRAME_SAMPLES,
    SAMPLE_RATE,
    Sampling,
    completion_body,
    least_frames,
    max_tokens,
    n_letters,
    prompt_ids,
    said_by,
)
from audiomill.renderers.orpheus.renderer import OrpheusRenderer

FRAMES = st.lists(st.lists(st.integers(0, 4095), min_size=7, max_size=7), max_size=20)
CONTROL = st.integers(0, FIRST_CODE - 1)


def codes_of(tokens):
    reader = CodeReader()
    reader.add_all(tokens)
    return reader.codes()


@given(FRAMES)
def test_every_code_comes_back_in_its_codebook_also_code_0(frames):
    layers = codes_of(tokens_of(frames)).layers
    assert layers[0] == tuple(frame[0] for frame in frames)
    assert layers[1] == tuple(frame[place] for frame in frames for place in (1, 4))
    assert layers[2] == tuple(frame[place] for frame in frames for place in (2, 3, 5, 6))


@given(FRAMES, st.lists(st.tuples(st.integers(0, 140), CONTROL), max_size=8))
def test_control_tokens_do_not_shift_the_phase(frames, controls):
    tokens = tokens_of(frames)
    for place, token in controls:
        tokens.insert(place, token)
    assert codes_of(tokens) == codes_of(tokens_of(frames))


@given(FRAMES.filter(len), st.data())
def test_a_token_too_few_or_too_many_is_found_within_the_frame(frames, data):
    tokens = tokens_of([*frames, [1, 2, 3, 4, 5, 6, 7]])
    place = data.draw(st.integers(0, len(tokens) - 8))
    with pytest.raises(OutOfPhase):
        codes_of(tokens[:place] + tokens[place + 1 :])
    with pytest.raises(OutOfPhase):
        codes_of(tokens[: place + 1] + tokens[place:])


@given(FRAMES, st.integers(0, 6))
def test_a_frame_that_has_only_begun_is_left_out(frames, n_left):
    tokens = tokens_of([*frames, [0] * 7])
    assert codes_of(tokens[: len(frames) * 7 + n_left]) == codes_of(tokens_of(frames))


@pytest.mark.parametrize("token", [FIRST_CODE + 7 * 4096, FIRST_CODE + 4096, 156_939])
def test_tokens_beyond_the_codes_are_errors(token):
    with pytest.raises(OutOfPhase, match=f"token {token} is none of place 0"):
        codes_of([token])


def test_the_prompt_is_that_of_the_models_authors():
    assert prompt_ids([7, 8]) == [128259, 128000, 7, 8, 128009, 128260, 128261, 128257]
    assert said_by("tara", " Good \n morning. ") == "tara: Good morning."


def test_a_completion_names_all_that_decides_the_sound():
    body = completion_body([1, 2], 99, 5, Sampling(0.5, 0.8, 1.2))
    assert body == {
        "prompt": [1, 2],
        "n_predict": 99,
        "seed": 5,
        "temperature": 0.5,
        "top_p": 0.8,
        "top_k": 40,
        "min_p": 0.05,
        "repeat_penalty": 1.2,
        "repeat_last_n": 64,
        "cache_prompt": False,
        "return_tokens": True,
        "stream": True,
    }


@given(st.text(max_size=300))
def test_the_budget_grows_with_the_text_and_holds_slow_speech(text):
    longest_s = max_tokens(text) // 7 * FRAME_SAMPLES / SAMPLE_RATE
    assert longest_s >= 2 + len(text) / 6
    assert max_tokens(text + " and more") > max_tokens(text)
    assert 1 <= least_frames(text) < max_tokens(text) // 7


def test_the_budget_is_more_than_the_servers_default_where_it_must_be():
    assert max_tokens("word " * 55) > 1200  # 14.6 s, for 275 characters
    assert max_tokens("今天天气很好" * 10) > max_tokens("letter" * 10)
    assert max_tokens("1984") > max_tokens("abcd")


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_text_is_as_long_as_its_parts(first, second):
    assert n_letters(f"{first} {second}") == n_letters(first) + 1 + n_letters(second)


def test_the_longest_segment_fits_into_the_context_that_the_docs_name():
    """A slot of 20480 / 4 tokens, and one for each byte of the prompt."""
    longest = "语" * (OrpheusRenderer.limits.max_length // 3)
    assert max_tokens(longest) + len(longest.encode()) + 20 < 20480 // 4
