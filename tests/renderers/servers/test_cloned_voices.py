"""Servers that take a recording within a request: what is sent, what is heard, what is refused."""

import base64
import io
import json
import wave
from dataclasses import replace

import numpy as np
import pytest

from audiomill.flows.known_voice import known_voice
from audiomill.renderers.cosyvoice.engine import CLONE_NEEDS as COSYVOICE_SERVER
from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.protocol import Request
from audiomill.renderers.engine.registry import ENGINES
from audiomill.renderers.fish.engine import CLONE_NEEDS as FISH
from audiomill.renderers.fish.options import FishOptions
from audiomill.renderers.openai.profiles import PROFILES
from audiomill.renderers.reference_voices.clones import cloning_engines
from audiomill.renderers.reference_voices.voice import VoiceUnfit
from audiomill.renderers.servers.references import sent_references
from support import server_rendering
from support.case_files import each_row_apart
from support.speech_profiles import PROFILES as STAND_INS
from support.speech_profiles import xinference_with
from support.speech_server import speech_server, spoken_samples
from support.speech_uploads import voice_of_recording
from support.voice_data import WORDS, voice_sound, write_voice

BASE = "Qwen/Qwen3-TTS-12Hz-1.7B-Base"
MODELS = {"vllm-omni": BASE, "sglang-omni": "fishaudio/s2-pro"}


@pytest.fixture
def renderer_of(renderer_of):
    """Makes renderers whose models clone voices."""
    return lambda server, **more: renderer_of(
        server, **{"model": MODELS.get(server.kind, "")} | more
    )


def speak(renderer, voice, speed=1.0):
    return server_rendering.speak(renderer, voice=voice, speed=speed, outage_s=30.0).samples


def test_the_servers_that_take_recordings_are_those_of_the_documents():
    with_each_request = {*MODELS, "xinference"}
    once = {"chatterbox-devnen", "chatterbox-travisvn"}
    usual = [profile.of_model(profile.model) for profile in PROFILES.values()]
    assert {one.name for one in usual if one.clones} == with_each_request | once
    engines = {one.engine for one in cloning_engines()}
    assert engines >= {"chatterbox", "f5-tts"} | with_each_request | once


@pytest.mark.parametrize("kind", MODELS)
def test_the_recording_is_in_the_request_and_in_the_sound(kind, renderer_of, tmp_path):
    write_voice(tmp_path / "voices", "clara", voice_sound(seed=1))
    write_voice(tmp_path / "voices", "bob", voice_sound(seed=2))
    with speech_server(kind) as server:
        renderer = renderer_of(server)
        assert {"clara", "bob"} <= {voice.name for voice in renderer.voices()}
        clara, bob = speak(renderer, "clara"), speak(renderer, "bob")
        assert not np.array_equal(clara, bob)
        assert np.array_equal(speak(renderer, "clara"), clara)
        body = server.requests[0].body
    if kind == "vllm-omni":
        assert (body["task_type"], body["ref_text"]) == ("Base", WORDS)
        assert "voice" not in body
        address = body["ref_audio"]
    else:
        (reference,) = body["references"]
        assert (body["voice"], reference["text"]) == ("default", WORDS)
        address = reference["audio_path"]
    content = base64.b64decode(address.removeprefix("data:audio/wav;base64,"))
    with wave.open(io.BytesIO(content)) as file:
        assert file.getframerate() == renderer.sample_rate
        assert file.getnchannels() == 1
        assert file.getnframes() / file.getframerate() == pytest.approx(7.0, abs=0.1)


def test_another_recording_is_another_key(renderer_of, tmp_path):
    write_voice(tmp_path / "voices", "clara", voice_sound(seed=1))
    with speech_server("vllm-omni") as server:
        before = renderer_of(server).fingerprint("clara")
        write_voice(tmp_path / "voices", "clara", voice_sound(seed=1), consent="Anna, by letter.")
        assert renderer_of(server).fingerprint("clara") == before
        write_voice(tmp_path / "voices", "clara", voice_sound(seed=3))
        assert renderer_of(server).fingerprint("clara") != before
        assert renderer_of(server).fingerprint("vivian") == before.partition(" clone ")[0]


def test_fish_on_vllm_omni_has_no_task_but_a_voice(renderer_of, tmp_path):
    write_voice(tmp_path / "voices", "clara")
    with speech_server("vllm-omni") as server:
        speak(renderer_of(server, model="fishaudio/s2-pro"), "clara")
        body = server.requests[0].body
    assert body["voice"] == "default"
    assert "task_type" not in body and body["ref_text"] == WORDS


def test_a_voice_of_the_servers_own_comes_first(renderer_of, tmp_path):
    write_voice(tmp_path / "voices", "aaa")
    write_voice(tmp_path / "voices", "vivian")
    with speech_server("vllm-omni") as server:
        renderer = renderer_of(server)
        assert renderer.default_voice("en") == "aiden"
        speak(renderer, "vivian")
        assert "ref_audio" not in server.requests[0].body


@each_row_apart
def test_a_server_or_model_that_takes_none_says_who_does(renderer_of, tmp_path, kind, options):
    write_voice(tmp_path / "voices", "clara")
    told = EngineOptions(cloned_voices=tmp_path / "voices")
    with speech_server(kind) as server:
        renderer = renderer_of(server, **options)
        assert "clara" not in {voice.name for voice in renderer.voices()}
        with pytest.raises(UnknownVoice, match=r"does not clone voices.*vLLM-Omni, SGLang.*Xinf"):
            known_voice(renderer, "clara", told)
        assert server.requests == []


