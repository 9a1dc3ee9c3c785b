"""Paradee: a model for each voice, exact in any batch, fetched once, and what it cannot do.

The models are small, of random weights. They take and give what Paradee's do, in its folders:

    af_heart/model.onnx         input_ids int64 (1, T), speed float32 (1) ─▶ waveform float32 (1, N)
    af_heart/model_int8.onnx    the same, quantised
    if_sara/…

    tokens ─▶ embedding ─▶ exp ─▶ durations / speed, rounded, at least 1 ─▶ frames of 600 samples
                                                                           and noise

Source: `titl/voice.py` of the package teacher-in-the-loop 0.1.0 for what goes in and out;
FluidInference/paradee-8m-coreml on the Hugging Face Hub for the parts of the graph.
"""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import parser

from audiomill.renderers.engine.errors import EngineMissing, UnknownVoice, WeightsUnfit
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.protocol import Batch, Request
from audiomill.renderers.engine.registry import check_engine
from audiomill.renderers.kokoro.model.config import SAMPLE_RATE
from audiomill.renderers.kokoro.options import ParadeeOptions
from audiomill.renderers.kokoro.paradee_files import PUBLISHED
from audiomill.renderers.kokoro.paradee_renderer import ParadeeRenderer
from benchmarks.rivals.onnx import quantise
from support.hub_server import serving
from support.kokoro_onnx_files import onnx_folder

N_TOKENS, WIDTH, FRAME = 178, 8, 600
VOICES = ("af_heart", "if_sara")


def write_voices(folder: Path, voices: tuple[str, ...] = VOICES) -> Path:
    """The folder, with both models of each voice."""
    for seed, voice in enumerate(voices):
        (folder / voice).mkdir(parents=True)
        onnx.save(_model(seed), folder / voice / "model.onnx")
        quantise(folder / voice / "model.onnx", folder / voice / "model_int8.onnx")
    return folder


def _model(seed: int) -> onnx.ModelProto:
    model = parser.parse_model(Path(__file__).with_name("paradee.onnxtxt").read_text("utf-8"))
    random = np.random.default_rng(seed)

    def normal(*shape: int) -> np.ndarray:
        return random.standard_normal(shape).astype(np.float32)

    weights = {
        "embedding": normal(N_TOKENS, WIDTH),
        "to_duration": np.abs(normal(WIDTH, 1)) / 3,
        "to_samples": normal(WIDTH, FRAME) / 10,
    }
    model.graph.initializer.extend(
        onnx.numpy_helper.from_array(array, name) for name, array in weights.items()
    )
    return model


pytestmark = [pytest.mark.prove, pytest.mark.usefixtures("shared_g2p")]
LONG = "The ferry crossed the river at dusk, and the ferryman counted the lamps on the far bank. "


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return write_voices(tmp_path_factory.mktemp("paradee"))


def opened(folder, **options) -> ParadeeRenderer:
    return ParadeeRenderer(ParadeeOptions(models=folder, workers=0, threads=2, **options))


@pytest.fixture(scope="module", params=["int8", "float32"])
def each(request, folder):
    return opened(folder, precision=request.param)


@pytest.fixture(scope="module")
def paradee(folder):
    return opened(folder)


def request(text=LONG, number=1, voice="af_heart", speed=1.0):
    return Request(f"{number:064x}", text, voice, speed)


def test_a_segment_is_the_same_in_any_batch_and_order(each):
    """Voices too may be mixed in a batch: each row goes to its voice's model."""
    texts = ("Nobody saw it.", LONG * 9, "Il mugnaio dorme.")
    voices = ("af_heart", "af_heart", "if_sara")
    requests = [request(*one) for one in zip(texts, (1, 2, 3), voices, strict=True)]
    alone = [each.render(Batch((one,)))[0] for one in requests]
    for order in (requests, requests[::-1]):
        together = dict(zip(order, each.render(Batch(tuple(order))), strict=True))
        for one, expected in zip(requests, alone, strict=True):
            np.testing.assert_array_equal(together[one].samples, expected.samples)
            assert together[one].timings == expected.timings


