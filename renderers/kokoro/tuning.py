"""Tuned settings: the file that `audiomill bench --tune` writes, and whether it applies here.

A file that is damaged, or that was made for other settings or on another machine, is ignored:
Kokoro's usual defaults are used then.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

from audiomill.inputs.files import read_regular
from audiomill.inputs.json_text import parse_json
from audiomill.renderers.engine.benchmarking import Choice
from audiomill.renderers.host.devices import has_gpu
from audiomill.renderers.host.folders import cache_folder
from audiomill.renderers.host.hardware import Fingerprint, changed, this_fingerprint
from audiomill.renderers.kokoro.model.precision import PRECISIONS
from audiomill.renderers.kokoro.options import KokoroOptions

SCHEMA = 1  # version of the file's format
TUNE_AGAIN = "Run audiomill bench --tune again."


class TunedDamaged(Exception):
    """The file exists but cannot be used. The message says what to do."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """A choice, and the conditions that it was made for. The content of the file."""

    choice: Choice
    device: str  # "cpu", "cuda", "cuda:1"
    release: str  # of the model
    machine: Fingerprint
    date: str  # UTC, ISO 8601
    speed: float  # seconds of audio per second with this choice, when it was made
    default_speed: float  # the same with the defaults
    weights: str  # a SHA-256 in hexadecimal, or "random"

    def mismatch(self, device: str, release: str, precision: str, machine: Fingerprint) -> str:
        """Why the choice does not apply under these conditions, as a sentence; "" if it does."""
        conditions = {
            "device": (self.device, _resolved_device(device)),
            "release": (self.release, release),
        }
        if precision != "auto" and self.choice.auto_precision is not None:
            conditions["precision"] = (self.choice.auto_precision, precision)
        for name, (then, now) in conditions.items():
            if then != now:
                return f"It was made for the {name} {then}, and this is {now}."
        if change := changed(self.machine, machine):
            return f"{change}."
        return ""


@dataclass(frozen=True, slots=True)
class TuningStatus:
    """The tuned settings, if there are any, and why they are ignored, if they are."""

    tuned: Tuned | None = None
    ignored: str = ""  # the reason and the remedy, in a sentence or two

    def words(self, kokoro: Mapping[str, Any]) -> str:
        """A description for the user; `kokoro` are the options in force, by name."""
        if self.ignored:
            return self.ignored
        if self.tuned is None:
            return "nothing; audiomill bench --tune finds what is fastest here"
        return _describe(self.tuned, kokoro)


def tuned_file() -> Path:
    """The file with the choice of `audiomill bench --tune` for this machine."""
    return cache_folder() / "tuned.json"


def tuning_status(path: Path, kokoro: Mapping[str, Any]) -> TuningStatus:
    """Whether the file applies to this machine with the options in force, by name."""
    try:
        tuned = read_tuned(path)
    except TunedDamaged as error:
        return TuningStatus(ignored=f"What was tuned is ignored: {error}")
    reason = _mismatch_here(tuned, kokoro) if tuned else ""
    ignored = f"What was tuned is ignored: {reason} {TUNE_AGAIN}" if reason else ""
    return TuningStatus(tuned, ignored)


def tuned_defaults(path: Path, kokoro: Mapping[str, Any]) -> dict[str, Any]:
    """The values that replace Kokoro's defaults; `kokoro` are the options that the user has set.

    Empty if the file does not apply.
    """
    with suppress(TunedDamaged):  # `tuning_status` reports it
        tuned = read_tuned(path)
        if tuned and not _mismatch_here(tuned, kokoro):
            return asdict(tuned.choice)
    return {}


def tuned_to_json(tuned: Tuned) -> bytes:
    """The content of the file, as JSON."""
    content = json.dumps({"schema": SCHEMA} | asdict(tuned), ensure_ascii=False, indent=1)
    return f"{content}\n".encode()


def read_tuned(path: Path) -> Tuned | None:
    """The tuned settings in the file; None if it does not exist. Raises TunedDamaged."""
    try:
        return _parse(parse_json(read_regular(path)))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise TunedDamaged(f"{path} cannot be read ({error.strerror}). {TUNE_AGAIN}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise TunedDamaged(f"{path} is damaged, or of another version. {TUNE_AGAIN}") from error


def _parse(content: Mapping[str, Any]) -> Tuned:
    """Raises KeyError, TypeError, ValueError for values that are absent or invalid."""
    if content["schema"] != SCHEMA:
        raise ValueError(content["schema"])
    choice = cast("dict[str, Any]", content["choice"])
    if set(choice) != {"auto_precision", "batch_frames", "workers"}:
        raise ValueError(choice)
    if choice["auto_precision"] not in (None, *PRECISIONS):
        raise ValueError(choice["auto_precision"])
    return Tuned(
        choice=Choice(
            choice["auto_precision"],
            _at_least(0, choice["batch_frames"]),
            _at_least(-1, choice["workers"]),
        ),
        machine={str(name): str(value) for name, value in dict(content["machine"]).items()},
        speed=float(content["speed"]),
        default_speed=float(content["default_speed"]),
        **{name: str(content[name]) for name in ("device", "release", "date", "weights")},
    )


def _at_least(minimum: int, value: Any) -> int:
    if type(value) is not int or value < minimum:
        raise ValueError(value)
    return value


def _mismatch_here(tuned: Tuned, kokoro: Mapping[str, Any]) -> str:
    """Why `tuned` does not apply to this machine and these options; "" if it does."""
    defaults = KokoroOptions()
    device, release, precision = (
        str(kokoro.get(name, getattr(defaults, name)))
        for name in ("device", "release", "precision")
    )
    return tuned.mismatch(device, release, precision, this_fingerprint())


def _resolved_device(setting: str) -> str:
    """The device that a setting stands for. Does not load PyTorch."""
    if setting != "auto":
        return setting
    return "cuda" if has_gpu(setting) else "cpu"


def _describe(tuned: Tuned, kokoro: Mapping[str, Any]) -> str:
    """The chosen values, those that settings override, and what they were chosen for."""
    values: list[str] = []
    chosen = {name: value for name, value in asdict(tuned.choice).items() if value is not None}
    for name, value in chosen.items():
        in_force = kokoro[name]
        values.append(f"{name} {value}" + (f" (set to {in_force})" if in_force != value else ""))
    hardware = tuned.machine.get("GPU" if tuned.device != "cpu" else "CPU", "")
    return f"{', '.join(values)}; on {tuned.date[:10]}, on {tuned.device} ({hardware})"
