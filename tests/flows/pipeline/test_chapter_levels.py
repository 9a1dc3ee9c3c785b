"""The loudness of chapters in the report is what another program measures in the finished file."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from audiomill.outputs.checking.profiles import DeliveryChoices, MasteringChoices
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from support.book_data import book_job, rendered

TEXT = """# The Pier

## One

Nobody has rowed across the bay in such a wind. It was winter, and the harbour was full of ice!

## Two

“Who goes there?” he called. He called again. The morning was grey, and nobody spoke of the boat.

## Three

They listened to the wind, which had turned to the north. Would it snow? Ruth counted the boats.
"""


def lufs_by_ffmpeg(path: Path, start_s: float, duration_s: float) -> float:
    """Loudness of a stretch of a file by ffmpeg's ebur128."""
    stretch = f"atrim={start_s}:{start_s + duration_s},asetpts=PTS-STARTPTS"
    command = [find_ffmpeg(), "-hide_banner", "-nostats", "-i", str(path)]
    command += ["-af", f"{stretch},ebur128=framelog=quiet", "-f", "null", "-"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return float(re.findall(r"I:\s+(-?[\d.]+) LUFS", told)[-1])


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Which has what was rendered for another format."""
    return str(tmp_path_factory.mktemp("store"))


@pytest.mark.parametrize(
    ("name", "rate", "channels", "split"),
    [
        *(("m4b", None, 1, False), ("mp3", 44100, 2, False), ("mp3", 44100, 2, True)),
        *(("opus", None, 1, True), ("flac", 44100, 1, False)),
    ],
)
def test_each_chapter_is_as_loud_as_the_report_says(tmp_path, store, name, rate, channels, split):
    """At this level the limiter takes some decibels of the loudest words."""
    settings = {
        "store": store,
        "mastering": MasteringChoices(target_lufs=-13.0),
        "delivery": DeliveryChoices(sample_rate=rate, channels=channels),
    }
    chosen = {"engine": "espeak", "formats": [name], "split": split, "credits": False}
    report = rendered(book_job(tmp_path, TEXT, settings=settings, **chosen))
    chapters = json.loads(report.path.read_text())["work"]["chapters"]
    assert len(chapters) == 3
    by_name = {file.path.stem: file.path for file in report.files}
    for one in chapters:
        path = by_name[one["recording"]]
        measured = lufs_by_ffmpeg(path, one["at_s"], one["duration_s"])
        assert one["loudness_lufs"] == pytest.approx(measured, abs=0.2)
