"""The engine `openai` against stand-ins: what is sent, what is heard, and what each lie becomes."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace

import numpy as np
import pytest

from audiomill.renderers.base import Batch, EngineFailed, UnknownVoice
from audiomill.renderers.options import ServerOptions
from audiomill.renderers.planning import make_request
from audiomill.renderers.servers.profiles import PROFILES
from audiomill.renderers.servers.renderer import ServerRenderer
from audiomill.renderers.servers.voices import mary_voices
from support.hasty_waiter import HastyWaiter
from support.speech_profiles import PROFILES as STAND_INS
from support.speech_server import KEY, speech_server, spoken_samples

TEXT = "The mill stands by the sea."


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture
def renderer_of():
    """Makes renderers for stand-ins, and closes them at the end."""
    with ExitStack() as opened:

        def make(server, **options):
            made = ServerRenderer(ServerOptions(profile=server.kind, url=server.url, **options))
            return opened.enter_context(closing(made))

        yield make


def speak(renderer, text=TEXT, voice=None, speed=1.0, outage_s=30.0):
    voice = voice or renderer.default_voice("en")
    request = make_request(text, voice, renderer, speed)
    (rendered,) = renderer.render(Batch((request,)), HastyWaiter(outage_s))
    return rendered


def assert_spoken(samples, text=TEXT, voice="alloy", speed=1.0, sample_rate=24_000):
    assert np.abs(samples - spoken_samples(text, voice, speed, sample_rate)).max() < 2 / 32768


@pytest.mark.parametrize("kind", STAND_INS)
def test_the_samples_are_those_that_the_server_speaks(kind, renderer_of):
    with speech_server(kind) as server:
        lists_voices = server.profile.voice_list or PROFILES[kind].voices
        named = {} if lists_voices else {"voices": server.profile.voices}
        renderer = renderer_of(server, **named)
        voice = renderer.default_voice("en")
        samples = speak(renderer).samples
        assert_spoken(samples, voice=voice, sample_rate=renderer.sample_rate)
        (request,) = server.requests
        assert request.body["input"] == TEXT
        assert request.body["voice"] == voice
        assert request.body["response_format"] == "wav"


def test_a_length_that_the_server_does_not_know(renderer_of):
    with speech_server("openai", unknown_length=True) as server:
        assert_spoken(speak(renderer_of(server)).samples)


@pytest.mark.parametrize(("kind", "voice"), [("openai", "alloy"), ("sglang-omni", "default")])
def test_each_dialect_of_events_is_understood(kind, voice, renderer_of):
    with speech_server(kind, stream=True) as server:
        renderer = renderer_of(server, voices=("default", "alloy"))
        samples = speak(renderer, voice=voice).samples
        assert_spoken(samples, voice=voice, sample_rate=renderer.sample_rate)


def test_the_key_goes_to_the_server_and_nowhere_else(renderer_of):
    with speech_server("openai") as server, speech_server("kokoro-fastapi") as own:
        speak(renderer_of(server))
        speak(renderer_of(own))
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert "authorization" not in own.requests[0].headers


def test_kokoro_is_told_not_to_stream_and_not_to_read_numbers_again(renderer_of):
    with speech_server("kokoro-fastapi") as server:
        speak(renderer_of(server), speed=1.2)
        (request,) = server.requests
        assert request.body["stream"] is False
        assert request.body["normalization_options"] == {"normalize": False}
        assert request.body["speed"] == 1.2


def test_a_voice_of_another_language_is_not_chosen_silently(renderer_of):
    with speech_server("kokoro-fastapi") as server:
        renderer = renderer_of(server)
        assert renderer.default_voice("en-GB") == "af_heart"
        with pytest.raises(UnknownVoice, match="which of its voices speaks fr"):
            renderer.default_voice("fr")


def test_a_seed_follows_from_the_key(renderer_of):
    with speech_server("vllm-omni") as server:
        renderer = renderer_of(server)
        for text in (TEXT, TEXT, "Another one."):
            speak(renderer, text)
        first, again, other = [one.body["seed"] for one in server.requests]
        assert first == again != other
        assert 0 <= first < 2**31


def test_a_mix_of_known_voices_is_a_voice(renderer_of):
    with speech_server("kokoro-fastapi") as server:
        renderer = renderer_of(server)
        assert renderer.known_voice("af_bella(2)+af_heart") == "af_bella(2)+af_heart"
        with pytest.raises(UnknownVoice):
            renderer.known_voice("af_bella(2)+af_nobody")


@pytest.mark.parametrize("kind", ["openai", "kokoro-fastapi", "orpheus-fastapi", "vllm-omni"])
def test_an_unknown_voice_is_refused_before_anything_is_spoken(kind, renderer_of):
    with speech_server(kind) as server:
        with pytest.raises(UnknownVoice, match="nobody"):
            renderer_of(server).fingerprint("nobody")
        assert server.requests == []


def test_a_server_that_lists_no_voices_needs_them_named(renderer_of):
    with speech_server("xinference") as server:
        with pytest.raises(EngineFailed, match="voices = "):
            renderer_of(server).voices()
        named = renderer_of(server, voices=("b", "a")).voices()
        assert [voice.name for voice in named] == ["a", "b"]


@pytest.mark.parametrize(
    ("kind", "voices"),
    [
        ("chatterbox-travisvn", ["anna", "default"]),  # and not the files of their recordings
        ("dia", ["Abigail.wav", "Emily.wav", "Thomas.wav"]),
        ("coqui", ["Ana Florence", "Claribel Dervla"]),
        ("sglang-omni", ["anna"]),
    ],
)
def test_voices_are_those_that_the_server_takes(kind, voices, renderer_of):
    with speech_server(kind) as server:
        renderer = renderer_of(server)
        assert [voice.name for voice in renderer.voices()] == voices
        for voice in voices:
            samples = speak(renderer, voice=voice).samples
            assert_spoken(samples, voice=voice, sample_rate=renderer.sample_rate)


def test_a_page_is_no_list_of_voices():
    page = b"<!doctype html>\n<title>Not here</title>\nsee the manual\n"
    with pytest.raises(EngineFailed, match="lists no voices"):
        mary_voices(page, "Coqui")
    (voice, other) = mary_voices(b"O&#39;Neil Ann en u\nLi multilingual u", "Coqui")
    assert (voice.name, voice.language) == ("Li", "mul")
    assert (other.name, other.language) == ("O'Neil Ann", "en")


def test_a_list_without_a_voice_of_its_own_is_told(monkeypatch, renderer_of):
    none = replace(STAND_INS["sglang-omni"], voices=())
    monkeypatch.setitem(STAND_INS, "sglang-omni", none)
    with (
        speech_server("sglang-omni") as server,
        pytest.raises(EngineFailed, match="Upload a voice"),
    ):
        renderer_of(server).voices()


def test_a_server_that_mixes_requests_up_gets_one_at_a_time(renderer_of):
    with speech_server("orpheus-fastapi", latency_s=0.02) as server:
        renderer = renderer_of(server, most_in_flight=8)
        assert renderer.limits.n_at_once == 1
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda n: speak(renderer, f"Number {n}.", "leo"), range(8)))
        assert (len(server.requests), server.most_in_flight) == (8, 1)


def test_flashtts_is_told_not_to_split(renderer_of):
    with speech_server("flashtts") as server:
        speak(renderer_of(server))
        (request,) = server.requests
        assert request.body["stream"] is False
        assert request.body["length_threshold"] == request.body["window_size"] == 1000


def test_the_key_of_a_shard_follows_the_model_and_not_the_address():
    def key(**options):
        renderer = ServerRenderer(ServerOptions(**options))
        return make_request(TEXT, "alloy", renderer, 1.0).key

    assert key(url="http://127.0.0.1:1/v1") == key(url="http://127.0.0.1:2/v1") == key()
    assert (
        len({key(), key(model="tts-1"), key(instructions="Whisper."), key(sample_rate=8000)}) == 4
    )


@pytest.mark.parametrize(
    ("lie", "words"),
    [
        ("page", "answers with a web page instead of audio"),
        ("error with 200", "answers with CUDA out of memory instead"),
        ("empty", "answers with nothing instead"),
        ("wrong rate", "sends audio of 44100 Hz, not of 24000.*set sample_rate = 44100"),
        ("cut off", "cut off: [0-9]+ of [0-9]+ bytes"),
    ],
)
def test_a_lie_is_one_clear_line(lie, words, renderer_of):
    with speech_server("openai", lie=lie, unknown_length=False) as server:
        with pytest.raises(EngineFailed, match=words) as raised:
            speak(renderer_of(server))
        assert "\n" not in str(raised.value)


def test_a_key_that_is_missing_or_wrong_is_said(monkeypatch, renderer_of):
    monkeypatch.delenv("OPENAI_API_KEY")
    with speech_server("openai") as server:
        with pytest.raises(EngineFailed, match=r"not accept the key.*into OPENAI_API_KEY"):
            speak(renderer_of(server))
        assert len(server.requests) == 1


def test_a_quota_that_is_gone_is_not_waited_for(renderer_of):
    with speech_server("openai", quota=60) as server:
        renderer = renderer_of(server)
        speak(renderer)
        speak(renderer)
        with pytest.raises(EngineFailed, match="no credit left"):
            speak(renderer)


def test_a_server_that_is_down_is_waited_for_and_named(renderer_of):
    with speech_server("openai", is_down=True) as server:
        with pytest.raises(EngineFailed, match=r"has not answered for \d+ s .*start the server"):
            speak(renderer_of(server))
        server.behave(is_down=False)
        assert_spoken(speak(renderer_of(server)).samples)


def test_nothing_listens_at_the_address(renderer_of):
    with speech_server("openai") as server:
        pass
    with pytest.raises(EngineFailed, match="no connection"):
        speak(renderer_of(server))


def test_text_without_a_letter_is_silence_that_nobody_is_asked_for(renderer_of):
    with speech_server("openai") as server:
        rendered = speak(renderer_of(server), "* * *")
        assert not rendered.samples.any()
        assert rendered.usage.n_characters_billed == 0
        assert server.requests == []


def test_what_is_billed_is_counted_with_unavoidable_repeats(renderer_of):
    with speech_server("openai", faults={"cut": 0.5}) as server:
        renderer = renderer_of(server)
        usages = [speak(renderer, f"Number {n}.").usage for n in range(12)]
        n_cut = sum(one.status == 0 for one in server.requests)
        assert n_cut > 2
        assert sum(one.n_characters_billed for one in usages) == server.billed_characters


def test_a_budget_is_never_exceeded(renderer_of):
    price = 1_000_000 / len(TEXT)  # 1.0 for each request
    with speech_server("openai") as server:
        renderer = renderer_of(server, price_per_million=price, budget=3.5)
        for _ in range(3):
            speak(renderer)
        with pytest.raises(EngineFailed, match=r"budget of 3.50 is used up: 3.00 is spent"):
            speak(renderer)
        assert server.billed_characters == 3 * len(TEXT)


def test_an_unknown_profile_is_told():
    with pytest.raises(Exception, match="Did you mean kokoro-fastapi"):
        ServerRenderer(ServerOptions(profile="kokoro-fast"))
