"""The engine `elevenlabs` against a stand-in: voices, models, what is sent, heard and billed."""

from concurrent.futures import ThreadPoolExecutor
from statistics import median

import pytest

from audiomill.inputs.model.book import Pronunciation
from audiomill.renderers.elevenlabs.account import MODELS
from audiomill.renderers.elevenlabs.renderer import MOST_CHARS
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.planning import make_request
from audiomill.renderers.engine.protocol import Batch
from support.case_files import each_row_apart
from support.elevenlabs_data import TEXT, assert_spoken, request_of, speak
from support.elevenlabs_replies import DEAR, GEORGE
from support.elevenlabs_server import KEY, elevenlabs_server
from support.hasty_waiter import HastyWaiter
from support.speech_audio import word_timings


def test_a_request_is_what_the_service_takes(renderer_of, server):
    renderer = renderer_of(server)
    assert_spoken(speak(renderer).samples)
    (request,) = server.requests
    assert request.path == f"/v1/text-to-speech/{GEORGE}/with-timestamps?output_format=wav_24000"
    assert request.headers["xi-api-key"] == KEY
    assert 0 <= request.body.pop("seed") < 2**31
    assert request.body == {
        "text": TEXT,
        "model_id": "eleven_flash_v2_5",
        "voice_settings": {
            "stability": 0.5,
            "similarity_boost": 0.75,
            "style": 0.0,
            "use_speaker_boost": True,
            "speed": 1.0,
        },
        "apply_text_normalization": "auto",
    }


@pytest.mark.parametrize("speed", [0.7, 1.0, 1.2])
@pytest.mark.parametrize("sample_rate", [24_000, 44_100])
def test_the_speed_and_the_rate_are_those_that_are_asked_for(
    renderer_of, speed, sample_rate, server
):
    renderer = renderer_of(server, sample_rate=sample_rate)
    assert renderer.limits.speeds == (0.7, 1.2)
    samples = speak(renderer, speed=speed).samples
    assert_spoken(samples, speed=speed, sample_rate=sample_rate)


def test_the_seed_follows_from_the_key(renderer_of, server):
    renderer = renderer_of(server)
    for text in (TEXT, TEXT, "Another one."):
        speak(renderer, text)
    first, again, other = [one.body["seed"] for one in server.requests]
    assert first == again != other


def test_a_faulty_take_is_asked_for_again_with_another_seed_and_billed(renderer_of):
    with elevenlabs_server(takes={TEXT: ["hiss"]}) as server:
        rendered = speak(renderer_of(server, n_retakes=2))
        assert_spoken(rendered.samples)
        first, second = [one.body.pop("seed") for one in server.requests]
        assert first != second
        assert server.requests[0].body == server.requests[1].body
        assert rendered.usage.n_takes == 2
        assert rendered.usage.n_characters_billed == server.billed_characters == 2 * len(TEXT)


def test_the_key_follows_all_that_decides_the_sound_and_nothing_else(renderer_of):
    with elevenlabs_server() as server, elevenlabs_server() as elsewhere:

        def key(at=server, voice="George", **options):
            return request_of(renderer_of(at, **options), voice=voice).key

        assert (
            key() == key(elsewhere) == key(voice=GEORGE) == key(most_in_flight=2) == key(budget=9)
        )
        others = [
            {"model": "eleven_multilingual_v2"},
            {"sample_rate": 44_100},
            {"stability": 0.4},
            {"similarity_boost": 0.4},
            {"style": 0.4},
            {"use_speaker_boost": False},
            {"normalization": "off"},
            {"voice": "Sarah"},
            {"voice": "George@de"},
        ]
        assert len({key(), *(key(**one) for one in others)}) == 1 + len(others)
        assert server.requests == []


def test_text_around_a_segment_is_sent_if_it_is_in_the_key(renderer_of, server):
    plain, told = renderer_of(server), renderer_of(server, context_chars=300)
    around = ("It was night.", "Nobody heard it.")
    assert plain.limits.context_chars == 0
    requests = [
        make_request(TEXT, GEORGE, told, 1.0, around=around),
        make_request(TEXT, GEORGE, told, 1.0, around=("", around[1])),
        make_request(TEXT, GEORGE, plain, 1.0),
    ]
    assert len({one.key for one in requests}) == 3
    for renderer, request in zip((told, told, plain), requests, strict=True):
        renderer.render(Batch((request,)), HastyWaiter())
    first, second, third = [one.body for one in server.requests]
    assert (first["previous_text"], first["next_text"]) == around
    assert "previous_text" not in second
    assert {"previous_text", "next_text"} & third.keys() == set()
    with pytest.raises(EngineFailed, match="Set context_chars = 0"):
        renderer_of(server, model="eleven_v3", context_chars=300).voices()


@each_row_apart
def test_a_model_that_does_not_speak_is_told_before_anything_is_spoken(
    renderer_of, server, model, words
):
    with pytest.raises(EngineFailed) as raised:
        renderer_of(server, model=model).voices()
    assert words in str(raised.value)
    assert "\n" not in str(raised.value)
    assert server.requests == []


@pytest.mark.parametrize("model", MODELS)
def test_a_segment_is_within_what_each_model_takes(renderer_of, model, server):
    limits = renderer_of(server, model=model).limits
    assert limits.max_length == MOST_CHARS < MODELS[model].max_chars
    assert limits.best_length[1] < limits.max_length


