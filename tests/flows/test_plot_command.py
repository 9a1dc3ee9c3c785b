"""`audiomill plot` and `render --plot` as a user runs them."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
import soundfile
from lxml import etree

from audiomill.flows.execution.run_context import RunContext, Step
from audiomill.flows.pipeline.plots import measure_any_file
from support.book_data import Recorder
from support.documents import documented
from support.finished_files import encode
from support.signals_data import RATE, sine

SVG = {"s": "http://www.w3.org/2000/svg"}
BOOK = "# A Book\n\n## One\n\nThe mill turned.\n\n## Two\n\nNobody heard it.\n"


@pytest.fixture
def tone(home) -> Path:
    path = home.path / "tone.wav"
    soundfile.write(path, sine(997, 5, level=0.1), RATE, subtype="FLOAT")
    return path


def drawn(path: Path) -> etree._Element:
    return etree.fromstring(path.read_bytes())


def title_of(path: Path) -> str:
    return "".join(drawn(path).xpath("//s:text[@class='title']", namespaces=SVG)[0].itertext())


def test_any_audio_file_is_drawn_beside_it(home, tone):
    run = home.run("plot", tone, "--json")
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    assert told["plot"] == str(home.path / "tone.svg")
    assert told["loudness_lufs"] == pytest.approx(-23.0, abs=0.1)
    assert told["true_peak_dbtp"] == pytest.approx(-20, abs=0.1)
    assert (told["duration_s"], told["chapters"]) == (5.0, 0)
    assert title_of(home.path / "tone.svg") == "tone"
    again = home.run("plot", tone)  # ours is replaced
    assert (again.returncode, again.stdout) == (0, f"{home.path / 'tone.svg'}\n")


def test_the_documented_commands_draw(home, tone):
    for name in ("finished.mp3", "podcast.wav"):
        (home.path / name).write_bytes(tone.read_bytes())
    for words in (
        documented("audiomill plot finished.mp3"),
        documented("audiomill plot podcast.wav --for podcast --out podcast.svg"),
    ):
        run = home.run(*words[1:])
        assert run.returncode == 0, run.stderr
    assert title_of(home.path / "finished.svg") == "finished"
    assert title_of(home.path / "podcast.svg") == "podcast"


def test_a_picture_of_another_program_is_kept(home, tone):
    (home.path / "tone.svg").write_text("<svg/>")
    run = home.run("plot", tone)
    assert run.returncode == 5
    assert "--out" in run.stderr
    assert (home.path / "tone.svg").read_text() == "<svg/>"
    assert home.run("plot", tone, "--out", home.path / "other.svg").returncode == 0
    assert title_of(home.path / "other.svg") == "tone"


def test_no_picture_replaces_a_recording(home, tone):
    before = (home.path / tone).read_bytes()
    run = home.run("plot", tone, "--out", tone)
    assert run.returncode == 5
    assert "is no picture of audiomill" in run.stderr
    assert (home.path / tone).read_bytes() == before


def test_what_cannot_be_read_has_its_exit_code_and_stops_no_other(home, tone):
    (home.path / "b.mp3").write_text("no audio")
    assert home.run("plot", home.path / "b.mp3").returncode == 3
    assert home.run("plot", home.path / "none.mp3").returncode == 3
    run = home.run("plot", home.path / "b.mp3", tone, "--json")
    assert run.returncode == 3
    failed, told = json.loads(run.stdout)
    assert failed["error"]["exit_code"] == 3
    assert Path(told["plot"]).is_file()
    assert home.run("plot", tone, tone, "--out", "x.svg").returncode == 2


def test_a_file_that_is_cut_off_is_not_drawn_as_if_it_were_whole(home, tone):
    whole = home.path / "whole.m4b"
    encode(tone, whole, "-c:a", "aac", "-movflags", "+faststart")
    assert json.loads(home.run("plot", whole, "--json").stdout)["warnings"] == []
    data = whole.read_bytes()
    cut = {
        "no data.m4b": data[: data.index(b"mdat") + 8],
        "no index.m4b": data[: data.index(b"moov") - 4],
        "half an index.m4b": data[: data.index(b"moov") + 99],
        "half.m4b": data[: -len(data) // 2],
    }
    for name, content in cut.items():
        (home.path / name).write_bytes(content)
    for name, words in (
        ("no data.m4b", "is cut off or damaged: it promises 5 s of sound"),
        ("no index.m4b", "without its index (moov): it is cut off"),
        ("half an index.m4b", "has no sound in it, or is cut off"),
    ):
        run = home.run("plot", home.path / name)
        assert run.returncode == 3
        assert words in run.stderr
        assert not (home.path / name).with_suffix(".svg").exists()
    run = home.run("plot", home.path / "half.m4b", "--json")
    told = json.loads(run.stdout)
    assert run.returncode == 0
    assert 0 < told["duration_s"] < 4.5
    (warning,) = told["warnings"]
    lost_s = float(
        re.search(r"cut off or has gaps: ([\d.]+) s of its sound are not there", warning)[1]
    )
    assert lost_s + told["duration_s"] == pytest.approx(5.0, abs=0.1)
    assert warning in run.stderr


def test_an_mp3_that_is_cut_off_is_told_by_its_frames(home, tone):
    encode(tone, home.path / "whole.mp3", "-c:a", "libmp3lame", "-q:a", "4")
    data = (home.path / "whole.mp3").read_bytes()
    (home.path / "cut.mp3").write_bytes(data[: len(data) // 2])
    (home.path / "bare.mp3").write_bytes(data[data.index(b"\xff\xf3", 600) :])  # without a header
    for name, is_cut in (("whole.mp3", False), ("bare.mp3", False), ("cut.mp3", True)):
        told = json.loads(home.run("plot", home.path / name, "--json").stdout)
        assert bool(told["warnings"]) == is_cut, told


@pytest.mark.parametrize("layout", ["mono", "stereo", "quad", "5.0", "5.1", "7.1"])
def test_a_plot_and_a_check_hear_the_same(home, tone, layout):
    """Which channels are behind, and count more, is told by the layout."""
    path = home.path / "surround.flac"
    n = {"mono": 1, "stereo": 2, "quad": 4, "5.0": 5, "5.1": 6, "7.1": 8}[layout]
    pan = "|".join(f"c{channel}=c0" for channel in range(n))
    encode(tone, path, "-af", f"pan={layout}|{pan}", "-c:a", "flac")
    drawn_lufs = json.loads(home.run("plot", path, "--json").stdout)["loudness_lufs"]
    found = json.loads(home.run("check", path, "--json").stdout)
    assert drawn_lufs == pytest.approx(found["sets"][0]["files"][0]["measures"]["lufs"], abs=0.01)


def test_two_files_get_no_picture_of_one_name(home, tone):
    other = home.path / "tone.flac"
    encode(tone, other, "-c:a", "flac")
    run = home.run("plot", tone, other)
    assert run.returncode == 2
    assert "would both be drawn as" in run.stderr
    assert not (home.path / "tone.svg").exists()


def test_where_a_picture_cannot_be_is_said_before_anything_is_decoded(home, tone):
    os.mkfifo(home.path / "pipe.svg")
    run = home.run("plot", tone, "--out", home.path / "pipe.svg")
    assert run.returncode == 5
    assert "is no picture of audiomill" in run.stderr
    run = home.run("plot", tone, "--out", home.path / "none" / "a.svg")
    assert run.returncode == 5
    assert "there is no folder" in run.stderr


def test_long_files_have_progress(home, tone):
    """The line on how far it is: as seconds of audio of all that is to be drawn."""
    recorder = Recorder()
    measure_any_file(tone, RunContext(recorder))
    assert sum(recorder.done.values()) == recorder.done[Step.DRAW] == pytest.approx(5.0)


def test_the_lines_are_those_of_the_purpose(home, tone):
    """In two channels the same sound measures 3 LU more, and so does the target."""
    stereo = home.path / "stereo.wav"
    soundfile.write(stereo, np.stack([sine(997, 5)] * 2, axis=1), RATE)
    for path, purpose, target, ceiling in (
        (tone, "podcast", "−19.0", "−1.0"),
        (stereo, "podcast", "−16.0", "−1.0"),
        (tone, "acx", None, "−3.5"),
    ):
        picture = home.path / f"{path.stem} {purpose}.svg"
        assert home.run("plot", path, "--for", purpose, "--out", picture).returncode == 0
        names = drawn(picture).xpath("//s:text[@class='target-name']/text()", namespaces=SVG)
        assert names == ([target] if target else [])
        if ceiling:
            limits = drawn(picture).xpath("//s:text[@class='limit-name']/text()", namespaces=SVG)
            assert ceiling in limits


def test_a_book_is_drawn_and_drawn_again_only_if_it_changes(home):
    book = home.path / "b.md"
    book.write_text(BOOK)
    options = (book, "--engine", "espeak", "--format", "mp3,m4b", "--plot", "--no-prefect")
    told = home.render(*options)
    names = [Path(one["path"]).name for one in told["files"]]
    assert names == ["A Book.mp3", "A Book.m4b", "A Book.svg"]
    picture = Path(told["files"][2]["path"])
    tree = drawn(picture)
    chapters = tree.xpath("//s:line[@class='mark']/../s:title/text()", namespaces=SVG)
    assert ["One" in chapters[0], "Two" in chapters[1], len(chapters)] == [True, True, 2]
    before = picture.stat().st_ino
    assert home.render(*options)["rendered"] == 0
    assert picture.stat().st_ino == before
    picture.unlink()
    again = home.render(*options)
    assert (again["rendered"], again["notes"]) == (0, [])
    assert drawn(picture).attrib == tree.attrib
    book.write_text(BOOK.replace("Nobody", "Everybody"))
    changed = home.render(*options)
    assert picture.stat().st_ino != before
    assert any("A Book.svg" in note for note in changed["notes"])


def test_each_file_of_a_split_book_is_drawn(home):
    (home.path / "b.md").write_text(BOOK)
    told = home.render(home.path / "b.md", "--engine", "espeak", "--split", "--plot")
    pictures = [Path(one["path"]) for one in told["files"] if one["format"] == "svg"]
    assert [one.name for one in pictures] == ["01 - One.svg", "02 - Two.svg"]
    assert [title_of(one) for one in pictures] == ["One", "Two"]
