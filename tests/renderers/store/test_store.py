"""The store returns the audio that was put into it."""

import pickle
import subprocess

import numpy as np
import pytest
import soundfile
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.renderers.engine.errors import EngineFailed, StoreError
from audiomill.renderers.engine.faults import Fault, Finding
from audiomill.renderers.engine.pcm import pcm_of
from audiomill.renderers.engine.protocol import Remark, Rendered, Request, WordTiming
from audiomill.renderers.host.child_process import RunLocally
from audiomill.renderers.store.shard_format import MissReason, inspect, pack, unpack
from audiomill.renderers.store.shard_header import Codec
from audiomill.renderers.store.shard_reader import ShardReader
from audiomill.renderers.store.store import Miss, StoredShard, open_store
from support.store_faults import SAMPLE_RATE, holds, key_of, put, rendered, with_header

KEY = key_of(1)


@pytest.fixture
def store(tmp_path):
    return open_store(str(tmp_path))


def stored(samples, bits, codec):
    data = b"".join(pack(KEY, Rendered(samples), sample_rate=SAMPLE_RATE, bits=bits, codec=codec))
    return unpack(KEY, data)[1]


def test_a_shard_that_was_put_can_be_read(store):
    shard = put(store, 1)
    result = store.get(KEY)
    assert isinstance(result, StoredShard)
    assert result.info == shard == store.check(KEY)
    assert np.array_equal(result.samples, rendered(1).samples)
    assert result.samples.dtype == np.float32
    assert result.info.timings == rendered(1).timings


@pytest.mark.parametrize("place", ["folder", "memory"])
def test_it_tells_what_it_has_without_reading_it(tmp_path, place):
    store = open_store(str(tmp_path) if place == "folder" else f"memory://{tmp_path.name}")
    assert not store.has(KEY)
    put(store, 1)
    assert store.has(KEY)
    assert not store.has("0" * 64)


def test_another_store_at_the_same_path_has_the_shard(store):
    put(store, 1)
    assert holds(open_store(store.location), 1)
    assert holds(open_store(f"file://{store.location}"), 1)


codecs = st.sampled_from(Codec)
levels_16 = arrays.arrays(np.int16, st.integers(1, 300))
levels_24 = arrays.arrays(
    np.int32, st.integers(1, 300), elements=st.integers(-(1 << 23), (1 << 23) - 1)
)


@given(levels_16, codecs)
def test_every_16_bit_level_is_kept_exactly(levels, codec):
    samples = (levels / (1 << 15)).astype(np.float32)
    assert np.array_equal(stored(samples, 16, codec), samples)


@given(levels_24, codecs)
def test_every_24_bit_level_is_kept_exactly(levels, codec):
    samples = (levels / (1 << 23)).astype(np.float32)
    assert np.array_equal(stored(samples, 24, codec), samples)


anything = arrays.arrays(
    np.float32,
    st.integers(1, 300),
    elements=st.one_of(st.floats(-1, 1, width=32), st.floats(-60_000, 60_000, width=32)),
)


@given(anything, st.sampled_from([16, 24]), codecs)
@example(np.float32([-65_535.9, 65_535.9]), 16, Codec.PCM)  # the loudest that is audio
def test_nothing_is_ever_clipped(samples, bits, codec):
    """Over full scale, samples lose precision in steps of one bit instead of being clipped."""
    peak = max(1.0, float(np.abs(samples).max()))
    error = np.abs(stored(samples, bits, codec).astype(np.float64) - samples.astype(np.float64))
    assert error.max() <= 1.01 * peak / (1 << (bits - 1))


@given(anything, st.sampled_from([16, 24]))
def test_storing_again_changes_nothing_with_any_codec(samples, bits):
    once = stored(samples, bits, Codec.PCM)
    for codec in Codec:
        assert np.array_equal(stored(once, bits, codec), once)


@given(anything, st.sampled_from([16, 24]), codecs)
def test_pcm_that_an_engine_has_made_changes_no_byte(samples, bits, codec):
    made = Rendered(samples, pcm=pcm_of(samples, bits))
    known = {"sample_rate": SAMPLE_RATE, "bits": bits, "codec": codec}
    assert pack(KEY, made, **known) == pack(KEY, Rendered(samples), **known)


@given(
    st.lists(
        st.tuples(st.integers(0, 999), st.integers(0, 999), st.floats(0, 99), st.floats(0, 99))
    )
)
def test_what_is_known_of_the_audio_is_kept_exactly(rows):
    timings = tuple(WordTiming(*row) for row in rows)
    remarks = tuple(Remark(row[0], row[1], "spelled out") for row in rows)
    findings = tuple(Finding(Fault.HOLE, row[0], "2.0 s") for row in rows)
    known = Rendered(rendered(1).samples, timings, remarks, findings=findings)
    data = b"".join(pack(KEY, known, sample_rate=22_050, bits=16, codec=Codec.PCM))
    info = inspect(KEY, data)
    assert (info.timings, info.remarks, info.findings) == (timings, remarks, findings)


def test_flac_needs_no_files_in_memory(monkeypatch):
    """Not every system has them."""
    monkeypatch.delattr("os.memfd_create", raising=False)
    assert np.array_equal(stored(rendered(1).samples, 16, Codec.FLAC), rendered(1).samples)


