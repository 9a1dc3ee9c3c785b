"""The script of Fish S2, with a stand-in for its package: what it asks for, and when it fails."""

import importlib.util
import sys
import threading
from dataclasses import dataclass, field
from types import ModuleType, SimpleNamespace

import pytest

from audiomill.renderers.isolated.specs import isolated_specs

SPEC = isolated_specs()["fish-s2"]


@dataclass
class Row:
    text: str = "Hello."
    seed: int = 1
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
    """Loads the script with its package replaced; what stands for the thread may be given."""

    def load(launch=lambda *_: "queue"):
        names = SimpleNamespace
        modules = {
            "torch": names(bfloat16="bfloat16"),
            "fish_speech": names(),
            "fish_speech.inference_engine": names(
                TTSInferenceEngine=StandInEngine,
                reference_loader=names(torchaudio=names(load=None)),
            ),
            "fish_speech.models": names(),
            "fish_speech.models.dac": names(),
            "fish_speech.models.dac.inference": names(
                load_model=lambda *_: names(sample_rate=44_100)
            ),
            "fish_speech.models.text2semantic": names(),
            "fish_speech.models.text2semantic.inference": names(launch_thread_safe_queue=launch),
            "fish_speech.utils": names(),
            "fish_speech.utils.schema": names(ServeReferenceAudio=names, ServeTTSRequest=names),
        }
        for name, content in modules.items():
            module = ModuleType(name)
            module.__dict__.update(content.__dict__)
            monkeypatch.setitem(sys.modules, name, module)
        spec = importlib.util.spec_from_file_location("fish_s2", SPEC.script)
        script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(script)
        return script.load(str(tmp_path), "cpu", dict(SPEC.settings))

    return load


def test_a_recording_has_the_words_of_its_own_row(loaded, tmp_path):
    recording = tmp_path / "voice.wav"
    recording.write_bytes(b"the same sound")
    engine = loaded()
    rows = [Row(audio=str(recording), audio_text=words) for words in ("One.", "Two.", "One.")]
    assert [spoken[1:] for spoken in engine.speak(rows)] == [("One.",), ("Two.",), ("One.",)]
    assert engine.speak([Row()]) == [("Hello.",)]


def test_a_language_model_that_cannot_be_loaded_is_told_and_not_waited_for(loaded):
    before = threading.excepthook

    def launch(*_):
        """As the package's: the thread ends, and its caller waits for ever."""
        thread = threading.Thread(target=open, args=("/no/model.safetensors",))
        thread.start()
        threading.Event().wait()

    with pytest.raises(FileNotFoundError, match=r"model\.safetensors"):
        loaded(launch)
    assert threading.excepthook is before
