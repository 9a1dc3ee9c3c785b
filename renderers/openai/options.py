"""The options of servers that speak OpenAI's protocol."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from audiomill.renderers.engine.options import PaidOptions


@dataclass(frozen=True, slots=True)
class ServerOptions(PaidOptions):
    """A server that speaks the protocol of OpenAI's `/v1/audio/speech`."""

    profile: str = "openai"  # which server it is; docs/servers.md lists them
    url: str = ""  # "": where the profile's server usually is
    model: str = ""  # "": the profile's
    # The variable of the environment that has the key; "": the profile's.
    key_variable: str = ""
    voices: tuple[str, ...] = ()  # of a server that does not list its voices
    sample_rate: int = 0  # in Hz, of its audio; 0: the profile's
    most_in_flight: int = 64  # texts; fewer if the server likes fewer
    first_in_flight: int = 2  # with how many the search for the right number begins
    # Texts in one call, of a server that has a route for batches (vLLM-Omni). More than one: their
    # sound follows no seed, and they have no times of words, which that route does not take.
    batch: int = 1
    instructions: str = ""  # how to speak, for models that take it

    def for_measuring(self) -> Self:
        """It gets as many requests as are measured, from the first one on."""
        return replace(self, first_in_flight=self.most_in_flight)

    def benchmark_target(self) -> str:
        """The server's profile."""
        return self.profile
