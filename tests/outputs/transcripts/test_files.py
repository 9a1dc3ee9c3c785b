"""Transcripts, of sentences and of words: what is written is read back, here and by ffmpeg."""

import json
import re

import av
import pytest
from hypothesis import HealthCheck, assume, given, settings
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
from audiomill.outputs.transcripts.writer import srt_text, vtt_text, vtt_words_text
from support.transcript_data import read_srt, read_vtt

RATE = 22_050
CUES = (
    TranscriptCue(11_025, 22_050, "Nobody came."),
    TranscriptCue(22_050, 66_150, "“1 < 2 & 3 --> {\\an8} <b>bold</b>”", "Emma & <Karl>"),
    TranscriptCue(3600 * 100 * RATE, 3600 * 100 * RATE + 30, "1914"),
)
TEXTS = st.text(st.characters(), min_size=1, max_size=120).map(one_line).filter(bool)
# Never shorter than a millisecond, as `recording_cues` makes them.
TIMED = st.lists(
    st.tuples(st.integers(0, 90_000_000), st.integers(23, RATE * 9), TEXTS, TEXTS | st.just("")),
    max_size=6,
)


def cues_of(timed) -> list[TranscriptCue]:
    cues, at = [], 0
    for n_before, n_samples, text, speaker in timed:
        start = at + n_before
        at = start + n_samples
        cues.append(TranscriptCue(start, at, text, speaker))
    return cues


def test_a_webvtt_file():
    assert vtt_text(CUES, RATE, "Sea --> Sky", "en-GB") == (
        "WEBVTT\n\n"
        "NOTE\nSea → Sky\nLanguage: en-GB\n\n"
        "00:00:00.500 --> 00:00:01.000\nNobody came.\n\n"
        "00:00:01.000 --> 00:00:03.000\n"
        "<v Emma &amp; &lt;Karl&gt;>"
        "“1 &lt; 2 &amp; 3 --&gt; {\\an8} &lt;b&gt;bold&lt;/b&gt;”</v>\n\n"
        "100:00:00.000 --> 100:00:00.001\n1914\n"
    )


def test_a_file_without_cues_is_one():
    assert read_vtt(vtt_text((), RATE)) == ([], [])
    assert read_srt(srt_text((), RATE)) == []


@given(TIMED, TEXTS)
def test_webvtt_is_read_back(timed, title):
    cues = cues_of(timed)
    note, found = read_vtt(vtt_text(cues, RATE, title))
    assert note == [title.replace("-->", "→")]
    assert [(one.text, one.speaker) for one in found] == [(one.text, one.speaker) for one in cues]
    times = [(one.start, one.end) for one in cues]
    for one, (start, end) in zip(found, times, strict=True):
        assert one.start_ms == pytest.approx(1000 * start / RATE, abs=0.5)
        assert one.end_ms == pytest.approx(1000 * end / RATE, abs=0.5)


@given(TIMED)
def test_srt_is_read_back(timed):
    assume(all(len(speaker) <= 10 for *_, speaker in timed))  # longer ones are cut
    cues = cues_of(timed)
    found = read_srt(srt_text(cues, RATE))
    _, same = read_vtt(vtt_text(cues, RATE))
    assert [(one.start_ms, one.end_ms) for one in found] == [
        (one.start_ms, one.end_ms) for one in same
    ]
    said = [f"{one.speaker}: {one.text}" if one.speaker else one.text for one in cues]
    assert [one.text for one in found] == [text.replace("\u2060", "") for text in said]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(timed=TIMED.filter(bool))
@pytest.mark.parametrize("write", [vtt_text, srt_text])
def test_ffmpeg_finds_every_cue_at_its_time(tmp_path, write, timed):
    path = tmp_path / f"t.{write.__name__[:3]}"
    path.write_bytes(write(cues_of(timed), RATE).encode())
    _, expected = read_vtt(vtt_text(cues_of(timed), RATE))
    assert ffmpeg_times(path) == [(one.start_ms, one.end_ms) for one in expected]


def ffmpeg_times(path) -> list[tuple[int, int]]:
    """The start and end in milliseconds of each cue, as ffmpeg's demuxer reads them."""
    with av.open(str(path)) as opened:
        assert [stream.type for stream in opened.streams] == ["subtitle"]
        packets = [packet for packet in opened.demux() if packet.pts is not None]
        assert all(packet.time_base * 1000 == 1 for packet in packets)
        return [(packet.pts, packet.pts + packet.duration) for packet in packets]


def test_ffmpeg_shows_signs_as_they_are_printed(tmp_path):
    """Neither format lets a tag or a position of the text act."""
    texts = {}
    for write in (vtt_text, srt_text):
        path = tmp_path / f"t.{write.__name__[:3]}"
        path.write_text(write(CUES[:2], RATE))
        with av.open(str(path)) as opened:
            (stream,) = opened.streams
            rects = [rect for packet in opened.demux() for rect in decoded(stream, packet)]
        texts[write.__name__[:3]] = rects[-1].replace("\u2060", "")
    shown = "“1 < 2 & 3 --> {\\an8} <b>bold</b>”"
    assert plain(texts["vtt"]) == shown
    assert plain(texts["srt"]) == f"Emma & <Karl>: {shown}"


