"""Loads the model from its files onto a device.

The only file that chooses a device and the precision of its products.
"""

from __future__ import annotations

import logging
import warnings
from importlib.util import find_spec
from pathlib import Path

import torch

from audiomill.renderers.engine.errors import EngineMissing, reason_of
from audiomill.renderers.host.hardware import has_fast_bfloat16
from audiomill.renderers.kokoro.inference.cpu_convolution import can_round
from audiomill.renderers.kokoro.inference.cpu_generator import for_cpu
from audiomill.renderers.kokoro.inference.runner import Runner
from audiomill.renderers.kokoro.inference.streams import TorchThreadPool, one_torch_thread
from audiomill.renderers.kokoro.model.config import KokoroConfig
from audiomill.renderers.kokoro.model.model import Kokoro
from audiomill.renderers.kokoro.model.precision import PRECISIONS, PYTORCH_PRECISIONS, Precision
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.checkpoint import load_model

LOG = logging.getLogger("audiomill")


def load_runner(weights: Path, config: KokoroConfig, options: KokoroOptions) -> Runner:
    """Load the model, ready to run rows. Raises EngineMissing, EngineFailed, WeightsUnfit."""
    device = ready_device(options)
    threads = TorchThreadPool()
    precision = resolve_precision(options, device)
    with one_torch_thread():
        model = on_device(load_model(weights, config), device, threads, precision)
    if device.type == "cuda":
        with torch.cuda.device(device):
            fuse(model, options)
    return Runner(model, options.batch_frames, threads)


def on_device(
    model: Kokoro, device: torch.device, threads: TorchThreadPool, precision: Precision
) -> Kokoro:
    """Move the model to a device, in the fastest form that computes the same, or in bf16 on a CPU.

    There, `threads` that are idle share the blocks of a row. A GPU's precision is that of `fuse`.
    """
    if device.type == "cpu":
        return for_cpu(model, threads.share, precision)
    return model.to(device)


def fuse(model: Kokoro, options: KokoroOptions) -> None:
    """Give a model on a GPU the fused decoder and LSTMs, if they pass their self-test there.

    Otherwise the plain ones are kept, in TF32. Raises EngineMissing if only the fused decoder has
    the precision that is set, EngineFailed if the self-test has left the GPU unusable.
    """
    precision = resolve_precision(options, model.device)
    if precision == "float32":
        return
    try:
        from audiomill.renderers.kokoro.gpu.self_test import SelfTestFailed, verified_parts
    except ImportError as error:
        _keep_plain(options, f"Triton, which builds what is faster, cannot be loaded ({error})")
        return
    # Weights of one's own may leave the range of fp16. bf16 has that of float32.
    is_free = options.precision == "auto" and precision == "fp16"
    candidates: tuple[Precision, ...] = (precision, "bf16") if is_free else (precision,)
    reason = ""
    for candidate in candidates:
        try:
            parts = verified_parts(model, candidate)
        except SelfTestFailed as error:
            reason = reason or str(error)
            continue
        for name, part in parts.items():
            model.set_submodule(name, part)
        return
    _keep_plain(options, reason)


def _keep_plain(options: KokoroOptions, reason: str) -> None:
    """Log the reason, or raise EngineMissing: the plain decoder has neither bf16 nor fp16."""
    if options.precision not in ("auto", *PYTORCH_PRECISIONS):
        raise EngineMissing(
            f"Kokoro cannot speak in {options.precision} here: {reason}."
            " Set kokoro.precision to tf32."
        )
    LOG.warning("Kokoro decodes in tf32, slower than it could: %s.", reason)


def ready_device(options: KokoroOptions) -> torch.device:
    """The device that is set; sets its precision for this process. Raises EngineMissing."""
    device = chosen_device(options.device)
    precision = resolve_precision(options, device)
    if lack := missing_support(precision, device):
        raise EngineMissing(
            f"Kokoro cannot speak in {precision} here: {lack}. Set kokoro.precision to auto."
        )
    set_precision(precision)
    return device


def resolve_precision(options: KokoroOptions, device: torch.device) -> Precision:
    """The precision that is set; for "auto", the fastest that the device has."""
    if options.precision != "auto":
        return options.precision
    candidates = (options.auto_precision, *reversed(PRECISIONS))
    return next(one for one in candidates if one and not missing_support(one, device))


def missing_support(precision: Precision, device: torch.device) -> str:
    """The reason why a device lacks a precision, as a part of a sentence; "" if it has it.

    Source: CUDA C++ Programming Guide, "Compute Capabilities": TF32 and bfloat16 came with 8.0.
    """
    if precision == "float32":
        return ""
    if device.type == "cpu" and precision == "bf16":
        is_faster = has_fast_bfloat16() and can_round()
        return "" if is_faster else "this CPU multiplies in bf16 no faster than in float32"
    if device.type != "cuda":
        return f"there is no {precision} on a {device.type.upper()}"
    is_nvidia = torch.version.cuda is not None
    if not is_nvidia or torch.cuda.get_device_capability(device) < (8, 0):
        return f"there is no {precision} on this GPU"
    if precision not in PYTORCH_PRECISIONS and find_spec("triton") is None:
        return f"Triton, which builds what decodes in {precision}, is not installed"
    return ""


def set_precision(precision: Precision) -> None:
    """Set whether GPUs round float32 to TF32 before they multiply, in this whole process.

    This holds for convolutions and LSTMs, which are cuDNN's, and for matrix products. PyTorch's
    default rounds the former. With a decoder in bf16 or fp16, the rest of the model is in TF32.
    Source: PyTorch's notes on CUDA semantics, "TensorFloat-32".
    """
    is_rounded = precision != "float32"
    with warnings.catch_warnings():
        # PyTorch 2.9 has new names for both settings and warns of these; 2.6 knows only these.
        warnings.simplefilter("ignore")
        torch.backends.cudnn.allow_tf32 = is_rounded
        torch.backends.cuda.matmul.allow_tf32 = is_rounded


def chosen_device(name: str) -> torch.device:
    """The device of that name; "auto" is a GPU if there is one. Raises EngineMissing."""
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        torch.empty(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise EngineMissing(
            f"Kokoro cannot run on {name!r} here: {reason_of(error)}."
            " Choose auto or cpu (the setting kokoro.device, or --device)."
        ) from error
    return device