def test_words_are_timed_by_the_durations_that_the_model_predicts(each):
    """Of a text of several rows, too."""
    (out,) = each.render(Batch((request(LONG * 9),)))
    words = [(LONG * 9)[one.start : one.end] for one in out.timings]
    assert words == LONG.replace(",", "").replace(".", "").split() * 9
    times = [(one.start_s, one.end_s) for one in out.timings]
    assert times == sorted(times)
    assert times[-1][1] <= out.samples.size / SAMPLE_RATE
    assert out.samples.size % FRAME == 0


def test_speed_and_key_do_what_they_should(paradee):
    slow, fast, other = paradee.render(Batch((request(), request(speed=2.0), request(number=2))))
    assert fast.samples.size < slow.samples.size
    assert other.timings == slow.timings
    assert not np.array_equal(other.samples, slow.samples)


def test_keys_depend_on_voice_model_and_language(paradee, folder):
    float32 = opened(folder, precision="float32")
    assert len({one.fingerprint(voice) for one in (paradee, float32) for voice in VOICES}) == 4


@pytest.mark.parametrize(
    ("voice", "words"),
    [
        ("af_hart", "Paradee has no voice 'af_hart'.*Did you mean af_heart.*--engine paradee"),
        ("af_heart+if_sara", "does not mix voices"),
        ("af_heart@fr-FR", "'af_heart@fr-FR' does not pronounce 'fr-FR'"),
    ],
)
def test_what_no_voice_can_do_is_refused(paradee, voice, words):
    with pytest.raises(UnknownVoice, match=words):
        paradee.known_voice(voice)


def test_a_voice_pronounces_its_own_language_in_any_region(paradee):
    assert paradee.default_voice("en-GB") == "af_heart"
    assert paradee.default_voice("it") == "if_sara"
    assert paradee.in_language("af_heart", "en-GB") == "af_heart"
    with pytest.raises(UnknownVoice, match="'af_heart' does not pronounce 'it'"):
        paradee.in_language("af_heart", "it")
    with pytest.raises(UnknownVoice, match="Paradee has no voice here that speaks 'de'"):
        paradee.default_voice("de")


def test_models_of_the_other_kind_are_refused(tmp_path, folder):
    (tmp_path / "af_heart").mkdir()
    (tmp_path / "af_heart" / "model_int8.onnx").symlink_to(onnx_folder() / "kokoro-v1.0.onnx")
    with pytest.raises(WeightsUnfit, match=r"no model of Paradee\. Use .* engine kokoro-onnx"):
        opened(tmp_path).warnings(("af_heart",))
    with pytest.raises(EngineMissing, match=r"holds no VOICE/model\.onnx"):
        opened(tmp_path, precision="float32")


def test_a_published_voice_is_fetched_once_and_by_itself(tmp_path, folder, monkeypatch):
    model = (folder / "af_heart" / "model_int8.onnx").read_bytes()
    options = EngineOptions((ParadeeOptions(workers=0),))
    with serving(monkeypatch, tmp_path) as hub:
        hub.publish(PUBLISHED.repo, PUBLISHED.revision, {"af_heart/model_int8.onnx": model})
        assert not check_engine("paradee", options).is_here
        assert hub.seen == []
        (out,) = opened(None).render(Batch((request(),)))
        assert check_engine("paradee", options).is_here
        fetched = len(hub.seen)
        (again,) = opened(None).render(Batch((request(),)))
        assert len(hub.seen) == fetched
        with pytest.raises(EngineMissing, match=r"if_sara/.*AUDIOMILL_PARADEE__MODELS"):
            opened(None).fingerprint("if_sara")
    np.testing.assert_array_equal(again.samples, out.samples)
