"""CosyVoice's own server, as an engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audiomill.renderers.engine.clone_needs import CloneNeeds
from audiomill.renderers.engine.declaration import Engine, Licences, Runs
from audiomill.renderers.engine.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.cosyvoice.options import CosyVoiceServerOptions
    from audiomill.renderers.engine.protocol import Renderer

CLONE_NEEDS = CloneNeeds("cosyvoice-server", "CosyVoice's server", "helps")
REFERENCE_RATE = 24_000  # Hz, of recordings: it takes 16,000 and more


def _options() -> CosyVoiceServerOptions:
    from audiomill.renderers.cosyvoice.options import CosyVoiceServerOptions

    return CosyVoiceServerOptions()


def _open(options: EngineOptions) -> Renderer:
    from audiomill.renderers.cosyvoice.renderer import CosyVoiceServerRenderer
    from audiomill.renderers.servers.references import sent_references

    sent = sent_references(options.cloned_voices, CLONE_NEEDS, REFERENCE_RATE)
    return CosyVoiceServerRenderer(options.of(_options()), [*sent], n_retakes=options.retakes)


ENGINES = (
    Engine(
        "cosyvoice-server",
        _open,
        lambda _options: Licences("Apache-2.0", "Apache-2.0"),
        options=_options,
        clone_needs=lambda: (CLONE_NEEDS,),
        runs=Runs.SERVER,
    ),
)
