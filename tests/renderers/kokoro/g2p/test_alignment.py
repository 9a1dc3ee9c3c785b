"""Phrases are cut where their words end, and texts made from texts know where they came from."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.kokoro.g2p.pieces import align_words, split_like, rewrite, source_spans

sounds = st.text("aˈbkoɛ̃s ", max_size=30).map(lambda text: " ".join(text.split()))


@pytest.mark.parametrize(
    ("phrase", "alone", "parts"),
    [
        ("lə mulˈɛ̃", ["lˈə", "mulˈɛ̃"], ["lə ", "mulˈɛ̃"]),
        ("ɔvðə mˈɪl", ["ˈɔv", "ðˈə", "mˈɪl"], ["ɔv", "ðə ", "mˈɪl"]),
        ("trˈe vˈirɡola dˈue ˈɛʊro", ["trˈe vˈirɡola dˈue", "ˈɛʊro"], None),
        ("a komprˈato", ["ˈa", "komprˈato"], ["a ", "komprˈato"]),
        ("kazˈa", ["kˈaza", ""], ["kazˈa", ""]),
        ("", ["x"], [""]),
    ],
)
def test_a_phrase_is_cut_at_its_words(phrase, alone, parts):
    assert align_words(phrase, alone) == (parts or ["trˈe vˈirɡola dˈue ", "ˈɛʊro"])


@given(sounds, st.lists(sounds, min_size=1, max_size=8))
def test_parts_joined_are_the_phrase(phrase, alone):
    parts = align_words(phrase, alone)
    assert len(parts) == len(alone)
    assert "".join(parts) == phrase


@given(st.lists(sounds, min_size=1, max_size=8))
def test_a_phrase_said_as_its_words_is_cut_between_them(alone):
    phrase = " ".join(word for word in alone if word)
    parts = split_like(phrase, alone)
    assert [part.replace(" ", "") for part in parts] == [word.replace(" ", "") for word in alone]
    assert "".join(parts) == phrase


@given(st.text("ab1 ", min_size=1, max_size=20), st.text("abx1 ", max_size=30))
def test_every_character_of_a_new_text_has_a_source(old, new):
    found = source_spans(old, new)
    assert len(found) == len(new)
    assert all(0 <= start < end <= len(old) for start, end in found)
    assert [start for start, _ in found] == sorted(start for start, _ in found)


def test_a_text_rewritten_piece_by_piece_knows_its_sources():
    written = {"25%": "百分之二十五", "，": ", "}
    text, places = rewrite("在25%，", re.compile(r"\d+%|."), lambda part: written.get(part, part))
    assert text == "在百分之二十五, "
    assert places == [(0, 1), *[(1, 4)] * 6, (4, 5), (4, 5)]
