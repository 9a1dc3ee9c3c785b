"""AAC encoded in regions: the seams can be neither heard nor measured."""

import subprocess
import threading
from itertools import accumulate, pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.pipeline.chapter_audio import plan_regions
from audiomill.flows.pipeline.planning.plan import ChapterPlan, PlannedSegment
from audiomill.inputs.segmentation.pauses import CHAPTER_LEAD_S
from audiomill.outputs.audio.file_sound import AudioRegion, to_pcm16
from audiomill.outputs.audio.joining import Clip, join, measure_joined
from audiomill.outputs.audio.music_pieces import PlacedMusic
from audiomill.outputs.ffmpeg.commands import encode_command
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.outputs.ffmpeg.flv import AAC_FRAME, FlvPackets
from audiomill.outputs.formats import thread_group
from audiomill.outputs.formats.encoder import encode
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.formats.region_ends import MARGIN, is_region_end
from audiomill.outputs.formats.registry import FORMATS
from audiomill.renderers.engine.protocol import Request, Samples
from support.examples import few_examples
from support.process_data import TIMEOUT_S, children
from support.signals_data import RATE, voice
from support.tags_data import BOOK_TAGS

SILENCE = (2 * MARGIN + 1) * AAC_FRAME  # the least silence at a cut


def region_of(samples: Samples) -> AudioRegion:
    return AudioRegion(samples.size, lambda: [samples[:RATE], samples[RATE:]])


def encoded(regions: list[AudioRegion], path: Path, sample_rate: int = RATE) -> Samples:
    (file,) = encode(regions, sample_rate, [Target("m4b", path)], [], BOOK_TAGS).files
    assert file.duration_s == sum(region.n_samples for region in regions) / sample_rate
    return np.concatenate(list(decode(path)))


def loss_db(samples: Samples, decoded: Samples) -> float:
    """How far the coder's error is below the signal; near 0 if the decoded signal is shifted."""
    error = float(np.sum((decoded - samples) ** 2))
    return 10 * float(np.log10(np.sum(samples**2) / error))


def speech_then_silence(n_samples: int, n_silent: int, seed: int, rate: int = RATE) -> Samples:
    speech = voice(n_samples / rate, rate, seed=seed)[: n_samples - n_silent]
    return np.concatenate((speech, np.zeros(n_samples - speech.size, np.float32)))


@pytest.mark.parametrize(
    ("sample_rate", "n_samples"),
    [*((24000, n) for n in (1, 1024, 1025, 50_000)), (22050, 50_000), (44100, 50_000)],
)
def test_one_region_gives_the_file_that_ffmpeg_writes_by_itself(tmp_path, sample_rate, n_samples):
    """Including the edit list, the packets' times and the configuration."""
    samples = voice(3, sample_rate)[:n_samples]
    alone, ours = tmp_path / "alone.m4a", tmp_path / "ours.m4a"
    options = dict(FORMATS["m4a"].encoding + FORMATS["m4a"].muxing)
    options["metadata:s:a:0"] = "language=eng"
    command = encode_command(find_ffmpeg(), sample_rate, alone, options)
    subprocess.run(command, input=to_pcm16(samples), check=True)
    encode([region_of(samples)], sample_rate, [Target("m4a", ours)], [], BOOK_TAGS)
    # Only packets are compared: tags are written after encoding.
    assert packets_of(ours) == packets_of(alone)


def packets_of(path: Path) -> list[str]:
    """The coder's configuration, the length, and each packet with its times and bytes."""
    with av.open(str(path)) as container:
        stream = container.streams.audio[0]
        head = f"{stream.codec_context.extradata!r} {stream.time_base} {stream.duration}"
        return [head, *(f"{p.pts} {p.dts} {p.duration} {bytes(p)!r}" for p in container.demux())]


