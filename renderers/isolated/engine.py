"""The engines that have an environment of their own, as their catalogue declares them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from audiomill.renderers.engine.declaration import Engine, Licences, Runs
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.isolated.catalogue import isolated_names, isolated_specs

if TYPE_CHECKING:
    from audiomill.renderers.engine.clone_needs import CloneNeeds
    from audiomill.renderers.engine.protocol import Renderer
    from audiomill.renderers.isolated.options import IsolatedOptions


def _options(name: str) -> IsolatedOptions:
    from audiomill.renderers.isolated.options import IsolatedOptions

    return IsolatedOptions(name)


def _open(name: str, options: EngineOptions) -> Renderer:
    from audiomill.renderers.isolated.renderer import IsolatedRenderer

    spec, own = isolated_specs()[name], options.of(_options(name))
    return IsolatedRenderer(spec, own, options.environments, options.cloned_voices, options.retakes)


def _licences(name: str, _options: EngineOptions) -> Licences:
    spec = isolated_specs()[name]
    return Licences(spec.code_licence, spec.weights_licence, spec.is_commercial)


def _clone_needs(name: str) -> tuple[CloneNeeds, ...]:
    needs = isolated_specs()[name].clone_needs
    return (needs,) if needs else ()


def _engine(name: str) -> Engine:
    return Engine(
        name,
        partial(_open, name),
        partial(_licences, name),
        options=partial(_options, name),
        clone_needs=partial(_clone_needs, name),
        runs=Runs.ENVIRONMENT,
    )


ENGINES = tuple(map(_engine, isolated_names()))
