"""Cues have every printed sentence that sounds, once and in order, where it sounds."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.casting.cast import Cast
from audiomill.inputs.model.book import Segment
from audiomill.inputs.segmentation.segments import SegmentRules, segment_book
from audiomill.outputs.audio.joining import Clip, join, measure_joined
from audiomill.outputs.audio.trimming import Break
from audiomill.outputs.text import one_line
from audiomill.outputs.transcripts.captions import MAX_CAPTION_COLUMNS, columns
from audiomill.outputs.transcripts.cues import (
    MIN_CUE_S,
    SHORT_S,
    TranscriptCue,
    recording_cues,
    segment_cues,
)
from audiomill.outputs.types import Cue
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch, Rendered, ShardInfo, WordTiming
from audiomill.renderers.speech.timing import middle_of_last_word_s, sentence_timings
from audiomill.renderers.tone.renderer import CHAR_S, SAMPLE_RATE, ToneRenderer
from support.examples import few_examples
from support.segments_data import BLOCKS, SENTENCES, book, paragraph, without_spaces

RULES = SegmentRules(voice_for=lambda _: "sine", max_length=120)
LONG = replace(RULES, max_length=400)
JOINING = replace(RULES, best_length=(60, 100))
PARAGRAPHS = st.lists(SENTENCES, min_size=1, max_size=5).map(lambda some: paragraph(" ".join(some)))
CHAPTERS = st.lists(st.lists(PARAGRAPHS | BLOCKS, min_size=1, max_size=4), min_size=1, max_size=3)
LEAD_S = 0.5
CLAUSE = "the mill stood on the hill and its sails went round all night"
SILENT = "Hush"  # an engine of these tests says nothing for it


def spoken_by_tones(segment: Segment) -> Rendered:
    renderer = ToneRenderer()
    request = make_request(segment.spoken, segment.voice, renderer, 1.0)
    (rendered,) = renderer.render(Batch((request,)))
    if SILENT in segment.spoken:
        return replace(rendered, samples=rendered.samples * 0)
    return rendered


def clips_of(
    segments: Sequence[Segment], timed: bool = True
) -> tuple[list[list[Clip]], dict[str, ShardInfo]]:
    """The clips of each chapter as the pipeline joins them, and their shards."""
    shards, chapters = {}, {}
    for segment in segments:
        rendered = spoken_by_tones(segment)
        timings = rendered.timings if timed else ()
        shards[segment.id] = ShardInfo("0" * 64, rendered.samples.size, SAMPLE_RATE, timings)
        within = pairwise(sentence_timings(segment.sentences, shards[segment.id]))
        breaks = (
            Break(middle_of_last_word_s(one, timings), following.start_s, 0.4)
            for one, following in within
        )
        clip = Clip(segment.id, rendered.samples, segment.pause_after_s, tuple(breaks))
        chapters.setdefault(segment.chapter, []).append(clip)
    return list(chapters.values()), shards


def cues_of(manuscript, timed=True) -> tuple[tuple[TranscriptCue, ...], list[list[Clip]]]:
    """The cues of a recording of all chapters, and the clips that it is joined of."""
    clips, shards = clips_of(manuscript.segments, timed)
    segments = {segment.id: segment for segment in manuscript.segments}
    chapters = [measure_joined("", 1, one, SAMPLE_RATE, lead_s=LEAD_S) for one in clips]
    return recording_cues(chapters, segments, shards), clips


def audio_of(chapters: list[list[Clip]]) -> np.ndarray:
    joined = (one for clips in chapters for one in join(clips, SAMPLE_RATE, lead_s=LEAD_S))
    return np.concatenate([np.zeros(0, np.float32), *(one.samples for one in joined)])


@few_examples(25)
@given(CHAPTERS, st.sampled_from([RULES, JOINING]), st.booleans())
def test_every_sentence_is_in_the_cues_once_and_in_order(blocks, rules, timed):
    manuscript = segment_book(book(*blocks), rules)
    cues, clips = cues_of(manuscript, timed)
    printed = (
        segment.text[start:end] for segment in manuscript.segments for start, end in segment.printed
    )
    text = without_spaces("".join(map(one_line, printed)))
    assert without_spaces("".join(cue.text for cue in cues)) == text
    edges = [edge for cue in cues for edge in (cue.start, cue.end)]
    assert edges == sorted(edges)
    assert all(cue.end - cue.start >= MIN_CUE_S * SAMPLE_RATE for cue in cues)
    assert not cues or cues[-1].end <= audio_of(clips).size
    assert all(cue.text == one_line(cue.text) != "" for cue in cues)
    for cue in cues:
        assert "".join(part.text for part in cue.parts) == cue.text
        words = [edge for word in cue.words for edge in (word.start, word.end)]
        assert words == sorted(words)
        assert not words or cue.start <= words[0] <= words[-1] <= cue.end


@few_examples(15)
@given(st.lists(PARAGRAPHS, min_size=1, max_size=2), st.sampled_from([RULES, JOINING]))
def test_each_word_is_where_it_sounds(blocks, rules):
    """A tone lasts as long as its word has characters, so the length of each is known."""
    manuscript = segment_book(book(blocks), rules)
    cues, clips = cues_of(manuscript)
    audio = audio_of(clips)
    n_edge = round(0.005 * SAMPLE_RATE)
    for cue in cues:
        assert [part.text.strip() for part in cue.parts] == cue.text.split()
        assert not any(word.is_estimated for word in cue.words)
        for part in cue.parts:
            n_samples = round(len(part.text.strip()) * CHAR_S * SAMPLE_RATE)
            assert abs(part.end - part.start - n_samples) <= 1
            word = audio[part.start + n_edge : part.end - n_edge]
            assert np.abs(word[:: SAMPLE_RATE // 1000]).max() > 0.1
            assert np.abs(audio[part.start - n_edge : part.start]).max() < 0.02
        if cue.end - cue.start > SHORT_S * SAMPLE_RATE:  # a shorter one may stay up to the next
            assert np.abs(audio[cue.end : cue.end + n_edge]).max() < 0.02


def test_a_printed_word_sounds_as_long_as_all_that_is_said_for_it():
    manuscript = segment_book(book([paragraph("It cost £2.5m in all.")]), RULES)
    (cue,) = cues_of(manuscript)[0]
    spoken = "It cost two point five million pounds in all."
    assert manuscript.segments[0].spoken == spoken
    starts = [0, 3, 8, spoken.index("in all"), spoken.index("all")]
    ends = [2, 7, spoken.index(" in all"), spoken.index(" all"), len(spoken)]
    n_char = CHAR_S * SAMPLE_RATE
    for word, start, end in zip(cue.words, starts, ends, strict=True):
        assert abs(word.start - cue.start - start * n_char) <= 1
        assert abs(word.end - cue.start - end * n_char) <= 1
    assert [part.text for part in cue.parts] == ["It ", "cost ", "£2.5m ", "in ", "all."]


def test_words_of_an_engine_without_times_are_estimated_within_their_sentence():
    manuscript = segment_book(book([paragraph("The mill stood. It fell.")]), RULES)
    for cue in cues_of(manuscript, timed=False)[0]:
        assert all(word.is_estimated for word in cue.words)
        lengths = [
            (word.end - word.start) / len(part.text.strip(" ."))
            for word, part in zip(cue.words, cue.parts, strict=True)
        ]
        assert max(lengths) < 1.6 * min(lengths)


def test_a_segment_without_sound_has_no_cue():
    manuscript = segment_book(book([paragraph(f"One. {SILENT}. Two.")]), RULES)
    cues, _ = cues_of(manuscript)
    assert [cue.text for cue in cues] == ["One.", "Two."]


def test_a_short_sentence_stays_until_it_can_be_read_or_the_next_begins():
    blocks = [[paragraph("No. Why? It was over.")], [paragraph("Go.")]]
    cues, clips = cues_of(segment_book(book(*blocks), RULES))
    n_short = round(SHORT_S * SAMPLE_RATE)
    ends = [*(cue.start for cue in cues[1:]), audio_of(clips).size]
    assert [cue.text for cue in cues] == ["No.", "Why?", "It was over.", "Go."]
    for cue, end in zip(cues, ends, strict=True):
        assert cue.end == min(end, cue.start + n_short) or cue.end - cue.start > n_short
    assert min(cue.end - cue.start for cue in cues[:-1]) > 0.5 * SAMPLE_RATE


def test_the_text_is_what_is_printed():
    manuscript = segment_book(book([paragraph("It was 1914. He\u00adre it\ncost $3.50.")]), RULES)
    cues, _ = cues_of(manuscript)
    assert [cue.text for cue in cues] == ["It was 1914.", "He\u00adre it cost $3.50."]


def test_a_long_sentence_has_several_cues_without_a_gap_between_them():
    manuscript = segment_book(book([paragraph(f"{CLAUSE}, {CLAUSE}.")]), LONG)
    cues, _ = cues_of(manuscript)
    assert [cue.text for cue in cues] == [f"{CLAUSE},", f"{CLAUSE}."]
    assert cues[0].end == cues[1].start
    n_clause = (len(CLAUSE) + 2) * CHAR_S * SAMPLE_RATE
    assert abs(cues[1].start - cues[0].start - n_clause) <= 1
    assert max(columns(cue.text) for cue in cues) <= MAX_CAPTION_COLUMNS


def test_cues_are_the_same_without_their_words():
    """Formats that show no words are written without them: to find them takes longer than all."""
    manuscript = segment_book(book([paragraph(f"{CLAUSE}, {CLAUSE}. It was 1914 - or so.")]), LONG)
    clips, shards = clips_of(manuscript.segments)
    segments = {segment.id: segment for segment in manuscript.segments}
    chapters = [measure_joined("", 1, one, SAMPLE_RATE) for one in clips]
    full = recording_cues(chapters, segments, shards)
    assert all(cue.words for cue in full)
    bare = recording_cues(chapters, segments, shards, has_words=False)
    assert bare == tuple(replace(cue, words=()) for cue in full)


def test_words_of_a_sentence_that_sound_too_shortly_are_joined_to_its_others():
    """An engine that is fast: clauses, cut apart for their width, would flash by."""
    first, second = "All of us went down to the mill;", "it stood there beside the river —"
    last = "and the old wheel had gone round and round all night long."
    text = f"{first} {second} {last}"
    segment = Segment(
        "0000-00000", None, text, text, "v", "en", 0.0, None,
        sentences=((0, len(text)),), printed=((0, len(text)),),
    )  # fmt: skip
    found = {}
    for n_samples in (6000, 1500):
        shard = ShardInfo("0" * 64, n_samples, 1000, ())
        cues = segment_cues(segment, shard, [Cue("0000-00000", 100, 100 + n_samples, 100)])
        assert (cues[0].start, cues[-1].end) == (100, 100 + n_samples)
        found[n_samples] = [cue.text for cue in cues]
    assert found == {6000: [first, second, last], 1500: [f"{first} {second}", last]}


def test_a_clause_without_word_times_shares_the_sentences_time():
    manuscript = segment_book(book([paragraph(f"{CLAUSE}, {CLAUSE}.")]), LONG)
    first, second = cues_of(manuscript, timed=False)[0]
    assert abs((first.end - first.start) / (second.end - second.start) - 1) < 0.05


def test_a_sentence_without_a_time_of_its_own_is_joined_to_the_one_before():
    segment = Segment(
        "0000-00000", None, "Go. …?! Stay.", "Go. …?! Stay.", "v", "en", 0.0, None,
        sentences=((0, 3), (4, 7), (8, 13)), printed=((0, 3), (4, 7), (8, 13)),
    )  # fmt: skip
    words = (WordTiming(0, 2, 0.1, 0.5), WordTiming(8, 12, 0.5, 0.9))
    shard = ShardInfo("0" * 64, 1000, 1000, words)
    piece = Cue("0000-00000", 100, 1100, 100, n_quiet_after=40)
    cues = segment_cues(segment, shard, [piece])
    assert [(cue.text, cue.start, cue.end) for cue in cues] == [
        ("Go. …?!", 200, 600),
        ("Stay.", 600, 1060),  # with its sound, which ends after the time of the last word
    ]


def test_who_speaks_is_told_if_the_cast_names_him():
    text = "“Come in,” said Emma. He nodded. “I am here.” “Go,” said Karl."
    cast = Cast(dialogue="reed", characters={"Emma": "reed"})
    manuscript = segment_book(book([paragraph(text)]), replace(RULES, cast=cast))
    cues, _ = cues_of(manuscript)
    assert [(cue.speaker, cue.text) for cue in cues if cue.speaker] == [("Emma", "“Come in,”")]


def test_characters_of_one_voice_are_cut_as_without_names():
    """A name must not change what the engine is given; two names in one range are none."""
    text = "“Come in,” said Emma. “No,” said Karl."
    characters = {"Emma": "sine", "Karl": "sine"}
    named = segment_book(book([paragraph(text)]), replace(RULES, cast=Cast(characters=characters)))
    assert [segment.spoken for segment in named.segments] == [
        segment.spoken for segment in segment_book(book([paragraph(text)]), RULES).segments
    ]
    assert {segment.speaker for segment in named.segments} == {""}
