"""Encoded files have the right length, chapters, tags and cover in every format."""

import ctypes

import av
import mutagen
import mutagen.id3
import numpy as np
import psutil
import pytest
import scipy.signal
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from mutagen.id3 import CTOCFlags
from mutagen.mp4 import MP4

from audiomill.outputs.audio.file_sound import AudioRegion, to_pcm16
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.formats.encoder import encode
from audiomill.outputs.formats.format import Encoding
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.metadata.chapters import Mark, mark_title, milliseconds
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.types import EncoderFailed, EncoderMissing, OutputUnwritable
from support.encoded_files import (
    ALL,
    BOOK_S,
    DISTINCT,
    SPECIAL,
    chapters_read,
    encoded_file,
    markers,
    marks_over,
    targets_in,
    whole,
)
from support.examples import few_examples
from support.process_data import children
from support.signals_data import RATE, png_cover, voice
from support.tags_data import BOOK_TAGS


@pytest.mark.parametrize("sample_rate", [22050, 24000])
@pytest.mark.parametrize("name", ["m4b", "mp3", "flac"])
@pytest.mark.parametrize("extra", [0, 1, 577])
def test_decoded_audio_has_the_exact_length_and_no_lag(tmp_path, name, sample_rate, extra):
    samples = voice(1, sample_rate)[: sample_rate - 1000 + extra]
    file = encoded_file(tmp_path, name, samples, rate=sample_rate)
    back = np.concatenate(list(decode(file.path)))
    assert back.size == samples.size
    assert int(np.argmax(scipy.signal.correlate(back, samples, "full"))) == samples.size - 1
    error = float(np.sum((back - samples) ** 2) / np.sum(samples**2))
    assert error < 0.05


def test_an_mp3_is_written_at_a_sample_rate_that_mp3_lacks(tmp_path):
    file = encoded_file(tmp_path, "mp3", voice(2, 40000), rate=40000)
    assert sum(block.size for block in decode(file.path)) == pytest.approx(2 * 44100, abs=1152)


def test_opus_has_the_exact_length_at_its_own_rate(book):
    back = np.concatenate(list(decode(book["opus"])))
    assert back.size == 2 * voice(BOOK_S).size  # Opus always decodes at 48 kHz


@pytest.mark.parametrize("name", ALL)
def test_chapters_read_back_with_their_titles_and_times(name, book):
    expected = marks_over(voice(BOOK_S).size, SPECIAL)
    chapters = chapters_read(book[name])
    assert [title for title, _ in chapters] == SPECIAL
    tolerance_s = 0.5 / RATE if FORMATS[name].encoder == "aac" else 0.0005
    for (_, start_s), mark in zip(chapters, expected, strict=True):
        assert start_s == pytest.approx(mark.start / RATE, abs=tolerance_s + 1e-9)


@pytest.mark.parametrize("name", DISTINCT)
def test_a_file_says_how_many_chapters_it_holds(tmp_path, name):
    """The number of a chapter in Vorbis comments has three digits; a fourth changes others."""
    samples = np.zeros(1100 * 48, np.float32)
    titles = [f"Kapitel {n}" for n in range(1100)]
    marks = marks_over(samples.size, titles)
    file = encoded_file(tmp_path, name, samples, marks)
    held = 1000 if name in {"flac", "opus"} else 1100
    assert file.chapters == held
    chapters = chapters_read(file.path)
    assert [title for title, _ in chapters] == titles[:held]
    starts_s = [mark.start / RATE for mark in marks[:held]]
    assert [start_s for _, start_s in chapters] == pytest.approx(starts_s, abs=0.0005 + 1e-9)


def table_order(id3: mutagen.id3.ID3, name: str) -> list[str]:
    """The chapters that a table of contents lists, including those of nested tables."""
    if f"CTOC:{name}" not in id3:
        return [name]
    children = id3[f"CTOC:{name}"].child_element_ids
    assert len(children) <= 255
    return [chapter for child in children for chapter in table_order(id3, child)]


@pytest.mark.parametrize("n_chapters", [1, 255, 256, 600])
def test_mp3_chapters_and_their_table_by_mutagen(tmp_path, n_chapters):
    samples = voice(2)
    marks = marks_over(samples.size, [f"T{n}" for n in range(n_chapters)])
    file = encoded_file(tmp_path, "mp3", samples, marks)
    id3 = mutagen.id3.ID3(file.path)
    tops = [toc for toc in id3.getall("CTOC") if toc.flags & CTOCFlags.TOP_LEVEL]
    assert len(tops) == 1
    assert all(toc.flags & CTOCFlags.ORDERED for toc in id3.getall("CTOC"))
    order = table_order(id3, tops[0].element_id)
    frames = [id3[f"CHAP:{element}"] for element in order]
    assert [frame.sub_frames["TIT2"].text[0] for frame in frames] == [m.title for m in marks]
    times = [(frame.start_time, frame.end_time) for frame in frames]
    assert times == [(milliseconds(m.start, RATE), milliseconds(m.end, RATE)) for m in marks]


