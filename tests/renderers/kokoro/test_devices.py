"""The devices that a setting names, and the number of GPUs without loading PyTorch."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
import torch

from audiomill.flows.bench import kokoro, pipeline_run
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
from audiomill.renderers.kokoro.front_end import default_workers
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.renderer import limits_for
from support.case_files import each_row, each_row_apart
from support.paths import ROOT


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
    [("cpu", 1), ("cuda:1", 1), ("cuda", 1), ("cuda:0,cuda:1", 2), ("cuda," * 8, 3)],
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
    kokoro.kokoro_pipeline_run(KokoroOptions(), tmp_path, tmp_path, lambda _: None)
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
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.stdout.split() == ["2", "False"], run.stderr
