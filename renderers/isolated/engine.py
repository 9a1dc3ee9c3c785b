"""The engines that have an environment of their own, as their catalogue declares them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from audiomill.renderers.engine.declaration import Engine, Licences, Runs
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.isolated.catalogue import EngineSpec
from audiomill.renderers.isolated.specs import isolated_specs

if TYPE_CHECKING:
    from audiomill.renderers.base import Renderer
    from audiomill.renderers.isolated.options import IsolatedOptions


def _options(name: str) -> IsolatedOptions:
    from audiomill.renderers.isolated.options import IsolatedOptions

    return IsolatedOptions(name)


def _open(spec: EngineSpec, options: EngineOptions) -> Renderer:
    from audiomill.renderers.isolated.renderer import IsolatedRenderer

    own = options.of(_options(spec.name))
    return IsolatedRenderer(spec, own, options.environments, options.cloned_voices, options.retakes)


def _engine(spec: EngineSpec) -> Engine:
    licences = Licences(spec.code_licence, spec.weights_licence, spec.is_commercial)
    return Engine(
        spec.name,
        partial(_open, spec),
        lambda _options: licences,
        options=partial(_options, spec.name),
        clone_needs=lambda: (needs,) if (needs := spec.clone_needs) else (),
        runs=Runs.ENVIRONMENT,
    )


ENGINES = tuple(_engine(spec) for spec in isolated_specs().values())