@pytest.mark.parametrize("alignments", ["text", "normalised"])
def test_words_have_the_times_at_which_they_sound(renderer_of, alignments):
    text = "Dr. May has 7 mills; none turns."
    with elevenlabs_server(alignments=alignments) as server:
        found = {one.start: one for one in speak(renderer_of(server), text).timings}
        for true in word_timings(text, GEORGE):
            word = text[true.start : true.end].strip(".;")
            if alignments == "normalised" and word == "7":
                assert true.start not in found  # nothing of it is in that text
                continue
            one = found.pop(true.start)
            assert text[one.start : one.end] == word
            assert one.start_s == pytest.approx(true.start_s, abs=0.01)
            assert true.start_s < one.end_s <= true.end_s + 0.01
        assert found == {}


def test_without_times_the_audio_is_taken(renderer_of):
    with elevenlabs_server(alignments="none") as server:
        rendered = speak(renderer_of(server))
        assert_spoken(rendered.samples)
        assert rendered.timings == ()


def test_english_models_get_pronunciations_as_tags_of_single_words(renderer_of):
    text = "Worcester and St Ives lie far apart."
    own = (Pronunciation(0, 9, "wˈʊstəɹ"), Pronunciation(14, 21, "sənt ˈIvz"))
    tagged = (
        '<phoneme alphabet="ipa" ph="wˈʊstəɹ">Worcester</phoneme> and'
        ' <phoneme alphabet="ipa" ph="sənt">St</phoneme>'
        ' <phoneme alphabet="ipa" ph="ˈaɪvz">Ives</phoneme> lie far apart.'
    )
    with elevenlabs_server() as server:
        renderer = renderer_of(server, model="eleven_flash_v2")
        rendered = speak(renderer, text, pronunciations=own)
        assert server.requests[0].body["text"] == tagged
        assert_spoken(rendered.samples, text)
        assert text[rendered.timings[0].start : rendered.timings[0].end] == "Worcester"
        assert rendered.usage.n_characters_billed == len(tagged)
        plain = renderer_of(server)  # eleven_flash_v2_5 would read them aloud
        speak(plain, text, pronunciations=own)
        assert server.requests[1].body["text"] == text
        assert request_of(plain, text, pronunciations=own).key == request_of(plain, text).key


@pytest.mark.parametrize("has_headers", [True, False])
@pytest.mark.parametrize("model", ["eleven_flash_v2_5", "eleven_multilingual_v2"])
def test_what_is_billed_are_characters_whatever_a_credit_is(renderer_of, model, has_headers):
    texts = ["Number 1.", "Number 10.", "Number 100."]  # of odd and even lengths
    with elevenlabs_server(has_headers=has_headers) as server:
        renderer = renderer_of(server, model=model)
        billed = [speak(renderer, text).usage.n_characters_billed for text in texts]
        assert billed == [*map(len, texts)]
        assert sum(billed) == server.billed_characters


def test_a_dear_voice_is_billed_and_kept_within_the_budget_as_it_costs(renderer_of):
    price = 1_000_000 / len(TEXT)  # 1.0 for each request with another voice
    with elevenlabs_server() as server:
        renderer = renderer_of(server, price_per_million=price, budget=5.0)
        assert speak(renderer, voice="Apex").usage.n_characters_billed == 2 * len(TEXT)
        speak(renderer, voice="Apex")
        speak(renderer)
        with pytest.raises(EngineFailed, match=r"budget of 5.00 is used up: 5.00 is spent"):
            speak(renderer)
        (warning,) = renderer.warnings([DEAR, GEORGE])
        assert "Apex - Famous costs 2 times as much" in warning


def test_a_model_without_a_known_price_says_so(renderer_of, server):
    (warning,) = renderer_of(server, model="eleven_v4_turbo").warnings([])
    assert warning.startswith("The price of eleven_v4_turbo is not known.")
    priced = renderer_of(server, model="eleven_v4_turbo", price_per_million=9.0)
    assert (priced.warnings([]), priced.limits.price_per_million) == ([], 9.0)


def test_a_format_that_the_plan_lacks_is_replaced_by_one_that_sounds_the_same(renderer_of):
    with elevenlabs_server(refused_formats=("wav_24000",)) as server:
        renderer = renderer_of(server)
        for _ in range(2):
            assert_spoken(speak(renderer).samples)
        assert [one.path.rpartition("=")[2] for one in server.requests] == [
            "wav_24000",
            "pcm_24000",
            "pcm_24000",
        ]


def test_a_rate_that_the_plan_lacks_is_one_clear_line(renderer_of):
    with elevenlabs_server(refused_formats=("wav_44100", "pcm_44100")) as server:
        renderer = renderer_of(server, sample_rate=44_100)
        for _ in range(2):
            with pytest.raises(EngineFailed, match="Set sample_rate = 24000 under") as raised:
                speak(renderer)
            assert "does not include audio of 44100 Hz" in str(raised.value)
        assert (server.billed_characters, len(server.requests)) == (0, 2)


def test_as_many_requests_are_in_flight_as_the_account_may_have(renderer_of):
    with elevenlabs_server(n_slots=5, latency_s=0.02) as server:
        renderer = renderer_of(server)
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(lambda n: speak(renderer, f"Number {n}."), range(60)))
        assert {one.status for one in server.requests} == {200}
        assert max(server.in_flight) == 5


def test_requests_of_others_with_the_same_account_are_left_room(renderer_of):
    with elevenlabs_server(n_slots=8, n_others=6, latency_s=0.02) as server:
        renderer = renderer_of(server)
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(lambda n: speak(renderer, f"Number {n}."), range(60)))
        settled = server.in_flight[20:]
        assert (median(settled) <= 3, max(settled) <= 4) == (True, True)  # one more, to try it
