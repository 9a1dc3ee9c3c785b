"""A file with other metadata equals one that was encoded with it, byte for byte."""

import hashlib
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audiomill.inputs.model.book import Cover
from audiomill.outputs.audio.file_sound import AudioRegion
from audiomill.outputs.formats.encoder import encode, retag
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.metadata.chapters import Mark, mark_title
from audiomill.outputs.metadata.tags import EmbeddedMetadata, Tags
from audiomill.outputs.types import EncodedOutput, EncoderFailed, OutputFile, OutputUnwritable
from support.encoded_files import DISTINCT, files_of_at_most, targets_in
from support.examples import few_examples
from support.signals_data import RATE, png_cover, silence, voice
from support.tags_data import BOOK_TAGS

OTHER_TAGS = replace(
    BOOK_TAGS, title="Other “words”" * 40, language="fr", description="x" * 9000, series=""
)
BARE_TAGS = Tags(title="T", album="T")
N_MARKS = 5

Metadata = tuple[list[Mark], Tags, Cover | None]


def spoken() -> list[AudioRegion]:
    """Two regions with silence between them, as AAC is encoded in regions."""
    blocks = [voice(1.1), silence(1)], [voice(1.3, seed=2)]
    return [AudioRegion(sum(one.size for one in each), lambda each=each: each) for each in blocks]


N_SAMPLES = sum(region.n_samples for region in spoken())


def marks(titles: list[str]) -> list[Mark]:
    edges = [round(N_SAMPLES * at / len(titles)) for at in range(len(titles) + 1)]
    return [Mark(mark_title(t), a, b) for t, a, b in zip(titles, edges, edges[1:], strict=False)]


def target_in(folder: Path, name: str) -> Target:
    folder.mkdir(exist_ok=True)
    return targets_in(folder, [name])[0]


def encoded(target: Target, metadata: Metadata) -> EncodedOutput:
    return encode(spoken(), RATE, [target], *metadata)


def retagged(source: Path, target: Target, metadata: Metadata) -> OutputFile:
    its_marks, tags, cover = metadata
    return retag(source, target, EmbeddedMetadata(tags, its_marks, RATE, N_SAMPLES, cover))


@cache
def once(name: str, which: str) -> tuple[EncodedOutput, bytes]:
    """A file in a format with one of METADATA, and its bytes, which are the same every time."""
    with tempfile.TemporaryDirectory() as folder:
        target = target_in(Path(folder), name)
        return encoded(target, METADATA[which]), target.path.read_bytes()


def put(target: Target, which: str) -> bytes:
    """Write such a file, and return its bytes."""
    _, content = once(target.format, which)
    target.path.write_bytes(content)
    return content


LONG = (marks(["=;#\\ [CHAPTER] \\n", "“Zwei” 本 🎧 é", "x" * 255, "D", "E"]), OTHER_TAGS, None)
SHORT = (marks(list("abcde")), BARE_TAGS, None)
RICH = (marks(["Eins", "Zwei", "Drei", "Vier", "Fünf"]), BOOK_TAGS, png_cover())
METADATA: dict[str, Metadata] = {"long": LONG, "short": SHORT, "rich": RICH}


@pytest.mark.parametrize("name", DISTINCT)
@pytest.mark.parametrize(
    ("before", "after"),
    [("rich", "long"), ("long", "rich"), ("rich", "short"), ("short", "rich")],
    ids=["longer", "cover", "shorter", "richer"],
)
def test_other_metadata_gives_the_bytes_of_a_new_file(tmp_path, name, before, after):
    source = target_in(tmp_path / "before", name)
    old = put(source, before)
    changed = target_in(tmp_path / "changed", name)
    file = retagged(source.path, changed, METADATA[after])
    result, new = once(name, after)
    (expected,) = result.files
    content = changed.path.read_bytes()
    assert content == new != old
    assert file == replace(expected, path=changed.path)
    assert file.sha256 == hashlib.sha256(content).hexdigest()
    assert source.path.read_bytes() == old
    assert [path.name for path in changed.path.parent.iterdir()] == [changed.path.name]


@pytest.mark.parametrize("name", DISTINCT)
def test_a_file_is_retagged_in_its_place_and_back(tmp_path, name):
    target = target_in(tmp_path, name)
    first = put(target, "rich")
    retagged(target.path, target, LONG)
    assert target.path.read_bytes() != first
    retagged(target.path, target, RICH)
    assert target.path.read_bytes() == first


@pytest.mark.prove
@pytest.mark.parametrize(
    ("n_samples", "sample_rate"),
    [*((n, 24000) for n in (1, 1023, 1024, 2048, 2049)), (1024, 44100), (2049, 44100)],
)
def test_aac_of_any_length_keeps_its_packets_and_times(tmp_path, n_samples, sample_rate):
    """A file of a packet or two has a lower bit rate than was asked for, which MP4 stores, too."""
    regions = [AudioRegion(n_samples, lambda: [voice(1)[:n_samples]])]
    before, new, changed = (target_in(tmp_path / one, "m4b") for one in ("before", "new", "other"))
    encode(regions, sample_rate, [before], [], BOOK_TAGS)
    encode(regions, sample_rate, [new], [], BARE_TAGS)
    retag(before.path, changed, EmbeddedMetadata(BARE_TAGS, [], sample_rate, n_samples))
    assert changed.path.read_bytes() == new.path.read_bytes()


@pytest.mark.parametrize("name", ["m4b", "mp3"])
def test_files_without_marks_stay_without(tmp_path, name):
    target = target_in(tmp_path / "one", name)
    encoded(target, ([], BOOK_TAGS, None))
    retagged(target.path, target, ([], BARE_TAGS, None))
    new = target_in(tmp_path / "other", name)
    encoded(new, ([], BARE_TAGS, None))
    assert target.path.read_bytes() == new.path.read_bytes()


titles = st.lists(st.text(max_size=40), min_size=N_MARKS, max_size=N_MARKS)


@pytest.mark.prove
@settings(few_examples(2), suppress_health_check=list(HealthCheck))
@given(titles=titles, title=st.text(min_size=1, max_size=40).filter(str.isprintable))
def test_any_titles_give_the_bytes_of_a_new_file(tmp_path, titles, title):
    metadata = marks(titles), replace(BARE_TAGS, title=title.strip() or "x"), None
    for name in ("m4b", "mp3", "opus"):
        source, new = target_in(tmp_path / "before", name), target_in(tmp_path / "new", name)
        put(source, "rich")
        changed = target_in(tmp_path / "changed", name)
        retagged(source.path, changed, metadata)
        encoded(new, metadata)
        assert changed.path.read_bytes() == new.path.read_bytes()


@pytest.mark.parametrize("name", DISTINCT)
def test_a_disk_that_fills_up_leaves_the_old_file(tmp_path, name):
    target = target_in(tmp_path, name)
    old = put(target, "rich")
    told = rf"book\.{name} cannot be written"
    with files_of_at_most(len(old) // 2), pytest.raises(OutputUnwritable, match=told):
        retagged(target.path, target, LONG)
    assert target.path.read_bytes() == old
    assert [path.name for path in tmp_path.iterdir()] == [target.path.name]


@pytest.mark.parametrize("name", [name for name in DISTINCT if name != "mp3"])
def test_a_source_that_is_no_audio_is_reported_and_publishes_nothing(tmp_path, name):
    source = tmp_path / "source"
    source.write_bytes(b"not audio at all" * 100)
    target = target_in(tmp_path / "out", name)
    with pytest.raises(EncoderFailed):
        retagged(source, target, RICH)
    assert list(target.path.parent.iterdir()) == []
