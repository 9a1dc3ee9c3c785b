"""Devices, precisions and limits of Kokoro, as far as possible without loading PyTorch."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch

from audiomill.flows.bench import model_alone, pipeline_run
from audiomill.renderers.engine.errors import EngineMissing
from audiomill.renderers.host import devices
from audiomill.renderers.host.devices import (
    device_names,
    devices_of,
    has_gpu,
    hides_every_gpu,
    n_devices,
    n_gpus,
)
from audiomill.renderers.kokoro import loading
from audiomill.renderers.kokoro.bench_model import bench_model
from audiomill.renderers.kokoro.front_end import default_workers, joins_sentences
from audiomill.renderers.kokoro.loading import (
    load_runner,
    missing_support,
    ready_device,
    resolve_precision,
)
from audiomill.renderers.kokoro.model.config import read_config
from audiomill.renderers.kokoro.model.precision import PRECISIONS
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import (
    SOUND_VERSION,
    KokoroRenderer,
    limits_for,
    uses_padded_batches,
)
from audiomill.renderers.kokoro.weights.releases import RUN_ON_VOICES, V1_0
from support.case_files import each_row, each_row_apart
from support.kokoro_reference import built, folder
from support.process_data import printed_by


@pytest.fixture
def machine(monkeypatch, tmp_path):
    """Simulates a machine: files in /dev, a version of PyTorch, and the GPUs that PyTorch sees."""

    def simulate(files=(), version="2.13.0", n_visible=0, is_usable=True):
        for name in files:
            (tmp_path / name).touch()
        monkeypatch.setattr(devices, "version", lambda _: version)
        monkeypatch.setattr(devices, "n_gpus", lambda: n_gpus(tmp_path))
        monkeypatch.setattr(
            torch,
            "cuda",
            SimpleNamespace(device_count=lambda: n_visible, is_available=lambda: is_usable),
        )

    return simulate


@each_row_apart
def test_only_gpus_that_pytorch_can_use_are_counted(machine, files, version, n):
    machine(files, version)
    assert devices.n_gpus() == n
    assert has_gpu("auto") == (n > 0)
    assert n_devices("auto") == max(1, n)


@each_row
def test_a_setting_names_one_device_or_several(setting, names):
    assert device_names(setting) == devices_of(setting) == names
    assert n_devices(setting) == len(names)


@each_row_apart
def test_devices_are_those_that_pytorch_sees_and_can_use(
    machine, setting, version, n_visible, is_usable, found
):
    machine(("nvidia0", "nvidia1", "nvidia2"), version, n_visible, is_usable)
    assert devices_of(setting) == found


@pytest.mark.parametrize(
    ("visible", "hides"),
    [(None, False), ("", True), ("-1", True), ("-1,0", True), ("0", False), ("1,-1", False)],
)
def test_cuda_visible_devices_may_hide_every_gpu(visible, hides):
    assert hides_every_gpu(visible) == hides


@pytest.mark.parametrize(
    ("device", "n_at_once"),
    [("cpu", 1), ("cuda:1", 2), ("cuda", 2), ("cuda:0,cuda:1", 2), ("cuda," * 8, 3)],
)
def test_several_devices_get_more_concurrent_calls(device, n_at_once):
    assert limits_for(KokoroOptions(device=device)).n_at_once == n_at_once


def test_several_devices_get_more_phoneme_processes(monkeypatch):
    monkeypatch.setattr("audiomill.renderers.kokoro.front_end.usable_cores", lambda: 64)
    assert (default_workers(), default_workers(2), default_workers(8)) == (8, 16, 32)


def test_a_benchmark_measures_one_device(monkeypatch, tmp_path):
    """A render with the same options would use all GPUs."""
    monkeypatch.setattr(loading, "chosen_device", lambda _: torch.device("cuda"))
    opened = []
    monkeypatch.setattr(pipeline_run, "open_renderer", lambda _, options: opened.append(options))
    model = bench_model(KokoroOptions())
    model = model.variant(model.device("auto").name, "auto")
    model_alone.model_pipeline_run(model, "kokoro", tmp_path, tmp_path, lambda _: None)
    assert [devices_of(options.of(KokoroOptions()).device) for options in opened] == [("cuda",)]


def test_planning_does_not_load_pytorch():
    code = (
        "import sys\n"
        "from audiomill.renderers.host import devices\n"
        "devices.n_gpus = lambda: 4\n"
        "from audiomill.renderers.kokoro.renderer import limits_for\n"
        "from audiomill.renderers.kokoro.options import KokoroOptions\n"
        "print(limits_for(KokoroOptions()).n_at_once, 'torch' in sys.modules)"
    )
    assert printed_by(code).split() == ["2", "False"]


CUDA = torch.device("cuda:0")


def switches():
    """PyTorch's TF32 switches, for cuDNN and for matrix products."""
    return torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32


