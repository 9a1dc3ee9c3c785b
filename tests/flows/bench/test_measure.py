"""One pass of a benchmark: everything is spoken once, and what is asked to stop does."""

import threading
import time

from audiomill.flows.bench.corpus import BenchPassage, BenchText
from audiomill.flows.bench.engines import SynthesisRun
from audiomill.flows.bench.measure import cancellation_s, run_pass, speak_all, warm_up
from audiomill.renderers.benchmarking import BenchLine, BenchStep, StepStats
from support.bench_data import WordTrial
from support.process_data import PATIENCE_S

LINES = [BenchLine(text, len(text)) for text in ("a b c", "d", "e f", "g h i j", "k")]


def test_a_pass_speaks_every_line_once():
    trial = WordTrial()
    told = []
    found = run_pass(trial, trial.steps(LINES, 0), told.append)
    assert sorted(trial.spoken) == sorted(line.said for line in LINES)
    assert found.audio_s == 11 / trial.sample_rate
    assert (found.real, found.computed, found.n_batches) == (11, 1 + 8 + 6, 3)
    assert told == [1 / 5, 3 / 5, 1.0]


def test_segments_are_finished_with_their_turn_and_the_first_may_come_last():
    trial = WordTrial()
    found = run_pass(trial, trial.steps(LINES, 0), lambda _part: None)
    assert len(found.finished_s) == len(LINES)
    assert list(found.finished_s) == sorted(found.finished_s)
    assert found.finished_s[1] == found.finished_s[2]  # of one turn
    assert found.first_s == found.finished_s[-1]  # turns go backwards here
    assert 0 < found.finished_s[0] <= found.wall_s


def test_the_warm_up_begins_with_what_is_shortest():
    trial = WordTrial()
    warm_up(trial.steps(LINES, 0))
    assert trial.spoken[:2] == ["a b c", "d"]


def test_a_synthesis_that_is_asked_to_stop_finishes_its_turn_and_no_other(monkeypatch):
    begun, spoken = threading.Event(), []

    def speak(number):
        begun.set()
        spoken.append(number)
        threading.Event().wait(0.05)
        return StepStats(1)

    turns = [BenchStep((n,), lambda n=n: speak(n)) for n in range(1000)]
    # However long it takes to begin.
    monkeypatch.setattr(time, "sleep", lambda _: begun.wait(PATIENCE_S))
    assert cancellation_s(lambda watch: speak_all(turns, watch), after_s=0.01) >= 0
    assert begun.is_set()
    assert 1 <= len(spoken) < 1000


def test_what_is_done_by_then_took_no_time_to_stop():
    assert cancellation_s(lambda _watch: None, after_s=0.05) == 0


def test_a_stand_plans_each_way_once():
    passage = BenchPassage(0, 0, 11, {"planned": tuple(LINES), "sentence": (BenchLine("l m", 3),)})
    trial = WordTrial()
    planned = []
    trial.steps = lambda lines, frames: planned.append(frames) or WordTrial.steps(trial, lines, 0)
    stand = SynthesisRun(trial, BenchText("T", "", "voice", (passage,)), lambda _part: None)
    for _ in range(2):
        assert stand.run("planned", 0).audio_s == 1.1
        assert stand.run("sentence", 64).audio_s == 0.2
    assert planned == [0, 64]
