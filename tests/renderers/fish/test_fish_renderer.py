"""The engine `fish` against both of its servers: what is sent, heard, billed, and refused."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from audiomill.renderers.engine.errors import EngineFailed, UnknownEngine, UnknownVoice
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Voice
from audiomill.renderers.fish.options import FishOptions
from audiomill.renderers.fish.renderer import FishRenderer
from audiomill.renderers.servers.references import SentReference
from support import server_rendering
from support.case_files import each_row_apart
from support.fish_server import ANNA, BORIS, KEY, PUBLIC, UNREADY, fish_server, heard_reference
from support.server_rendering import TEXT, closed_at_the_end, speak

RATE = 44_100
RECORDING = SentReference(Voice("mine", "en"), b"RIFF" + bytes(300), "What I said.", "d1")


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("FISH_API_KEY", KEY)


@pytest.fixture
def renderer_of():

    def make(server, *references, **options):
        own = FishOptions(profile=server.kind, url=server.url, **options)
        return FishRenderer(own, references)

    with closed_at_the_end(make) as renderer_of:
        yield renderer_of


def assert_spoken(samples, voice, speed=1.0, sample_rate=RATE):
    server_rendering.assert_spoken(samples, TEXT, voice, speed, sample_rate)


def test_the_service_speaks_with_the_model_of_the_settings(renderer_of):
    with fish_server("cloud") as server:
        assert_spoken(speak(renderer_of(server, model="s1"), speed=1.25).samples, ANNA, speed=1.25)
        (request,) = server.requests
        headers = request.headers
        assert (headers["model"], headers["authorization"]) == ("s1", f"Bearer {KEY}")
        assert request.body == {
            "text": TEXT,
            "reference_id": ANNA,
            "format": "wav",
            "sample_rate": RATE,
            "normalize": False,
            "latency": "normal",
            "chunk_length": 300,
            "prosody": {"speed": 1.25},
        }


def test_another_rate_is_asked_for(renderer_of):
    with fish_server("cloud") as server:
        renderer = renderer_of(server, sample_rate=24_000)
        assert_spoken(speak(renderer).samples, ANNA, sample_rate=24_000)


def test_the_service_is_not_asked_without_a_key(monkeypatch):
    monkeypatch.delenv("FISH_API_KEY")
    sent: list[object] = []
    monkeypatch.setattr("httpx.Client.send", lambda *_, **__: sent.append(_))
    words = r"^Fish Audio needs a key\. Put yours into FISH_API_KEY: it is at fish\.audio"
    with closing(FishRenderer(FishOptions())) as renderer, pytest.raises(EngineFailed, match=words):
        renderer.voices()
    assert sent == []


def test_fish_speech_speaks_with_a_seed_and_without_a_key(renderer_of):
    with fish_server("local") as server:
        renderer = renderer_of(server)
        assert_spoken(speak(renderer, voice="anna").samples, "anna")
        speak(renderer, voice="anna")
        speak(renderer, "Another one.", "anna")
        first, again, other = server.requests
        assert first.body["seed"] == again.body["seed"] != other.body["seed"]
        assert first.body["streaming"] is False
        assert "authorization" not in first.headers
        assert renderer.limits.speeds == (1.0, 1.0)
        assert "may not be used commercially" in renderer.warnings(["anna"])[0]


def test_a_recording_goes_with_each_request(renderer_of):
    with fish_server("local") as server:
        renderer = renderer_of(server, RECORDING)
        assert [one.name for one in renderer.voices()] == ["anna", "boris", "mine"]
        assert_spoken(speak(renderer, voice="mine").samples, heard_reference(RECORDING.recording))
        (request,) = server.requests
        assert request.body["references"][0]["text"] == "What I said."
        assert "reference_id" not in request.body
        other = SentReference(RECORDING.voice, b"RIFF" + bytes(40), "", "d2")
        assert renderer.fingerprint("mine") != renderer_of(server, other).fingerprint("mine")
        assert "mine" not in [one.name for one in renderer_of(server).voices()]


def test_the_voices_of_the_account_are_listed_in_all_pages(renderer_of):
    with fish_server("cloud", n_own=230) as server:
        renderer = renderer_of(server)
        names = [voice.name for voice in renderer.voices()]
        assert len(names) == 230
        assert UNREADY not in names
        assert names == sorted(names)
        assert [one.partition("?")[0] for one in server.lists_asked] == ["/model"] * 3


def test_the_language_chooses_a_voice_of_the_account(renderer_of):
    with fish_server("cloud") as server:
        renderer = renderer_of(server)
        assert renderer.default_voice("en-GB") == ANNA
        assert renderer.default_voice("de") == BORIS  # which speaks several languages
    with fish_server("cloud", n_own=0) as server:
        with pytest.raises(UnknownVoice, match="Name one with --voice"):
            renderer_of(server).default_voice("en")
        assert renderer_of(server).voices() == ()


def test_a_public_voice_is_known_by_its_id(renderer_of):
    with fish_server("cloud") as server:
        renderer = renderer_of(server)
        for _ in range(3):
            assert renderer.known_voice(PUBLIC) == PUBLIC
        assert server.lists_asked.count(f"/model/{PUBLIC}") == 1
        assert_spoken(speak(renderer, voice=PUBLIC).samples, PUBLIC)


@each_row_apart
def test_an_unknown_voice_is_refused_before_anything_is_spoken(renderer_of, kind, voice, words):
    with fish_server(kind) as server:
        with pytest.raises(UnknownVoice, match=words):
            renderer_of(server).fingerprint(voice)
        assert (server.requests, server.folders_made) == ([], [])


def test_a_model_that_would_be_billed_as_another_is_refused():
    with pytest.raises(UnknownEngine, match="Did you mean s2-pro"):
        FishRenderer(FishOptions(model="s2-pr"))
    with closing(FishRenderer(FishOptions(profile="local", model="own"))) as renderer:
        assert renderer.limits.price_per_million == 0


def test_bytes_are_billed_and_not_characters(renderer_of):
    texts = ["Größe", "語り手は言った。", "plain"]
    with fish_server("cloud") as server:
        renderer = renderer_of(server)
        usages = [speak(renderer, text).usage for text in texts]
        n_bytes = sum(len(text.encode()) for text in texts)
        assert sum(one.n_bytes_billed for one in usages) == server.billed_bytes == n_bytes
        assert sum(one.n_characters_billed for one in usages) == 0
        assert sum(map(renderer.limits.n_billed, texts)) == n_bytes > sum(map(len, texts))
        assert renderer.limits.price_per_million == 15
    with fish_server("local") as server:
        assert speak(renderer_of(server), voice="anna").usage.n_bytes_billed == 0


def test_a_reply_that_is_cut_is_asked_for_again_and_counted(renderer_of):
    with fish_server("cloud", cuts=2) as server:
        rendered = speak(renderer_of(server))
        assert_spoken(rendered.samples, ANNA)
        assert rendered.usage.n_bytes_billed == server.billed_bytes == 3 * len(TEXT)


def test_a_budget_counts_bytes(renderer_of):
    text = "Größe ist Größe."  # 16 characters, 20 bytes
    with fish_server("cloud") as server:
        renderer = renderer_of(server, price_per_million=1_000_000 / 20, budget=2.5)
        for _ in range(2):
            speak(renderer, text)
        with pytest.raises(EngineFailed, match=r"budget of 2.50 is used up: 2.00 is spent"):
            speak(renderer, text)


def test_a_key_that_is_missing_is_said_before_anything_is_spoken(monkeypatch, renderer_of):
    monkeypatch.delenv("FISH_API_KEY")
    with fish_server("cloud") as server:
        with pytest.raises(EngineFailed, match=r"accept the key \(Invalid Token\).*FISH_API_KEY"):
            speak(renderer_of(server))
        assert server.requests == []


@pytest.mark.parametrize("kind", ["cloud", "local"])
@each_row_apart
def test_a_lie_is_one_clear_line(kind, renderer_of, lie, words):
    with fish_server(kind, lie=lie) as server:
        with pytest.raises(EngineFailed, match=words) as raised:
            voice = ANNA if kind == "cloud" else "anna"
            speak(renderer_of(server), voice=voice, outage_s=30.0)
        assert "\n" not in str(raised.value)


def test_the_key_of_a_shard_follows_model_and_rate_and_not_the_address(renderer_of):
    def key(server, **options):
        return make_request(TEXT, ANNA, renderer_of(server, **options), 1.0).key

    with fish_server("cloud") as one, fish_server("cloud") as other:
        assert key(one) == key(other, most_in_flight=2)
        assert len({key(one), key(one, model="s1"), key(one, sample_rate=24_000)}) == 3


def test_a_service_that_refuses_requests_for_a_while_bills_each_text_once(renderer_of):
    texts = [f"Number {n}, größer." for n in range(24)]
    with fish_server("cloud", n_slots=1, latency_s=0.02) as server:
        renderer = renderer_of(server)
        with ThreadPoolExecutor(8) as pool:
            usages = [one.usage for one in pool.map(lambda text: speak(renderer, text), texts)]
        assert sorted(server.spoken) == sorted(texts)
        n_bytes = sum(len(text.encode()) for text in texts)
        assert sum(one.n_bytes_billed for one in usages) == server.billed_bytes == n_bytes
