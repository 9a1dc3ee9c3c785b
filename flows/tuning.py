"""Whether what was tuned holds for the settings and the machine there are, and what is said of it.

A file that is damaged, or made on another machine, is ignored: everything is then as by default.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from flows.fingerprint import this_fingerprint
from flows.tuned import AGAIN, Tuned, TunedDamaged, read_tuned
from renderers.options import KokoroOptions


@dataclass(frozen=True, slots=True)
class Tuning:
    """What was tuned, if anything was, and why it does not hold, if it does not."""

    tuned: Tuned | None = None
    ignored: str = ""  # a sentence or two that say so and what to do

    def words(self, kokoro: KokoroOptions) -> str:
        """What a person is told, with `kokoro` in force."""
        if self.ignored:
            return self.ignored
        if self.tuned is None:
            return "nothing; audiomill bench --tune finds what is fastest here"
        return _told(self.tuned, kokoro)


def tuning(path: Path, kokoro: KokoroOptions) -> Tuning:
    """How things stand, for settings that are in force."""
    try:
        tuned = read_tuned(path)
    except TunedDamaged as error:
        return Tuning(ignored=f"What was tuned is ignored: {error}")
    why = _against(tuned, asdict(kokoro)) if tuned else ""
    return Tuning(tuned, f"What was tuned is ignored: {why} {AGAIN}" if why else "")


def stand_ins(path: Path, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What stands in for Kokoro's defaults; `asked` is what anybody has set of it."""
    with suppress(TunedDamaged):  # `tuning` tells
        tuned = read_tuned(path)
        if tuned and not _against(tuned, asked):
            return asdict(tuned.choice)
    return {}


def _against(tuned: Tuned, asked: Mapping[str, Any]) -> str:
    plain = KokoroOptions()
    device, release, precision = (
        str(asked.get(name, getattr(plain, name))) for name in ("device", "release", "precision")
    )
    return tuned.against(device, release, precision, this_fingerprint())


def _told(tuned: Tuned, kokoro: KokoroOptions) -> str:
    named: list[str] = []
    chosen = {name: value for name, value in asdict(tuned.choice).items() if value is not None}
    for name, value in chosen.items():
        now = getattr(kokoro, name)
        named.append(f"{name} {value}" + (f" (set to {now})" if now != value else ""))
    hardware = tuned.machine.get("GPU" if tuned.device != "cpu" else "CPU", "")
    return f"{', '.join(named)}; on {tuned.date[:10]}, on {tuned.device} ({hardware})"
