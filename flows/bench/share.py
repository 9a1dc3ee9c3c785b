"""What part of a device's ceiling speech comes to. Pure: costs and ceilings are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flows.bench.variants import Variant


@dataclass(frozen=True, slots=True)
class Share:
    """Of what the audio costs that was made in a second, by definition. None: not known."""

    flop_per_s: float | None = None
    ceiling_share: float | None = None  # of what matrix products do there, in that precision
    bytes_per_s: float | None = None  # that the decoder has to move, with all fused that can be
    copy_share: float | None = None  # of what a copy moves there


BYTES = {"bf16": 2, "tf32": 4, "float32": 4}  # of a value that waits in memory


def share_of(
    speed: float,
    variant: Variant,
    facts: Mapping[str, object],
    ceilings: Mapping[str, float],
) -> Share:
    """For `speed` seconds of audio a second on a device of which `facts` tell what they cost."""
    flop, values = facts.get("flop_per_audio_s"), facts.get("values_per_audio_s")
    if not isinstance(flop, float) or not isinstance(values, float):
        return Share()
    computed, moved = speed * flop, speed * values * BYTES.get(variant.precision, 0)
    ceiling, copied = ceilings.get(f"{variant.precision}_flops"), ceilings.get("copy_bytes_per_s")
    return Share(
        flop_per_s=computed,
        ceiling_share=computed / ceiling if ceiling else None,
        bytes_per_s=moved or None,
        copy_share=moved / copied if moved and copied else None,
    )
