"""Phrases are cut at their words, and rewritten texts keep the spans of their sources."""

import re

from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.kokoro.g2p.pieces import rewrite, source_spans
from audiomill.renderers.speech.alignment import align_words, split_like
from support.case_files import each_row

sounds = st.text("aˈbkoɛ̃s ", max_size=30).map(lambda text: " ".join(text.split()))


@each_row
def test_a_phrase_is_cut_at_its_words(phrase, alone, parts):
    assert align_words(phrase, alone) == (parts or ["trˈe vˈirɡola dˈue ", "ˈɛʊro"])


@given(sounds, st.lists(sounds, min_size=1, max_size=8))
def test_joined_parts_are_the_phrase(phrase, alone):
    parts = align_words(phrase, alone)
    assert len(parts) == len(alone)
    assert "".join(parts) == phrase


@given(st.lists(sounds, min_size=1, max_size=8))
def test_a_phrase_with_the_sounds_of_its_words_is_cut_between_them(alone):
    phrase = " ".join(word for word in alone if word)
    parts = split_like(phrase, alone)
    assert [part.replace(" ", "") for part in parts] == [word.replace(" ", "") for word in alone]
    assert "".join(parts) == phrase


@given(st.text("ab1 ", min_size=1, max_size=20), st.text("abx1 ", max_size=30))
def test_every_character_of_a_rewritten_text_has_a_source(old, new):
    spans = source_spans(old, new)
    assert len(spans) == len(new)
    assert all(0 <= start < end <= len(old) for start, end in spans)
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)


def test_a_text_rewritten_part_by_part_keeps_its_sources():
    replacements = {"25%": "百分之二十五", "，": ", "}
    text, spans = rewrite(
        "在25%，", re.compile(r"\d+%|."), lambda part: replacements.get(part, part)
    )
    assert text == "在百分之二十五, "
    assert spans == [(0, 1), *[(1, 4)] * 6, (4, 5), (4, 5)]
