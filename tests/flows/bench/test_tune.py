"""The search for what is fastest: by turns, within its time, and never by chance."""

import json
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from shutil import copyfile, copytree
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.bench import tune as tuning
from audiomill.flows.bench.options import WrongOptions
from audiomill.flows.bench.runner import BenchOutput
from audiomill.flows.bench.statistics import Pass
from audiomill.flows.bench.tune import (
    ALLOWED,
    ReadingRate,
    TuneResult,
    candidates,
    keep,
    refuse_senseless,
)
from audiomill.flows.bench.tune_search import LEAST_PASSES, Search, Tried, best, workers_wanted
from audiomill.flows.bench.variants import Device, Mode, Variant
from audiomill.flows.tuning import Choice, read_tuned
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.host.hardware import this_fingerprint, told_by
from audiomill.renderers.host.remote_object import RemoteError
from audiomill.renderers.host.threads import usable_cores
from audiomill.renderers.kokoro.renderer import by_cores
from audiomill.renderers.options import KokoroOptions
from support.bench_data import order
from support.kokoro_home import with_kokoro
from support.kokoro_reference import folder

DEFAULT, SMALL, LARGE = (
    Variant(Mode.SYNTHESIS, "kokoro", "cuda", "float32", "planned", frames)
    for frames in (0, 4096, 65536)
)
ALL = (DEFAULT, SMALL, LARGE)
WARM_UP_S = 5.0


@dataclass
class FakeBench:
    """Takes as long as it is told, by a clock of its own."""

    pass_s: dict
    now: float = 1000.0
    asked: list = field(default_factory=list)
    load_s: float = 0.0
    unfit: tuple = ()  # variants that cannot be loaded

    def clock(self):
        return self.now

    def load(self, variant):
        if variant in self.unfit:
            raise RemoteError("no compiler")
        self.now += self.load_s

    def warm_up(self, variant):
        self.now += WARM_UP_S
        self.asked.append(("warm up", variant))

    def run(self, variant):
        walls = self.pass_s[variant]
        n_before = sum(one == ("run", variant) for one in self.asked)
        wall_s = walls[n_before % len(walls)]
        if wall_s is None:
            raise RemoteError("no memory")
        self.now += wall_s
        self.asked.append(("run", variant))
        return wall_s


def searched(pass_s, seconds=1000.0, n_turns=5, **how):
    bench = FakeBench(dict(zip(ALL, pass_s, strict=False)), **how)
    variants = list(bench.pass_s)
    search = Search(variants, bench, bench.clock, bench.now + seconds)
    search.run(n_turns)
    return search.tried, bench


def test_what_is_faster_by_more_than_the_spread_is_best():
    tried, _ = searched([[10.0, 10.1], [9.0, 9.1], [9.5, 9.6]])
    assert best(tried).variant == SMALL


def test_what_may_be_faster_by_chance_only_is_not():
    tried, _ = searched([[10.0, 10.2], [9.9, 10.1], [9.7, 10.9]])
    assert best(tried).variant == DEFAULT
    assert [len(one.walls) for one in tried] == [5, 5, 5]


def test_of_candidates_that_are_all_the_same_the_default_stays():
    rng = np.random.default_rng(0)
    runs = rng.normal(10.0, 0.1, (2000, 4, 5)).tolist()
    searches = [[Tried(DEFAULT, walls) for walls in run] for run in runs]
    assert sum(best(tried) is tried[0] for tried in searches) > 0.96 * len(runs)


def test_candidates_take_turns_and_nobody_is_always_first():
    _, bench = searched([[10.0], [9.0], [9.5]], n_turns=3)
    runs = [variant for what, variant in bench.asked if what == "run"]
    assert runs == [DEFAULT, SMALL, LARGE, LARGE, SMALL, DEFAULT, DEFAULT, SMALL, LARGE]
    assert sum(what == "warm up" for what, _ in bench.asked) == 3


