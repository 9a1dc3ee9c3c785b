"""A key depends on everything that decides the sound, and on nothing else."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.model.book import BlockKind, Segment, Span
from audiomill.renderers.engine.planning import request_for, requests_of
from audiomill.renderers.tone.renderer import ToneRenderer

SEGMENT = Segment(
    id="0001-00002",
    kind=BlockKind.PARAGRAPH,
    text="It was £5.",
    spoken="It was five pounds.",
    voice="sine",
    language="en",
    pause_after_s=0.4,
    span=Span(1, 2, 0, 10),
)


class NewerRenderer(ToneRenderer):
    def fingerprint(self, voice):
        return super().fingerprint(voice) + " but newer"


def key(segment=SEGMENT, renderer=None, speed=1.0):
    return request_for(segment, renderer or ToneRenderer(), speed).key


def test_a_key_never_changes():
    """A changed key would make every user render every stored shard again."""
    assert key() == "c668d3337094e904a5887094030ad6781ba38c01f68aee5a008fcd7e7defbbe2"


def test_fields_that_do_not_change_the_sound_do_not_change_the_key():
    others = {
        "id": "0009-00009",
        "kind": BlockKind.HEADING,
        "text": "It was 5 quid.",
        "language": "en-GB",
        "pause_after_s": 0.0,
        "span": Span(7, 7, 1, 2),
    }
    for name, value in others.items():
        assert key(replace(SEGMENT, **{name: value})) == key(), name


def test_engine_and_speed_are_in_the_key():
    assert key(renderer=NewerRenderer()) != key()
    assert key(speed=1.1) != key()
    assert key(speed=1) == key(speed=1.0)


@given(st.lists(st.tuples(st.text(), st.sampled_from(["sine", "reed"])), max_size=20))
def test_different_sounds_have_different_keys(sounds):
    keys = {key(replace(SEGMENT, spoken=spoken, voice=voice)) for spoken, voice in sounds}
    assert len(keys) == len(set(sounds))


@given(st.text(st.characters(codec=None)))
def test_any_text_has_a_key(text):
    result = key(replace(SEGMENT, spoken=text))
    assert len(result) == 64
    assert set(result) <= set("0123456789abcdef")


def test_a_request_carries_what_the_engine_needs():
    request = request_for(SEGMENT, ToneRenderer(), 2)
    assert (request.spoken, request.voice) == (SEGMENT.spoken, "sine")
    assert isinstance(request.speed, float)


class Listening(ToneRenderer):
    """An engine that takes text around a segment."""

    limits = replace(ToneRenderer.limits, context_chars=12)


def chapters_of(*chapters):
    return [
        replace(SEGMENT, spoken=text, span=Span(chapter, n, 0, 1))
        for chapter, texts in enumerate(chapters)
        for n, text in enumerate(texts)
    ]


def test_an_engine_is_told_whole_words_of_the_chapter_around_a_segment():
    segments = chapters_of(("One two three.", "Go.", "Four fiveandahalf."), ("Other.",))
    first, middle, last, other = requests_of(segments, Listening(), 1.0)
    assert (first.before, first.after) == ("", "Go. Four")
    assert (middle.before, middle.after) == ("two three.", "Four")
    assert (last.before, last.after) == ("three. Go.", "")
    assert (other.before, other.after) == ("", "")
    assert other == request_for(segments[3], ToneRenderer(), 1.0)


def test_where_words_have_no_spaces_an_engine_is_told_characters_around_a_segment():
    before, after = "磨坊在河边水很清船慢慢地走过去。", "今天没有风所以磨坊的门还关着呢。"
    _, middle, _ = requests_of(chapters_of((before, "好。", after)), Listening(), 1.0)
    assert (middle.before, middle.after) == (before[-12:], after[:12])


TEXTS = st.lists(st.text("ab ", min_size=1, max_size=9).map(str.strip).filter(bool), max_size=4)


@given(st.lists(TEXTS, max_size=4), st.integers(0, 40))
def test_a_key_with_context_tells_all_that_an_engine_is_told(chapters, n_chars):
    listening = Listening()
    listening.limits = replace(ToneRenderer.limits, context_chars=n_chars)
    requests = requests_of(chapters_of(*chapters), listening, 1.0)
    told = {(one.key, one.spoken, one.before, one.after) for one in requests}
    assert len(told) == len({one.key for one in requests}) == len({entry[1:] for entry in told})
    assert all(len(one.before) <= n_chars and len(one.after) <= n_chars for one in requests)


def test_an_engine_without_context_gets_none():
    segments = chapters_of(("One.", "Two."))
    assert requests_of(segments, ToneRenderer(), 1.0) == [
        request_for(segment, ToneRenderer(), 1.0) for segment in segments
    ]
