"""What a GPU says of itself is passed on in words, and what one cannot do is left to others."""

from types import SimpleNamespace

import pytest

from audiomill.renderers.base import EngineFailed, EngineMissing
from audiomill.renderers.kokoro.config import read_config
from audiomill.renderers.kokoro.inference.multi_gpu import SingleDevice, load_on_gpu, open_devices
from audiomill.renderers.options import KokoroOptions
from support.kokoro_reference import folder

FAULT = RuntimeError("CUDA error: an illegal memory access was encountered.\nCompile with")
NO_SUCH_GPU = "cuda:77"


def fails(*_):
    raise FAULT


@pytest.mark.parametrize(
    "speaker",
    [
        SimpleNamespace(begin=fails),
        SimpleNamespace(begin=lambda _: [SimpleNamespace(finished=fails)]),
    ],
    ids=["begun", "waited for"],
)
def test_an_error_of_a_gpu_is_told_with_a_way_out(speaker):
    with pytest.raises(EngineFailed) as met:
        SingleDevice(speaker, "cuda:0").run([])
    told = str(met.value)
    assert told.startswith("Kokoro has failed on cuda:0: CUDA error: an illegal memory access was")
    assert "Compile" not in told
    assert "kokoro.device to cpu" in told
    with pytest.raises(RuntimeError, match="illegal"):
        SingleDevice(speaker, "cpu").run([])


def one_of_the_card(device):
    weights = folder("narrow")
    options = KokoroOptions(weights=weights, device=device)
    return weights / "kokoro-v1_0.pth", read_config(weights / "config.json"), options


def test_a_device_that_is_not_there_is_missing():
    with pytest.raises(EngineMissing, match=NO_SUCH_GPU):
        open_devices(*one_of_the_card(NO_SUCH_GPU))


def test_one_of_several_has_failed_instead_and_others_go_on():
    """What is missing would be so on every card: the run would end."""
    with pytest.raises(EngineFailed, match=NO_SUCH_GPU):
        load_on_gpu(*one_of_the_card(NO_SUCH_GPU))
