"""Reads a file such as `prefect.yaml`, without Prefect, so that mistakes are told at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import yaml

from audiomill.flows.job import UsageError
from audiomill.inputs.files import read_regular


def read_entries(path: Path) -> list[Any]:
    """What is listed under `deployments`. Raises UsageError."""
    try:
        content = yaml.safe_load(read_regular(path))
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        reason = "is not here" if missing else f"cannot be read: {error.strerror or error}"
        raise UsageError(
            f"{path} {reason}. It lists what to render, and when: docs/schedules.md shows one."
        ) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not valid YAML: {' '.join(str(error).split())}.") from error
    entries = cast("object", content.get("deployments")) if isinstance(content, dict) else None
    if not entries or not isinstance(entries, list):
        raise UsageError(f"{path} has no list of deployments.")
    return cast("list[Any]", entries)