@pytest.fixture(autouse=True)
def by_default():
    """Starts each test with PyTorch's defaults and restores the switches afterwards."""
    before = switches()
    torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = True, False
    yield
    torch.backends.cudnn.allow_tf32, torch.backends.cuda.matmul.allow_tf32 = before


@pytest.fixture
def gpu(monkeypatch):
    """Simulates a GPU of a compute capability."""

    def simulate(capability, cuda="13.0"):
        monkeypatch.setattr(torch.cuda, "get_device_capability", lambda _device: capability)
        monkeypatch.setattr(torch.version, "cuda", cuda)

    return simulate


@pytest.mark.parametrize("precision", PRECISIONS)
def test_loading_a_runner_sets_its_precision(monkeypatch, precision):
    monkeypatch.setattr(loading, "missing_support", lambda *_: "")
    # Not each CPU multiplies in bf16; the switches are those of a GPU.
    monkeypatch.setattr(loading, "on_device", lambda model, *_: model)
    options = KokoroOptions(device="cpu", precision=precision)
    model = folder("narrow")
    with built("narrow"):
        load_runner(model / "kokoro-v1_0.pth", read_config(model / "config.json"), options)
    assert switches() == (precision != "float32",) * 2


def test_float32_switches_rounding_off():
    ready_device(KokoroOptions(device="cpu", precision="float32"))
    assert switches() == (False, False)


@each_row_apart
def test_auto_is_the_tuned_precision_or_the_fastest_of_the_gpu(gpu, capability, tuned, expected):
    gpu(capability)
    assert resolve_precision(KokoroOptions(auto_precision=tuned), CUDA) == expected
    assert resolve_precision(KokoroOptions(precision="tf32"), CUDA) == "tf32"


@pytest.mark.parametrize(("is_fast", "expected"), [(True, "bf16"), (False, "float32")])
def test_auto_on_a_cpu_is_bf16_where_that_is_faster(monkeypatch, is_fast, expected):
    cpu = torch.device("cpu")
    monkeypatch.setattr(loading, "has_fast_bfloat16", lambda: is_fast)
    monkeypatch.setattr(loading, "can_round", lambda: True)
    assert resolve_precision(KokoroOptions(), cpu) == expected
    assert resolve_precision(KokoroOptions(auto_precision="float32"), cpu) == "float32"
    monkeypatch.setattr(loading, "can_round", lambda: False)
    assert "no faster" in missing_support("bf16", cpu)


@pytest.mark.parametrize("precision", ["bf16", "fp16"])
def test_without_triton_there_are_no_precisions_of_our_own(gpu, monkeypatch, precision):
    gpu((9, 0))
    monkeypatch.setattr(loading, "find_spec", lambda _name: None)
    assert "Triton" in missing_support(precision, CUDA)
    assert resolve_precision(KokoroOptions(), CUDA) == "tf32"


def test_tf32_is_refused_on_a_cpu_and_nothing_is_switched():
    with pytest.raises(EngineMissing, match=r"there is no tf32 on a CPU\. Set"):
        ready_device(KokoroOptions(device="cpu", precision="tf32"))
    assert switches() == (True, False)


@pytest.mark.parametrize(
    ("capability", "has_it"), [((7, 5), False), ((8, 0), True), ((9, 0), True)]
)
def test_gpus_have_tf32_since_ampere(gpu, capability, has_it):
    gpu(capability)
    assert (missing_support("tf32", CUDA) == "") == has_it
    assert missing_support("float32", CUDA) == ""


def test_gpus_of_other_makers_have_no_tf32(gpu):
    gpu((11, 0), cuda=None)
    assert missing_support("tf32", CUDA) == "there is no tf32 on this GPU"


@pytest.mark.prove
def test_each_named_precision_has_its_own_keys_and_auto_always_the_same():
    options = KokoroOptions(weights=folder("narrow"), workers=0)
    keys = {
        precision: KokoroRenderer(replace(options, precision=precision)).fingerprint("af_heart")
        for precision in ("auto", *PRECISIONS)
    }
    assert keys["auto"].startswith(f"kokoro sound {SOUND_VERSION} ")
    for precision in PRECISIONS:
        assert keys[precision] == keys["auto"].replace(
            f" {SOUND_VERSION} ", f" {SOUND_VERSION} {precision} ", 1
        )
    tuned = KokoroRenderer(replace(options, auto_precision="tf32"))
    assert tuned.fingerprint("af_heart") == keys["auto"]


@each_row
def test_rows_are_padded_on_a_gpu_or_if_batch_frames_is_set(options, pads):
    assert uses_padded_batches(KokoroOptions(**options)) == pads


@each_row
def test_voices_without_pauses_speak_each_sentence_apart(voice, apart):
    assert joins_sentences(voice) == apart


def test_the_voices_without_pauses_are_of_the_release():
    assert set(V1_0.voices) >= RUN_ON_VOICES