@pytest.mark.parametrize("sample_rate", [22050, 24000])
def test_regions_meet_without_a_seam(tmp_path, sample_rate):
    lengths = [2 * sample_rate + 777, sample_rate, 2 * sample_rate - 1, sample_rate // 2]
    parts = [speech_then_silence(n, SILENCE, i, sample_rate) for i, n in enumerate(lengths)]
    book = np.concatenate(parts)
    whole = encoded([region_of(book)], tmp_path / "whole.m4b", sample_rate)
    in_regions = encoded([region_of(part) for part in parts], tmp_path / "regions.m4b", sample_rate)
    assert in_regions.size == book.size
    for start, end in pairwise([0, *accumulate(lengths)]):
        inside = slice(start, end)
        loss = loss_db(book[inside], in_regions[inside])
        assert loss > loss_db(book[inside], whole[inside]) - 1.5
        # Around the cut: what the coder spreads beyond the speech ends well before it.
        assert not in_regions[end - SILENCE + 2 * AAC_FRAME : end - 2 * AAC_FRAME].any()


@pytest.mark.prove
@few_examples(4)
@given(
    st.lists(st.tuples(st.integers(SILENCE + 1, 60_000), st.integers(0, 5000)), max_size=6),
    st.integers(1, 30_000),
)
def test_regions_of_any_length_are_in_place(tmp_path_factory, lengths, n_last):
    parts = [
        speech_then_silence(n + more, SILENCE + more, i) for i, (n, more) in enumerate(lengths)
    ]
    parts.append(voice(2, seed=9)[:n_last])
    book = np.concatenate(parts)
    path = tmp_path_factory.mktemp("regions") / "book.m4b"
    decoded = encoded([region_of(part) for part in parts], path)
    assert decoded.size == book.size
    assert book.size < RATE or loss_db(book, decoded) > 15


@pytest.mark.prove
def test_the_number_of_cores_makes_no_difference(tmp_path, monkeypatch):
    regions = [region_of(speech_then_silence(2 * RATE, SILENCE, i)) for i in range(3)]
    files = [tmp_path / f"{n_cores}.m4b" for n_cores in (1, 2, 5)]
    for n_cores, path in zip((1, 2, 5), files, strict=True):
        monkeypatch.setattr(thread_group, "usable_cores", lambda n_cores=n_cores: n_cores)
        encoded(regions, path)
    assert len({path.read_bytes() for path in files}) == 1


def test_a_region_with_a_wrong_length_is_refused(tmp_path):
    region = AudioRegion(RATE + 1, lambda: [voice(1)])
    with pytest.raises(ValueError, match="a region of 24001 samples has 24000"):
        encode([region], RATE, [Target("m4b", tmp_path / "x.m4b")], [], BOOK_TAGS)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("names", [["m4b"], ["m4b", "mp3"]])
def test_one_failing_region_stops_the_others(tmp_path, monkeypatch, names):
    """The error is raised at once, even though the other region never ends."""
    # A core for each region of each format: none waits for one that never ends, in any order.
    monkeypatch.setattr(thread_group, "usable_cores", lambda: 2 * len(names))
    is_read = threading.Event()

    def endless():
        while True:
            is_read.set()
            yield voice(1)

    def failing():
        yield voice(1)
        assert is_read.wait(TIMEOUT_S)
        raise RuntimeError("the disk is gone")

    # The failing one is first, as encoders of MP3 read what precedes their region, too.
    regions = [AudioRegion(RATE, failing), AudioRegion(RATE * 10**6, endless)]
    targets = [Target(name, tmp_path / f"x.{name}") for name in names]
    with pytest.raises(RuntimeError, match="the disk is gone"):
        encode(regions, RATE, targets, [], BOOK_TAGS)
    assert not list(tmp_path.iterdir())
    assert not children()


def test_flv_that_ends_early_is_refused():
    with pytest.raises(ValueError, match="end too early"):
        FlvPackets(b"FLV" + bytes(10)).kept(None, with_head=True)
    tag = b"\x08\0\0\x03" + bytes(7) + b"\xaf\x01x" + bytes(4)
    assert FlvPackets(bytes(13) + tag + tag).kept(1, with_head=False) == tag
    for flv, n_packets in ((bytes(13) + tag, 2), (bytes(13) + tag[:-5], 1)):
        with pytest.raises(ValueError, match="end too early"):
            FlvPackets(flv).kept(n_packets, with_head=False)


def test_a_region_ends_when_it_is_long_and_ends_in_silence():
    long = 300 * RATE
    assert is_region_end(long, SILENCE, RATE)
    assert not is_region_end(long - 1, SILENCE, RATE)
    assert not is_region_end(long, SILENCE - 1, RATE)


PAUSES = st.sampled_from([0.0, 0.2, 0.4, 0.8, 2.5])


@few_examples(10)
@given(st.lists(st.lists(st.tuples(st.integers(0, 9), PAUSES), min_size=1, max_size=8), max_size=5))
def test_all_regions_together_are_the_chapters(monkeypatch_module, chapters):
    """Sample for sample, with any pauses and with clips of any length."""
    clips = [
        [Clip(f"{i}.{j}", spoken(tenths, j), pause) for j, (tenths, pause) in enumerate(chapter)]
        for i, chapter in enumerate(chapters)
    ]
    by_id = {clip.segment_id: clip for chapter in clips for clip in chapter}
    plans = [
        ChapterPlan(i + 1, "T", 1, tuple(planned(clip) for clip in chapter), 0)
        for i, chapter in enumerate(clips)
    ]
    measured = [measure_joined("T", 1, chapter, RATE, lead_s=CHAPTER_LEAD_S) for chapter in clips]
    expected = [
        one.samples for chapter in clips for one in join(chapter, RATE, lead_s=CHAPTER_LEAD_S)
    ]
    regions = list(plan_regions(plans, measured))
    blocks = []
    for region in regions:
        samples = [
            one.samples
            for run in region.ranges
            for one in join([by_id[p.segment_id] for p in run.segments], RATE, lead_s=run.lead_s)
        ]
        assert sum(one.size for one in samples) == region.n_samples
        blocks += samples
        if region is not regions[-1]:
            assert not np.concatenate(samples)[-SILENCE:].any()
    np.testing.assert_array_equal(concatenated(blocks), concatenated(expected))
    assert all(region.n_samples >= RATE for region in regions[:-1])


def test_no_region_ends_under_music(monkeypatch_module):
    """A cut in a pause under music would be heard as a gap in it."""
    clips = [Clip(str(i), spoken(15, i), 0.8) for i in range(6)]
    plan = ChapterPlan(1, "T", 1, tuple(map(planned, clips)), 0)
    chapter = measure_joined("T", 1, clips, RATE, lead_s=CHAPTER_LEAD_S)
    n_without = len(list(plan_regions([plan], [chapter])))
    third = chapter.cues[2]
    music = PlacedMusic("intro", 0, voice(third.end / RATE + 0.5))
    regions = list(plan_regions([plan], [chapter], [music]))
    assert 1 < len(regions) < n_without
    assert regions[0].n_samples >= music.end
    assert [len(region.music) for region in regions] == [1] + [0] * (len(regions) - 1)


@pytest.fixture(scope="module")
def monkeypatch_module():
    """Regions from one second on, so that short books have many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("audiomill.outputs.formats.region_ends.REGION_S", 1.0)
        yield patch


def spoken(tenths: int, seed: int) -> Samples:
    return voice(tenths / 10, seed=seed) if tenths else np.zeros(1200, np.float32)


def planned(clip: Clip) -> PlannedSegment:
    request = Request("key", "text", "voice", 1.0)
    return PlannedSegment(clip.segment_id, request, clip.pause_after_s)


def concatenated(blocks: list[Samples]) -> Samples:
    return np.concatenate([np.zeros(0, np.float32), *blocks])
