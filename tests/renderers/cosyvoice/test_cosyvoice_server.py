"""The engine `cosyvoice-server`: forms, frames that tell the version, and voices heard first."""

from contextlib import closing
from math import lcm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.renderers.cosyvoice.options import CosyVoiceServerOptions
from audiomill.renderers.cosyvoice.renderer import (
    TEST_TEXT,
    VERSIONS,
    CosyVoiceServerRenderer,
    made_by,
)
from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Voice
from audiomill.renderers.servers.references import SentReference
from support.case_files import each_row_apart
from support.cosyvoice_server import END, FRAMES, RATES, cosyvoice_server, recording, voice_of
from support.hasty_waiter import HastyWaiter
from support.server_rendering import TEXT, closed_at_the_end, speak
from support.speech_server import speech_server, spoken_samples

WOMAN = "英文女"
MINE = SentReference(Voice("mine", "en"), recording(), "What I said.", "d1")


@pytest.fixture
def renderer_of():

    def make(server, *references, **options):
        told = {"version": server.version, **options}
        return CosyVoiceServerRenderer(CosyVoiceServerOptions(url=server.url, **told), references)

    with closed_at_the_end(make) as renderer_of:
        yield renderer_of


def assert_spoken(samples, voice, version):
    whole = spoken_samples(TEXT, voice, sample_rate=RATES[version])
    assert samples.size == whole.size // FRAMES[version] * FRAMES[version]
    assert np.abs(samples - whole[: samples.size]).max() < 2 / 32768


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_speaker_of_the_model(version, renderer_of):
    with cosyvoice_server(version=version) as server:
        renderer = renderer_of(server, voices=(WOMAN,))
        assert renderer.sample_rate == RATES[version]
        assert_spoken(speak(renderer, voice=WOMAN).samples, WOMAN, version)
        told = {"route": "sft", "tts_text": TEXT, "spk_id": WOMAN}
        assert server.forms == [told | {"tts_text": TEST_TEXT}, told]


@each_row_apart
def test_a_recording_goes_with_each_request(renderer_of, version, text, instructions, form):
    with cosyvoice_server(version=version) as server:
        mine = SentReference(MINE.voice, MINE.recording, text, "d")
        renderer = renderer_of(server, mine, instructions=instructions)
        assert_spoken(speak(renderer, voice="mine").samples, voice_of(mine.recording), version)
        assert server.forms[-1] == form


def test_instructions_go_to_version_1_with_a_speaker(renderer_of):
    with cosyvoice_server() as server:
        renderer = renderer_of(server, instructions="Be calm.")
        assert_spoken(speak(renderer, voice=WOMAN).samples, WOMAN, 1)
        assert server.forms[-1]["instruct_text"] == f"Be calm.{END}"


def test_a_voice_is_heard_once_and_an_unknown_one_is_told(renderer_of):
    with cosyvoice_server(speakers=(WOMAN,)) as server:
        renderer = renderer_of(server)
        for _ in range(3):
            assert renderer.known_voice(WOMAN) == WOMAN
        assert server.spoken == [TEST_TEXT]
        with pytest.raises(UnknownVoice, match=r"no voice '中文女': it ends its reply at once"):
            renderer.fingerprint("中文女")
        with pytest.raises(UnknownVoice, match="cosyvoice-server has no voice 'nobody'"):
            renderer.fingerprint("nobody")
        assert server.spoken == [TEST_TEXT]


def test_the_language_chooses_a_speaker_of_version_1(renderer_of):
    with cosyvoice_server() as server:
        renderer = renderer_of(server)
        assert renderer.default_voice("en-GB") == "英文女"
        assert renderer.default_voice("ko") == "韩语女"
        with pytest.raises(UnknownVoice, match="known to speak fr"):
            renderer.default_voice("fr")


