"""What planning must know of Kokoro on this machine: lengths, rows, windows. Loads nothing."""

from __future__ import annotations

from math import ceil

from renderers.base import EngineTraits
from renderers.cores import usable_cores
from renderers.kokoro.devices import has_gpu, n_devices
from renderers.kokoro.estimate import estimate
from renderers.kokoro.mixing import parse_mix
from renderers.options import KokoroOptions

SPEEDS = (0.25, 4.0)
# Segments that the engine is given at a time. Padded batches are cut from them once it is known how
# long each will sound: enough to choose among, and a quarter of a gigabyte of samples. Where a core
# speaks one row at a time, few enough that little is lost when a run is stopped.
ROWS_PADDED, ROWS_ALONE = 256, 2 * usable_cores()
# Of audio in a window: sorted by length, so that what comes to the engine together is alike. A GPU
# is through with a padded one sooner than a CPU with the other.
WINDOW_PADDED_S, WINDOW_ALONE_S = 4800.0, 600.0
# Devices that one call of so many rows keeps busy while the next is made ready.
DEVICES_PER_CALL = 4


def traits_for(options: KokoroOptions) -> EngineTraits:
    """Kokoro's, as it runs with `options`."""
    pads = is_padding(options)
    return EngineTraits(
        max_length=400,
        max_rows=ROWS_PADDED if pads else ROWS_ALONE,
        chars_per_s=14.0,
        exact_bits=16,
        speeds=SPEEDS,
        length=length,
        best_length=(100, 200),
        window_s=WINDOW_PADDED_S if pads else WINDOW_ALONE_S,
        n_at_once=calls_for(n_devices(options.device)),
    )


def calls_for(n_devices: int) -> int:
    """Calls under way that keep devices busy; several are shared out among all of them.

    While the last rows of one are spoken, those of another are there to go on with.
    """
    return 1 if n_devices == 1 else 1 + ceil(n_devices / DEVICES_PER_CALL)


def is_padding(options: KokoroOptions) -> bool:
    """Whether rows will be put into padded batches: on a GPU, or wherever that is asked for."""
    return has_gpu(options.device) or options.batch_frames > 0


def length(spoken: str, voice: str) -> int:
    """About how many phonemes a text is in a voice."""
    return estimate(spoken, parse_mix(voice).language.tag)
