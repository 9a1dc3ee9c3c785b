"""What a library remembers of chapters that are too long for a file: where they are cut. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from audiomill.flows.pipeline.library.reusable import FinishedFolder
from audiomill.flows.pipeline.planning.cut_keys import CutKeys, KnownCuts

MAX_REMEMBERED = 2000  # chapters


def cuts_elsewhere(keys: CutKeys, folders: Iterable[FinishedFolder]) -> KnownCuts:
    """The cuts in the first of the folders that has those of all chapters; {} if none has."""
    known = next((one.cuts for one in folders if keys.are_known(one.cuts)), {})
    return {key: known[key] for key in keys.keys if key in known}


def with_found(known: KnownCuts, found: KnownCuts) -> dict[str, tuple[int, ...]]:
    """Both; of what was known, the oldest is forgotten if it is too much."""
    older = [item for item in known.items() if item[0] not in found]
    n_kept = max(0, MAX_REMEMBERED - len(found))
    return dict(older[len(older) - min(n_kept, len(older)) :]) | dict(found)
