"""The deployments that a file such as `prefect.yaml` describes, and that of a podcast.

`prefect deploy` reads the same file. Of its keys, those of work pools do not matter here.
Format: https://docs.prefect.io/v3/how-to-guides/deployments/prefect-yaml
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from prefect import Flow
from prefect.client.schemas.actions import DeploymentScheduleCreate
from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
from prefect.deployments.runner import RunnerDeployment
from prefect.exceptions import MissingFlowError, ScriptError
from prefect.flows import load_flow_from_entrypoint
from prefect.schedules import Schedule
from pydantic import ValidationError
from tzlocal import get_localzone_name

from audiomill.flows.errors import UsageError
from audiomill.inputs.messages import did_you_mean

# What Prefect's deployments take as it stands.
PASSED_ON = ("description", "parameters", "tags", "version", "triggers", "concurrency_limit")

SHOW_ENTRYPOINT = "audiomill.flows.prefect.podcast.article_podcast"
KINDS = {"schedules": list, "schedule": dict, "tags": list, "parameters": dict, "triggers": list}


def listed_deployments(path: Path, entries: list[Any]) -> list[RunnerDeployment]:
    """The deployments that the entries of the file describe. Raises UsageError."""
    return [_deployment(entry, path) for entry in entries]


def check_entries(path: Path, entries: list[Any]) -> None:
    """Raise UsageError for what is wrong in the entries, as far as no flow is loaded.

    The module of a flow may ask Prefect's server for something while it is imported.
    """
    for entry in entries:
        _checked_schedules(entry, path)


def show_deployment(show: Path, schedule: DeploymentScheduleCreate) -> RunnerDeployment:
    """The deployment of a podcast, named as its file.

    A run that is due while one is under way waits for it, and makes up for all that wait
    (`missed_runs.py`). It is not cancelled: a slot that a dead process holds is free minutes later.
    """
    return RunnerDeployment.from_entrypoint(
        SHOW_ENTRYPOINT,
        name=show.stem,
        schedules=[schedule],
        parameters={"show": str(show.absolute())},
        concurrency_limit=ConcurrencyLimitConfig(
            limit=1, collision_strategy=ConcurrencyLimitStrategy.ENQUEUE
        ),
    )


def show_schedule(cron: str, timezone: str | None) -> DeploymentScheduleCreate:
    """The schedule that the options of `audiomill serve` say. Raises UsageError."""
    try:
        return _schedule({"cron": cron, "timezone": timezone or get_localzone_name()})
    except ValidationError as error:
        raise UsageError(f"--cron {cron}: {error.errors()[0]['msg']}.") from error
    except (TypeError, ValueError) as error:
        zone = f", --timezone {timezone}" if timezone else ""
        raise UsageError(f"--cron {cron}{zone}: {f'{error}'.rstrip('.')}.") from error


def _deployment(entry: Any, path: Path) -> RunnerDeployment:
    """One deployment. Raises UsageError."""
    schedules = _checked_schedules(entry, path)
    name, entrypoint = str(entry["name"]), str(entry["entrypoint"])
    with _naming_faults(path, name):
        try:
            _check_parameters(entry)
            return RunnerDeployment.from_entrypoint(
                entrypoint,
                name=name,
                schedules=schedules,
                **{key: entry[key] for key in PASSED_ON if entry.get(key) is not None},
            )
        except (ScriptError, MissingFlowError, ModuleNotFoundError) as error:
            raise UsageError(f"{path}: {name}: {entrypoint} is no flow: {error}") from error


def _checked_schedules(entry: Any, path: Path) -> list[DeploymentScheduleCreate]:
    """The schedules of a deployment. Raises UsageError for what is wrong in it without its flow."""
    name = entry.get("name") if isinstance(entry, dict) else None
    if not name or not entry.get("entrypoint"):
        raise UsageError(f"{path}: each deployment needs a name and an entrypoint.")
    with _naming_faults(path, str(name)):
        _check_kinds(entry)
        single = [entry["schedule"]] if entry.get("schedule") else []
        return [_schedule(fields) for fields in entry.get("schedules") or single]


@contextmanager
def _naming_faults(path: Path, name: str) -> Generator[None]:
    """Name the deployment whose values the block finds wrong. Raises UsageError."""
    try:
        yield
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UsageError(f"{path}: {name}: {where}: {first['msg']}.") from error
    except (TypeError, ValueError) as error:
        raise UsageError(f"{path}: {name}: {error}") from error


def _check_kinds(entry: dict[str, Any]) -> None:
    """Raise TypeError for a value of the wrong kind."""
    for key, kind in KINDS.items():
        if entry.get(key) is not None and not isinstance(entry[key], kind):
            raise TypeError(f"{key} must be a {'list' if kind is list else 'table'}")


def _check_parameters(entry: dict[str, Any]) -> None:
    """Raise ValueError for a parameter that the flow does not have."""
    flow: Flow[..., Any] = load_flow_from_entrypoint(str(entry["entrypoint"]))
    known = flow.parameters.properties
    for name in entry.get("parameters") or {}:
        if name not in known:
            raise ValueError(f"there is no parameter {name}.{did_you_mean(str(name), known)}")


def _schedule(fields: dict[str, Any]) -> DeploymentScheduleCreate:
    """A schedule from its fields. Raises TypeError or ValueError, as ValidationError is one."""
    if isinstance(seconds := fields.get("interval"), int | float):
        fields = fields | {"interval": timedelta(seconds=seconds)}
    return DeploymentScheduleCreate.from_schedule(Schedule(**fields))
