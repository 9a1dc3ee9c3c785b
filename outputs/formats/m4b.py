"""M4B: AAC in MP4. Apple's players recognise an audiobook by the brand."""

from __future__ import annotations

from dataclasses import replace

from audiomill.outputs.formats.m4a import M4A

M4B = replace(M4A, name="m4b", suffix=".m4b", muxing=(*M4A.muxing, ("brand", "M4B ")))
