"""What a benchmark asks of PyTorch about its device: names, versions, peaks of memory."""

from __future__ import annotations

from collections.abc import Mapping

import torch


class TorchDevice:
    """The part of a `Trial` that every engine on PyTorch shares."""

    def __init__(self, device: torch.device) -> None:
        self._device = device

    def facts(self) -> Mapping[str, object]:
        """See `Trial`."""
        facts = {
            "device": str(self._device),
            "torch_threads": torch.get_num_threads(),
            "cpu_capability": torch.backends.cpu.get_cpu_capability(),  # of what PyTorch takes
        }
        if self._device.type != "cuda":
            return facts
        properties = torch.cuda.get_device_properties(self._device)
        return facts | {
            "gpu": properties.name,
            "gpu_memory_bytes": properties.total_memory,
            "compute_capability": f"{properties.major}.{properties.minor}",
            "multiprocessors": properties.multi_processor_count,
            "cuda": torch.version.cuda,  # that PyTorch was built for
            "cudnn": torch.backends.cudnn.version(),
        }

    def rest(self) -> None:
        """See `Trial`. To allocate it again takes a pass some milliseconds."""
        if self._device.type == "cuda":
            torch.cuda.empty_cache()

    def forget_gpu_peak(self) -> None:
        """See `Trial`."""
        if self._device.type == "cuda":
            torch.cuda.reset_peak_memory_stats(self._device)

    def gpu_peak_bytes(self) -> int | None:
        """See `Trial`: what PyTorch's tensors took, without CUDA's own context."""
        if self._device.type != "cuda":
            return None
        return torch.cuda.max_memory_allocated(self._device)