def test_what_is_slower_by_far_is_not_tried_again():
    tried, _ = searched([[10.0], [30.0], [10.5]])
    assert [len(one.walls) for one in tried] == [5, 1, 5]
    assert tried[1].dropped == "slower by far"


def test_where_nothing_is_left_to_choose_from_it_ends():
    tried, bench = searched([[10.0], [30.0]])
    assert [len(one.walls) for one in tried] == [1, 1]
    assert bench.now == 1000 + 2 * WARM_UP_S + 40


def test_a_candidate_that_fails_is_left_out_and_the_default_may_not():
    tried, _ = searched([[10.0], [9.0, None], [9.5]])
    assert tried[1].dropped == "no memory"
    assert (len(tried[1].walls), best(tried).variant) == (1, LARGE)
    with pytest.raises(RemoteError):
        searched([[None], [9.0]])


def test_where_the_default_cannot_be_loaded_the_next_one_is_the_default():
    tried, _ = searched([[10.0], [10.0], [9.0, 9.1]], unfit=(DEFAULT,))
    assert (tried[0].walls, tried[0].dropped) == ([], "no compiler")
    assert best(tried).variant == LARGE
    tried, _ = searched([[1.0], [10.0], [9.9]], unfit=(DEFAULT,), n_turns=2)
    assert best(tried).variant == SMALL
    with pytest.raises(RemoteError, match="no compiler"):
        searched([[10.0], [10.0]], unfit=ALL)


def test_how_long_loading_takes_is_not_taken_for_how_long_a_turn_does():
    tried, bench = searched([[1.0], [0.5], [1.0]], seconds=90.0, load_s=20.0)
    assert [len(one.walls) for one in tried] == [5, 5, 5]
    assert best(tried).variant == SMALL
    assert bench.now <= 1090.0
    tried, _ = searched([[1.0], [0.5]], seconds=60.0, load_s=60.0)
    assert [len(one.walls) for one in tried] == [1, 0]


@given(
    st.lists(st.lists(st.floats(0.1, 30.0), min_size=1, max_size=5), min_size=1, max_size=3),
    st.floats(1.0, 200.0),
)
def test_it_keeps_to_its_time(pass_s, seconds):
    """But for the first turn, of which nobody can know how long it takes, and what scatters."""
    tried, bench = searched(pass_s, seconds)
    longest = max(max(walls) for walls in pass_s)
    scatter = sum(max(walls) - min(walls) for walls in pass_s)
    assert bench.now - 1000.0 <= max(seconds, WARM_UP_S + pass_s[0][0]) + longest + scatter
    steady = all(len(set(walls)) == 1 for walls in pass_s)
    if steady and pass_s[0][0] == longest:
        assert bench.now - 1000.0 <= max(seconds, WARM_UP_S + longest) + 1e-6
    assert tried[0].walls


def test_with_too_little_time_the_default_stays():
    tried, bench = searched([[10.0], [1.0]], seconds=60)
    assert len(tried[1].walls) >= LEAST_PASSES
    assert best(tried).variant == SMALL
    tried, bench = searched([[10.0], [1.0]], seconds=32)
    assert 0 < len(tried[1].walls) < LEAST_PASSES
    assert best(tried).variant == DEFAULT
    assert bench.now <= 1032


def test_only_what_is_allowed_is_tried_and_the_default_is_first():
    rounding = Device("cuda", {})
    found = [*candidates(order(), rounding)]
    assert {one.precision for one in found} < set(ALLOWED)
    assert (found[0].batch_frames, found[0].precision) == (0, "bf16")
    assert len(set(found)) == len(found) > 2
    # The next best is there in case that the default is slow on this card, and not by budgets.
    assert [one.batch_frames for one in found if one.precision != "bf16"] == [0]
    asked = [one.batch_frames for one in candidates(order(batch_frames=(512, 0)), PLAIN)]
    assert asked == [0, 512]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"engine": "tone"}, "tone has nothing"),
        ({"devices": ("cpu", "cuda")}, "one device"),
        ({"precisions": ("tf32",)}, "kokoro.precision"),
        ({"end_to_end": True}, "--end-to-end"),
        ({"repeat": 2}, "--repeat 2"),
    ],
)
def test_what_tuning_cannot_be_asked_for_is_refused(changes, told):
    with pytest.raises(WrongOptions, match=told):
        refuse_senseless(order(**({"repeat": 5} | changes)), 110)
    with pytest.raises(WrongOptions, match="--seconds 3"):
        refuse_senseless(order(repeat=5), 3)


