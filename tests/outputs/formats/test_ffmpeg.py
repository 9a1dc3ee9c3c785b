"""ffmpeg is found, fed and stopped, and its errors are reported."""

import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import psutil
import pytest

from audiomill.outputs.ffmpeg.commands import encode_command
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.ffmpeg.ffmpeg import Encoder
from audiomill.outputs.ffmpeg.find_ffmpeg import choose_ffmpeg, find_ffmpeg
from audiomill.outputs.formats.aac_regions import to_pcm16
from audiomill.outputs.types import (
    EncoderFailed,
    EncoderMissing,
    NamedEncoderUnfit,
    OutputUnwritable,
)
from support.process_data import children, wait_until
from support.signals_data import RATE, voice

FLAC = {"acodec": "flac", "format": "flac"}


def script(path: Path, body: str) -> str:
    """A Python program used in place of ffmpeg."""
    path.write_text(f"#!{sys.executable}\nimport os, sys, time\n{body}\n")
    path.chmod(0o755)
    return str(path)


# Prints what the program looks for in an ffmpeg with an encoder for AAC.
ENCODES_AAC = "print('------\\n A....D aac   AAC\\n -duration -time_base')"


def nothing_installed() -> str:
    raise RuntimeError("no ffmpeg")


def encoder(path: Path) -> Encoder:
    return Encoder(encode_command(find_ffmpeg(), RATE, path, FLAC), path)


def test_an_explicit_ffmpeg_that_is_missing_or_broken_is_reported(tmp_path):
    with pytest.raises(NamedEncoderUnfit, match="nowhere"):
        find_ffmpeg(tmp_path / "nowhere")
    with pytest.raises(NamedEncoderUnfit, match="does not run"):
        find_ffmpeg(script(tmp_path / "broken", "sys.exit(1)"))


def test_an_ffmpeg_without_the_encoder_is_reported():
    with pytest.raises(EncoderMissing, match="lib_missing"):
        find_ffmpeg(find_ffmpeg(), encoders=["aac", "lib_missing"])


def test_the_installed_ffmpeg_is_preferred_to_the_systems(tmp_path, monkeypatch):
    system = script(tmp_path / "ffmpeg", ENCODES_AAC)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert find_ffmpeg(encoders=["aac"]) != system
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "gone"))
    assert find_ffmpeg(encoders=["aac"]) == system
    with pytest.raises(EncoderMissing) as missing:
        find_ffmpeg(encoders=["aac", "flac"])
    lines = str(missing.value).splitlines()
    assert len(lines) == 2
    assert f"{system} has no encoder flac" in lines[0]
    assert "pip install" in lines[1]


def test_one_failure_to_start_chooses_no_other_ffmpeg(tmp_path, monkeypatch):
    """Where a machine has no memory or no process left for a moment."""
    own = choose_ffmpeg()
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    script(tmp_path / "ffmpeg", ENCODES_AAC)
    monkeypatch.setattr("imageio_ffmpeg.get_ffmpeg_exe", lambda: "ffmpeg")  # its own has failed
    assert choose_ffmpeg() == own
    once = "path = __file__ + '.tried'\nos.path.exists(path) or (open(path, 'w'), os._exit(1))\n"
    failing = script(tmp_path / "once", once + ENCODES_AAC)
    monkeypatch.setattr("imageio_ffmpeg.get_ffmpeg_exe", lambda: failing)
    chosen = choose_ffmpeg(encoders=["aac"])
    assert (chosen.path, chosen.warning) == (failing, "")


def test_an_ffmpeg_in_place_of_ours_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    system = script(tmp_path / "ffmpeg", ENCODES_AAC)
    broken = script(tmp_path / "broken", "sys.exit(1)")
    monkeypatch.setattr("imageio_ffmpeg.get_ffmpeg_exe", lambda: broken)
    chosen = choose_ffmpeg(encoders=["aac"])
    assert chosen.path == system
    assert chosen.warning.startswith(f"{system} encodes, because {broken} does not run")


def test_an_ffmpeg_that_is_too_old_is_found_before_anything_is_rendered(tmp_path):
    """ffmpeg 4.2 knows no bitstream filter setts, 4.4 one without a time base."""
    told = "print('------\\n A....D aac   AAC\\n A....D flac   FLAC', '-duration')"
    old = script(tmp_path / "old", told)
    with pytest.raises(NamedEncoderUnfit, match=r"too old to write M4A .* ffmpeg 5\.1"):
        find_ffmpeg(old, encoders=["aac"])
    assert find_ffmpeg(old, encoders=["flac"]) == old


