"""Tuning: candidates alternate, the search keeps its time limit, and chance decides nothing."""

from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.bench import __main__ as alone
from audiomill.flows.bench import tune as tune_module
from audiomill.flows.bench import tune_search
from audiomill.flows.bench.command import save_tuned
from audiomill.flows.bench.options import WrongOptions
from audiomill.flows.bench.passes import BenchOutput
from audiomill.flows.bench.statistics import Pass
from audiomill.flows.bench.tune import TuneResult, candidates_of, check_tune_options, tunable
from audiomill.flows.bench.tune_search import (
    MIN_PASSES,
    Candidate,
    G2pRate,
    Search,
    best,
    workers_needed,
)
from audiomill.flows.bench.variants import Mode, Variant
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.engine.benchmarking import Choice, Device
from audiomill.renderers.host.child_object import ChildObjectError
from audiomill.renderers.host.cores import usable_cores
from audiomill.renderers.host.hardware import nvidia_from, this_fingerprint
from audiomill.renderers.kokoro.bench_model import KokoroTuning, bench_model
from audiomill.renderers.kokoro.front_end import default_workers
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.tuning import read_tuned
from support.bench_data import bench_options
from support.case_files import each_row

DEFAULT, SMALL, LARGE = (
    Variant(Mode.SYNTHESIS, "kokoro", "cuda", "float32", "planned", frames)
    for frames in (0, 4096, 65536)
)
ALL = (DEFAULT, SMALL, LARGE)
WARM_UP_S = 5.0
TUNING = KokoroTuning(Path("tuned.json"), "v1.0")


@dataclass
class FakeRunner:
    """Its passes take the given times, by a clock of its own."""

    pass_s: dict
    now: float = 1000.0
    calls: list = field(default_factory=list)
    load_s: float = 0.0
    broken: tuple = ()  # variants that cannot be loaded

    def clock(self):
        return self.now

    def load(self, variant):
        if variant in self.broken:
            raise ChildObjectError("no compiler")
        self.now += self.load_s

    def warm_up(self, variant):
        self.now += WARM_UP_S
        self.calls.append(("warm up", variant))

    def run(self, variant):
        walls = self.pass_s[variant]
        n_before = self.calls.count(("run", variant))
        wall_s = walls[n_before % len(walls)]
        if wall_s is None:
            raise ChildObjectError("no memory")
        self.now += wall_s
        self.calls.append(("run", variant))
        return wall_s


def searched(pass_s, seconds=1000.0, n_rounds=5, **options):
    runner = FakeRunner(dict(zip(ALL, pass_s, strict=False)), **options)
    search = Search(list(runner.pass_s), runner, runner.clock, runner.now + seconds)
    search.run(n_rounds)
    return search.candidates, runner


def test_a_candidate_that_is_faster_by_more_than_the_spread_is_best():
    candidates, _ = searched([[10.0, 10.1], [9.0, 9.1], [9.5, 9.6]])
    assert best(candidates).variant == SMALL


def test_a_candidate_that_may_be_faster_only_by_chance_is_not():
    candidates, _ = searched([[10.0, 10.2], [9.9, 10.1], [9.7, 10.9]])
    assert best(candidates).variant == DEFAULT
    assert [len(one.walls) for one in candidates] == [5, 5, 5]


def test_among_equal_candidates_the_default_stays():
    rng = np.random.default_rng(0)
    runs = rng.normal(10.0, 0.1, (2000, 4, 5)).tolist()
    searches = [[Candidate(DEFAULT, walls) for walls in run] for run in runs]
    assert sum(best(candidates) is candidates[0] for candidates in searches) > 0.96 * len(runs)


def test_candidates_alternate_and_none_is_always_first():
    _, runner = searched([[10.0], [9.0], [9.5]], n_rounds=3)
    runs = [variant for method, variant in runner.calls if method == "run"]
    assert runs == [DEFAULT, SMALL, LARGE, LARGE, SMALL, DEFAULT, DEFAULT, SMALL, LARGE]
    assert sum(method == "warm up" for method, _ in runner.calls) == 3


def test_a_candidate_that_is_much_slower_is_not_tried_again():
    candidates, _ = searched([[10.0], [30.0], [10.5]])
    assert [len(one.walls) for one in candidates] == [5, 1, 5]
    assert candidates[1].dropped == "slower by far"


def test_the_search_ends_when_only_the_default_is_left():
    candidates, runner = searched([[10.0], [30.0]])
    assert [len(one.walls) for one in candidates] == [1, 1]
    assert runner.now == 1000 + 2 * WARM_UP_S + 40


def test_a_candidate_may_fail_and_the_default_may_not():
    candidates, _ = searched([[10.0], [9.0, None], [9.5]])
    assert candidates[1].dropped == "no memory"
    assert (len(candidates[1].walls), best(candidates).variant) == (1, LARGE)
    with pytest.raises(ChildObjectError):
        searched([[None], [9.0]])


