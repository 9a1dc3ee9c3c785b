"""What an engine needs of a recording to clone it. Light: the catalogue of engines imports it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

TextNeed: TypeAlias = Literal["unused", "helps", "needed"]

SHORTEST_S, LONGEST_S = 3.0, 30.0  # where an engine's own code names no other bounds


@dataclass(frozen=True, slots=True)
class CloneNeeds:
    """What one engine takes. Durations are those of the recording as the engine gets it."""

    engine: str  # the value of --engine, or a server's profile; its table in voice.toml
    title: str  # for people
    text: TextNeed = "needed"  # the words of the recording
    shortest_s: float = SHORTEST_S
    longest_s: float = LONGEST_S
    # Settings that a voice may have of its own, with their defaults.
    settings: tuple[tuple[str, str | int | float | bool], ...] = ()

    def misfit(self, duration_s: float, text: str) -> str:
        """Why the engine cannot use a recording of this length and text; "" if it can."""
        if duration_s < self.shortest_s:
            return f"{duration_s:.1f} s are too short: {self.shortest_s:g} s at least"
        if duration_s > self.longest_s:
            return f"{duration_s:.1f} s are too long: {self.longest_s:g} s at most"
        if self.text == "needed" and not text:
            return "it needs reference.txt"
        return ""
