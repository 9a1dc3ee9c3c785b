"""The engine `piper-server` with Piper's own HTTP server, in a process of its own."""

import numpy as np
import pytest

from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch
from audiomill.renderers.piper.options import PiperServerOptions
from audiomill.renderers.piper.server_renderer import PiperServerRenderer
from audiomill.renderers.speech.wav import read_wav
from support import patient_http
from support.documents import documented
from support.hasty_waiter import HastyWaiter
from support.piper_server import add_flat_voice, piper_server
from support.server_rendering import closed_at_the_end
from support.speech_server import speech_server

pytestmark = pytest.mark.prove

TEXT = "The quick brown fox jumps over the lazy dog."
DEFAULT, SECOND, GERMAN = "en_US-random-medium", "en_GB-other-medium", "de_DE-random-low"
MANY, MANGLED = "en_US-crowd-medium", "en_US-jason"
WITHOUT_NOISE = {"noise_scale": 0, "length_scale": 3, "noise_w": 0}


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    """A server with five voices. One has a name that the server lists wrongly."""
    folder = tmp_path_factory.mktemp("voices")
    add_flat_voice(folder, DEFAULT)
    add_flat_voice(folder, SECOND, inference=WITHOUT_NOISE)
    (folder / f"{SECOND}.onnx").write_bytes(_other_weights(folder / f"{SECOND}.onnx"))
    add_flat_voice(folder, GERMAN, sample_rate=16_000, inference=WITHOUT_NOISE)
    add_flat_voice(folder, MANY, n_speakers=3)
    for ending in (".onnx", ".onnx.json"):
        mangled = folder / f"{MANGLED}{ending}"
        mangled.write_bytes((folder / f"{SECOND}{ending}").read_bytes())
    with piper_server(documented("python -m piper.http_server"), folder, DEFAULT) as served:
        yield served


def _other_weights(path):
    """The graph with other weights in its decoder, so that it sounds other than the same one."""
    import onnx

    model = onnx.load(path)
    for weights in model.graph.initializer:
        if "dec.conv_post" in weights.name or "dec.conv_pre" in weights.name:
            values = onnx.numpy_helper.to_array(weights)
            weights.CopyFrom(onnx.numpy_helper.from_array(0.5 * values[::-1].copy(), weights.name))
    return model.SerializeToString()


@pytest.fixture
def renderer_of():
    def make(url, **options):
        return PiperServerRenderer(PiperServerOptions(url=url, **options))

    with closed_at_the_end(make) as renderer_of:
        yield renderer_of


def speak(renderer, voice=DEFAULT, speed=1.0, text=TEXT):
    request = make_request(text, voice, renderer, speed)
    (rendered,) = renderer.render(Batch((request,)), HastyWaiter(30.0))
    return rendered.samples


def test_voices_and_speakers_are_those_of_the_server(url, renderer_of):
    renderer = renderer_of(url)
    voices = {voice.name: voice.language for voice in renderer.voices()}
    # The server takes more from its name than it should.
    assert voices.pop("en_US-ja") == "en-GB"
    crowd = [f"{MANY}#p{number}" for number in (225, 226, 227)]
    assert list(voices) == [GERMAN, SECOND, *crowd, DEFAULT]
    assert voices[GERMAN] == "de-DE"
    assert renderer.default_voice("de") == GERMAN


def test_the_samples_are_those_of_the_server(url, renderer_of):
    """With noise, as the default voice has it, two answers would differ, in length too."""
    samples = speak(renderer_of(url), SECOND)
    assert samples.dtype == np.float32
    assert samples.size > 22_050
    assert 0.5 < np.abs(samples).max() <= 1.0  # the server raises it to full scale
    body = {"text": TEXT, "voice": SECOND, "length_scale": 3}
    content = patient_http.post(f"{url}/synthesize", json=body, trust_env=False).content
    np.testing.assert_array_equal(samples, read_wav(content)[0])


def test_a_faster_voice_is_shorter(url, renderer_of):
    renderer = renderer_of(url)
    slow, fast = speak(renderer, SECOND, speed=0.5), speak(renderer, SECOND, speed=2.0)
    assert slow.size > 2 * fast.size


def test_a_voice_of_another_rate_is_resampled(url, renderer_of):
    at_22, at_16 = (renderer_of(url, sample_rate=rate) for rate in (22_050, 16_000))
    sizes = [speak(one, GERMAN).size for one in (at_22, at_16)]
    assert sizes[0] == round(sizes[1] * 22_050 / 16_000)
    assert "Set piper_server.sample_rate = 22050" in at_16.warnings([DEFAULT])[0]
    assert at_22.warnings([GERMAN]) == ()
    with pytest.raises(UnknownVoice, match="speaks de-DE only"):
        at_22.in_language(GERMAN, "en")


def test_each_speaker_is_told_by_number(url, renderer_of):
    renderer = renderer_of(url)
    request = make_request(TEXT, f"{MANY}#p226", renderer, 1.0)
    body = renderer.call_of(request).body
    assert (body["voice"], body["speaker_id"]) == (MANY, 1)
    assert speak(renderer, f"{MANY}#p227").size > 10_000
    with pytest.raises(UnknownVoice, match="p999"):
        renderer.known_voice(f"{MANY}#p999")


def test_the_server_itself_speaks_an_unknown_voice_with_the_default_one(url):
    """That is why voices are checked."""
    body = {"text": TEXT, "noise_scale": 0, "noise_w_scale": 0}
    own, unknown, other = (
        patient_http.post(f"{url}/synthesize", json=body | named, trust_env=False).content
        for named in ({}, {"voice": "nobody"}, {"voice": SECOND})
    )
    assert own == unknown != other


def test_an_unknown_voice_is_refused_and_so_is_one_that_is_only_listed(url, renderer_of):
    renderer = renderer_of(url)
    with pytest.raises(UnknownVoice, match="piper-server has no voice 'nobody'"):
        renderer.fingerprint("nobody")
    with pytest.raises(
        UnknownVoice, match=f"lists the voice en_US-ja, but speaks it with {DEFAULT}"
    ):
        renderer.fingerprint("en_US-ja")
    assert renderer.known_voice(SECOND) == SECOND


def test_the_key_follows_the_config_and_not_the_address(url, renderer_of):
    one = renderer_of(url)
    keys = {make_request(TEXT, voice, one, 1.0).key for voice in (DEFAULT, GERMAN, f"{MANY}#p225")}
    assert len(keys) == 3
    other = renderer_of(url.replace("127.0.0.1", "localhost"))
    assert make_request(TEXT, DEFAULT, other, 1.0).key in keys


def test_another_server_and_none_are_told(renderer_of, monkeypatch):
    monkeypatch.setattr("audiomill.renderers.piper.server_renderer.IMPATIENT", HastyWaiter(10.0))
    with speech_server("kokoro-fastapi") as other:
        with pytest.raises(EngineFailed, match="Look at the server's url"):
            renderer_of(other.url).voices()
        address = other.url
    with pytest.raises(EngineFailed, match=r"Piper's server at .* has not answered"):
        renderer_of(address).voices()
