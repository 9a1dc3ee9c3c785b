"""The engine `openai` against stand-ins: what is sent, what is heard, and what each lie becomes."""

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.openai.options import ServerOptions
from audiomill.renderers.openai.profiles import PROFILES
from audiomill.renderers.openai.renderer import ServerRenderer
from audiomill.renderers.servers.voices import mary_voices
from support.case_files import each_row_apart
from support.server_rendering import TEXT, assert_spoken, speak
from support.speech_profiles import PROFILES as STAND_INS
from support.speech_profiles import xinference_with
from support.speech_server import KEY, speech_server


@pytest.mark.parametrize("kind", STAND_INS)
def test_the_samples_are_those_that_the_server_speaks(kind, renderer_of, server):
    lists_voices = server.profile.lists_voices or PROFILES[kind].voices
    renderer = renderer_of(server, voices=() if lists_voices else server.profile.voices)
    voice = renderer.default_voice("en")
    samples = speak(renderer).samples
    assert_spoken(samples, voice=voice, sample_rate=renderer.sample_rate)
    (request,) = server.requests
    assert request.body["input"] == TEXT
    assert request.body["voice"] == voice
    assert request.body["response_format"] == "wav"


@pytest.mark.parametrize("kind", [kind for kind, one in STAND_INS.items() if one.events])
def test_each_dialect_of_events_is_understood(kind, renderer_of):
    with speech_server(kind, stream=True) as server:
        renderer = renderer_of(server)
        voice = renderer.default_voice("en")
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
def test_an_unknown_voice_is_refused_before_anything_is_spoken(renderer_of, server):
    with pytest.raises(UnknownVoice, match="nobody"):
        renderer_of(server).fingerprint("nobody")
    assert server.requests == []


def test_a_server_that_lists_no_voices_needs_them_named(renderer_of):
    with speech_server("xinference") as server:
        with pytest.raises(EngineFailed, match="voices = "):
            renderer_of(server).voices()
        named = renderer_of(server, voices=("b", "a")).voices()
        assert [voice.name for voice in named] == ["a", "b"]


@each_row_apart
def test_voices_are_those_that_the_server_takes(renderer_of, server, kind, voices):
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


@each_row_apart
def test_a_lie_is_one_clear_line(renderer_of, lie, words):
    with speech_server("openai", lie=lie, unknown_length=False) as server:
        with pytest.raises(EngineFailed, match=words) as raised:
            speak(renderer_of(server), outage_s=30.0)
        assert "\n" not in str(raised.value)


def test_a_key_that_is_missing_or_wrong_is_said(monkeypatch, renderer_of):
    monkeypatch.delenv("OPENAI_API_KEY")
    with speech_server("openai") as server:
        with pytest.raises(EngineFailed, match=r"not accept the key.*into OPENAI_API_KEY"):
            speak(renderer_of(server))
        assert len(server.requests) == 1


@pytest.mark.parametrize("key", ["sk-test\n-0123", "sk-té"])
def test_a_key_that_was_copied_badly_is_said(monkeypatch, renderer_of, key):
    """No header may hold it, so nothing is sent."""
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with speech_server("openai") as server:
        with pytest.raises(EngineFailed, match=r"^The key in OPENAI_API_KEY has") as raised:
            speak(renderer_of(server))
        assert key not in str(raised.value)
        assert server.requests == []


