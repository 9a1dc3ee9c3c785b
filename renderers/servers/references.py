"""A cloned voice as a server gets it, with each request or once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from audiomill.renderers.engine.clone_needs import CloneNeeds
from audiomill.renderers.engine.protocol import Voice
from audiomill.renderers.reference_voices.clones import ClonedVoices
from audiomill.renderers.reference_voices.voice import VoiceUnfit


@dataclass(frozen=True, slots=True)
class SentReference:
    """A recording that a server speaks like."""

    voice: Voice
    recording: bytes  # as WAV
    text: str  # what is said in it; "" if not known
    digest: str  # of both, for keys


def sent_references(
    folder: Path | None, needs: CloneNeeds, sample_rate: int
) -> Iterator[SentReference]:
    """The voices in a folder that a server can use, cleaned, at this rate. Raises EngineMissing."""
    clones = ClonedVoices(folder, needs)
    for voice in clones.listed():
        with suppress(VoiceUnfit):  # `audiomill voices --check` says why
            if clone := clones.clone(voice.name):
                yield SentReference(voice, clone.cleaned_wav(sample_rate), clone.text, clone.digest)