def test_no_ffmpeg_at_all_is_reported(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("imageio_ffmpeg.get_ffmpeg_exe", nothing_installed)
    with pytest.raises(EncoderMissing, match=r"aac was found: none is installed\.\nInstall"):
        find_ffmpeg(encoders=["aac"])


def test_audio_comes_back_sample_for_sample(tmp_path):
    samples = voice(3)
    path = tmp_path / "odd : name =%d.flac"
    with encoder(path) as sink:
        for block in np.array_split(samples, 7):
            sink.write(to_pcm16(block))
    back = np.concatenate(list(decode(path)))
    np.testing.assert_array_equal(to_pcm16(back), to_pcm16(samples))


def test_the_messages_of_ffmpeg_are_reported(tmp_path):
    command = [find_ffmpeg(), "-loglevel", "error", "-f", "s16le", "-i", "pipe:0", "-c:a", "nope"]
    sink = Encoder([*command, str(tmp_path / "x.m4a")], tmp_path / "x.m4a")
    with pytest.raises(EncoderFailed, match="nope") as failure, sink:
        for _ in range(100):
            sink.write(bytes(100_000))
    assert len(str(failure.value).splitlines()) == 2
    assert not children()


def test_a_file_that_is_not_audio_is_reported(tmp_path):
    path = tmp_path / "x.mp3"
    path.write_text("not audio at all")
    with pytest.raises(EncoderFailed, match=r"x\.mp3"):
        list(decode(path))
    with pytest.raises(EncoderFailed, match="No such file"):
        list(decode(tmp_path / "gone.mp3"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_not_reported_as_an_encoder_error():
    with (
        pytest.raises(OutputUnwritable, match="Free some space"),
        encoder(Path("/dev/full")) as sink,
    ):
        for _ in range(20):
            sink.write(bytes(1_000_000))


def test_a_decoder_closed_early_leaves_no_process(tmp_path):
    with encoder(tmp_path / "x.flac") as sink:
        sink.write(np.random.default_rng(1).bytes(4_000_000))
    blocks = decode(tmp_path / "x.flac")
    next(blocks)
    assert len(children()) == 1
    blocks.close()
    assert not children()


def test_an_encoder_that_writes_many_messages_does_not_block(tmp_path):
    body = "for _ in range(20_000): print('w' * 99, file=sys.stderr)\n"
    body += "print('the last message', file=sys.stderr)\nsys.stdin.buffer.read()\nsys.exit(3)"
    verbose = Encoder([script(tmp_path / "verbose", body)], tmp_path / "x")
    with pytest.raises(EncoderFailed, match="the last message") as failure, verbose:
        verbose.write(bytes(1 << 20))
    assert len(str(failure.value)) < 1000


def test_an_encoder_that_stops_reading_is_reported(tmp_path):
    body = "print('stopped reading', file=sys.stderr)\nsys.stdin.close()\nos.close(0)\nsys.exit(4)"
    sink = Encoder([script(tmp_path / "quits", body)], tmp_path / "x")
    with pytest.raises(EncoderFailed, match="stopped reading"), sink:
        for _ in range(1000):
            sink.write(bytes(1 << 20))


def test_an_encoder_that_hangs_is_killed_on_an_interrupt(tmp_path):
    hung = Encoder([script(tmp_path / "hung", "time.sleep(600)")], tmp_path / "x")
    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt), hung:
        hung.write(bytes(1000))
        raise KeyboardInterrupt
    assert not children()
    assert threading.active_count() == before


def test_ffmpeg_runs_in_its_own_process_group_without_our_locks(tmp_path):
    lock = os.open(tmp_path / "lock", os.O_CREAT | os.O_RDWR)
    fcntl.flock(lock, fcntl.LOCK_EX)
    with encoder(tmp_path / "x.flac") as sink:
        sink.write(to_pcm16(voice(1)))
        (child,) = children()
        assert os.getpgid(child.pid) == child.pid != os.getpgid(0)
        # ffmpeg did not inherit the lock: closing it here frees it.
        os.close(lock)
        again = os.open(tmp_path / "lock", os.O_RDWR)
        fcntl.flock(again, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(again)


def test_ffmpeg_exits_when_its_parent_is_killed(tmp_path):
    body = f"""
import sys, time
from pathlib import Path
from audiomill.outputs.ffmpeg.commands import encode_command
from audiomill.outputs.ffmpeg.ffmpeg import Encoder
from audiomill.outputs.ffmpeg.find_ffmpeg import choose_ffmpeg, find_ffmpeg
path = Path({str(tmp_path / "x.flac")!r})
with Encoder(encode_command(find_ffmpeg(), 24000, path, {FLAC!r}), path) as sink:
    sink.write(bytes(480_000))
    print("up", flush=True)
    time.sleep(600)
"""
    parent = subprocess.Popen([sys.executable, "-c", body], stdout=subprocess.PIPE)
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"up\n"
    (child,) = psutil.Process(parent.pid).children()
    parent.kill()
    parent.wait()
    parent.stdout.close()
    wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)
