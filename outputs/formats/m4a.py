"""M4A: AAC in MP4, for any player of music."""

from __future__ import annotations

from audiomill.outputs.delivery.profile import SAMPLE_RATES
from audiomill.outputs.formats.format import Format
from audiomill.outputs.formats.mp4 import AAC, MEDIA_TYPE, MP4, MP4_TAGS, aac_codec, aac_effect

M4A = Format(
    *("m4a", ".m4a", "aac", MP4_TAGS, AAC, MP4, MEDIA_TYPE, aac_codec, aac_effect),
    sample_rates=SAMPLE_RATES,
)
