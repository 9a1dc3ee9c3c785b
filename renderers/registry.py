"""Which engines there are, and how each is loaded when it is first asked for.

Importing this loads none of them, nor NumPy: `--help` lists the engines in milliseconds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from renderers.base import Renderer

_ONE_AT_A_TIME = threading.Lock()


def _espeak() -> Renderer:
    from renderers.espeak import EspeakRenderer

    return EspeakRenderer()


def _tone() -> Renderer:
    from renderers.tone import ToneRenderer

    return ToneRenderer()


LOADERS: Mapping[str, Callable[[], Renderer]] = {
    "espeak": _espeak,
    "tone": _tone,
}


def engine_names() -> tuple[str, ...]:
    """What `--engine` may say, apart from "auto"."""
    return tuple(LOADERS)


def open_renderer(name: str) -> Renderer:
    """The engine of that name, loaded once per process. Raises UnknownEngine, EngineMissing."""
    with _ONE_AT_A_TIME:  # two threads that ask at once get one engine, not two
        return _loaded(name)


@cache
def _loaded(name: str) -> Renderer:
    from renderers.shard import UnknownEngine

    if name not in LOADERS:
        raise UnknownEngine(
            f"There is no engine {name!r}. Choose one of: {', '.join(engine_names())}."
        )
    return LOADERS[name]()
