"""Fish Audio's service and the server of fish-speech, as an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audiomill.renderers.engine.clone_needs import CloneNeeds
from audiomill.renderers.engine.declaration import Engine, Licences, Runs
from audiomill.renderers.engine.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.engine.protocol import Renderer
    from audiomill.renderers.fish.options import FishOptions

CLONE_NEEDS = CloneNeeds("fish", "fish-speech")  # with the profile local


def _options() -> FishOptions:
    from audiomill.renderers.fish.options import FishOptions

    return FishOptions()


def _open(options: EngineOptions) -> Renderer:
    from audiomill.renderers.fish.renderer import FishRenderer
    from audiomill.renderers.servers.references import sent_references

    sent = sent_references(options.cloned_voices, CLONE_NEEDS, options.of(_options()).sample_rate)
    return FishRenderer(options.of(_options()), [*sent], n_retakes=options.retakes)


def _licences(options: EngineOptions) -> Licences:
    """The research licence of S2 also covers the code of fish-speech."""
    if options.of(_options()).profile == "local":
        return Licences("Fish Audio Research", "Fish Audio Research", is_commercial=False)
    return Licences("as Fish Audio says", "as Fish Audio says")


def _ask(options: EngineOptions) -> str:
    return f"{options.of(_options()).profile}: {len(_open(options).voices())} voices"


ENGINES = (
    Engine(
        "fish",
        _open,
        _licences,
        options=_options,
        ask=_ask,
        clone_needs=lambda: (CLONE_NEEDS,),
        runs=Runs.SERVER,
    ),
)
