"""Finished files and their chapters are as loud as the report says, with quiet at both ends."""

import json
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from audiomill.flows.pipeline.report import Report
from audiomill.outputs.checking.profiles import DeliveryChoices, MasteringChoices
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from support.book_data import book_job, rendered, samples_of
from support.examples import first_often

TEXT = """# The Pier

## One

Nobody has rowed across the bay in such a wind. It was winter, and the harbour was full of ice!

## Two

Stop.

## Three

The morning was grey. Nobody spoke of the boat. They listened to the wind, which had turned.
"""
HZ = 44100


def run(folder: Path, **choices) -> Report:
    settings = {name: choices.pop(name) for name in ("mastering", "delivery") if name in choices}
    chosen = {"text": TEXT, "name": "pier.md", "engine": "espeak", "formats": None} | choices
    return rendered(book_job(folder, settings=settings, **chosen))


def db(power: float) -> float:
    return 10 * float(np.log10(power))


def ends_s(samples: np.ndarray, rate: int) -> tuple[float, float]:
    """The quiet before the first and after the last sample above -45 dBFS."""
    heard = np.flatnonzero(np.abs(samples) > 10 ** (-45 / 20))
    return heard[0] / rate, (samples.size - heard[-1]) / rate


def test_every_chapter_is_as_an_audiobook_store_wants_it(tmp_path: Path) -> None:
    """The figures of ACX, measured on the MP3s; a chapter of one word, too."""
    report = run(tmp_path, profile="acx")
    assert not [one for one in report.warnings if "RMS" in one or "peaks" in one]
    levels = {one["file"]: one for one in report.full()["work"]["levels"]}
    audio = [file for file in report.files if file.format == "mp3"]
    assert len(audio) >= 3
    for file in audio:
        samples = samples_of(file.path).astype(np.float64)
        rms_db = db(np.mean(samples**2))
        assert -23 < rms_db < -18
        assert levels[file.path.name]["rms_db"] == pytest.approx(rms_db, abs=0.1)
        assert np.abs(samples).max() < 10 ** (-3 / 20)
        head_s, tail_s = ends_s(samples, HZ)
        assert 0.5 <= head_s <= 1.0
        assert 1.0 <= tail_s <= 5.0
        sums = np.concatenate(([0.0], np.cumsum(samples**2)))
        floor = ((sums[HZ // 2 :] - sums[: -HZ // 2]) / (HZ // 2)).min()
        assert -80 < db(floor) < -60


@pytest.mark.prove
def test_a_file_of_one_word_that_a_store_would_refuse_is_told(tmp_path: Path) -> None:
    report = run(tmp_path, text="---\ntitle: Kurz\n---\n## One\n\nYes, he said.\n", profile="acx")
    low = [one["file"] for one in report.full()["work"]["levels"] if one["rms_db"] < -23]
    told = [one.partition(" is at ")[0] for one in report.warnings if "dB RMS instead" in one]
    assert told == low == ["00 - Opening credits.mp3"]


@pytest.mark.prove
def test_credits_and_short_chapters_are_as_loud_as_the_others(tmp_path: Path) -> None:
    """The quiet at both ends, most of a short file, makes it no louder than the store's window."""
    long = "The morning was grey. Nobody spoke of the boat. They listened to the wind. " * 3
    text = (
        f"---\ntitle: The Pier at Low Water\nauthor: Maud Tern of the Isles\n---\n{TEXT}\n{long}\n"
    )
    report = run(tmp_path, text=text, profile="acx")
    levels = {
        one["file"].split(" - ")[1]: one
        for one in report.full()["work"]["levels"]
        if " - " in one["file"]
    }
    chapter_lufs = levels["Three.mp3"]["loudness_lufs"]
    for name, one in levels.items():
        louder_lu = one["loudness_lufs"] - chapter_lufs
        assert -23 < one["rms_db"] < -18, name
        # What is at the window's lower end cannot be softer.
        assert abs(louder_lu) < 1.0 or (louder_lu < 2.1 and one["rms_db"] < -22.2), (name, one)
    assert levels["Opening credits.mp3"]["loudness_lufs"] - chapter_lufs < 0.8


def test_head_and_tail_move_the_words_and_nothing_else(tmp_path: Path) -> None:
    plain = run(tmp_path, formats=["wav"], transcripts=["vtt"], split=True)
    quiet = DeliveryChoices(head_s=0.2, tail_s=4.0)
    ends = run(tmp_path / "b", formats=["wav"], transcripts=["vtt"], split=True, delivery=quiet)
    assert ends.result is not None
    rate = ends.result.chapters[0].sample_rate
    for one, other in zip(plain.files[::2], ends.files[::2], strict=True):
        before, after = (samples_of(file.path) for file in (one, other))
        head_s, tail_s = ends_s(after, rate)
        assert head_s == pytest.approx(0.2, abs=0.1)
        assert tail_s == pytest.approx(4.0, abs=0.3)
        earlier = round(0.5 * rate) - round(0.2 * rate)  # than with the lead of every chapter
        n_same = before.size - earlier - round(3 * rate)
        np.testing.assert_array_equal(after[:n_same], before[earlier : earlier + n_same])
        cues = [file.path.with_suffix(".vtt").read_text().splitlines() for file in (one, other)]
        assert [line for line in cues[0] if "-->" not in line] == [
            line for line in cues[1] if "-->" not in line
        ]
        assert cues[0] != cues[1]


@pytest.mark.prove
@pytest.mark.parametrize(("head_s", "formats"), [(0.0, ["flac", "mp3", "m4b"]), (0.75, ["flac"])])
def test_a_chapter_in_which_the_voice_says_nothing_is_a_file(
    tmp_path: Path, head_s: float, formats: list[str]
) -> None:
    """Without a head and a tail it would have no sample at all."""
    delivery = DeliveryChoices(head_s=head_s, tail_s=head_s)
    text = "# One\n\nNobody has rowed.\n\n# Two\n\n\u00b7 \u02d0\n\n# Three\n\nStop.\n"
    report = run(tmp_path, text=text, formats=formats, split=True, delivery=delivery)
    for file in report.files:
        assert samples_of(file.path).size / 22050 == pytest.approx(file.duration_s, abs=1e-3)
        assert file.duration_s >= 0.5
    assert len(report.files) == 3 * len(formats)


@pytest.mark.parametrize("channels", [1, 2])
def test_a_podcast_is_as_loud_as_players_want_it(tmp_path: Path, channels: int) -> None:
    """-19 LUFS in one channel; in two, which sound the same, -16."""
    delivery = DeliveryChoices(channels=channels)
    report = run(tmp_path, profile="podcast", delivery=delivery)
    (levels,) = report.full()["work"]["levels"]
    assert levels["loudness_lufs"] == pytest.approx(-19 if channels == 1 else -16, abs=0.5)
    assert levels["true_peak_dbtp"] <= -1.0


@pytest.mark.prove
def test_room_tone_and_ends_are_part_of_what_a_file_is_made_from(tmp_path: Path) -> None:
    first = run(tmp_path, formats=["flac"])
    assert run(tmp_path, formats=["flac"]).result is None
    for delivery in (DeliveryChoices(room_tone=True), DeliveryChoices(head_s=1.0)):
        again = run(tmp_path, formats=["flac"], delivery=delivery)
        assert again.result is not None
        assert again.files[0].sha256 != first.files[0].sha256
    louder = run(tmp_path, formats=["flac"], mastering=MasteringChoices(per_file=True))
    assert louder.result is not None


DIALOGUE = """# The Pier

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
        ("m4b", None, 1, False),
        *first_often(
            [
                *(("mp3", 44100, 2, False), ("mp3", 44100, 2, True)),
                *(("opus", None, 1, True), ("flac", 44100, 1, False)),
            ],
            4,
        ),
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
    report = rendered(book_job(tmp_path, DIALOGUE, settings=settings, **chosen))
    chapters = json.loads(report.path.read_text())["work"]["chapters"]
    assert len(chapters) == 3
    by_name = {file.path.stem: file.path for file in report.files}
    for one in chapters:
        path = by_name[one["recording"]]
        measured = lufs_by_ffmpeg(path, one["at_s"], one["duration_s"])
        assert one["loudness_lufs"] == pytest.approx(measured, abs=0.2)
