"""Text in, audio out, with the published files: exact, and independent of the batch.

What both engines of Kokoro must do is in `test_renderer.py`.
"""

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from audiomill.inputs.model.book import Pronunciation
from audiomill.renderers.engine.errors import EngineFailed, WeightsUnfit
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.kokoro import onnx_session
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import KokoroRenderer
from audiomill.renderers.onnx.sessions import RunFailed
from support.kokoro_onnx_files import VOICES, onnx_folder, open_onnx
from support.kokoro_reference import built
from support.paths import ROOT

pytestmark = [pytest.mark.prove, pytest.mark.usefixtures("shared_g2p")]
LONG = "The ferry crossed the river at dusk, and the ferryman counted the lamps on the far bank. "
LINES = ("Nobody saw it.", LONG, "It crossed.")


@pytest.fixture(scope="module")
def kokoro():
    return open_onnx()


@pytest.fixture(scope="module", params=["float32", "float16", "int8", "earlier"])
def each(request):
    """The engine with each published model, and with the one of the first release."""
    if request.param == "earlier":
        return open_onnx(model=onnx_folder() / "earlier")
    return open_onnx(precision=request.param)


def request(text, number=1, voice="af_heart", speed=4.0):
    return Request(f"{number:064x}", text, voice, speed)


def spoken(kokoro, *requests):
    return kokoro.render(Batch(tuple(requests)))


def samples_of(results):
    return [one.samples.tobytes() for one in results]


def test_a_segment_is_the_same_in_any_batch_and_order(each):
    requests = [request(text, number) for number, text in enumerate(LINES)]
    alone = [spoken(each, one)[0] for one in requests]
    assert samples_of(spoken(each, *requests)) == samples_of(alone)
    assert samples_of(spoken(each, *requests[::-1]))[::-1] == samples_of(alone)
    with ThreadPoolExecutor(4) as pool:  # as a run does, whose calls overlap
        together = list(pool.map(lambda one: spoken(each, one)[0], requests))
    assert samples_of(together) == samples_of(alone)
    assert [one.timings for one in together] == [one.timings for one in alone]


WITHOUT_TORCH = """
import sys
for name in ("torch", "kokoro", "spacy_curated_transformers", "transformers", "onnx"):
    sys.modules[name] = None  # importing it fails, as where it is not installed
import hashlib
from pathlib import Path
from audiomill.inputs.model.book import Pronunciation
from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.kokoro.onnx_renderer import KokoroOnnxRenderer
from audiomill.renderers.kokoro.options import KokoroOnnxOptions

_, folder, text = sys.argv
kokoro = KokoroOnnxRenderer(KokoroOnnxOptions(model=Path(folder), workers=0, threads=1))
(out,) = kokoro.render(Batch((Request("01" * 32, text, "af_heart", 2.0),)))
print(hashlib.sha256(out.samples.tobytes()).hexdigest(), kokoro.fingerprint("af_heart"))
"""


def test_another_process_without_pytorch_speaks_the_same(kokoro):
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, str(onnx_folder()), LONG],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert run.returncode == 0, run.stderr
    (here,) = spoken(kokoro, Request("01" * 32, LONG, "af_heart", 2.0))
    expected = hashlib.sha256(here.samples.tobytes()).hexdigest()
    assert run.stdout.strip() == f"{expected} {kokoro.fingerprint('af_heart')}"


def test_durations_add_up_to_the_audio(each):
    runner = each._runner
    style = np.zeros((1, 256), np.float32)
    tokens = [(0, *(16 + n % 150 for n in range(n_tokens)), 0) for n_tokens in (1, 7, 300)]
    spoken_rows = [runner.run(onnx_session.OnnxRow(one, style, 1.0, 5)) for one in tokens]
    for row, audio in zip(tokens, spoken_rows, strict=True):
        assert len(audio.durations) == len(row)
        seconds = sum(audio.durations) * audio.frame_s
        assert seconds * SAMPLE_RATE == pytest.approx(audio.samples.size)
    assert len({audio.frame_s for audio in spoken_rows}) == 1


def test_its_times_are_those_of_the_engine_kokoro(kokoro):
    """The same phonemes, the same weights, so the same durations."""
    plain = KokoroRenderer(KokoroOptions(weights=onnx_folder() / "pt", workers=0, device="cpu"))
    with built("narrow"):
        (expected,) = plain.render(Batch((request(LONG),)))
    (out,) = spoken(kokoro, request(LONG))
    assert out.timings == expected.timings
    assert out.samples.size == expected.samples.size


def test_a_higher_speed_gives_shorter_audio(each):
    lengths = [spoken(each, request(LONG, speed=speed))[0].samples.size for speed in (1, 1.5, 3)]
    assert lengths == sorted(lengths, reverse=True)
    assert len(set(lengths)) == 3