def test_a_server_that_has_no_voice_but_cloned_ones(renderer_of, tmp_path, monkeypatch):
    """As Fish S2, before any voice was uploaded."""
    voiceless = replace(STAND_INS["sglang-omni"], voices=())
    monkeypatch.setitem(STAND_INS, "sglang-omni", voiceless)
    with speech_server("sglang-omni") as server:
        with pytest.raises(EngineFailed, match=r"no voices of its own yet.*Upload one to it"):
            renderer_of(server).voices()
        write_voice(tmp_path / "voices", "clara")
        renderer = renderer_of(server)
        assert [voice.name for voice in renderer.voices()] == ["clara"]
        assert renderer.default_voice("en") == "clara"
        assert speak(renderer, "clara").any()


@each_row_apart
def test_xinference_gets_a_form_with_the_recording(
    renderer_of, tmp_path, monkeypatch, model, rate, has_text
):
    text = WORDS if has_text else ""
    own = PROFILES["xinference"].models[model].get("voices", ())
    monkeypatch.setitem(STAND_INS, "xinference", xinference_with(model, own, rate))
    write_voice(tmp_path / "voices", "clara", voice_sound(seed=1))
    write_voice(tmp_path / "voices", "bob", voice_sound(seed=2))
    with speech_server("xinference") as server:
        renderer = renderer_of(server, model=model)
        assert {voice.name for voice in renderer.voices()} == {"clara", "bob", *own}
        clara, bob = speak(renderer, "clara"), speak(renderer, "bob")
        assert not np.array_equal(clara, bob)
        assert np.array_equal(speak(renderer, "clara"), clara)
        body = server.requests[0].body
        assert (body["model"], body["voice"], body["response_format"]) == (model, "", "wav")
        told = json.loads(body["kwargs"])
        assert (told.get("prompt_text", ""), type(told["seed"])) == (text, int)
        content = body["prompt_speech"]
        assert voice_heard_by(content, text, clara, renderer.sample_rate)
    with wave.open(io.BytesIO(content)) as file:
        assert (file.getframerate(), file.getnchannels()) == (rate, 1)
        assert file.getnframes() / rate == pytest.approx(7.0, abs=0.1)


def voice_heard_by(content, text, samples, rate):
    with wave.open(io.BytesIO(content)) as file:
        voice = voice_of_recording(file.readframes(file.getnframes()), text)
    expected = spoken_samples(server_rendering.TEXT, voice, sample_rate=rate)
    return np.abs(samples - expected).max() < 2 / 32768


def test_xinference_refuses_before_a_book_what_its_model_cannot_clone(renderer_of, tmp_path):
    """F5-TTS would cut the recording at 12 s, and not its text."""
    write_voice(tmp_path / "voices", "long", voice_sound(13.0), words=f"{WORDS} {WORDS}")
    write_voice(tmp_path / "voices", "mute", words="")
    with speech_server("xinference") as server:
        renderer = renderer_of(server)
        for name, why in (("long", "12 s at most"), ("mute", r"reference\.txt")):
            with pytest.raises(VoiceUnfit, match=f"Xinference cannot clone {name}.*{why}"):
                renderer.fingerprint(name)
        assert server.requests == []


def test_xinference_is_asked_for_another_speed_in_the_form(renderer_of, tmp_path):
    write_voice(tmp_path / "voices", "clara")
    with speech_server("xinference") as server:
        renderer = renderer_of(server)
        normal, fast = speak(renderer, "clara"), speak(renderer, "clara", speed=1.5)
        assert server.requests[1].body["speed"] == 1.5
        assert fast.size == pytest.approx(normal.size / 1.5, rel=0.05)


def test_servers_with_adapters_of_their_own_get_the_voices_that_they_can_use(tmp_path):
    write_voice(tmp_path / "voices", "clara", voice_sound(seed=1))
    write_voice(tmp_path / "voices", "mute", words="")
    write_voice(tmp_path / "voices", "short", voice_sound(2.0))
    sent = {
        needs.engine: [*sent_references(tmp_path / "voices", needs, 16_000)]
        for needs in (FISH, COSYVOICE_SERVER)
    }
    names = {engine: [one.voice.name for one in found] for engine, found in sent.items()}
    assert names == {"fish": ["clara"], "cosyvoice-server": ["clara", "mute"]}
    (one,) = sent["fish"]
    assert one.text == WORDS
    with wave.open(io.BytesIO(one.recording)) as file:
        assert (file.getframerate(), file.getnchannels()) == (16_000, 1)
    assert one.digest == sent["cosyvoice-server"][0].digest


def test_fish_speech_is_opened_with_the_cloned_voices(tmp_path):
    write_voice(tmp_path / "voices", "clara")
    local = FishOptions(profile="local")
    told = EngineOptions((local,), cloned_voices=tmp_path / "voices")
    renderer = ENGINES["fish"].open(told)
    body = renderer.body(Request("key", "Hello.", "clara", 1.0))
    renderer.close()
    (reference,) = body["references"]
    assert reference["text"] == WORDS
    content = base64.b64decode(reference["audio"])
    with wave.open(io.BytesIO(content)) as file:
        assert file.getframerate() == renderer.sample_rate
