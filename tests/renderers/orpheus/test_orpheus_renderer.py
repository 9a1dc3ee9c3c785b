"""Orpheus through a stand-in for llama-server: what is sent, what is retried, what is refused."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from audiomill.renderers.engine.errors import EngineFailed, UnknownVoice
from audiomill.renderers.engine.protocol import Batch
from audiomill.renderers.host.waiting import RunWaiter
from audiomill.renderers.orpheus import renderer
from audiomill.renderers.orpheus.prompt import BEGIN, END, max_tokens
from audiomill.renderers.takes.seeds import seed_of
from support.case_files import each_row_apart
from support.hasty_waiter import HastyWaiter
from support.llama_stand_in import frames_for, llama_stand_in, text_of
from support.orpheus_data import HELLO, open_orpheus, request, say, tiny_snac

pytestmark = pytest.mark.prove

TEXTS = ["One.", "Two of them came.", HELLO, "It was late, and nobody saw the light go out."]


class Stopped(Exception):
    """Raised by a run's check."""


@pytest.fixture(scope="module")
def snac(tmp_path_factory):
    return tiny_snac(tmp_path_factory.mktemp("snac"))


@pytest.fixture
def server():
    with llama_stand_in() as running:
        yield running


@pytest.fixture
def state(server):
    return server[0]


@pytest.fixture
def engine(server, snac):
    return open_orpheus(server[1], snac)


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(renderer, "STARTING", HastyWaiter(5.0))


def n_frames(rendered):
    assert rendered.samples.size % 2048 == 0
    return rendered.samples.size // 2048


def test_what_is_sent_is_the_official_prompt_with_a_seed_and_a_budget(engine, state):
    rendered = say(engine)
    (body,) = state.completions()
    ids = [*f"tara: {HELLO}".encode()]
    assert body["prompt"] == [*BEGIN, *ids, *END]
    assert body["n_predict"] == max_tokens(HELLO)
    assert 0 <= body["seed"] < 0xFFFF_FFFF
    assert n_frames(rendered) == len(frames_for(HELLO, body["seed"]))
    assert state.n_cancelled == 1  # it was cut off at the end of speech


def test_a_request_sounds_the_same_alone_in_a_batch_and_in_a_new_engine(server, engine, snac):
    requests = [request(text) for text in TEXTS]
    alone = [engine.render(Batch((one,)))[0].samples for one in requests]
    batch = engine.render(Batch(tuple(reversed(requests))))
    again = open_orpheus(server[1], snac).render(Batch(tuple(requests)))
    for one, other, third in zip(alone, reversed(batch), again, strict=True):
        assert np.array_equal(one, other.samples)
        assert np.array_equal(one, third.samples)


def test_another_key_is_another_take(engine):
    one, other = (say(engine, key=key).samples for key in "ab")
    assert not np.array_equal(one, other)


def test_special_tokens_in_a_text_are_read_as_text(engine, state):
    text = "He wrote <|eot_id|> and <custom_token_5> there."
    say(engine, text)
    assert text_of(state.completions()[0]["prompt"]) == text


def test_as_many_are_in_flight_as_the_server_has_slots(engine, state):
    state.token_delay_s = 0.002
    batches = [Batch((request(f"Text number {n} of many."),)) for n in range(12)]
    with ThreadPoolExecutor(12) as threads:
        rendered = [*threads.map(engine.render, batches)]
    assert state.most_at_once == state.n_slots == 4
    assert len(state.completions()) == len(rendered) == 12


@pytest.mark.parametrize("fault", ["endless", "phase", "short", "full"])
def test_speech_that_is_none_is_tried_again_with_another_seed(engine, state, fault):
    state.faults.append(fault)
    rendered = say(engine)
    first, second = state.completions()
    assert first["seed"] != second["seed"]
    assert first["prompt"] == second["prompt"]
    assert n_frames(rendered) == len(frames_for(HELLO, second["seed"]))
    assert rendered.usage.n_takes == 2


def test_faulty_audio_is_rendered_again_with_seeds_that_no_try_had(server, snac):
    """What random weights make of any codes is no speech."""
    state, url = server
    state.faults.append("phase")
    engine = open_orpheus(url, snac, n_retakes=2)
    rendered = say(engine, key="a")
    assert rendered.findings
    seeds = [body["seed"] for body in state.completions()]
    assert seeds == [seed_of("a", number) for number in (0, 1, 4, 8)]
    assert rendered.usage.n_takes == 4