def decoded(stream, packet) -> list[str]:
    return [rect.ass.decode() for rect in stream.codec_context.decode2(packet) or ()]


def plain(ass: str) -> str:
    """The text of an ASS event, without its fields and escapes."""
    text = ass.split(",", 8)[-1].replace("{{}", "{").replace("\\{", "{")
    return text.replace("\\N", " ").strip("\0")


IN_MS = 1000  # a sample is a millisecond
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
    assert json.loads(json_text([CUE], IN_MS, "", "")) == {
        "version": "1.0.0",
        "segments": [
            {"startTime": 0.52, "endTime": 0.9, "body": "“Hello,”"},
            {"startTime": 1.2, "endTime": 1.3, "body": "it"},
            {"startTime": 1.3, "endTime": 1.8, "body": "said."},
        ],
    }
    assert lrc_text([CUE], IN_MS, "A [Mill]", "") == (
        "[ti:A [Mill)]\n[00:00.50]<00:00.52>“Hello,” <00:01.20>it <00:01.30>said.<00:01.80>\n"
    )
    assert ass_text([CUE], IN_MS, "A Mill", "").split("\n")[-2] == (
        r"Dialogue: 0,0:00:00.50,0:00:02.50,Default,,0,0,0,,"
        r"{\k2}{\k68}“Hello,” {\k10}it {\k120}said."
    )
    assert vtt_words_text([CUE], IN_MS).split("\n\n")[1] == (
        "00:00:00.500 --> 00:00:02.500\n“Hello,” <00:00:01.200>it <00:00:01.300>said.\n"
    )


def test_signs_of_the_text_are_no_markup():
    assert lrc_text([SIGNS], IN_MS, "", "").split("\n")[1] == (
        "[00:03.00]Smith, Emma: <00:03.00>{\\k9} <b> <00:03.40>[\u206012:30] <\u20601:2> \\N &"
        "<00:04.00>"
    )
    (word, _) = json.loads(json_text([SIGNS], IN_MS, "", ""))["segments"]
    assert word == {
        "speaker": "Smith, Emma", "startTime": 3.0, "endTime": 3.4, "body": r"{\k9} <b>",
    }  # fmt: skip
    event = ass_text([SIGNS], IN_MS, "", "").split("\n")[-2]
    assert event.split(",", 9)[4] == "Smith; Emma"
    assert event.endswith("{\\k40}\\{\\\u2060k9\\} <b> {\\k60}[12:30] <1:2> \\\u2060N &")


def test_a_stamp_is_later_than_the_one_before_also_across_a_line_break():
    assert vtt_words_text([LONG], IN_MS).split("\n", 3)[3] == (
        "It stood beside the river until the end,\n"
        "<00:00:07.000>and nobody in the village spoke of it.\n"
    )


def test_another_title():
    assert retitled_lrc(lrc_text([CUE], IN_MS, "A", ""), "B", "") == lrc_text([CUE], IN_MS, "B", "")
    assert retitled_ass(ass_text([CUE], IN_MS, "A", ""), "B", "") == ass_text([CUE], IN_MS, "B", "")


@pytest.mark.parametrize("suffix", WRITERS)
@given(timed=cues())
def test_ffmpeg_finds_every_cue_with_its_words_at_its_time(tmp_path_factory, suffix, timed):
    path = tmp_path_factory.mktemp("words") / f"t.{suffix}"
    path.write_text(WRITERS[suffix](timed, IN_MS, "", ""), newline="")
    accuracy_ms = {"vtt": 0, "ass": 5}[suffix]
    with av.open(str(path)) as opened:
        packets = [packet for packet in opened.demux() if packet.pts is not None]
        found = [
            (float(one.pts * one.time_base), float((one.pts + one.duration) * one.time_base))
            for one in packets
        ]
    for times_s, cue in zip(found, timed, strict=True):
        assert times_s == pytest.approx(
            (cue.start / IN_MS, cue.end / IN_MS), abs=accuracy_ms / 1000 + 1e-9
        )


@given(cues())
def test_each_word_is_read_back_in_order(timed):
    words = [(one.start, one.text.strip()) for cue in timed for one in cue.parts]
    segments = json.loads(json_text(timed, IN_MS, "", ""))["segments"]
    assert [(round(1000 * one["startTime"]), one["body"]) for one in segments] == words
    lines = lrc_text(timed, IN_MS, "", "").split("\n")[1:-1]
    read = [
        (round(1000 * (60 * int(minutes) + float(seconds))), text.replace("\u2060", "").strip())
        for line in lines
        for minutes, seconds, text in re.findall(r"<(\d+):([\d.]+)>(.*?)(?=<\d+:\d|$)", line)
    ]
    assert [text for _, text in read if text] == [text.replace("\u2060", "") for _, text in words]
