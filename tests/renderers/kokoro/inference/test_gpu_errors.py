"""A GPU's errors are raised with a way out; of several GPUs, a missing one is only a failure."""

from types import SimpleNamespace

import pytest

from audiomill.renderers.base import EngineFailed, EngineMissing
from audiomill.renderers.kokoro.config import read_config
from audiomill.renderers.kokoro.inference.multi_gpu import SingleDevice, load_on_gpu, open_devices
from audiomill.renderers.kokoro.options import KokoroOptions
from support.kokoro_reference import folder

CUDA_ERROR = RuntimeError("CUDA error: an illegal memory access was encountered.\nCompile with")
NO_SUCH_GPU = "cuda:77"


def fail(*_):
    raise CUDA_ERROR


@pytest.mark.parametrize(
    "runner",
    [
        SimpleNamespace(start=fail),
        SimpleNamespace(start=lambda _: [SimpleNamespace(finished=fail)]),
    ],
    ids=["started", "waited for"],
)
def test_a_gpu_error_is_raised_with_a_way_out(runner):
    with pytest.raises(EngineFailed) as raised:
        SingleDevice(runner, "cuda:0").run([])
    message = str(raised.value)
    assert message.startswith(
        "Kokoro has failed on cuda:0: CUDA error: an illegal memory access was"
    )
    assert "Compile" not in message
    assert "kokoro.device to cpu" in message
    with pytest.raises(RuntimeError, match="illegal"):
        SingleDevice(runner, "cpu").run([])


def model_on(device):
    weights = folder("narrow")
    options = KokoroOptions(weights=weights, device=device)
    return weights / "kokoro-v1_0.pth", read_config(weights / "config.json"), options


def test_a_single_device_that_does_not_exist_is_missing():
    with pytest.raises(EngineMissing, match=NO_SUCH_GPU):
        open_devices(*model_on(NO_SUCH_GPU))


def test_one_of_several_devices_that_does_not_exist_has_failed():
    """EngineMissing would end the run, as an error that every GPU would meet."""
    with pytest.raises(EngineFailed, match=NO_SUCH_GPU):
        load_on_gpu(*model_on(NO_SUCH_GPU))
