"""The precisions in which a device multiplies; sums, phases and statistics are always float32."""

from __future__ import annotations

from typing import Literal, get_args

# Full float32, tf32 (mantissas rounded to ten bits), bf16 (seven bits), fp16 (ten, up to 65,504).
Precision = Literal["float32", "tf32", "bf16", "fp16"]
PRECISIONS: tuple[Precision, ...] = get_args(Precision)
# Switches of PyTorch. The others are those of our own decoder.
PYTORCH_PRECISIONS: tuple[Precision, ...] = ("float32", "tf32")
