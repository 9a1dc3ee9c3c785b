"""The options of Fish Audio's service, and of a server of fish-speech."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from audiomill.renderers.engine.options import SAMPLE_RATES, Between, PaidOptions


@dataclass(frozen=True, slots=True)
class FishOptions(PaidOptions):
    """Fish Audio's service, or a server of fish-speech."""

    profile: Literal["cloud", "local"] = "cloud"
    url: str = ""  # "": where the profile's server usually is
    model: str = ""  # "": the profile's; of a server, only keys name it
    # The variable of the environment that has the key; "": FISH_API_KEY for the service, else none.
    key_variable: str = ""
    # In Hz, of all audio. The service renders at it; a server has that of its model.
    sample_rate: Annotated[int, Between(*SAMPLE_RATES)] = 44_100
    # Requests; fewer if the server likes fewer.
    most_in_flight: Annotated[int, Between(1, 1000)] = 15
