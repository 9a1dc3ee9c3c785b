"""Any engine in the benchmark: one table, requests in flight, and no cost without a yes."""

import io
import threading
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from audiomill.flows import console
from audiomill.flows.bench import any_engine, engines, model_alone
from audiomill.flows.bench.command import bench
from audiomill.flows.bench.measure import run_pass
from audiomill.flows.bench.options import WrongOptions
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.table import table
from audiomill.flows.bench.tune import tune
from audiomill.renderers.engine.benchmarking import BenchModel, BenchStep, Device, StepStats
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.engine.registry import ENGINES
from audiomill.renderers.host.child_object import ChildObjectError
from audiomill.renderers.openai.options import ServerOptions
from support.bench_data import LONG_ENOUGH_TEXT, WordEngine, bench_options
from support.isolated_data import tones_renderer
from support.process_data import TIMEOUT_S
from support.speech_server import KEY, speech_server

N_SENTENCES = 8


class LocalObject:
    """Replaces a child process: the object is in this one, where the tests' engines are."""

    def __init__(self, make, *arguments):
        self._object = self._tried(lambda: make(*arguments, lambda _share: None))

    def call(self, method, *arguments, on_progress=None):  # noqa: ARG002
        return self._tried(lambda: getattr(self._object, method)(*arguments))

    def _tried(self, work):
        try:
            return work()
        except Exception as error:
            raise ChildObjectError(str(error)) from error

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