@pytest.mark.parametrize(
    ("spoken", "read", "default", "cores", "workers"),
    [
        (80, 5000, 1, 2, -1),  # one is ahead by far
        (20_000, 5000, 4, 32, 6),
        (20_000, 5000, 8, 32, -1),  # more would only take memory
        (20_000, 5000, 2, 4, 4),  # all that there are
    ],
)
def test_there_are_as_many_processes_as_keep_ahead(spoken, read, default, cores, workers):
    assert workers_wanted(spoken, read, default, cores) == workers


def found(**changes):
    tried = (Tried(DEFAULT, [10.0, 10.1, 10.2]), Tried(SMALL, [5.0, 5.0, 5.1], "no memory"))
    plain = TuneResult(
        choice=Choice(None, 4096, -1),
        tried=tried,
        chosen=tried[1],
        audio_s=100.0,
        reading=ReadingRate("not installed", 80.0, 1),
        took_s=99.0,
        device="cuda",
        weights="random",
        costs_as_official=True,
        date="2026-11-21T12:00:00+00:00",
    )
    return replace(plain, **changes)


def test_what_is_found_is_kept_with_what_it_was_found_on(tmp_path):
    path = tmp_path / "cache" / "tuned.json"
    assert "cost what real ones do" in keep(found(), "v1.0", path)
    kept = read_tuned(path)
    assert (kept.choice, kept.device, kept.release) == (Choice(None, 4096, -1), "cuda", "v1.0")
    assert kept.machine == this_fingerprint()
    assert (kept.speed, kept.default_speed) == (20.0, 100 / 10.1)
    assert [one.name for one in path.parent.iterdir()] == ["tuned.json"]


def test_what_was_found_with_a_model_of_another_size_is_not_kept(tmp_path):
    assert "another size" in keep(found(costs_as_official=False), "v1.0", tmp_path / "t.json")
    assert not [*tmp_path.iterdir()]


def test_where_it_cannot_be_kept_that_is_said(tmp_path):
    (tmp_path / "t.json").mkdir()
    with pytest.raises(OutputUnwritable, match=r"t\.json"):
        keep(found(), "v1.0", tmp_path / "t.json")


def test_all_that_was_tried_is_told():
    lines = found().table().splitlines()
    assert any("9.90" in line and line.endswith("default") for line in lines)
    assert any("20.00" in line and "best, no memory" in line for line in lines)
    assert "batch_frames 4096" in lines[-1]
    assert "nothing is surely better" in found(choice=Choice()).table()
    assert found().json()["tried"][1]["wall_s"] == [5.0, 5.0, 5.1]


class FakeNvml:
    """Two cards, as the library would tell of them; of the second it does not tell the memory."""

    def __getattr__(self, name):
        if not name.startswith("nvml"):
            raise AttributeError(name)
        return getattr(self, f"_{name.removeprefix('nvml')}", lambda *_: 0)

    def _SystemGetDriverVersion(self, said, _length):  # noqa: N802
        said.value = b"550.54"

    def _DeviceGetCount_v2(self, count):  # noqa: N802
        count._obj.value = 2

    def _DeviceGetHandleByIndex_v2(self, index, handle):  # noqa: N802
        handle._obj.value = index + 1

    def _DeviceGetName(self, handle, said, _length):  # noqa: N802
        said.value = b"Card %d" % handle.value

    def _DeviceGetMemoryInfo(self, handle, memory):  # noqa: N802
        memory._obj.total = 80 << 30
        return 0 if handle.value == 1 else 3


