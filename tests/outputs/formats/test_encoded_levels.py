"""Encoded files are at their level and under their ceiling, by our meters and by others."""

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pyloudnorm
import pytest

from audiomill.flows.pipeline.levelling import limited_plan
from audiomill.outputs.audio.file_sound import AudioRegion
from audiomill.outputs.audio.loudness import integrated_lufs, rms_db
from audiomill.outputs.audio.mastering import Aim, MasterPlan, limiter_loss_db, plan_gain
from audiomill.outputs.audio.true_peak import true_peak_dbtp
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.outputs.ffmpeg.ffmpeg import Encoder
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.outputs.ffmpeg.flv import AAC_FRAME
from audiomill.outputs.formats import aac_levels, aac_regions, pending_file
from audiomill.outputs.formats.encoder import encode
from audiomill.outputs.formats.format import CodecEffect, Encoding
from audiomill.outputs.formats.pending_file import Target
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import Tags
from audiomill.outputs.targets import Mastering
from audiomill.outputs.types import FileLevels
from audiomill.renderers.engine.protocol import Batch, Request, Samples
from audiomill.renderers.espeak.renderer import EspeakRenderer
from support.case_files import each_row_apart
from support.encoded_files import LOSSY
from support.signals_data import measured, voice

TAGS = Tags("Levels", "Levels")
TEXT = "They listened to the wind, which had turned to the north! Would it snow? Stop."


