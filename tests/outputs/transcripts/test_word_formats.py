"""Transcripts with the time of each word: what is written is read back, also by ffmpeg."""

import json
import re

import av
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.text import one_line
from audiomill.outputs.transcripts.cues import TranscriptCue
from audiomill.outputs.transcripts.word_formats import (
    ass_text,
    json_text,
    lrc_text,
    retitled_ass,
    retitled_lrc,
)
from audiomill.outputs.transcripts.words import CueWord
from audiomill.outputs.transcripts.writer import vtt_words_text

RATE = 1000  # a sample is a millisecond
CUE = TranscriptCue(
    *(500, 2500, "“Hello,” it said."),
    words=(CueWord(0, 520, 900), CueWord(9, 1200, 1300), CueWord(12, 1300, 1800)),
)
SIGNS = TranscriptCue(
    *(3000, 4000, r"{\k9} <b> [12:30] <1:2> \N &", "Smith, Emma"),
    words=(CueWord(0, 3000, 3400), CueWord(10, 3400, 4000)),
)
LONG = TranscriptCue(
    *(
        5000,
        9000,
        "It stood beside the river until the end, and nobody in the village spoke of it.",
    ),
    words=(CueWord(0, 5000, 5100), CueWord(41, 7000, 7100), CueWord(45, 7000, 7200)),
)
WRITERS = {"vtt": vtt_words_text, "ass": ass_text}


@st.composite
def cues(draw) -> list[TranscriptCue]:
    """Cues in order, each with words in order, of any signs."""
    made, at = [], 0
    signs = st.text(st.characters(), min_size=1, max_size=12).map(one_line).filter(bool)
    for texts in draw(st.lists(st.lists(signs, min_size=1, max_size=5), max_size=4)):
        text, words, start = "", [], at + draw(st.integers(1, 5000))
        at = start
        for one in texts:
            end = at + draw(st.integers(1, 900))
            words.append(CueWord(len(text) + bool(text), at, end))
            text, at = f"{text} {one}".strip(), end
        made.append(TranscriptCue(start, at, text, words=tuple(words)))
    return made


def test_the_files():
    assert json.loads(json_text([CUE], RATE, "", "")) == {
        "version": "1.0.0",
        "segments": [
            {"startTime": 0.52, "endTime": 0.9, "body": "“Hello,”"},
            {"startTime": 1.2, "endTime": 1.3, "body": "it"},
            {"startTime": 1.3, "endTime": 1.8, "body": "said."},
        ],
    }
    assert lrc_text([CUE], RATE, "A [Mill]", "") == (
        "[ti:A [Mill)]\n[00:00.50]<00:00.52>“Hello,” <00:01.20>it <00:01.30>said.<00:01.80>\n"
    )
    assert ass_text([CUE], RATE, "A Mill", "").split("\n")[-2] == (
        r"Dialogue: 0,0:00:00.50,0:00:02.50,Default,,0,0,0,,"
        r"{\k2}{\k68}“Hello,” {\k10}it {\k120}said."
    )
    assert vtt_words_text([CUE], RATE).split("\n\n")[1] == (
        "00:00:00.500 --> 00:00:02.500\n“Hello,” <00:00:01.200>it <00:00:01.300>said.\n"
    )


def test_signs_of_the_text_are_no_markup():
    assert lrc_text([SIGNS], RATE, "", "").split("\n")[1] == (
        "[00:03.00]Smith, Emma: <00:03.00>{\\k9} <b> <00:03.40>[\u206012:30] <\u20601:2> \\N &"
        "<00:04.00>"
    )
    (word, _) = json.loads(json_text([SIGNS], RATE, "", ""))["segments"]
    assert word == {
        "speaker": "Smith, Emma", "startTime": 3.0, "endTime": 3.4, "body": r"{\k9} <b>",
    }  # fmt: skip
    event = ass_text([SIGNS], RATE, "", "").split("\n")[-2]
    assert event.split(",", 9)[4] == "Smith; Emma"
    assert event.endswith("{\\k40}\\{\\\u2060k9\\} <b> {\\k60}[12:30] <1:2> \\\u2060N &")


def test_a_stamp_is_later_than_the_one_before_also_across_a_line_break():
    assert vtt_words_text([LONG], RATE).split("\n", 3)[3] == (
        "It stood beside the river until the end,\n"
        "<00:00:07.000>and nobody in the village spoke of it.\n"
    )


def test_another_title():
    assert retitled_lrc(lrc_text([CUE], RATE, "A", ""), "B", "") == lrc_text([CUE], RATE, "B", "")
    assert retitled_ass(ass_text([CUE], RATE, "A", ""), "B", "") == ass_text([CUE], RATE, "B", "")


@pytest.mark.parametrize("suffix", WRITERS)
@given(timed=cues())
def test_ffmpeg_finds_every_cue_at_its_time(tmp_path_factory, suffix, timed):
    path = tmp_path_factory.mktemp("words") / f"t.{suffix}"
    path.write_text(WRITERS[suffix](timed, RATE, "", ""), newline="")
    accuracy_ms = {"vtt": 0, "ass": 5}[suffix]
    with av.open(str(path)) as opened:
        packets = [packet for packet in opened.demux() if packet.pts is not None]
        found = [
            (float(one.pts * one.time_base), float((one.pts + one.duration) * one.time_base))
            for one in packets
        ]
    for times_s, cue in zip(found, timed, strict=True):
        assert times_s == pytest.approx(
            (cue.start / RATE, cue.end / RATE), abs=accuracy_ms / 1000 + 1e-9
        )


@given(cues())
def test_each_word_is_read_back_in_order(timed):
    words = [(one.start, one.text.strip()) for cue in timed for one in cue.parts]
    segments = json.loads(json_text(timed, RATE, "", ""))["segments"]
    assert [(round(1000 * one["startTime"]), one["body"]) for one in segments] == words
    lines = lrc_text(timed, RATE, "", "").split("\n")[1:-1]
    read = [
        (round(1000 * (60 * int(minutes) + float(seconds))), text.replace("\u2060", "").strip())
        for line in lines
        for minutes, seconds, text in re.findall(r"<(\d+):([\d.]+)>(.*?)(?=<\d+:\d|$)", line)
    ]
    assert [text for _, text in read if text] == [text.replace("\u2060", "") for _, text in words]
