"""Engines of other packages, which declare them by an entry point.

[project.entry-points."audiomill.engines"]
morse = "audiomill_morse:ENGINE"

One that cannot be loaded stays in the list, and says why when it is used. A name that is ours, or
that is no name, is not taken; a warning in the log says so.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from audiomill.renderers.engine.declaration import BROKEN, Engine
from audiomill.renderers.engine.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.engine.protocol import Renderer

GROUP = "audiomill.engines"
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_log = logging.getLogger(__name__)


@cache
def external_engines(taken: frozenset[str]) -> Mapping[str, Engine]:
    """The engines by name, but those whose names are `taken`. Imports their modules, once."""
    return dict(_found(taken))


def _found(taken: frozenset[str]) -> Iterator[tuple[str, Engine]]:
    for point in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        if point.name in taken or not _NAME.fullmatch(point.name):
            why = "is the name of another engine" if point.name in taken else "is no name"
            _log.warning("The engine of %s is not used: %s %s.", point.value, point.name, why)
        else:
            yield point.name, _loaded(point)


def _loaded(point: EntryPoint) -> Engine:
    try:
        found = point.load()
    except Exception as error:  # noqa: BLE001 - of a module of somebody else
        return _broken(point, f"{type(error).__name__}: {error}")
    if not isinstance(found, Engine) or found.name != point.name:
        return _broken(point, f"it is no Engine with the name {point.name}")
    try:
        found.options()
    except Exception as error:  # noqa: BLE001 - the same
        return _broken(point, f"its options: {type(error).__name__}: {error}")
    return found


def _broken(point: EntryPoint, reason: str) -> Engine:
    def refuse(_options: EngineOptions) -> Renderer:
        from audiomill.renderers.engine.errors import EngineMissing

        raise EngineMissing(
            f"The engine {point.name} cannot be loaded from {point.value}: {reason}. Install its"
            " package anew, or remove it."
        )

    return Engine(point.name, refuse, missing=BROKEN)