@pytest.mark.parametrize("name", ALL)
def test_tags_and_cover_by_pyav(name, book):
    with av.open(str(book[name])) as container:
        tags = {**container.metadata, **container.streams.audio[0].metadata}
        tags = {key.lower(): value for key, value in tags.items()}
        assert len(container.streams.audio) == 1
        cover = next(iter(container.demux(container.streams.video[0])))
        assert bytes(cover) == png_cover().data
        assert container.duration / 1e6 == pytest.approx(BOOK_S, abs=0.01)
    assert tags["title"] == BOOK_TAGS.title
    assert tags["album"] == BOOK_TAGS.album
    assert tags["artist"] == tags["album_artist"] == "Ann Author, Ben Writer"
    assert tags["composer"] == tags["narrator"] == "Voïce"
    genres = {one.strip() for one in tags["genre"].split(";")}
    assert genres == {"19th century", "Mills"}
    assert tags["date"] == "1897"
    assert tags["publisher"] == "A Press"
    assert tags["series"] == "Saga; Mills"
    assert tags["series-part"] == "2; 1.5"
    assert (tags["isbn"], tags["asin"]) == ("9780306406157", "B00ABC1234")
    assert (tags["subtitle"] if "subtitle" in tags else tags["tit3"]) == "Eine Sage"
    assert "One.\n\nTwo." in (tags.get("comment"), tags.get("description"))


def test_m4b_atoms_by_mutagen(book):
    file = MP4(book["m4b"])
    assert file["stik"] == [2]
    assert file["pgap"] is True
    assert bytes(file["covr"][0]) == png_cover().data
    assert bytes(file["----:com.apple.iTunes:SERIES"][0]) == b"Saga; Mills"
    smpb = bytes(file["----:com.apple.iTunes:iTunSMPB"][0]).split()
    priming, padding, n_samples = (int(field, 16) for field in smpb[1:4])
    assert n_samples == voice(BOOK_S).size
    assert (priming + n_samples + padding) % 1024 == 0
    head = book["m4b"].read_bytes()[:12]
    assert head[4:] == b"ftypM4B "
    raw = book["m4b"].read_bytes()
    assert raw.index(b"moov") < raw.index(b"mdat")  # players can start before the file is complete


def test_a_split_book_carries_track_numbers(tmp_path):
    tags = Tags("Kapitel 3", "Buch", ("A",), track=3, n_tracks=12)
    files = encode(whole(voice(1)), RATE, targets_in(tmp_path, ALL), [], tags).files
    read = {file.format: mutagen.File(file.path) for file in files}
    assert read["m4b"]["trkn"] == [(3, 12)]
    assert read["mp3"]["TRCK"].text == ["3/12"]
    for name in ("flac", "opus"):
        assert read[name]["tracknumber"] == ["3"]
        assert read[name]["tracktotal"] == ["12"]


def test_the_same_audio_gives_the_same_bytes(tmp_path, book):
    samples = voice(BOOK_S)
    marks = marks_over(samples.size, SPECIAL)
    cuts = np.split(samples, [5, 55_555])
    for file in encode(
        whole(*cuts), RATE, targets_in(tmp_path, ALL), marks, BOOK_TAGS, png_cover()
    ).files:
        assert file.path.read_bytes() == book[file.format].read_bytes()


@settings(few_examples(3), suppress_health_check=list(HealthCheck))
@given(titles=st.lists(st.text(st.characters(), max_size=300), min_size=1, max_size=6))
@example(titles=['He said "so"', "two\nlines\r\n", "🎧" * 300, "ends in \\\\", "\\", "'\"'"])
def test_any_title_reads_back(tmp_path, titles):
    samples = voice(0.1)
    marks = marks_over(samples.size, [mark_title(title) for title in titles])
    for file in encode(
        whole(samples), RATE, targets_in(tmp_path, DISTINCT), marks, BOOK_TAGS
    ).files:
        assert [title for title, _ in chapters_read(file.path)] == [m.title for m in marks]
        if file.format in {"wav", "aiff"}:
            assert markers(file.path) == [(mark.title, mark.start) for mark in marks]
    assert len(MP4(tmp_path / "book.m4b").chapters) == len(marks)


def test_rounding_to_16_bits_is_exact_for_16_bit_audio():
    pcm = np.arange(-32768, 32768, dtype="<i2")
    assert to_pcm16((pcm / 32768).astype(np.float32)) == pcm.tobytes()
    assert (
        to_pcm16(np.array([1.0, 2.0, -2.0], np.float32))
        == np.array([32767, 32767, -32768], "<i2").tobytes()
    )


