"""The engines and servers that clone voices, with what each needs. Loads none of them."""

from __future__ import annotations

from audiomill.renderers.engine.declaration import Engine, Runs
from audiomill.renderers.engine.registry import engines
from audiomill.renderers.reference_voices.needs import CloneNeeds


def cloning_engines() -> tuple[CloneNeeds, ...]:
    """All of them: engines with an environment of their own, then servers with usual models."""
    ordered = sorted(engines().values(), key=_is_elsewhere)
    return tuple(needs for engine in ordered for needs in engine.clone_needs())


def _is_elsewhere(engine: Engine) -> bool:
    return engine.runs is not Runs.ENVIRONMENT