def test_voices_and_mixes_are_those_of_the_file(kokoro):
    assert [voice.name for voice in kokoro.voices()] == sorted(VOICES)
    assert kokoro.default_voice("en-GB") == "bf_emma"
    assert kokoro.known_voice("af_heart(1) + bm_george") == "af_heart+bm_george"
    assert kokoro.in_language("af_heart", "fr") == "af_heart@fr-FR"


def test_keys_depend_on_all_that_decides_the_sound(kokoro):
    prints = {
        kokoro.fingerprint("af_heart"),
        kokoro.fingerprint("bf_emma"),
        kokoro.fingerprint("af_heart+bf_emma"),
        kokoro.fingerprint("af_heart@fr-FR"),
        open_onnx(precision="int8").fingerprint("af_heart"),
    }
    assert len(prints) == 5
    other = open_onnx(threads=1)
    assert other.fingerprint("af_heart") == kokoro.fingerprint("af_heart")
    torch_key = KokoroRenderer(KokoroOptions(weights=onnx_folder() / "pt")).fingerprint("af_heart")
    assert torch_key not in prints


def test_a_voice_has_the_same_key_in_another_file_of_voices(tmp_path, kokoro):
    model = tmp_path / "mine.onnx"
    model.symlink_to(onnx_folder() / "kokoro-v1.0.onnx")
    packs = np.load(onnx_folder() / "voices-v1.0.bin")
    with (tmp_path / "voices.bin").open("wb") as file:
        np.savez_compressed(file, af_heart=packs["af_heart"])
    other = open_onnx(model=model)
    assert [voice.name for voice in other.voices()] == ["af_heart"]
    assert other.fingerprint("af_heart") == kokoro.fingerprint("af_heart")
    assert samples_of(spoken(other, request(LONG))) == samples_of(spoken(kokoro, request(LONG)))


def test_phonemes_of_a_lexicon_are_spoken(kokoro):
    said = make_request("Worcester", "af_heart", kokoro, 1.0, (Pronunciation(0, 9, "wˈʊstəɹ"),))
    assert kokoro.model_input(said) == "wˈʊstəɹ"
    assert said.key != make_request("Worcester", "af_heart", kokoro, 1.0).key


def test_samples_that_are_no_numbers_are_refused(kokoro):
    """As models in float16 give for some texts."""
    row = onnx_session.OnnxRow((0, 16, 0), np.full((1, 256), np.nan, np.float32), 1.0, 5)
    with pytest.raises(EngineFailed, match=r"not numbers.*precision to float32"):
        kokoro._runner.run(row)


def test_a_token_that_the_model_does_not_have_is_one_line(kokoro):
    row = onnx_session.OnnxRow((0, 9999, 0), np.zeros((1, 256), np.float32), 1.0, 5)
    with pytest.raises(EngineFailed, match="ONNX Runtime failed") as caught:
        kokoro._runner.run(row)
    assert len(str(caught.value).splitlines()) == 1


def test_a_lack_of_memory_says_what_to_do(kokoro):
    failed = kokoro._runner._failed(RunFailed("Failed to allocate memory for buffer"))
    assert "kokoro_onnx.threads" in str(failed)


def test_a_damaged_model_is_refused_when_it_is_loaded(tmp_path):
    """Its frame is whole, but what is in it makes no graph."""
    raw = (
        (onnx_folder() / "kokoro-v1.0.onnx").read_bytes().replace(b"InstanceNorm", b"InstanceForm")
    )
    (tmp_path / "kokoro-v1.0.onnx").write_bytes(raw)
    (tmp_path / "voices-v1.0.bin").symlink_to(onnx_folder() / "voices-v1.0.bin")
    with pytest.raises(WeightsUnfit, match="cannot be used by ONNX Runtime"):
        spoken(open_onnx(model=tmp_path), request(LONG))


def test_warnings_say_what_is_missing(kokoro):
    assert any("not official" in one for one in kokoro.warnings(("af_heart",)))
    graph = replace(kokoro._graph, durations="")
    other = open_onnx()
    other.__dict__["_graph"] = graph
    warnings = " ".join(other.warnings(("af_heart",)))
    assert "words have no times" in warnings
    (out,) = spoken(other, request(LONG))
    assert out.timings == ()
    assert out.samples.size > 0


def test_threads_are_limited_by_memory(monkeypatch):
    monkeypatch.setattr(onnx_session, "usable_cores", lambda: 64)
    monkeypatch.setattr(onnx_session, "ram_bytes", lambda: 12 << 30)
    assert onnx_session.default_threads() == 8
    monkeypatch.setattr(onnx_session, "ram_bytes", lambda: None)
    assert onnx_session.default_threads() == 1
