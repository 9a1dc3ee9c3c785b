"""Orpheus, as an engine: llama-server, and SNAC in this process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audiomill.renderers.engine.declaration import Engine, Licences, Readiness
from audiomill.renderers.engine.options import EngineOptions

if TYPE_CHECKING:
    from audiomill.renderers.engine.protocol import Renderer
    from audiomill.renderers.orpheus.options import OrpheusOptions


def _options() -> OrpheusOptions:
    from audiomill.renderers.orpheus.options import OrpheusOptions

    return OrpheusOptions()


def _open(options: EngineOptions) -> Renderer:
    from audiomill.renderers.orpheus.renderer import OrpheusRenderer

    return OrpheusRenderer(options.of(_options()), n_retakes=options.retakes)


def _check(options: EngineOptions) -> Readiness:
    """Asks no server."""
    from audiomill.renderers.orpheus.snac_files import check_snac_available

    check_snac_available(options.of(_options()).snac)
    return Readiness("SNAC is here; its server was not asked")


def _ask(options: EngineOptions) -> str:
    from audiomill.renderers.orpheus.renderer import OrpheusRenderer

    return OrpheusRenderer(options.of(_options())).server_words()


ENGINES = (
    Engine(
        "orpheus",
        _open,
        lambda _options: Licences(
            "Apache-2.0", "Apache-2.0, made from Llama 3.2 of Meta's licence"
        ),
        options=_options,
        check=_check,
        ask=_ask,
        package="snac",
    ),
)
