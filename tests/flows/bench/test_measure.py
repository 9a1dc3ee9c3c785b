"""One pass of a benchmark: every line is spoken once, and a stop takes effect after a step."""

import threading
import time

from audiomill.flows.bench.corpus import BenchPassage, BenchText
from audiomill.flows.bench.measure import (
    SynthesisRun,
    cancellation_s,
    run_all,
    run_pass,
    warm_up,
)
from audiomill.renderers.engine.benchmarking import BenchLine, BenchStep, StepStats
from support.bench_data import WordEngine
from support.process_data import TIMEOUT_S

LINES = [BenchLine(text, len(text)) for text in ("a b c", "d", "e f", "g h i j", "k")]


def test_a_pass_speaks_every_line_once():
    engine = WordEngine()
    finished = []
    result = run_pass(engine, engine.steps(LINES, 0), finished.append)
    assert sorted(engine.spoken) == sorted(line.text for line in LINES)
    assert result.audio_s == 11 / engine.sample_rate
    assert (result.real, result.computed, result.n_batches) == (11, 1 + 8 + 6, 3)
    assert finished == [1 / 5, 3 / 5, 1.0]


def test_segments_are_finished_with_their_step_and_the_first_may_come_last():
    engine = WordEngine()
    result = run_pass(engine, engine.steps(LINES, 0), lambda _share: None)
    assert len(result.finished_s) == len(LINES)
    assert list(result.finished_s) == sorted(result.finished_s)
    assert result.finished_s[1] == result.finished_s[2]  # of one step
    assert result.first_s == result.finished_s[-1]  # steps are in reverse order here
    assert 0 < result.finished_s[0] <= result.wall_s


def test_the_warm_up_begins_with_the_last_step():
    engine = WordEngine()
    warm_up(engine.steps(LINES, 0))
    assert engine.spoken[:2] == ["a b c", "d"]


def test_a_stop_takes_effect_after_the_current_step(monkeypatch):
    started, spoken = threading.Event(), []

    def speak(number):
        started.set()
        spoken.append(number)
        threading.Event().wait(0.05)
        return StepStats(1)

    steps = [BenchStep((n,), lambda n=n: speak(n)) for n in range(1000)]
    # However long the start takes.
    monkeypatch.setattr(time, "sleep", lambda _: started.wait(TIMEOUT_S))
    cancellation_s(lambda context: run_all(steps, context), after_s=0.01)
    assert started.is_set()
    assert 1 <= len(spoken) < 1000


def test_work_that_has_finished_takes_no_time_to_stop():
    assert cancellation_s(lambda _context: None, after_s=0.05) == 0


def test_each_chunking_and_budget_is_planned_once():
    passage = BenchPassage(0, 0, 11, {"planned": tuple(LINES), "sentence": (BenchLine("l m", 3),)})
    engine = WordEngine()
    plan, planned = engine.steps, []
    engine.steps = lambda lines, frames: planned.append(frames) or plan(lines, frames)
    synthesis = SynthesisRun(engine, BenchText("T", "", "voice", (passage,)), lambda _share: None)
    for _ in range(2):
        assert synthesis.run("planned", 0).audio_s == 1.1
        assert synthesis.run("sentence", 64).audio_s == 0.2
    assert planned == [0, 64]