def test_control_tokens_within_a_frame_change_nothing(engine, state):
    plain = say(engine).samples
    state.faults.append("control")
    assert np.array_equal(say(engine).samples, plain)


def test_a_text_that_is_never_said_whole_is_said_in_halves(engine, state):
    text = "The miller went home, and the miller's daughter stayed."
    state.cursed = ("home, and",)
    rendered = say(engine, text)
    said = [text_of(body["prompt"]) for body in state.completions()]
    assert said == [text] * 4 + ["The miller went home,", "and the miller's daughter stayed."]
    assert rendered.usage.n_takes == 4 + 1
    assert n_frames(rendered) == sum(
        len(frames_for(part, body["seed"]))
        for part, body in zip(said[4:], state.completions()[4:], strict=True)
    )


def test_what_is_not_even_said_in_halves_is_an_error_that_names_it(engine, state):
    state.cursed = ("xylem",)
    with pytest.raises(EngineFailed, match=r"does not say 'The xylem\.', in 4 tries.*an end"):
        say(engine, "The xylem.")
    assert len({body["seed"] for body in state.completions()}) == 4


@pytest.mark.parametrize("fault", ["cut", "busy", "error", "html"])
def test_a_reply_that_breaks_is_asked_for_again_with_the_same_seed(engine, state, fault):
    expected = say(engine).samples
    state.faults.append(fault)
    (again,) = engine.render(Batch((request(),)), HastyWaiter())
    assert np.array_equal(again.samples, expected)
    assert len({body["seed"] for body in state.completions()}) == 1
    assert len(state.completions()) == 3


@pytest.mark.parametrize(
    ("fault", "problem"),
    [("error", r"the stream says: Compute error"), ("html", "502 a web page")],
)
def test_a_server_that_fails_each_time_is_told_in_one_line(engine, state, fault, problem):
    say(engine, "First.")
    state.faults.extend([fault] * 50)
    with pytest.raises(EngineFailed, match=problem) as error:
        engine.render(Batch((request(),)), HastyWaiter(30.0))
    assert "\n" not in str(error.value)


@each_row_apart
def test_a_server_that_lies_is_found_out(engine, state, lie, problem, n_tries):
    state.lie = lie
    with pytest.raises(EngineFailed, match=problem) as error:
        say(engine, "One.")
    assert "\n" not in str(error.value)
    assert len(state.completions()) == n_tries


def test_a_server_that_goes_away_is_waited_for_and_then_given_up(snac):
    with llama_stand_in() as (_, url):
        engine = open_orpheus(url, snac)
        say(engine)
    with pytest.raises(EngineFailed, match="What is finished is kept: start the server"):
        engine.render(Batch((request("Another text."),)), HastyWaiter(30.0))


@pytest.mark.usefixtures("impatient")
def test_a_server_that_is_not_there_is_told_in_one_line(snac):
    engine = open_orpheus("http://127.0.0.1:9", snac)
    with pytest.raises(EngineFailed, match=r"llama-server at http://127\.0\.0\.1:9 has not answ"):
        engine.fingerprint("tara")


def test_a_model_that_is_loading_is_waited_for(server, snac):
    state, url = server
    state.loading = 3
    engine = open_orpheus(url, snac)
    (rendered,) = engine.render(Batch((request(),)), HastyWaiter())
    assert rendered.samples.size
    assert [path for path, _ in state.requests[:5]] == ["/props"] * 4 + ["/tokenize"]


def test_a_run_can_be_stopped_while_the_server_speaks(engine, state):
    say(engine, "First.")
    state.token_delay_s = 0.05
    checks = iter(range(100))

    def check():
        if next(checks) > 1:
            raise Stopped

    with pytest.raises(Stopped):
        engine.render(Batch((request("A text that takes its time."),)), RunWaiter(check, print))


def test_a_model_that_is_not_orpheus_is_refused(server, snac):
    state, url = server
    state.is_orpheus = False
    with pytest.raises(EngineFailed, match=r"is not Orpheus: it reads <custom_token_10>"):
        say(open_orpheus(url, snac))
    assert state.completions() == []