def test_cards_are_named_with_their_memory():
    said = told_by(FakeNvml())
    assert said.driver == "550.54"
    assert said.gpus == ("Card 1, 81920 MiB", "unknown")


class FakeStands:
    """In place of the processes: large batches are twice as fast, by the clock of the test."""

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

    def ask(self, variant, what):
        wall_s = 2.0 if variant.batch_frames == 65536 else 4.0
        type(self).now += wall_s
        return Pass(wall_s, 100.0, 1.0, (1.0,)) if what == "run" else None

    def facts(self, _variant):
        return {"weights_sha256": "0" * 64, "costs_as_official": True}


# A card of which only budgets can be tried.
PLAIN = Device("cuda", {"tf32": "too old", "bf16": "too old"})


@pytest.fixture
def faked(monkeypatch):
    monkeypatch.setattr(FakeStands, "now", 0.0)
    monkeypatch.setattr(tuning, "EnginePool", FakeStands)
    monkeypatch.setattr(tuning, "prepared", lambda *_: (KokoroOptions(), (PLAIN,)))


def reads(per_s):
    """In place of the process that reads."""

    @contextmanager
    def open_reader(*_):
        if per_s is None:
            raise RemoteError("not installed: misaki")
        yield SimpleNamespace(ask=lambda _what: per_s)

    return open_reader


@pytest.mark.parametrize(
    ("per_s", "workers", "told"),
    [
        (1e9, -1, "1,000,000,000 characters a second"),
        (1.0, usable_cores() if usable_cores() > by_cores() else -1, "1 characters a second"),
        (None, -1, "was not measured: not installed: misaki"),
    ],
)
def test_from_an_order_to_a_choice(monkeypatch, faked, per_s, workers, told):
    monkeypatch.setattr(tuning, "RemoteObject", reads(per_s))
    found = tuning.tune(order(words=40, repeat=5), 110, BenchOutput(""), FakeStands.clock)
    assert found.choice == Choice(None, 65536, workers)
    assert (found.speed, found.default_speed) == (50.0, 25.0)
    assert found.took_s <= 110
    assert told in found.table()


def test_without_time_phonemes_are_not_measured(faked):
    seconds = 25
    found = tuning.tune(
        order(words=40, repeat=5), seconds, BenchOutput(""), lambda: 3 * FakeStands.clock()
    )
    assert found.choice == Choice()
    assert "no time left" in found.table()


@pytest.mark.prove
def test_it_is_tried_on_real_processes_and_kept_only_if_it_costs_the_same(home):
    """The reduced model is quick, and of another size than the official one."""
    home = with_kokoro(home)
    weights = home.path / "weights"
    copytree(folder("reduced"), weights)
    copyfile(weights / "voices" / "af_heart.pt", weights / "voices" / "bf_emma.pt")
    home = home.with_variables(AUDIOMILL_KOKORO__WEIGHTS=weights, AUDIOMILL_KOKORO__DEVICE="cpu")
    run = home.run("bench", "--tune", "--seconds", "60", "--words", "9", "--repeat", "3", "--json")
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    assert told["choice"]["auto_precision"] is None
    assert [one["batch_frames"] for one in told["tried"]] == [0, 300]
    assert told["characters_read_per_s"] > 0
    assert "another size" in told["kept"]
    assert not (home.path / "cache" / "audiomill" / "tuned.json").exists()


@pytest.mark.prove
def test_tuning_with_random_weights_is_kept_and_then_in_force(home):
    run = home.run("bench", "--tune", "--random-weights", "--device=cpu", "--seconds=60")
    assert run.returncode == 0, run.stderr
    assert "which cost what real ones do" in run.stdout
    doctor = home.with_variables(AUDIOMILL_KOKORO__DEVICE="cpu").run("doctor")
    assert "batch_frames 0, workers -1" in doctor.stdout
