"""The kernels that the decoder of GPUs starts, and others in their place."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

from audiomill.renderers.kokoro.gpu.kernels import (
    conv as convolve,
)
from audiomill.renderers.kokoro.gpu.kernels import (
    norm as normalise,
)
from audiomill.renderers.kokoro.gpu.kernels import (
    source as excite,
)
from audiomill.renderers.kokoro.gpu.kernels import (
    stft as transform,
)

KERNELS = (
    *((convolve, "convolve"), (excite, "excite"), (excite, "draw")),
    *((normalise, name) for name in ("measure", "merge", "activate")),
    *((transform, name) for name in ("analyse", "resynthesise")),
)


@contextmanager
def replaced(by: Callable[[Any], Any]) -> Iterator[None]:
    """While this lasts, `by(kernel)` stands for each kernel."""
    with ExitStack() as stack:
        for module, name in KERNELS:
            stack.enter_context(mock.patch.object(module, name, by(getattr(module, name))))
        yield