def test_a_context_that_is_too_small_says_how_large_it_must_be(server, snac):
    state, url = server
    state.n_ctx = 300
    with pytest.raises(EngineFailed, match=r"too small: 300 tokens, where \d+ are needed.*--ctx-s"):
        say(open_orpheus(url, snac))


def test_the_key_of_the_server_is_sent(server, snac, monkeypatch):
    state, url = server
    state.api_key = "secret"
    with pytest.raises(EngineFailed, match=r"does not accept the key .*into LLAMA_API_KEY"):
        say(open_orpheus(url, snac))
    monkeypatch.setenv("LLAMA_API_KEY", "secret")
    assert n_frames(say(open_orpheus(url, snac))) > 0
    monkeypatch.setenv("OTHER_KEY", "wrong")
    with pytest.raises(EngineFailed, match="into OTHER_KEY"):
        say(open_orpheus(url, snac, key_variable="OTHER_KEY"))


def test_an_unknown_voice_is_refused_before_anything_is_sent(engine, state):
    with pytest.raises(
        UnknownVoice, match=r"no voice 'tarra'\. Did you mean tara.*the 25 .*orpheus\.voices"
    ):
        engine.known_voice("tarra")
    with pytest.raises(UnknownVoice):
        say(engine, voice="tarra")
    assert state.requests == []


def test_speeds_are_refused(engine, state):
    with pytest.raises(EngineFailed, match=r"speed 1 only, not 1\.2"):
        say(engine, speed=1.2)
    assert engine.limits.speeds == (1.0, 1.0)


@pytest.mark.parametrize("text", ["…", "—", " ", ""])
def test_text_without_words_becomes_a_short_silence(engine, state, text):
    rendered = say(engine, text)
    assert rendered.samples.size == 1200
    assert not rendered.samples.any()
    assert state.completions() == []


@each_row_apart
def test_each_language_has_its_first_voice(engine, language, voice):
    assert engine.default_voice(language) == voice
    assert engine.in_language(voice, language) == voice


def test_voices_of_ones_own_model_are_known(server, snac):
    engine = open_orpheus(server[1], snac, voices=("anna:de", "bert"))
    assert {one.name: one.language for one in engine.voices()}["anna"] == "de"
    assert engine.known_voice("bert") == "bert"
    assert len(engine.voices()) == 25 + 2
    with pytest.raises(UnknownVoice, match="speaks de only"):
        engine.in_language("anna", "en")


def test_a_voice_of_another_language_than_the_model_is_warned_of(server, snac):
    state, url = server
    assert open_orpheus(url, snac).warnings(["tara"]) == []
    (warning,) = open_orpheus(url, snac).warnings(["tara", "jana"])
    assert warning.startswith("The voice jana speaks de, and the model orpheus-3b-0.1-ft")
    state.model_path = "C:\\models\\Orpheus-3b-German-FT-Q8_0.gguf"
    assert open_orpheus(url, snac).warnings(["jana"]) == []
    assert "tara speaks en" in open_orpheus(url, snac).warnings(["tara"])[0]


def test_the_fingerprint_has_the_model_the_codec_and_the_sampling(server, snac, tmp_path):
    state, url = server
    own = open_orpheus(url, snac).fingerprint("tara")
    assert "orpheus-3b-0.1-ft-q4_k_m.gguf" in own
    assert open_orpheus(url, snac, temperature=0.7).fingerprint("tara") != own
    state.model_path = "/models/other.gguf"
    assert open_orpheus(url, snac).fingerprint("tara") != own


def test_a_named_model_needs_no_server_for_keys(snac):
    engine = open_orpheus("http://127.0.0.1:9", snac, model="orpheus-q8")
    assert "orpheus-q8" in engine.fingerprint("tara")


@pytest.mark.parametrize("url", ["", "127.0.0.1:8080", "ftp://x", "http://"])
def test_an_address_that_is_none_is_refused(snac, url):
    with pytest.raises(EngineFailed, match="is no address of a server"):
        say(open_orpheus(url, snac))


@each_row_apart
def test_another_kind_of_server_is_refused(server, snac, monkeypatch, answer, problem):
    monkeypatch.setattr("support.llama_stand_in.props", lambda _: answer)
    with pytest.raises(EngineFailed, match=problem):
        say(open_orpheus(server[1], snac))
