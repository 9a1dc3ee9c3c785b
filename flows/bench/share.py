"""What part of a device's ceiling speech comes to. Pure: costs and ceilings are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flows.bench.variants import Variant


@dataclass(frozen=True, slots=True)
class Share:
    """Operations, as the model is defined. None where they are not known."""

    flop_per_s: float | None = None  # that the audio cost which was made in a second
    ceiling_share: float | None = None  # of what matrix products do there, in that precision


def share_of(
    speed: float,
    variant: Variant,
    facts: Mapping[str, object],
    ceilings: Mapping[str, float],
) -> Share:
    """For `speed` seconds of audio a second on a device of which `facts` tell what they cost."""
    cost = facts.get("flop_per_audio_s")
    if not isinstance(cost, float):
        return Share()
    ceiling = ceilings.get(f"{variant.precision}_flops")
    return Share(speed * cost, speed * cost / ceiling if ceiling else None)
