"""The kernels that the fused decoder and LSTMs launch, and how to replace them all."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

from audiomill.renderers.kokoro.gpu import conv, norm, prosody, source

# The module that launches each kernel, and the kernel's name there.
KERNELS = (
    (conv, "conv_kernel"),
    (prosody, "lstm_kernel"),
    *((norm, f"{name}_kernel") for name in ("moments", "affine", "norm_activation")),
    *((source, f"{name}_kernel") for name in ("noise", "source", "stft", "frames", "overlap")),
)


@contextmanager
def replaced(by: Callable[[Any], Any]) -> Iterator[None]:
    """Within the context, `by(kernel)` replaces each kernel."""
    with ExitStack() as stack:
        for module, name in KERNELS:
            stack.enter_context(mock.patch.object(module, name, by(getattr(module, name))))
        yield