@pytest.mark.parametrize(
    ("served", "set_to", "right"), [(1, 2, "1"), (2, 1, "2"), (3, 1, "2"), (1, 3, "1")]
)
def test_a_wrong_version_is_told_by_the_frames(served, set_to, right, renderer_of):
    with cosyvoice_server(version=served) as server:
        renderer = renderer_of(server, version=set_to, voices=(WOMAN,))
        words = rf"has {RATES[served]} Hz and not {RATES[set_to]}. Set version = {right} under"
        with pytest.raises(EngineFailed, match=words):
            renderer.fingerprint(WOMAN)


@given(st.integers(1, 5000), st.sampled_from([1, 2, 3]))
def test_whole_frames_tell_the_version_unless_both_fit(n_frames, version):
    n_samples = n_frames * VERSIONS[version].frame
    assert version in made_by(n_samples)
    others = {one for one in made_by(n_samples) if VERSIONS[one].frame != VERSIONS[version].frame}
    fits_all = lcm(*(one.frame for one in VERSIONS.values()))
    assert bool(others) == (n_samples % fits_all == 0)


@pytest.mark.parametrize("lie", ["short", "other rate"])
def test_a_sentence_that_is_no_speech_is_told(lie, renderer_of):
    with cosyvoice_server(lie=lie) as server:
        if lie == "short":
            words = rf"a sentence of {len(TEST_TEXT)} letters with {WOMAN} in 0.\d s at 22050 Hz"
        else:
            words = r"in [01].\d s at 22050 Hz. Look at version"
        with pytest.raises(EngineFailed, match=words):
            renderer_of(server).fingerprint(WOMAN)


def test_a_reply_that_is_cut_is_asked_for_again(renderer_of):
    with cosyvoice_server() as server:
        renderer = renderer_of(server)
        renderer.known_voice(WOMAN)
        server.cuts = 3
        assert_spoken(speak(renderer, voice=WOMAN).samples, WOMAN, 1)
        assert len(server.forms) == 5


def test_a_page_is_no_audio(renderer_of):
    with (
        cosyvoice_server(lie="page") as server,
        pytest.raises(EngineFailed, match="answers with a web page instead of audio"),
    ):
        renderer_of(server).fingerprint(WOMAN)


@pytest.mark.parametrize(
    ("behaviour", "wav"),
    [
        ({"loads_twice": True}, recording()),
        ({}, recording(31.0)),
        ({}, recording(rate=8_000)),
        ({}, b"no file"),
    ],
)
def test_a_recording_that_the_server_cannot_use_is_told(behaviour, wav, renderer_of):
    with cosyvoice_server(version=2, **behaviour) as server:
        renderer = renderer_of(server, SentReference(MINE.voice, wav, "Hi.", "d"))
        with pytest.raises(UnknownVoice, match=r"cloned voice 'mine'.*30 s at most.*issues/1794"):
            renderer.fingerprint("mine")


def test_a_server_without_voices_and_another_server_are_told(renderer_of):
    words = r"CosyVoice 2 comes with none.*voices = "
    with cosyvoice_server(version=2) as server, pytest.raises(EngineFailed, match=words):
        renderer_of(server).voices()
    with speech_server("kokoro-fastapi") as other:
        options = CosyVoiceServerOptions(url=other.url.removesuffix("/v1"), version=1)
        with (
            closing(CosyVoiceServerRenderer(options)) as renderer,
            pytest.raises(EngineFailed, match="url"),
        ):
            renderer.voices()


def test_a_server_that_is_down_is_named(renderer_of, monkeypatch):
    monkeypatch.setattr("audiomill.renderers.cosyvoice.renderer.IMPATIENT", HastyWaiter(10.0))
    with cosyvoice_server() as server:
        pass
    with pytest.raises(EngineFailed, match=r"CosyVoice's server at .* has not answered"):
        renderer_of(server).fingerprint(WOMAN)


def test_the_key_of_a_shard_follows_what_the_settings_tell_of_the_model(renderer_of):
    def key(server, **options):
        return make_request(TEXT, WOMAN, renderer_of(server, **options), 1.0).key

    with cosyvoice_server() as one, cosyvoice_server() as other:
        assert key(one) == key(other, most_in_flight=2)
        assert len({key(one), key(one, model="mine"), key(one, instructions="Be calm.")}) == 3
