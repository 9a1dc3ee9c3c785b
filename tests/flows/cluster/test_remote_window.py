"""What a window takes along to another machine, what it finds there, and how it is halved."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.cluster.remote_window import halves, own_options
from audiomill.flows.cluster.worker_card import own_card, read_card, unfit_reason
from audiomill.flows.execution.windows import WindowTask
from audiomill.inputs.own_code import code_digest
from audiomill.renderers.engine.options import EngineOptions, checked
from audiomill.renderers.engine.protocol import Batch, Request, Window
from audiomill.renderers.isolated.options import IsolatedOptions
from audiomill.renderers.kokoro.options import KokoroOnnxOptions, KokoroOptions
from audiomill.renderers.orpheus.options import OrpheusOptions
from audiomill.renderers.piper.options import PiperOptions


def task(n_requests: int, rows: int = 3) -> WindowTask:
    requests = [
        Request(f"{number:064x}", f"Word {number}.", "sine", 1.0) for number in range(n_requests)
    ]
    batches = tuple(
        Batch(tuple(requests[first : first + rows])) for first in range(0, n_requests, rows)
    )
    window = Window(4, batches, estimated_s=10.0 * n_requests)
    return WindowTask("Book", 9, window, "tone", EngineOptions(), has_transcript=False)


@given(st.integers(1, 40))
def test_halves_hold_all_segments_once_until_there_is_one(n_requests):
    whole = task(n_requests)
    parts = halves(whole)
    assert len(parts) == min(2, n_requests)
    found = tuple(request for part in parts for request in part.window.requests)
    assert found == whole.window.requests
    sizes = [len(part.window.requests) for part in parts]
    assert max(sizes) - min(sizes) <= 1
    assert abs(sum(part.window.estimated_s for part in parts) - whole.window.estimated_s) < 1e-6
    assert {part.window.index for part in parts} == {4}


def test_the_machine_keeps_its_own_tuning_and_takes_what_decides_the_sound(tmp_path):
    told = KokoroOptions(
        weights=tmp_path / "not here", release="v1.1-zh", precision="bf16", device="cpu", workers=9
    )
    own = KokoroOptions(device="cuda:0", batch_frames=8192, workers=2, phonemes=tmp_path / "p")
    merged = own_options(EngineOptions((told,)), EngineOptions((own,))).of(KokoroOptions())
    assert merged == replace(own, release="v1.1-zh", precision="bf16")


def test_weights_are_found_where_the_flow_has_them_unless_the_machine_has_its_own(tmp_path):
    (tmp_path / "shared").mkdir()
    told = EngineOptions((KokoroOptions(weights=tmp_path / "shared"),))
    for own, place in (
        (EngineOptions(), "shared"),
        (EngineOptions((KokoroOptions(weights=tmp_path / "mine"),)), "mine"),
    ):
        assert own_options(told, own).of(KokoroOptions()).weights == tmp_path / place


def test_each_engine_finds_its_files_on_a_machine_with_another_home(tmp_path):
    """Those of the run's home are not there; a folder that all machines have is."""
    away, shared, mine = tmp_path / "away", tmp_path / "shared", tmp_path / "mine"
    shared.mkdir()
    for field, blank in (
        ("model", KokoroOnnxOptions()),
        ("voices", PiperOptions()),
        ("snac", OrpheusOptions()),
    ):
        usual = checked(blank)
        for of_run, here, found in (
            (away, usual, getattr(usual, field)),
            (shared, usual, shared),
            (shared, replace(usual, **{field: mine}), mine),
        ):
            told = EngineOptions((replace(usual, **{field: of_run}),))
            merged = own_options(told, EngineOptions((here,))).of(blank)
            assert getattr(merged, field) == found


def test_what_decides_the_sound_of_other_engines_is_the_runs():
    told = (
        KokoroOnnxOptions(precision="int8", threads=9),
        PiperOptions(sample_rate=48_000, noise_scale=0.5),
        OrpheusOptions(url="http://here:1", top_p=0.5, device="cuda"),
    )
    merged = own_options(EngineOptions(told), EngineOptions((KokoroOnnxOptions(threads=2),)))
    assert merged.of(KokoroOnnxOptions()) == KokoroOnnxOptions(precision="int8", threads=2)
    assert merged.of(PiperOptions()) == checked(told[1])
    assert merged.of(OrpheusOptions()) == replace(checked(told[2]), device="cpu")


def test_a_card_survives_the_way_through_the_scheduler():
    card = own_card("kokoro", "cuda:0")
    told = {"machine": card.machine, "engine": "kokoro", "device": "cuda:0", "code": card.code}
    rest = {"version": card.version, "python": card.python, "ffmpeg": card.ffmpeg}
    assert read_card(told | rest) == card
    assert read_card(None) is None
    assert read_card(told | {"code": 1}) is None


def test_a_card_of_an_older_version_is_refused_for_its_code():
    """It may lack what newer ones have."""
    card = read_card({"machine": "gpu-1", "engine": "kokoro", "code": "0123456789abcdef"})
    assert "its audiomill is another one" in unfit_reason(card, "kokoro")


def test_only_the_same_engine_and_code_fit():
    card = own_card("kokoro", "cuda:0")
    assert card.code == code_digest()
    assert unfit_reason(card, "kokoro") == ""
    assert "renders with kokoro, not espeak" in unfit_reason(card, "espeak")
    assert "another one" in unfit_reason(replace(card, code="0" * 64), "kokoro")
    assert "no worker of audiomill" in unfit_reason(None, "kokoro")


def test_a_worker_keeps_its_own_places_of_engines_and_takes_what_decides_the_sound(tmp_path):
    told = IsolatedOptions(
        "xtts", "/the/flows/model", device="cuda:3", settings=(("temperature", 0.6),)
    )
    own = IsolatedOptions("xtts", str(tmp_path), device="cpu")
    merged = own_options(
        EngineOptions((told,), environments=tmp_path / "theirs"),
        EngineOptions((own,), environments=tmp_path / "mine"),
    )
    assert merged.environments == tmp_path / "mine"
    (options,) = merged.own
    assert (options.model, options.device) == (str(tmp_path), "cpu")
    assert options.settings == (("temperature", 0.6),)
