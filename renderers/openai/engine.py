"""Servers that speak OpenAI's protocol, as an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audiomill.renderers.engine.declaration import Engine, Licences, Runs
from audiomill.renderers.engine.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.engine.clone_needs import CloneNeeds
    from audiomill.renderers.engine.protocol import Renderer
    from audiomill.renderers.openai.options import ServerOptions


def _options() -> ServerOptions:
    from audiomill.renderers.openai.options import ServerOptions

    return ServerOptions()


def _open(options: EngineOptions) -> Renderer:
    from audiomill.renderers.openai.renderer import ServerRenderer

    return ServerRenderer(options.of(_options()), options.cloned_voices, options.retakes)


def _licences(options: EngineOptions) -> Licences:
    from audiomill.renderers.openai.profiles import profile_named

    words = f"as {profile_named(options.of(_options()).profile).title} says"
    return Licences(words, words)


def _clone_needs() -> tuple[CloneNeeds, ...]:
    from audiomill.renderers.openai.profiles import PROFILES

    needs = (one.of_model(one.model).clone_needs for one in PROFILES.values())
    return tuple(one for one in needs if one is not None)


def _clone_needs_here(options: EngineOptions) -> CloneNeeds | None:
    """With the server's model. Raises UnknownEngine."""
    from audiomill.renderers.openai.profiles import profile_named

    own = options.of(_options())
    profile = profile_named(own.profile)
    return profile.clone_needs_with(own.model or profile.model)


def _explain(name: str) -> str:
    """Of a name that stands in the place of an engine's."""
    from audiomill.renderers.openai.profiles import PROFILES

    if name not in PROFILES:
        return ""
    return (
        f"{name} is not an engine but a profile of one: add --engine openai, and set"
        f' profile = "{name}" under [openai] in the settings.'
    )


def _ask(options: EngineOptions) -> str:
    return f"{options.of(_options()).profile}: {len(_open(options).voices())} voices"


ENGINES = (
    Engine(
        "openai",
        _open,
        _licences,
        options=_options,
        ask=_ask,
        explain=_explain,
        clone_needs=_clone_needs,
        clone_needs_here=_clone_needs_here,
        runs=Runs.SERVER,
    ),
)