def test_if_the_default_cannot_be_loaded_the_next_candidate_is_the_default():
    candidates, _ = searched([[10.0], [10.0], [9.0, 9.1]], broken=(DEFAULT,))
    assert (candidates[0].walls, candidates[0].dropped) == ([], "no compiler")
    assert best(candidates).variant == LARGE
    candidates, _ = searched([[1.0], [10.0], [9.9]], broken=(DEFAULT,), n_rounds=2)
    assert best(candidates).variant == SMALL
    with pytest.raises(ChildObjectError, match="no compiler"):
        searched([[10.0], [10.0]], broken=ALL)


def test_the_time_for_loading_is_not_taken_for_the_time_of_a_pass():
    candidates, runner = searched([[1.0], [0.5], [1.0]], seconds=90.0, load_s=20.0)
    assert [len(one.walls) for one in candidates] == [5, 5, 5]
    assert best(candidates).variant == SMALL
    assert runner.now <= 1090.0
    candidates, _ = searched([[1.0], [0.5]], seconds=60.0, load_s=60.0)
    assert [len(one.walls) for one in candidates] == [1, 0]


@given(
    st.lists(st.lists(st.floats(0.1, 30.0), min_size=1, max_size=5), min_size=1, max_size=3),
    st.floats(1.0, 200.0),
)
def test_the_search_keeps_its_time_limit(pass_s, seconds):
    """Except for the first pass, whose time is unknown before it, and for variation of passes."""
    candidates, runner = searched(pass_s, seconds)
    longest = max(max(walls) for walls in pass_s)
    scatter = sum(max(walls) - min(walls) for walls in pass_s)
    assert runner.now - 1000.0 <= max(seconds, WARM_UP_S + pass_s[0][0]) + longest + scatter
    steady = all(len(set(walls)) == 1 for walls in pass_s)
    if steady and pass_s[0][0] == longest:
        assert runner.now - 1000.0 <= max(seconds, WARM_UP_S + longest) + 1e-6
    assert candidates[0].walls


def test_with_too_little_time_the_default_stays():
    candidates, runner = searched([[10.0], [1.0]], seconds=60)
    assert len(candidates[1].walls) >= MIN_PASSES
    assert best(candidates).variant == SMALL
    candidates, runner = searched([[10.0], [1.0]], seconds=32)
    assert 0 < len(candidates[1].walls) < MIN_PASSES
    assert best(candidates).variant == DEFAULT
    assert runner.now <= 1032


def test_only_allowed_precisions_are_tried_and_the_default_is_first():
    rounding = Device("cuda", {})
    variants = [*candidates_of(bench_options(), TUNING, rounding)]
    assert {one.precision for one in variants} < set(TUNING.precisions)
    assert (variants[0].batch_frames, variants[0].precision) == (0, "fp16")
    assert len(set(variants)) == len(variants) > 2
    # The next precision is for GPUs on which the default is slow, without other budgets.
    assert [one.batch_frames for one in variants if one.precision != "fp16"] == [0]
    options = bench_options(batch_frames=(512, 0))
    assert [one.batch_frames for one in candidates_of(options, TUNING, PLAIN)] == [0, 512]


@each_row
def test_options_that_tuning_does_not_support_are_refused(changes, message):
    options = bench_options(**({"repeat": 5} | changes))
    with pytest.raises(WrongOptions, match=message):
        check_tune_options(options, tunable(options)[1], 110)
    with pytest.raises(WrongOptions, match="--seconds 3"):
        check_tune_options(bench_options(repeat=5), TUNING, 3)


@each_row
def test_there_are_as_many_processes_as_keep_ahead(synthesis, g2p, default, cores, workers):
    assert workers_needed(synthesis, g2p, default, cores) == workers


def tuned(**changes):
    candidates = (
        Candidate(DEFAULT, [10.0, 10.1, 10.2]),
        Candidate(SMALL, [5.0, 5.0, 5.1], "no memory"),
    )
    result = TuneResult(
        choice=Choice(None, 4096, -1),
        candidates=candidates,
        chosen=candidates[1],
        audio_s=100.0,
        g2p=G2pRate("not installed", 80.0, 1),
        took_s=99.0,
        device="cuda",
        weights="random",
        costs_as_official=True,
        date="2026-11-21T12:00:00+00:00",
    )
    return replace(result, **changes)


def test_a_choice_is_saved_with_the_machine_it_was_made_on(tmp_path):
    path = tmp_path / "cache" / "tuned.json"
    assert "cost what real ones do" in save_tuned(tuned(), KokoroTuning(path, "v1.0"))
    saved = read_tuned(path)
    assert (saved.choice, saved.device, saved.release) == (Choice(None, 4096, -1), "cuda", "v1.0")
    assert saved.machine == this_fingerprint()
    assert (saved.speed, saved.default_speed) == (20.0, 100 / 10.1)
    assert [one.name for one in path.parent.iterdir()] == ["tuned.json"]