def failing_blocks(error: type[BaseException]):
    yield voice(1)
    raise error("from upstream")


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_failure_leaves_only_the_old_file(tmp_path, error):
    (tmp_path / "book.m4b").write_bytes(b"the old one")
    with pytest.raises(error):
        marks = [Mark("a", 0, RATE)]
        encode(
            [AudioRegion(RATE, lambda: failing_blocks(error))],
            RATE,
            targets_in(tmp_path, ALL),
            marks,
            BOOK_TAGS,
        )
    assert [path.name for path in tmp_path.iterdir()] == ["book.m4b"]
    assert (tmp_path / "book.m4b").read_bytes() == b"the old one"
    assert not children()


def test_marks_that_do_not_fit_the_audio_are_refused(tmp_path):
    with pytest.raises(ValueError, match="marks end"):
        encode(whole(voice(1)), RATE, targets_in(tmp_path, ["mp3"]), [Mark("a", 0, 5)], BOOK_TAGS)
    assert not list(tmp_path.iterdir())


def test_an_unwritable_path_is_reported(tmp_path):
    missing = Target("mp3", tmp_path / "gone" / "book.mp3")
    with pytest.raises(OutputUnwritable, match="gone is gone"):
        encode(whole(voice(1)), RATE, [missing], [], BOOK_TAGS)
    (tmp_path / "file").touch()
    with pytest.raises(OutputUnwritable, match="is no folder"):
        encode(
            whole(voice(1)), RATE, [Target("mp3", tmp_path / "file" / "book.mp3")], [], BOOK_TAGS
        )


def test_missing_ffmpeg_is_reported_before_any_audio_is_read(tmp_path):
    def unread():
        raise AssertionError("audio was read")
        yield

    with pytest.raises(EncoderMissing):
        encode(
            [AudioRegion(RATE, unread)],
            RATE,
            targets_in(tmp_path, ["mp3"]),
            [],
            BOOK_TAGS,
            ffmpeg=tmp_path / "nope",
        )


def test_a_tag_that_cannot_be_written_is_reported(tmp_path, monkeypatch):
    def broken(*_args: object) -> None:
        raise mutagen.MutagenError("cannot be")

    monkeypatch.setattr("audiomill.outputs.formats.mp3.write_info_frame", broken)
    with pytest.raises(EncoderFailed, match=r"book\.mp3"):
        encode(whole(voice(1)), RATE, targets_in(tmp_path, ["mp3"]), [], BOOK_TAGS)
    assert not list(tmp_path.iterdir())


@pytest.mark.prove
def test_memory_stays_bounded_while_encoding(tmp_path):
    """No block is read before ffmpeg took the previous ones, except for what a pipe holds."""
    process = psutil.Process()

    # `make prove` has the allocator keep what is freed; here it must give that back.
    libc = ctypes.CDLL(None)
    assert libc.mallopt(-3, 1 << 17) == libc.mallopt(-1, 1 << 17) == 1  # mmap, trim thresholds

    def blocks(n_blocks: int):
        for _ in range(n_blocks):
            yield block

    def regions(n_blocks: int) -> list[AudioRegion]:
        return [AudioRegion(n_blocks * block.size, lambda: blocks(n_blocks))]

    block = voice(4)
    encode(regions(5), RATE, targets_in(tmp_path, ["mp3", "m4b"]), [], BOOK_TAGS)
    before = process.memory_info().rss
    encode(regions(150), RATE, targets_in(tmp_path, ["mp3", "m4b"]), [], BOOK_TAGS)
    assert process.memory_info().rss - before < 20 * (1 << 20)


@pytest.mark.parametrize("rate", [None, 44100])
@pytest.mark.parametrize("name", DISTINCT)
def test_the_shortest_files_are_whole_or_refused_in_words(tmp_path, name, rate):
    """Of no samples, of one, and of a block of FLAC."""
    for n_samples in (0, 1, 15, 16) if name == "flac" else (0, 1):
        target = Target(name, tmp_path / f"x{FORMATS[name].suffix}", Encoding(rate))
        audio = np.full(n_samples, 0.1, np.float32)
        n_in_file = -(-n_samples * (rate or RATE) // RATE)
        if n_in_file < (16 if name == "flac" else 1):
            with pytest.raises(EncoderFailed, match="too short for a"):
                encode(whole(audio), RATE, [target], [], BOOK_TAGS)
            assert not [*tmp_path.iterdir()]
            continue
        encode(whole(audio), RATE, [target], [], BOOK_TAGS)
        decoded_rate = 48000 if name == "opus" else rate or RATE
        n_decoded = sum(block.size for block in decode(target.path))
        assert n_decoded == pytest.approx(n_samples * decoded_rate / RATE, abs=2)
        target.path.unlink()
