"""Whether what was tuned holds for the settings and the machine there are, and what is said of it.

A file that is damaged, or made on another machine, is ignored: everything is then as by default.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from audiomill.renderers.host.hardware import Fingerprint, changed, this_fingerprint
from audiomill.renderers.kokoro.devices import has_gpu
from audiomill.renderers.options import PRECISIONS, KokoroOptions, Precision

# What `audiomill bench --tune` has chosen for a machine:

SCHEMA = 1
AGAIN = "Run audiomill bench --tune again."


class TunedDamaged(Exception):
    """The file is there but says nothing. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What takes the place of Kokoro's defaults, by the names of its settings."""

    auto_precision: Precision | None = None
    batch_frames: int = 0
    workers: int = -1


@dataclass(frozen=True, slots=True)
class Tuned:
    """A choice, and what it was made on."""

    choice: Choice
    device: str  # "cpu", "cuda", "cuda:1"
    release: str  # of the model
    machine: Fingerprint
    date: str  # UTC, ISO 8601
    speed: float  # seconds of audio a second, when it was chosen
    default_speed: float  # likewise, without it
    weights: str  # a SHA-256 in hexadecimal, or "random"

    def against(self, device: str, release: str, precision: str, machine: Fingerprint) -> str:
        """Why it does not hold for these, as a sentence; "" if it does."""
        asked = {"device": (self.device, device_meant(device)), "release": (self.release, release)}
        if precision != "auto" and self.choice.auto_precision is not None:
            asked["precision"] = (self.choice.auto_precision, precision)
        for name, (then, now) in asked.items():
            if then != now:
                return f"It was made for the {name} {then}, and this is {now}."
        if found := changed(self.machine, machine):
            return f"{found}."
        return ""


def device_meant(name: str) -> str:
    """The device that a setting stands for, without asking PyTorch."""
    if name != "auto":
        return name
    return "cuda" if has_gpu(name) else "cpu"


def written(tuned: Tuned) -> bytes:
    """The file."""
    content = json.dumps({"schema": SCHEMA} | asdict(tuned), ensure_ascii=False, indent=1)
    return f"{content}\n".encode()


def read_tuned(path: Path) -> Tuned | None:
    """What is in the file; None if there is none. Raises TunedDamaged."""
    try:
        return _parsed(json.loads(path.read_bytes()))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise TunedDamaged(f"{path} cannot be read ({error.strerror}). {AGAIN}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise TunedDamaged(f"{path} is damaged, or of another version. {AGAIN}") from error


def _parsed(content: Mapping[str, Any]) -> Tuned:
    """Raises KeyError, TypeError, ValueError for what is not there or is not what it should be."""
    if content["schema"] != SCHEMA:
        raise ValueError(content["schema"])
    named = cast("dict[str, Any]", content["choice"])
    if set(named) != {"auto_precision", "batch_frames", "workers"}:
        raise ValueError(named)
    if named["auto_precision"] not in (None, *PRECISIONS):
        raise ValueError(named["auto_precision"])
    return Tuned(
        choice=Choice(
            named["auto_precision"],
            _at_least(0, named["batch_frames"]),
            _at_least(-1, named["workers"]),
        ),
        machine={str(name): str(one) for name, one in dict(content["machine"]).items()},
        speed=float(content["speed"]),
        default_speed=float(content["default_speed"]),
        **{name: str(content[name]) for name in ("device", "release", "date", "weights")},
    )


def _at_least(least: int, value: Any) -> int:
    if type(value) is not int or value < least:
        raise ValueError(value)
    return value


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
