"""Scripts of engines, with stand-ins for what their packages do that no text may sound of."""

import importlib.util
import random
import sys
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import soundfile

from audiomill.renderers.isolated import worker_program
from audiomill.renderers.isolated.catalogue import isolated_specs


@dataclass
class Row:
    text: str = "Hello."
    seed: int = 1
    voice: str = "one"
    language: str = ""
    speed: float = 1.0
    audio: str = ""
    audio_text: str = ""
    settings: dict = field(default_factory=dict)


class StandInEngine:
    """As the package's: it knows a recording by its sound, and then keeps the words that it had."""

    def __init__(self, decoder_model, **_):
        self.decoder_model = decoder_model
        self.ref_by_hash = {}

    def inference(self, request):
        words = [self.ref_by_hash.setdefault(one.audio, one.text) for one in request.references]
        yield SimpleNamespace(code="final", audio=(44_100, (request.text, *words)), error=None)


@pytest.fixture
def loaded(monkeypatch, tmp_path):
    """Loads the script of an engine, with these modules instead of its packages."""

    def load(name, modules):
        for path, content in modules.items():
            parts = path.split(".")
            for length in range(1, len(parts)):
                parent = ".".join(parts[:length])
                if parent not in modules:
                    monkeypatch.setitem(sys.modules, parent, ModuleType(parent))
            module = ModuleType(path)
            module.__dict__.update(content)
            monkeypatch.setitem(sys.modules, path, module)
        monkeypatch.setitem(sys.modules, "audiomill_worker", worker_program)
        engine = isolated_specs()[name]
        spec = importlib.util.spec_from_file_location("script", engine.script)
        script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(script)
        return script.load(str(tmp_path), "cpu", dict(engine.settings))

    return load


def fish(launch=lambda *_: "queue"):
    """The package of Fish S2, with what stands for its thread."""
    loader = SimpleNamespace(torchaudio=SimpleNamespace(load=None))
    codec = SimpleNamespace(sample_rate=44_100)
    return {
        "torch": {"bfloat16": "bfloat16"},
        "fish_speech.inference_engine": {
            "TTSInferenceEngine": StandInEngine,
            "reference_loader": loader,
        },
        "fish_speech.models.dac.inference": {"load_model": lambda *_: codec},
        "fish_speech.models.text2semantic.inference": {"launch_thread_safe_queue": launch},
        "fish_speech.utils.schema": {
            "ServeReferenceAudio": SimpleNamespace,
            "ServeTTSRequest": SimpleNamespace,
        },
    }


def test_a_recording_has_the_words_of_its_own_row(loaded, tmp_path):
    recording = tmp_path / "voice.wav"
    recording.write_bytes(b"the same sound")
    engine = loaded("fish-s2", fish())
    rows = [Row(audio=str(recording), audio_text=words) for words in ("One.", "Two.", "One.")]
    assert [spoken[1:] for spoken in engine.speak(rows)] == [("One.",), ("Two.",), ("One.",)]
    assert engine.speak([Row()]) == [("Hello.",)]


def test_a_recording_is_read_channel_by_channel(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(from_numpy=np.asarray))
    left, right = np.full(480, 0.25, np.float32), np.full(480, -0.5, np.float32)
    soundfile.write(tmp_path / "voice.wav", np.stack([left, right], axis=1), 48_000)
    samples, rate = worker_program.load_wav(tmp_path / "voice.wav", backend="soundfile")
    assert rate == 48_000
    np.testing.assert_array_equal(samples, [left, right])


def test_a_language_model_that_cannot_be_loaded_is_told_and_not_waited_for(loaded):
    before = threading.excepthook

    def launch(*_):
        """As the package's: the thread ends, and its caller waits for ever."""
        thread = threading.Thread(target=open, args=("/no/model.safetensors",))
        thread.start()
        threading.Event().wait()

    with pytest.raises(FileNotFoundError, match=r"model\.safetensors"):
        loaded("fish-s2", fish(launch))
    assert threading.excepthook is before


@contextmanager
def fork_rng(devices):
    """As PyTorch's, for Python's own numbers: afterwards they go on as if nothing was drawn."""
    assert devices == []
    state = random.getstate()
    yield
    random.setstate(state)


class StandInMelo:
    """As MeloTTS's: its first text draws the weights of the text model, before it reads them."""

    hps = SimpleNamespace(data=SimpleNamespace(sampling_rate=44_100, spk2id={"one": 0}))
    utils = SimpleNamespace()

    def __init__(self, **_):
        self.has_text_model = False
        draw = self.utils.get_text_for_tts_infer
        self.text = lambda: draw(self)

    def tts_to_file(self, *_, **__):
        self.text()
        return [random.random()]


def text_of(melo):
    if not melo.has_text_model:
        random.random()
    melo.has_text_model = True


class StandInGraphs:
    """As FasterQwenTTS's: graphs are recorded once, which draws numbers."""

    model = SimpleNamespace(
        model=SimpleNamespace(
            tts_model_type="custom_voice",
            get_supported_languages=lambda: ("English",),
            get_supported_speakers=lambda: ("one",),
        )
    )
    sample_rate = 24_000
    is_warm = False

    @classmethod
    def from_pretrained(cls, *_, **__):
        return cls()

    def warmup(self):
        if not self.is_warm:
            random.random()
        self.is_warm = True

    def generate_custom_voice(self, **_):
        self.warmup()
        return [[random.random()]], self.sample_rate


@pytest.mark.parametrize("name", ["melotts", "faster-qwen3-tts"])
def test_the_first_text_sounds_as_it_does_later(loaded, name):
    StandInMelo.utils = SimpleNamespace(get_text_for_tts_infer=text_of)
    engine = loaded(
        name,
        {
            "torch": {"random": SimpleNamespace(fork_rng=fork_rng), "bfloat16": "bfloat16"},
            "melo": {"utils": StandInMelo.utils},
            "melo.api": {"TTS": StandInMelo},
            "faster_qwen3_tts": {"FasterQwen3TTS": StandInGraphs},
        },
    )
    spoken = []
    for _ in range(2):
        random.seed(1)
        spoken += engine.speak([Row()])
    assert spoken[0] == spoken[1]