def test_a_choice_with_a_model_of_another_size_is_not_saved(tmp_path):
    saved = save_tuned(tuned(costs_as_official=False), KokoroTuning(tmp_path / "t.json", "v1.0"))
    assert "another size" in saved
    assert not [*tmp_path.iterdir()]


def test_the_command_without_settings_saves_nothing(monkeypatch, capsys, tmp_path):
    """Although this choice is one that `audiomill bench --tune` would save."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(alone, "tune", lambda *_: tuned())
    monkeypatch.setattr("sys.argv", ["bench", "--tune", "--random-weights"])
    assert alone.main() == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.endswith("Kept nowhere: settings are read by audiomill bench --tune only.")
    assert not [*tmp_path.iterdir()]


def test_a_path_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "t.json").mkdir()
    with pytest.raises(OutputUnwritable, match=r"t\.json"):
        save_tuned(tuned(), KokoroTuning(tmp_path / "t.json", "v1.0"))


def test_every_candidate_is_in_the_table_and_the_json():
    lines = tuned().table().splitlines()
    assert any("9.90" in line and line.endswith("default") for line in lines)
    assert any("20.00" in line and "best, no memory" in line for line in lines)
    assert "batch_frames 4096" in lines[-1]
    assert "nothing is surely better" in tuned(choice=Choice()).table()
    assert tuned().json()["tried"][1]["wall_s"] == [5.0, 5.0, 5.1]


class FakeNvml:
    """A fake of the NVML library with two GPUs. It does not know the memory of the second."""

    def __getattr__(self, name):
        if not name.startswith("nvml"):
            raise AttributeError(name)
        return getattr(self, f"_{name.removeprefix('nvml')}", lambda *_: 0)

    def _SystemGetDriverVersion(self, buffer, _length):
        buffer.value = b"550.54"

    def _DeviceGetCount_v2(self, count):
        count._obj.value = 2

    def _DeviceGetHandleByIndex_v2(self, index, handle):
        handle._obj.value = index + 1

    def _DeviceGetName(self, handle, buffer, _length):
        buffer.value = b"Card %d" % handle.value

    def _DeviceGetMemoryInfo(self, handle, memory):
        memory._obj.total = 80 << 30
        return 0 if handle.value == 1 else 3


def test_gpus_are_named_with_their_memory():
    driver = nvidia_from(FakeNvml())
    assert driver.driver == "550.54"
    assert driver.gpus == ("Card 1, 81920 MiB", "unknown")


class FakePool:
    """Replaces the processes: large batches are twice as fast, by the clock of the test."""

    now = 0.0

    def __init__(self, *_):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    @classmethod
    def clock(cls):
        return cls.now

    def is_open(self, variant):  # noqa: ARG002
        return True

    def open(self, variant):
        pass

    def call(self, variant, method):
        wall_s = 2.0 if variant.batch_frames == 65536 else 4.0
        type(self).now += wall_s
        return Pass(wall_s, 100.0, 1.0, (1.0,)) if method == "run" else None

    def facts(self, _variant):
        return {"weights_sha256": "0" * 64, "costs_as_official": True}


# A GPU on which only budgets can be tried.
PLAIN = Device("cuda", {"tf32": "too old", "bf16": "too old", "fp16": "too old"})


MODEL = bench_model(KokoroOptions())


@pytest.fixture
def faked(monkeypatch):
    monkeypatch.setattr(FakePool, "now", 0.0)
    monkeypatch.setattr(tune_module, "EnginePool", FakePool)
    monkeypatch.setattr(tune_module, "weights_and_devices", lambda *_: (MODEL, (PLAIN,)))


def fake_g2p(per_s):
    """Replaces the process that measures text to phonemes."""

    @contextmanager
    def open_remote(*_):
        if per_s is None:
            raise ChildObjectError("not installed: misaki")
        yield SimpleNamespace(call=lambda _method: per_s)

    return open_remote


@pytest.mark.parametrize(
    ("per_s", "workers", "sentence"),
    [
        (1e9, -1, "1,000,000,000 characters a second"),
        (
            1.0,
            usable_cores() if usable_cores() > default_workers() else -1,
            "1 characters a second",
        ),
        (None, -1, "was not measured: not installed: misaki"),
    ],
)
def test_from_options_to_a_choice(monkeypatch, faked, per_s, workers, sentence):
    monkeypatch.setattr(tune_search, "ChildObject", fake_g2p(per_s))
    options = bench_options(words=40, repeat=5)
    result = tune_module.tune(options, 110, BenchOutput(""), FakePool.clock)
    assert result.choice == Choice(None, 65536, workers)
    assert (result.speed, result.default_speed) == (50.0, 25.0)
    assert result.took_s <= 110
    assert sentence in result.table()


def test_without_time_g2p_is_not_measured(faked):
    options = bench_options(words=40, repeat=5)
    result = tune_module.tune(options, 25, BenchOutput(""), lambda: 3 * FakePool.clock())
    assert result.choice == Choice()
    assert "no time left" in result.table()