@pytest.fixture(autouse=True)
def _here(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(engines, "ChildObject", LocalObject)
    monkeypatch.setattr(any_engine, "ChildObject", LocalObject)


@pytest.fixture
def text(tmp_path):
    """Eight paragraphs, so that there is something for many requests at a time."""
    path = tmp_path / "own.md"
    lines = [f"This is line {'abcdefgh'[n]}, which is said." for n in range(N_SENTENCES)]
    path.write_text("# Own\n\n" + "\n\n".join(lines))
    return path


def options_for(text, *names, server=None, **changes):
    chosen = {"source": text, "engines": names, "random_weights": False, **changes}
    openai = {}
    if server is not None:
        openai = {"profile": server.kind, "url": server.url, **chosen.pop("openai", {})}
    engine_options = EngineOptions((ServerOptions(**openai, budget=chosen.get("budget")),))
    return bench_options(**chosen, engine_options=engine_options)


def measured(options):
    return bench(options, BenchOutput(""))


@dataclass(frozen=True)
class WordModel(BenchModel):
    """The model of an engine of somebody else, which takes capitals."""

    precisions = ("float32", "int8")
    words: ClassVar = {"cpu": 300, "cuda": 300}

    def device(self, name):
        return Device(name.replace("auto", "cpu"), {"int8": "it counts in halves"})

    def variant(self, device, precision, batch_frames=0):  # noqa: ARG002
        return self

    def open(self, voice):  # noqa: ARG002
        return SPOKEN

    def to_rows(self, voice):  # noqa: ARG002
        return lambda spoken: (spoken.upper(),)


SPOKEN = WordEngine()


def test_a_model_of_any_engine_is_measured_alone_from_its_own_input(text, monkeypatch):
    """Its device and precisions are its own, and what it cannot do is skipped or refused."""
    monkeypatch.setattr(model_alone, "ChildObject", LocalObject)
    model = WordModel(EngineOptions().of(ENGINES["tone"].options()))
    engine = replace(ENGINES["tone"], name="word", bench_model=lambda _options: model)
    monkeypatch.setitem(ENGINES, "word", engine)
    options = bench_options(source=text, engines=("word",), random_weights=False)
    result = measured(replace(options, precisions=model.precisions))
    (row,) = result.rows
    assert (row.variant.name, row.n_segments) == ("word, cpu, planned", N_SENTENCES + 1)
    assert [one.reason for one in result.skipped] == ["it counts in halves"]
    assert {one.upper() for one in SPOKEN.spoken} == {*SPOKEN.spoken}
    with pytest.raises(WrongOptions, match="word has nothing to choose"):
        tune(options, 110, BenchOutput(""))


def test_engines_of_each_kind_have_one_table(text, tmp_path, monkeypatch):
    tones = tones_renderer(tmp_path)
    monkeypatch.setitem(ENGINES, "tones", Engine("tones", lambda _options: tones))
    with speech_server("kokoro-fastapi") as server:
        options = options_for(text, "tone", "espeak", "tones", "openai", server=server)
        result = measured(options)
    tones.stop()
    rows = {row.variant.name: row for row in result.rows}
    assert [name for name in rows if not name.startswith("espeak")] == [
        "tone, cpu, planned",
        "tones, cpu, planned",
        "openai, kokoro-fastapi, planned",
        *(f"openai, kokoro-fastapi, planned, {n} in flight" for n in (2, 4, 8)),
    ]
    assert "espeak, cpu, planned" in rows  # and as many at a time as there are cores
    assert result.skipped == ()
    for row in rows.values():
        assert row.figures.audio_s > 0
        assert 0 < row.figures.first_audio_s <= max(row.figures.wall_s)
        assert len(row.figures.wall_s) == 2
        is_ours = row.variant.engine != "openai"
        assert (row.figures.peak_ram_bytes is not None) == is_ours
    voices = {one["name"]: one["voice"] for one in result.json()["variants"]}
    assert voices["openai, kokoro-fastapi, planned, 4 in flight"] == "af_heart"
    assert voices["tone, cpu, planned"] == "sine"
    printed = table(result)
    lines = [line for line in printed.splitlines() if "planned" in line and "ratio" not in line]
    assert len(lines) == len(rows)


def test_so_many_requests_are_in_flight_as_the_row_says(text):
    with speech_server("kokoro-fastapi", latency_s=0.02) as server:
        result = measured(options_for(text, "openai", server=server, in_flight=(3,), repeat=1))
        (row,) = result.rows
        assert row.variant.in_flight == 3
        assert server.most_in_flight == 3
        # A warm-up, and the pass. The heading is a segment, too.
        assert len(server.spoken) == 2 * (N_SENTENCES + 1)


def test_no_more_are_in_flight_than_the_engine_takes_or_there_are_segments(text):
    found, _ = any_engine.survey_engines(options_for(text, "tone"))
    tone = found["tone"]
    many = replace(tone, n_at_once=1000)
    assert tone.in_flight(options_for(text, "tone")) == (1,)
    assert tone.in_flight(options_for(text, "tone", in_flight=(4, 8))) == (1,)
    assert many.in_flight(options_for(text, "tone")) == (1, 2, 4, 8)
    assert many.in_flight(options_for(text, "tone", in_flight=(64, 5))) == (5, N_SENTENCES + 1)


def test_steps_run_at_the_same_time_and_each_counts():
    barrier = threading.Barrier(4)

    def speak(number):
        barrier.wait(TIMEOUT_S)
        return StepStats(number)

    steps = [BenchStep((n,), lambda n=n: speak(n)) for n in range(8)]
    result = run_pass(WordEngine(), steps, lambda _share: None, 4)
    assert result.audio_s == sum(range(8)) / WordEngine.sample_rate
    assert len(result.finished_s) == 8
    assert 0 < result.first_s <= result.wall_s


def test_a_step_that_fails_ends_the_pass():
    def fail():
        raise EngineFailed("broke")

    steps = [BenchStep((n,), fail) for n in range(8)]
    with pytest.raises(EngineFailed, match="broke"):
        run_pass(WordEngine(), steps, lambda _share: None, 2)


def test_an_engine_that_cannot_be_measured_is_listed_with_the_reason(text, monkeypatch):
    monkeypatch.setattr(any_engine, "OUTAGE_S", 0.0)
    with speech_server("kokoro-fastapi", is_older=True) as server:
        options = options_for(text, "tone", "chatterbox", "openai", server=server)
        result = measured(replace(options, in_flight=(1,)))
    assert [row.variant.engine for row in result.rows] == ["tone", "openai"]
    (missing,) = result.skipped
    assert missing.variant.engine == "chatterbox"
    assert "audiomill engines install chatterbox" in missing.reason
    with pytest.raises(EngineFailed, match=r"chatterbox: .*install"):
        measured(options_for(text, "chatterbox"))


@pytest.fixture
def said(monkeypatch):
    lines = io.StringIO()
    monkeypatch.setattr(console, "say", lambda line: lines.write(f"{line}\n"))
    return lines


def paid_options(text, server, **changes):
    openai = {"model": "tts-1", **changes.pop("openai", {})}
    words = {"in_flight": (1, 2), "openai": openai, **changes}
    return options_for(text, "openai", server=server, **words)


@pytest.mark.parametrize("budget", [None, 0.01])
def test_a_paid_engine_is_not_asked_without_a_yes_or_a_budget_that_suffices(text, budget):
    with speech_server("openai") as server:
        with pytest.raises(
            WrongOptions, match=r"openai is paid for: [\d,]+ characters, 0.02 at mo"
        ):
            measured(paid_options(text, server, budget=budget))
        assert server.requests == []


@pytest.mark.prove
@pytest.mark.parametrize("agreed", [{"is_agreed": True}, {"budget": 0.5}])
def test_a_paid_engine_costs_what_was_told_first(text, agreed, said):
    text.write_text(LONG_ENOUGH_TEXT)
    with speech_server("openai") as server:
        result = measured(paid_options(text, server, **agreed))
        assert len(result.rows) == 2
        told = int(said.getvalue().split("paid for: ")[1].split()[0].replace(",", ""))
        n_chars = result.rows[0].n_chars
        assert server.billed_characters <= told == 5 * n_chars  # two passes of two rows, warm-up
        assert server.billed_characters >= 4 * n_chars
        assert result.rows[0].figures.cancellation_s is None  # it would cost more


def test_a_price_that_is_not_known_takes_a_yes(text, said):
    text.write_text(LONG_ENOUGH_TEXT)
    with speech_server("openai") as server:
        options = paid_options(text, server, openai={"model": ""})
        with pytest.raises(WrongOptions, match="price that is not known"):
            measured(options)
        with pytest.raises(WrongOptions, match="the price of openai's model is not known"):
            measured(replace(options, budget=5.0))
        assert server.requests == []
        assert len(measured(replace(options, is_agreed=True)).rows) == 2
    assert "price that is not known" in said.getvalue()


def test_a_budget_for_what_is_free_is_a_mistake(text):
    with pytest.raises(WrongOptions, match="nothing here is paid for"):
        measured(options_for(text, "tone", budget=1.0))


def test_text_without_words_is_told(tmp_path):
    path = tmp_path / "own.md"
    path.write_text(LONG_ENOUGH_TEXT)
    assert measured(options_for(path, "tone", repeat=1)).text.title == "Own"
