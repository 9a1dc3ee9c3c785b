"""Which engine “auto” is here."""

from __future__ import annotations

from audiomill.flows.options import AUTO
from audiomill.renderers.base import RenderError, UnknownEngine
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.registry import (
    ENGINES,
    check_engine,
    engine_names,
    unknown_engine,
)

# The engines that “auto” may be, the best one first. The last one always works.
*_PREFERRED, LAST_CHOICE = (name for name, engine in ENGINES.items() if engine.serves_auto)
FALLBACK_WARNING = (
    "Kokoro cannot speak here, so the built-in espeak-ng voice reads, which sounds robotic."
    " (If that is what you want, name the engine: --engine espeak.) {reason}"
)


def choose_engine(name: str, options: EngineOptions) -> tuple[str, tuple[str, ...]]:
    """The engine that `name` stands for, and warnings for the user.

    “auto” is the first that is ready: with Kokoro, weights that can be fetched are. Of the others
    all must be here. Raises UnknownEngine.
    """
    if name != AUTO:
        if name not in engine_names():
            raise UnknownEngine(unknown_engine(name, (AUTO, *engine_names())))
        return name, ()
    reasons: list[RenderError] = []
    for choice in _PREFERRED:
        try:
            if check_engine(choice, options).is_here:
                return choice, ()
        except RenderError as error:
            reasons.append(error)
    return LAST_CHOICE, (FALLBACK_WARNING.format(reason=reasons[0]),)