@pytest.fixture(scope="module")
def speech() -> tuple[Samples, int]:
    """Some seconds of espeak, with pauses: its peaks need limiting from -19 LUFS on."""
    engine = EspeakRenderer()
    (shard,) = engine.render(Batch((Request("key", TEXT, "en-us", 1.0),)))
    quiet = np.zeros(engine.sample_rate // 2, np.float32)
    return np.concatenate((quiet, shard.samples, quiet)), engine.sample_rate


def regions_of(*parts: Samples) -> list[AudioRegion]:
    return [AudioRegion(part.size, lambda part=part: [part]) for part in parts]


def levelled(
    target: Target, samples: Samples, rate: int, mastering: Mastering, off_db: float = 0.0
) -> Target:
    """The target with the gain that a run would plan for it, and `off_db` more."""
    in_rms = mastering.target_rms_db is not None
    loudness = measured(samples, sample_rate=rate)
    base = plan_gain([loudness], mastering, target.encoding.channels)

    def loss_db(plan: MasterPlan) -> float:
        return limiter_loss_db([samples], plan, rate, in_rms=in_rms)

    target = replace(target, master=base)
    plan = limited_plan(target, base, loudness.sample_peak, rate, loss_db)
    return replace(target, master=replace(plan, gain_db=plan.gain_db + off_db))


def levels_of(levels: FileLevels) -> tuple[float, float]:
    lufs = integrated_lufs(part.loudness for part in levels.parts)
    return lufs, true_peak_dbtp(part.true_peak for part in levels.parts)


def encoded_at(
    path: Path, speech: tuple[Samples, int], encoding: Encoding, mastering: Mastering
) -> tuple[float, float]:
    """Loudness and true peak of a file that a run would make."""
    samples, rate = speech
    target = levelled(Target(path.suffix[1:], path, encoding), samples, rate, mastering)
    return levels_of(encode(regions_of(samples), rate, [target], [], TAGS).levels[0])


def by_ffmpeg(path: Path) -> tuple[float, float]:
    """Loudness and true peak by ffmpeg's ebur128, at 192 kHz as it needs for the peak."""
    command = [find_ffmpeg(), "-hide_banner", "-nostats", "-i", str(path)]
    command += ["-af", "ebur128=peak=true:framelog=quiet", "-f", "null", "-"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    lufs = float(re.findall(r"I:\s+(-?[\d.]+) LUFS", told)[-1])
    return lufs, float(re.findall(r"Peak:\s+(-?[\d.]+) dBFS", told)[-1])


def by_pyloudnorm(path: Path) -> float:
    """Loudness by pyloudnorm, of all channels as PyAV decodes them."""
    with av.open(str(path)) as container:
        stream = container.streams.audio[0]
        frames = [frame.to_ndarray() for frame in container.decode(stream)]
        audio = np.concatenate([f if f.dtype != np.int16 else f / 32768 for f in frames], axis=1)
        n_channels, rate = len(stream.layout.channels), stream.rate
    if len(audio) != n_channels:  # packed
        audio = audio.reshape(-1, n_channels).T
    return float(pyloudnorm.Meter(rate).integrated_loudness(audio.T.astype(np.float64)))


@pytest.mark.prove
@each_row_apart
def test_our_meter_agrees_with_two_others(tmp_path, speech, name, rate, channels):
    path = tmp_path / f"x.{name}"
    lufs, peak_dbtp = encoded_at(path, speech, Encoding(rate, channels), Mastering(-16.0, -1.5))
    other_lufs, other_dbtp = by_ffmpeg(path)
    assert lufs == pytest.approx(other_lufs, abs=0.1)
    if rate != 16000:  # where pyloudnorm's K-weighting is another
        assert lufs == pytest.approx(by_pyloudnorm(path), abs=0.1)
    assert peak_dbtp == pytest.approx(other_dbtp, abs=0.2)
    assert lufs == pytest.approx(-16, abs=0.5)
    assert other_dbtp <= -1.5 + 0.1  # ffmpeg tells one decimal


@pytest.mark.parametrize("target_lufs", [-19.0, -16.0, -14.0])
@pytest.mark.parametrize("name", LOSSY)
def test_a_file_is_at_its_target_and_under_its_ceiling(tmp_path, speech, name, target_lufs):
    mastering = Mastering(target_lufs, -1.0)
    lufs, peak_dbtp = encoded_at(tmp_path / f"x.{name}", speech, Encoding(), mastering)
    assert lufs == pytest.approx(target_lufs, abs=0.5)
    assert peak_dbtp <= -1.0


def test_what_misses_its_aim_is_encoded_once_more(tmp_path, speech, monkeypatch):
    """Without the codecs' table, and with a gain that is 1 dB off."""
    monkeypatch.setattr(pending_file, "codec_effect", lambda *_: CodecEffect())
    samples, rate = speech
    targets = [
        levelled(Target(name, tmp_path / f"x.{name}"), samples, rate, Mastering(-20.0, -4.0), -1.0)
        for name in LOSSY
    ]
    encoded = encode(regions_of(samples), rate, targets, [], TAGS)
    for target, levels in zip(targets, encoded.levels, strict=True):
        lufs, peak_dbtp = levels_of(levels)
        assert target.master is not None
        assert levels.gain_db > target.master.gain_db + 0.5
        assert lufs == pytest.approx(-20, abs=0.5)
        assert peak_dbtp <= -4.0 + 0.1


def test_a_region_that_is_encoded_once_more_keeps_the_gain_of_the_file(tmp_path, monkeypatch):
    """Its peaks are over the ceiling, which the codec's table does not expect here."""
    monkeypatch.setattr(pending_file, "codec_effect", lambda *_: CodecEffect())
    rate = 24000
    quiet = 0.02 * np.sin(2 * np.pi * 440 * np.arange(2 * rate) / rate, dtype=np.float32)
    silence = np.zeros(rate // 2, np.float32)
    loud = np.concatenate((quiet, silence, voice(4, peak=0.9)))
    plan = MasterPlan(6.0, -3.0, Aim(-3.0, -20.0), slope=0.4)
    target = Target("m4b", tmp_path / "x.m4b", master=plan)
    regions = regions_of(np.concatenate((quiet, silence)), loud)
    encoded = encode(regions, rate, [target], [], TAGS)
    decoded = np.concatenate(list(decode(target.path)))
    middle = slice(rate // 2, 3 * rate // 2)
    first, second = decoded[: 2 * rate][middle], decoded[5 * rate // 2 :][middle]
    powers = [float(np.mean(part.astype(np.float64) ** 2)) for part in (first, second)]
    assert 10 * np.log10(powers[0] / powers[1]) == pytest.approx(0, abs=0.05)
    assert levels_of(encoded.levels[0])[1] <= -3.0


def counted_encoders(module, monkeypatch) -> list[Path]:
    """The outputs of the encoders that `module` starts from now on."""
    outputs: list[Path] = []

    class Counted(Encoder):
        def __init__(self, command, output, *stdout) -> None:
            outputs.append(output)
            super().__init__(command, output, *stdout)

    monkeypatch.setattr(module, "Encoder", Counted)
    return outputs


@pytest.mark.prove
@pytest.mark.parametrize("kbps", [20, 24])
def test_aac_of_a_low_rate_is_encoded_twice_at_most(tmp_path, speech, monkeypatch, kbps):
    """Where it changes both levels and peaks by more than is expected of it here."""
    monkeypatch.setattr(pending_file, "codec_effect", lambda *_: CodecEffect())
    outputs = counted_encoders(aac_regions, monkeypatch)
    samples, rate = speech
    target = Target("m4b", tmp_path / "x.m4b", Encoding(None, 1, kbps))
    target = levelled(target, samples, rate, Mastering(-20.0, -3.0), -0.5)
    encoded = encode(regions_of(samples, samples), rate, [target], [], TAGS)
    assert len(outputs) == 2 * 2
    lufs, peak_dbtp = levels_of(encoded.levels[0])
    assert lufs == pytest.approx(-20, abs=0.5)
    assert peak_dbtp <= -3.0 + 0.5


@pytest.mark.prove
@pytest.mark.parametrize("kbps", [16, 20, 24, 28, 32, 48])
def test_aac_of_a_low_rate_is_at_its_level_at_once(tmp_path, speech, monkeypatch, kbps):
    outputs = counted_encoders(aac_regions, monkeypatch)
    encoding, mastering = Encoding(None, 1, kbps), Mastering(-19.0, -1.5)
    lufs, peak_dbtp = encoded_at(tmp_path / "x.m4b", speech, encoding, mastering)
    assert len(outputs) == 1
    assert lufs == pytest.approx(-19, abs=0.5)
    assert peak_dbtp <= -1.5


@pytest.mark.parametrize(
    "mastering", [Mastering(-19.0, -1.5), Mastering(-16.0, -1.5), Mastering(-14.0, -1.0)]
)
def test_mp3_of_a_low_sample_rate_is_encoded_once(tmp_path, speech, monkeypatch, mastering):
    """The limiter leaves room for what LAME adds to the peaks of speech at 22 kHz."""
    outputs = counted_encoders(pending_file, monkeypatch)
    assert speech[1] == 22_050
    _, peak_dbtp = encoded_at(tmp_path / "x.mp3", speech, Encoding(), mastering)
    assert len(outputs) == 1
    assert peak_dbtp <= mastering.ceiling_dbtp


@pytest.mark.parametrize("mastering", [Mastering(-19.0), Mastering(target_rms_db=-20.0)])
def test_a_recording_without_a_voice_is_encoded_once(tmp_path, monkeypatch, mastering):
    """Its room tone has a level, but not one to be raised to the voice's."""
    outputs = counted_encoders(pending_file, monkeypatch)
    silence = np.zeros(48000, np.float32)
    target = Target("mp3", tmp_path / "x.mp3", Encoding(44100), tone_db=-66.0)
    target = replace(target, master=plan_gain([measured(silence)], mastering))
    encoded = encode(regions_of(silence), 24000, [target], [], TAGS)
    assert len(outputs) == 1
    assert rms_db(part.loudness for part in encoded.levels[0].parts) == pytest.approx(-66, abs=0.5)


@pytest.mark.prove
def test_levels_of_a_long_region_are_those_of_all_its_samples(tmp_path, monkeypatch):
    """Of which only some frames are decoded.

    AAC has noise that each decoder makes up, so a peak differs with the frames that are decoded.
    """
    rate = 24000
    speech = np.concatenate([voice(3, rate, seed=i, peak=0.3 + 0.1 * i) for i in range(5)])
    plan = MasterPlan(0.0, -4.0, Aim(-3.7))
    both = []
    for number, whole_s in enumerate((10.0, 1000.0)):
        monkeypatch.setattr(aac_levels, "WHOLE_S", whole_s)
        target = Target("m4b", tmp_path / f"{number}.m4b", master=plan)
        encoded = encode(regions_of(speech), rate, [target], [], TAGS)
        rms = rms_db(part.loudness for part in encoded.levels[0].parts)
        both.append((*levels_of(encoded.levels[0]), rms))
    (lufs, peak_dbtp, rms), (own_lufs, own_peak_dbtp, own_rms) = both
    assert (lufs, rms) == pytest.approx((own_lufs, own_rms), abs=0.02)
    assert peak_dbtp == pytest.approx(own_peak_dbtp, abs=0.1)


@pytest.mark.prove
@pytest.mark.parametrize("n_over", [0, 1, 1023])
def test_a_region_that_is_loud_up_to_its_last_frame_is_measured(tmp_path, monkeypatch, n_over):
    monkeypatch.setattr(aac_levels, "WHOLE_S", 5.0)  # this one is not decoded as a whole
    samples = voice(9)[: 200 * AAC_FRAME + n_over]
    samples[-4 * AAC_FRAME :] *= 0.1  # so that only the last frame is a reason to decode it
    end = samples[-AAC_FRAME // 2 :]
    end *= 0.95 / np.abs(end).max()
    target = Target("m4b", tmp_path / "x.m4b")
    encoded = encode(regions_of(samples), 24000, [target], [], TAGS)
    assert levels_of(encoded.levels[0])[1] == pytest.approx(by_ffmpeg(target.path)[1], abs=0.2)


@pytest.mark.prove
@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("name", ["m4b", "mp3", "flac", "wav"])
def test_a_file_of_another_rate_is_exact_in_length_and_marks(tmp_path, name, channels):
    samples, rate = voice(4.321), 24000
    half = samples.size // 2 + 1
    marks = [Mark("One", 0, half), Mark("Two", half, samples.size)]
    target = Target(name, tmp_path / f"x.{name}", Encoding(44100, channels))
    (file,) = encode(regions_of(samples), rate, [target], marks, TAGS).files
    n_samples = -(-samples.size * 44100 // 24000)
    assert file.duration_s == n_samples / 44100
    assert sum(block.size for block in decode(file.path)) == n_samples
    with av.open(str(file.path)) as container:
        stream = container.streams.audio[0]
        assert (stream.rate, len(stream.layout.channels)) == (44100, channels)
        starts = [float(one["start"] * one["time_base"]) for one in container.chapters()]
    if name != "wav":
        assert starts == pytest.approx([0, half / 24000], abs=0.001)


@pytest.mark.prove
def test_regions_with_room_tone_meet_as_exactly_as_the_codec_encodes(tmp_path):
    """No frame around a seam has more error than frames of noise have in one region."""
    rate, n_silent = 24000, 14 * AAC_FRAME
    parts = [
        np.concatenate((voice(1.5, rate, seed=i), np.zeros(n_silent + 331 * i, np.float32)))
        for i in range(4)
    ]
    files = {
        "seams": ("m4b", regions_of(*parts)),
        "whole": ("m4b", regions_of(np.concatenate(parts))),
        "exact": ("wav", regions_of(*parts)),
    }
    decoded: dict[str, Samples] = {}
    for name, (kind, regions) in files.items():
        target = Target(kind, tmp_path / f"{name}.{kind}", Encoding(44100), tone_db=-60.0)
        encode(regions, rate, [target], [], TAGS)
        decoded[name] = np.concatenate(list(decode(target.path)))
    ends = np.cumsum([part.size for part in parts])[:-1] * 44100 // rate
    around = [slice(end - 12 * AAC_FRAME, end - 2 * AAC_FRAME) for end in ends]
    powers = {
        name: np.mean(error[np.r_[*around]].reshape(-1, AAC_FRAME) ** 2, axis=1)
        for name in ("seams", "whole")
        for error in [decoded[name] - decoded["exact"]]
    }
    assert np.max(powers["seams"]) < 2 * np.max(powers["whole"])  # 3 dB
    assert np.max(powers["seams"]) < 10 ** (-66 / 10)


def test_room_tone_is_in_pauses_and_the_same_in_regions(tmp_path, speech):
    samples, rate = speech
    quiet = np.zeros(2 * rate, np.float32)
    whole = np.concatenate((samples, quiet, samples))
    for name, parts in (("one", [whole]), ("two", [whole[: samples.size + quiet.size], samples])):
        target = Target("wav", tmp_path / f"{name}.wav", Encoding(44100), tone_db=-66.0)
        encode(regions_of(*parts), rate, [target], [], TAGS)
    one, two = (np.concatenate(list(decode(tmp_path / f"{n}.wav"))) for n in ("one", "two"))
    assert np.abs(one - two).max() <= 1 / 32768
    start = (samples.size + rate // 2) * 44100 // rate
    pause = one[start : start + 44100].astype(np.float64)
    assert 10 * np.log10(np.mean(pause**2)) == pytest.approx(-66, abs=1.5)
