"""Where cloned voices plug in: what an engine needs of a voice that is a recording.

`Clones` is what the renderer asks. `NO_CLONES` has none; `registry` chooses which one is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from audiomill.renderers.base import Voice
from audiomill.renderers.isolated.protocol import Reference


@dataclass(frozen=True, slots=True)
class Clone:
    """A cloned voice: how it is listed, what a worker gets of it, and what tells it from others."""

    voice: Voice
    reference: Reference
    digest: str  # of the recording, its text and the settings


class Clones(Protocol):
    """The cloned voices that there are."""

    def all(self) -> Sequence[Clone]:
        """All of them, by name. Raises RenderError for one that is damaged."""
        ...


class _NoClones:
    """There are none."""

    def all(self) -> Sequence[Clone]:
        """None."""
        return ()


NO_CLONES: Clones = _NoClones()
