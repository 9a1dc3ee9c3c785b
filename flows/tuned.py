"""What `audiomill bench --tune` has chosen for a machine: the file, and whether it still holds.

Knows nothing of how the choice was made, nor of where settings come from.

    tuned.json ─▶ Tuned ─▶ the same device, release, precision, machine? ─▶ a reason against, or ""
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from flows.fingerprint import Fingerprint, changed
from renderers.kokoro.devices import has_gpu
from renderers.options import PRECISIONS, Precision

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