@pytest.mark.parametrize(("bits", "kind"), [(16, "s16le"), (24, "s24le")])
def test_on_a_disk_the_payload_is_plain_pcm(tmp_path, bits, kind):
    data = b"".join(pack(KEY, rendered(1), sample_rate=SAMPLE_RATE, bits=bits, codec=Codec.PCM))
    n_bytes = rendered(1).samples.size * bits // 8
    (tmp_path / "payload").write_bytes(data[-n_bytes:])
    command = [find_ffmpeg(), "-f", kind, "-i", tmp_path / "payload", "-f", "f32le", "-"]
    decoded = subprocess.run(command, capture_output=True, check=True).stdout
    assert np.array_equal(np.frombuffer(decoded, "<f4"), rendered(1).samples)


def test_in_a_bucket_the_payload_is_a_flac_file(tmp_path):
    data = b"".join(pack(KEY, rendered(1), sample_rate=SAMPLE_RATE, bits=16, codec=Codec.FLAC))
    (tmp_path / "payload.flac").write_bytes(data[data.index(b"fLaC") :])
    levels, rate = soundfile.read(tmp_path / "payload.flac", dtype="float32")
    assert rate == SAMPLE_RATE
    assert np.array_equal(levels, rendered(1).samples)


@pytest.mark.parametrize(
    ("codec", "header"), [(Codec.FLAC, {"schema": 2, "codec": ...}), (Codec.PCM, {"schema": 3})]
)
def test_shards_that_lie_in_stores_can_be_read(store, tmp_path, codec, header):
    put(store, 1)
    data = b"".join(pack(KEY, rendered(1), sample_rate=SAMPLE_RATE, bits=16, codec=codec))
    (tmp_path / KEY[:2] / f"{KEY}.shard").write_bytes(with_header(data, header))
    assert holds(store, 1)


def test_a_shard_can_be_copied_between_a_bucket_and_a_disk(store, request):
    bucket = open_store(f"memory://{request.node.name}")
    put(store, 1)
    put(bucket, 2)
    bucket._backend.write(KEY, store._backend.read(KEY))
    store._backend.write(key_of(2), bucket._backend.read(key_of(2)))
    assert holds(bucket, 1)
    assert holds(store, 2)


@pytest.mark.parametrize(
    "samples",
    [[], [[0.0], [0.1]], [0.0, float("nan")], [float("inf")], [1e6]],
    ids=["empty", "stereo", "nan", "inf", "120 dB too loud"],
)
def test_invalid_audio_is_refused(store, samples):
    with pytest.raises(EngineFailed):
        store.put(KEY, Rendered(np.array(samples, np.float32)), sample_rate=24_000, bits=16)
    assert isinstance(store.check(KEY), Miss)


def test_a_rate_that_flac_does_not_support_is_refused():
    with pytest.raises(EngineFailed, match="FLAC"):
        pack(KEY, rendered(1), sample_rate=10_000_000, bits=16, codec=Codec.FLAC)


@pytest.mark.parametrize("key", ["", "abc", "../" * 21 + "x", KEY.upper()])
def test_only_hashes_are_keys(store, key):
    for use in (
        store.get,
        store.check,
        lambda key: store.put(key, rendered(1), sample_rate=8000, bits=16),
    ):
        with pytest.raises(ValueError, match="SHA-256"):
            use(key)


def test_reading_creates_nothing(tmp_path):
    store = open_store(str(tmp_path / "none"))
    assert store.get(KEY).reason is MissReason.ABSENT
    assert store.check(KEY).reason is MissReason.ABSENT
    assert not (tmp_path / "none").exists()


def test_a_path_that_is_a_file_is_reported(tmp_path):
    (tmp_path / "store").write_text("a file")
    store = open_store(str(tmp_path / "store"))
    with pytest.raises(StoreError, match=r"store.*--store"), store.session():
        pytest.fail("the session began")
    with pytest.raises(StoreError, match=r"store.*--store"):
        put(store, 1)
    assert store.get(KEY).reason is MissReason.UNREADABLE


def test_a_reader_has_what_is_missing_rendered_where_the_engine_is(store):
    request = Request(KEY, "The mill.", "", 1.0)

    def render_again(asked, miss):
        assert (asked, miss.reason) == (request, MissReason.ABSENT)
        put(store, 1)
        return store.get(KEY)

    reader = ShardReader(store, render_again)
    in_child = pickle.loads(pickle.dumps(reader))  # noqa: S301
    with pytest.raises(RunLocally, match=f"{KEY[:12]} is absent"):
        in_child.shard(request)
    assert np.array_equal(reader.shard(request).samples, rendered(1).samples)
    assert in_child.shard(request).info == reader.shard(request).info


@pytest.mark.parametrize("url", ["nonsense://x", "http+ssl://y/z"])
def test_an_unknown_url_is_reported(url):
    with pytest.raises(StoreError, match="cannot be used"):
        open_store(url)


def test_an_error_inside_a_session_is_passed_on(store):
    with pytest.raises(FileExistsError), store.session():
        raise FileExistsError
