"""Where a recording is cut into the regions that are encoded side by side: alike for all formats.

A recording is joined once for all its files, so its regions end where AAC can be joined without a
seam (`aac_regions.py`). The other codecs can be joined anywhere.
"""

from audiomill.outputs.ffmpeg.flv import AAC_FRAME

# Long enough that starting an encoder for each costs nothing, short enough to keep all cores busy.
REGION_S = 300.0
# Frames of silence on each side of a cut. AAC's overlap needs one; its encoder looks ahead further.
MARGIN = 4


def is_region_end(
    n_samples: int, n_silent: int, sample_rate: int, file_rate: int | None = None
) -> bool:
    """Whether a region of `n_samples`, the last `n_silent` of them silent, should end here.

    In a file of a lower rate than the audio has, silence has fewer frames.
    """
    n_at_file = n_silent * min(1.0, (file_rate or sample_rate) / sample_rate)
    is_silent = n_at_file >= (2 * MARGIN + 1) * AAC_FRAME
    return n_samples >= REGION_S * sample_rate and is_silent