def test_a_service_that_needs_a_key_is_not_asked_without_one(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    sent: list[object] = []
    monkeypatch.setattr("httpx.Client.send", lambda *_, **__: sent.append(_))
    renderer = ServerRenderer(ServerOptions())
    words = r"^OpenAI needs a key\. Put yours into OPENAI_API_KEY: it is at platform\.openai\.com"
    with closing(renderer), pytest.raises(EngineFailed, match=words):
        speak(renderer, voice="alloy")
    assert sent == []


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
            speak(renderer_of(server), outage_s=30.0)
        server.behave(is_down=False)
        assert_spoken(speak(renderer_of(server)).samples)


def test_a_text_that_fails_while_others_do_not_is_to_blame(renderer_of):
    with speech_server("openai", fails_on=(TEXT,), latency_s=0.01) as server:
        renderer = renderer_of(server)
        with ThreadPoolExecutor(2) as pool:
            failing = pool.submit(speak, renderer, outage_s=1e6)
            n_spoken = 0
            while not failing.done():  # others are answered all the time
                speak(renderer, f"Number {n_spoken}.")
                n_spoken += 1
        with pytest.raises(EngineFailed, match="fails each time with one text, and answers others"):
            failing.result()
        assert sum(one.body["input"] == TEXT for one in server.requests) == 6


def test_a_short_outage_is_not_the_fault_of_a_text(monkeypatch, renderer_of):
    monkeypatch.setattr("random.uniform", lambda least, _: least)  # the shortest delays
    with speech_server("openai") as server:
        renderer = renderer_of(server)
        renderer.voices()
        server.behave(faults={"500": 1.0})
        with pytest.raises(EngineFailed, match=r"has not answered for \d+ s"):
            speak(renderer)


def test_nothing_listens_at_the_address(renderer_of):
    """It is not waited for as long as a server that was there."""
    with speech_server("openai") as server:
        pass
    with pytest.raises(EngineFailed, match=r"has not answered for \d+ s \(no connection"):
        speak(renderer_of(server), outage_s=1e6)


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


def test_a_text_whose_answers_are_all_cut_is_not_bought_for_ever(renderer_of):
    with speech_server("openai", faults={"cut in body": 1.0}) as server:
        with pytest.raises(
            EngineFailed, match=r"no whole answer to one text in 10 tries.*may bill"
        ):
            speak(renderer_of(server), outage_s=1e6)
        assert server.billed_characters == 10 * len(TEXT)


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


@pytest.mark.parametrize("kind", ["speaches", "coqui"])
def test_a_voice_of_the_settings_that_the_server_lacks_is_named(renderer_of, server):
    """These servers only fail then, as if they did not answer."""
    listed = server.profile.voices[0]
    renderer = renderer_of(server, voices=(listed, "nobody"))
    with pytest.raises(UnknownVoice, match=r"no voice 'nobody', which the settings name.*has "):
        renderer.voices()
    assert server.requests == []
    (only,) = renderer_of(server, voices=(listed,)).voices()
    assert only.name == listed


def test_coqui_takes_recordings_on_its_machine(renderer_of):
    with speech_server("coqui") as server:
        (voice,) = renderer_of(server, voices=("/voices/anna.wav",)).voices()
        assert voice.name == "/voices/anna.wav"


def test_speaches_lists_the_voices_of_one_model(renderer_of):
    with speech_server("speaches") as server:
        renderer = renderer_of(server)
        assert renderer.default_voice("en-GB") == "af_bella"
        assert server.lists_asked == ["/v1/models/speaches-ai/Kokoro-82M-v1.0-ONNX"]
        with pytest.raises(UnknownVoice, match="which of its voices speaks de"):
            renderer.default_voice("de")
        with pytest.raises(EngineFailed, match="does not have that"):
            renderer_of(server, model="speaches-ai/piper-de").voices()


@pytest.mark.parametrize("model", ["tts-1", "tts-1-hd"])
def test_older_models_of_openai_lack_some_voices(model, renderer_of):
    with speech_server("openai") as server:
        renderer = renderer_of(server, model=model, instructions="Whisper.")
        for name in ("ballad", "cedar", "marin", "verse"):
            with pytest.raises(UnknownVoice, match=name):
                renderer.known_voice(name)
            assert renderer_of(server).known_voice(name) == name
        assert server.requests == []
        assert_spoken(speak(renderer).samples)
        assert "instructions" not in server.requests[0].body


@each_row_apart
def test_models_of_xinference(
    monkeypatch, renderer_of, model, language, voice, sample_rate, has_seed
):
    stand_in = xinference_with(model, PROFILES["xinference"].models[model]["voices"], sample_rate)
    monkeypatch.setitem(STAND_INS, "xinference", stand_in)
    with speech_server("xinference") as server:
        renderer = renderer_of(server, model=model)
        assert renderer.default_voice(language) == voice
        assert_spoken(speak(renderer, voice=voice).samples, voice=voice, sample_rate=sample_rate)
        kwargs = server.requests[0].body.get("kwargs")
        assert (kwargs is not None) == has_seed
        assert not has_seed or json.loads(kwargs)["seed"] >= 0
        with pytest.raises(UnknownVoice, match="speaks pt"):
            renderer.default_voice("pt")


def test_a_voice_that_xinference_lacks_is_not_waited_for(monkeypatch, renderer_of):
    monkeypatch.setitem(STAND_INS, "xinference", xinference_with("MeloTTS-French", ("FR",), 44_100))
    with speech_server("xinference") as server:
        renderer = renderer_of(server, model="MeloTTS-French", voices=("EN-US",))
        with pytest.raises(UnknownVoice, match=r"Xinference does not have that voice: .*EN-US"):
            speak(renderer, voice="EN-US")
        assert len(server.requests) == 1
