"""`audiomill check`: the table, the JSON and the exit codes, for good files and for bad ones."""

import contextlib
import json
import os
import random
import socket
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile
from mutagen.id3 import APIC, ID3
from PIL import Image

from audiomill.flows.console import EXIT_CHECK, EXIT_SOURCE
from audiomill.outputs.checking.measured_file import measure_file
from audiomill.outputs.checking.profiles import PROFILES
from audiomill.outputs.checking.requirements import REQUIREMENTS
from audiomill.outputs.checking.streams import Uncheckable
from support.case_files import rows_of
from support.documents import documented
from support.finished_files import GOOD, RECIPES, encode, made_file
from support.signals_data import voice

CASES = Path(__file__).with_name("cases") / "check_command.txt"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Some files that no test changes."""
    folder = tmp_path_factory.mktemp("files")
    for name in ("as it should be", "too quiet", "a high peak", "FLAC"):
        made_file(folder, name, RECIPES[name])
    return folder


def checked(home, *arguments):
    """(exit code, JSON object) of a check."""
    run = home.run("check", *arguments, "--json")
    return run.returncode, json.loads(run.stdout.splitlines()[-1])


def test_every_profile_has_requirements():
    assert REQUIREMENTS.keys() == PROFILES.keys()


def test_a_good_file_passes(home, files):
    run = home.run("check", files / "as it should be.mp3", "--for", "acx")
    assert run.returncode == 0, run.stdout
    assert "passed for acx" in run.stdout
    assert "fail" not in run.stdout
    assert "RMS level" in run.stdout
    code, found = checked(home, files / "as it should be.mp3", "--for", "acx")
    assert (code, found["passed"], found["profile"]) == (0, True, "acx")


def test_a_failure_tells_by_how_much_and_what_to_do(home, files):
    run = home.run("check", files / "too quiet.mp3", "--for", "acx")
    assert run.returncode == EXIT_CHECK
    (row,) = [line for line in run.stdout.splitlines() if line.strip().startswith("fail")]
    assert "-23 to -18 dB" in row
    assert row.endswith("dB too low")
    code, found = checked(home, files / "too quiet.mp3", "--for", "acx")
    (file,) = found["sets"][0]["files"]
    (failed,) = [one for one in file["requirements"] if not one["passed"]]
    assert code == EXIT_CHECK
    assert not found["passed"]
    assert failed["measure"] == "rms_db"
    assert failed["off_by"] == pytest.approx(failed["value"] + 23, abs=0.001)
    assert f"Raise it by {-failed['off_by']:.1f}"[:-1] in failed["remedy"]
    assert file["measures"]["rms_db"] == failed["value"]


def test_the_profile_of_the_settings_is_the_default(home, files):
    assert checked(home, files / "FLAC.flac")[1]["profile"] == "audiobookshelf"
    acx = home.with_variables(AUDIOMILL_PROFILE="acx")
    code, found = checked(acx, files / "FLAC.flac")
    assert (code, found["profile"]) == (EXIT_CHECK, "acx")


def test_an_archive_of_which_one_bit_has_changed_does_not_pass(home, files, tmp_path):
    data = bytearray((files / "FLAC.flac").read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / "rotten.flac").write_bytes(data)
    code, found = checked(home, files / "FLAC.flac", tmp_path / "rotten.flac", "--for", "archive")
    broken = [
        [row["measure"] for row in file["requirements"] if row["rule"] and not row["passed"]]
        for file in found["sets"][0]["files"]
    ]
    assert (code, broken) == (EXIT_CHECK, [[], ["damages"]])


def test_the_command_of_the_documents_checks_a_file_and_a_folder(home, files):
    whole = (files / "as it should be.mp3").read_bytes()
    (home.path / "chapter.mp3").write_bytes(whole)
    (home.path / "book").mkdir()
    (home.path / "book" / "01.mp3").write_bytes(whole)
    run = home.run(*documented("audiomill check chapter.mp3 book/ --for acx")[1:])
    assert run.returncode == EXIT_CHECK  # the book has no credits
    assert "chapter.mp3 (0:00:07): passed for acx" in run.stdout
    assert "book/01.mp3 (0:00:07): passed for acx" in run.stdout
    assert "opening credits" in run.stdout


def bad_files(folder, files):
    """Files that cannot be checked, and what the message says."""
    whole = (files / "as it should be.mp3").read_bytes()
    wav = folder / "a.wav"
    soundfile.write(wav, voice(1.0, 44_100), 44_100)
    encode(wav, folder / "whole.m4b", "-c:a", "aac")
    m4b = (folder / "whole.m4b").read_bytes()
    Image.new("RGB", (8, 8)).save(folder / "p.png")
    encode(wav, folder / "video.mp4", "-f", "lavfi", "-i", "color=red:s=64x64:d=1", "-shortest")
    (folder / "picture.mp3").write_bytes((folder / "p.png").read_bytes())
    (folder / "text.mp3").write_text("Once upon a time. " * 200)
    (folder / "empty.mp3").write_bytes(b"")
    (folder / "zeros.mp3").touch()
    os.truncate(folder / "zeros.mp3", 3 << 30)  # which ffmpeg would read for half a minute
    (folder / "noise.mp3").write_bytes(random.Random(2).randbytes(5000))
    (folder / "tag.mp3").write_bytes(b"ID3\x04\0\0\0\0\0\x0a" + bytes(10))
    (folder / "cut.m4b").write_bytes(m4b[: len(m4b) // 2])
    encode(folder / "whole.m4b", folder / "early.m4b", "-c", "copy", "-movflags", "+faststart")
    early = (folder / "early.m4b").read_bytes()
    (folder / "hollow.m4b").write_bytes(early[: early.index(b"mdat") + 8])
    (folder / "locked.m4b").write_bytes(m4b.replace(b"mp4a", b"drms"))
    soundfile.write(folder / "nothing.wav", np.zeros(0), 44_100)
    (folder / "playlist.mp3").write_text(
        "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\nwhole.m4b\n"
    )
    assert whole
    return dict(rows_of(CASES, "bad_files"))


def test_files_that_cannot_be_checked_are_told_of_and_stop_no_others(home, tmp_path, files):
    bad = bad_files(tmp_path, files)
    paths = [tmp_path / name for name in bad]
    good = files / "as it should be.mp3"
    run = home.run("check", *paths, good, "--for", "podcast")
    assert run.returncode == EXIT_SOURCE
    assert "Traceback" not in run.stderr
    lines = run.stderr.splitlines()
    for name, words in bad.items():
        (line,) = [line for line in lines if f"/{name}" in line.split(" ")[1]]
        assert words in line
        assert "0x" not in line
    assert f"{good} (" in run.stdout
    code, found = checked(home, *paths, "--for", "podcast")
    assert code == EXIT_SOURCE
    assert len(found["sets"][0]["unreadable"]) == len(bad)
    assert found["passed"] is False


def test_a_file_without_permission_is_told_of(tmp_path, monkeypatch):
    def refuse(*_arguments, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(Uncheckable, match="cannot be read"):
        measure_file(tmp_path / "a.mp3")


def test_a_folder_without_audio_is_told_of(home, tmp_path):
    (tmp_path / "notes.txt").write_text("none")
    assert "There is no audio in" in home.refused(EXIT_SOURCE, "check", tmp_path)


def test_an_mp3_with_junk_and_one_that_is_cut_off_are_measured_all_the_same(home, tmp_path, files):
    whole = (files / "as it should be.mp3").read_bytes()
    (tmp_path / "junk.mp3").write_bytes(random.Random(3).randbytes(2000) + whole)
    (tmp_path / "cut.mp3").write_bytes(whole[: len(whole) * 2 // 3])
    code, found = checked(home, tmp_path / "junk.mp3", "--for", "acx")
    assert code == 0
    assert failed(found["sets"][0]["files"][0]) == {"junk_bytes"}
    code, found = checked(home, tmp_path / "cut.mp3", "--for", "acx")
    assert code == EXIT_CHECK
    assert {"missing_s", "tail_s"} <= failed(found["sets"][0]["files"][0])


def test_files_of_other_kinds_that_are_cut_off_fail(home, tmp_path):
    suffixes = (".flac", ".wav", ".aiff", ".opus", ".m4a")
    wav, whole, cut = (tmp_path / name for name in ("master.wav", "whole", "cut"))
    soundfile.write(wav, voice(3.0, 44_100), 44_100)
    for suffix in suffixes:
        path = whole.with_suffix(suffix)
        encode(wav, path, *(("-movflags", "+faststart") if suffix == ".m4a" else ()))
        data = path.read_bytes()
        cut.with_suffix(suffix).write_bytes(data[: len(data) * 2 // 3])
    paths = [path.with_suffix(suffix) for path in (whole, cut) for suffix in suffixes]
    code, found = checked(home, *paths)
    files = found["sets"][0]["files"]
    assert (code, len(files)) == (EXIT_CHECK, len(paths))
    broken = [one["path"] for one in files if failed(one) & {"missing_s", "damages"}]
    assert sorted(broken) == sorted(str(cut.with_suffix(suffix)) for suffix in suffixes)


def failed(file):
    """The measures of the requirements that a file of `--json` does not meet."""
    return {one["measure"] for one in file["requirements"] if not one["passed"]}


def test_a_cover_that_is_no_image_is_told_of(home, tmp_path, files):
    path = tmp_path / "a.mp3"
    path.write_bytes((files / "as it should be.mp3").read_bytes())
    tags = ID3(path)
    tags.add(APIC(3, "image/jpeg", 3, "", b"<svg/>" * 30))
    tags.save(path)
    _, found = checked(home, path, "--for", "podcast")
    (row,) = [
        one
        for one in found["sets"][0]["files"][0]["requirements"]
        if one["measure"] == "cover_kind"
    ]
    assert "not a JPEG, PNG" in row["value"]
    assert not row["passed"]


def test_a_wave_file_of_a_telephone_fails_in_all_that_it_lacks(home, tmp_path):
    path = made_file(tmp_path, "a", RECIPES["a telephone"])
    code, found = checked(home, path, "--for", "acx")
    assert code == EXIT_CHECK
    assert {"container", "codec", "sample_rate", "bit_rate_mode"} <= failed(
        found["sets"][0]["files"][0]
    )


def book(folder, *, titles=("Opening Credits", "Closing Credits"), sample_s=63.0, side=2400):
    """A folder with the files of a book as ACX asks."""
    folder.mkdir()
    made_file(folder, f"00 - {titles[0]}", GOOD)
    made_file(folder, "01 - One", replace(GOOD, seed=1))
    made_file(folder, f"02 - {titles[1]}", replace(GOOD, seed=2))
    if sample_s:
        made_file(folder, "Retail Sample", replace(GOOD, voice_s=sample_s))
    Image.new("RGB", (side, side), "navy").save(folder / "cover.jpg")
    return folder


@pytest.mark.prove
def test_the_files_of_a_book_are_judged_together(home, tmp_path):
    good = book(tmp_path / "good")
    code, found = checked(home, good, "--for", "acx")
    (one,) = found["sets"]
    assert code == 0, one["requirements"]
    assert one["folder"] == str(good)
    assert len(one["files"]) == 4
    assert all(row["passed"] for row in one["requirements"])
    assert {row["measure"]: row["value"] for row in one["requirements"]}["opening_credits"]

    bad = book(tmp_path / "bad", titles=("Foreword", "Abspann"), sample_s=0, side=500)
    made_file(bad, "03 - Stereo", replace(GOOD, channels=2, rate=48_000, rms_db=-18.5))
    code, found = checked(home, bad, "--for", "acx")
    (one,) = found["sets"]
    assert code == EXIT_CHECK
    assert failed(one) == {
        "sample_rates",
        "channel_counts",
        "loudness_spread_db",
        "opening_credits",  # closing credits are there, in German
        "retail_sample_s",
        "cover_px",
    }
    run = home.run("check", tmp_path, "--for", "acx")
    assert f"{good}, 4 files: passed for acx\n" in run.stdout
    told = "1 file failed, 5 rules for all together failed for acx, 1 not as advised"
    assert f"{bad}, 4 files: {told}\n" in run.stdout


@pytest.mark.prove
def test_the_verdict_on_a_folder_is_also_that_on_its_files(home, tmp_path):
    folder = book(tmp_path / "book")
    made_file(folder, "03 - Two", replace(GOOD, rms_db=-15))
    (folder / "04 - Three.mp3").write_text("no audio")
    run = home.run("check", folder, "--for", "acx")
    line = f"{folder}, 6 files: 1 file cannot be read, 1 file failed for acx, 1 not as advised\n"
    assert line in run.stdout
    code, found = checked(home, folder, "--for", "acx")
    assert (code, found["sets"][0]["passed"]) == (EXIT_SOURCE, False)
    (folder / "03 - Two.mp3").unlink()
    assert checked(home, folder, "--for", "acx")[1]["sets"][0]["passed"] is False
    (folder / "04 - Three.mp3").unlink()
    assert checked(home, folder, "--for", "acx")[1]["sets"][0]["passed"] is True


@pytest.mark.prove
def test_chapters_are_compared_without_credits_and_sample(home, tmp_path):
    folder = book(tmp_path / "book", sample_s=0)
    for name in ("00 - Opening Credits", "02 - Closing Credits", "Retail Sample"):
        made_file(folder, name, replace(GOOD, rms_db=-16))
    _, found = checked(home, folder, "--for", "audiobookshelf")
    (spread,) = found["sets"][0]["requirements"]
    assert spread["measure"] == "loudness_spread_db"
    assert (spread["value"], spread["passed"]) == (0.0, True)
    made_file(folder, "03 - The Sample of Blood", replace(GOOD, rms_db=-16))  # is a chapter
    _, found = checked(home, folder, "--for", "audiobookshelf")
    (spread,) = found["sets"][0]["requirements"]
    assert spread["value"] == pytest.approx(4.5, abs=0.3)
    assert not spread["passed"]


@pytest.mark.parametrize("command", ["check", "plot"])
def test_what_is_no_file_is_refused_at_once(home, tmp_path, command):
    """Reading a pipe that nobody writes into would never end."""
    os.mkfifo(tmp_path / "pipe.mp3")
    (tmp_path / "link.mp3").symlink_to(tmp_path / "pipe.mp3")
    with contextlib.chdir(tmp_path), socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.mp3")
    for path, kind in (
        (tmp_path / "link.mp3", "a pipe"),
        (tmp_path / "socket.mp3", "a socket"),
        ("/dev/stdin", "a device"),
    ):
        assert f"{path} is {kind}, not a file. Save the sound to a file" in home.refused(
            EXIT_SOURCE, command, path
        )


WITH_A_FILE_AS_INPUT = """
import os, sys
from audiomill.flows.cli.main import main
os.dup2(os.open(sys.argv.pop(), os.O_RDONLY), 0)
sys.exit(main())
"""


@pytest.mark.prove
@pytest.mark.parametrize("command", ["check", "plot"])
def test_a_file_that_is_given_as_standard_input_is_refused(home, files, command):
    """For ffmpeg the path is another file than for us."""
    home = replace(home, program=("-c", WITH_A_FILE_AS_INPUT), imports=())
    assert "/dev/stdin is a stream of this process, not a file." in home.refused(
        EXIT_SOURCE, command, "/dev/stdin", files / "as it should be.mp3"
    )


def test_a_pipe_in_a_folder_stops_no_other_file(home, tmp_path, files):
    (tmp_path / "a.mp3").write_bytes((files / "as it should be.mp3").read_bytes())
    os.mkfifo(tmp_path / "b.mp3")
    code, found = checked(home, tmp_path)
    assert code == EXIT_SOURCE
    assert [Path(one["path"]).name for one in found["sets"][0]["files"]] == ["a.mp3"]
    (told,) = found["sets"][0]["unreadable"]
    assert "b.mp3 is a pipe" in told


def test_a_wave_file_that_says_it_is_endless_is_measured_to_its_end(home, tmp_path):
    """As a recorder that was switched off leaves it, and a pipe."""
    path = tmp_path / "a.wav"
    soundfile.write(path, voice(2.0, 44_100), 44_100, subtype="PCM_16")
    data = bytearray(path.read_bytes())
    at = data.index(b"data") + 4
    data[at : at + 4] = struct.pack("<I", 0xFFFFFFFF)
    path.write_bytes(data)
    _, found = checked(home, path)
    assert found["sets"][0]["files"][0]["measures"]["n_samples"] == 2 * 44_100
