"""A library's records that someone forged, and its locks: nothing of them is believed unchecked."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.job import Job
from audiomill.flows.pipeline.library.records import (
    MAX_BYTES,
    ChapterLengths,
    FileRecord,
    Origin,
    RecordedLevels,
    Records,
    RecordsInvalid,
    load_records,
    save_records,
)
from audiomill.outputs.types import OutputUnwritable
from support.book_data import book_job, rendered

GOOD = {
    "origin": {"path": "/books/b\udcff.md", "id": "5f" * 32},
    "files": {
        "B.flac": {
            "fingerprint": "ab" * 32,
            "sha256": "cd" * 32,
            "format": "flac",
            "duration_s": 12.5,
            "chapters": 3,
            "audio": "a1" * 32,
            "lengths": {"sample_rate": 24000, "n_samples": [1, 2]},
            "levels": {
                "loudness_lufs": -19.0,
                "rms_db": -21.5,
                "true_peak_dbtp": -1.5,
                "gain_db": 3.2,
                "room_tone_db": None,
                "chapters_lufs": [-18.5, None],
            },
        }
    },
    "reports": {"report.json": ["ef" * 32]},
    "cuts": {"ef": [20, 40]},
}
LEVELS = RecordedLevels(-19.0, -21.5, -1.5, 3.2, None, (-18.5, None))
FILE = FileRecord(
    *("ab" * 32, "cd" * 32, "flac", 12.5, 3),
    audio_fingerprint="a1" * 32,
    lengths=ChapterLengths(24000, (1, 2)),
    levels=LEVELS,
)
RECORDS = Records(
    Origin("/books/b\udcff.md", "5f" * 32),
    {"B.flac": FILE},
    reports={"report.json": ("ef" * 32,)},
    cuts={"ef": (20, 40)},
)


def job_for(folder: Path) -> Job:
    return book_job(folder, "# Book\n\nOne. Two.\n")


def records_in(folder: Path) -> Path:
    (path,) = (folder / "library" / ".audiomill").glob("*.json")
    return path


def test_records_that_were_saved_are_loaded(tmp_path):
    path = tmp_path / "records.json"
    assert load_records(path) == Records()
    save_records(path, RECORDS)
    assert load_records(path) == RECORDS
    announced = replace(RECORDS, pending={"C.flac": FILE})
    save_records(path, announced)
    assert load_records(path) == announced
    path.write_text(json.dumps(GOOD))
    assert load_records(path) == RECORDS


values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text("a0é", max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["path", "id", "B.flac", "a"]), inner, max_size=3),
    ),
    max_leaves=6,
)
PLACES = [
    *[("origin",), ("origin", "path"), ("origin", "id"), ("files",), ("files", "B.flac")],
    *[("files", "B.flac", name) for name in GOOD["files"]["B.flac"]],
    *[("files", "B.flac", "levels", name) for name in GOOD["files"]["B.flac"]["levels"]],
    *[("pending",), ("reports",), ("reports", "report.json"), ("cuts",), ("cuts", "ef")],
]


@given(st.sampled_from(PLACES), values)
def test_forged_records_are_refused_or_of_the_right_types(tmp_path_factory, place, value):
    forged = json.loads(json.dumps(GOOD))
    *parents, last = place
    inner = forged
    for name in parents:
        inner = inner[name]
    inner[last] = value
    path = tmp_path_factory.getbasetemp() / "forged.json"
    path.write_text(json.dumps(forged))
    try:
        records = load_records(path)
    except RecordsInvalid:
        return
    for record in records.files.values():
        assert record.format == "flac"
        assert 0 <= record.duration_s <= 1e9
        assert record.chapters >= 0
        assert isinstance(record.chapters, int)
        assert isinstance(record.sha256, str)
        levels = record.levels or LEVELS
        assert len(levels.chapters_lufs) == 2
        assert all(abs(one) <= 1000 for one in (levels.gain_db, *levels.chapters_lufs) if one)
    assert all(isinstance(one, str) for digests in records.reports.values() for one in digests)
    assert all(isinstance(at, int) and at >= 0 for cuts in records.cuts.values() for at in cuts)


@pytest.mark.parametrize("content", [b"[" * 100_000, b"9" * 10_000, b"\xff", b"", b"{}", b"[]"])
def test_strange_records_are_refused(tmp_path, content):
    path = tmp_path / "records.json"
    path.write_bytes(content)
    with pytest.raises(RecordsInvalid):
        load_records(path)


def link_to_zeros(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def huge(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(MAX_BYTES + 1)


def forged_duration(path: Path) -> None:
    records = json.loads(path.read_text())
    (record,) = records["files"].values()
    record["duration_s"] = "long"
    path.write_text(json.dumps(records))


@pytest.mark.parametrize("forge", [link_to_zeros, huge, forged_duration])
def test_forged_records_are_told_in_a_line_and_not_used(place, first_run, capsys, forge):
    first = first_run(job_for(place))
    path = records_in(place)
    forge(path)
    capsys.readouterr()
    again = rendered(job_for(place))
    lines = [line for line in capsys.readouterr().err.splitlines() if "not used" in line]
    assert len(lines) == 1
    assert str(path) in lines[0]
    assert again.files[0].path.read_bytes() == first.files[0].path.read_bytes()
    assert (again.rendered, again.audio_s) == (0, first.audio_s)


def test_a_lock_that_is_a_link_is_refused_and_its_target_not_created(place, first_run):
    first_run(job_for(place))
    lock = records_in(place).with_suffix(".lock")
    lock.unlink()
    lock.symlink_to(place / "target")
    with pytest.raises(OutputUnwritable, match=rf"{lock}.*symbolic link"):
        rendered(job_for(place))
    assert not (place / "target").exists()
