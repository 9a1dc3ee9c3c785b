"""WebVTT and SRT: what is written is read back, by a strict reader here and by ffmpeg's."""

import av
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from audiomill.outputs.text import one_line
from audiomill.outputs.transcripts.cues import TranscriptCue
from audiomill.outputs.transcripts.writer import srt_text, vtt_text
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


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
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
