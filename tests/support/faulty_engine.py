"""Speech with one faulty segment: espeak's, in which one sentence is spoiled on purpose."""

from pathlib import Path

from audiomill.flows.job import Job
from audiomill.renderers.engine import registry
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.protocol import Batch, Rendered
from audiomill.renderers.espeak.renderer import SAMPLE_RATE, EspeakRenderer
from audiomill.renderers.host.waiting import UNATTENDED, Waiter
from support.spoiled_sound import Spoil

SPOILED = "Then the water came over the wheel, and everything that was loose began to move."
BOOK = Path(__file__).with_name("flooded_mill.md").read_text("utf-8")


class SpoilingEspeak(EspeakRenderer):
    """espeak, but `spoil` changes the audio of the sentence SPOILED; None leaves it whole.

    Its words have the times that they would have in clean audio, or none.
    """

    def __init__(self) -> None:
        super().__init__()
        self.spoil: Spoil | None = None
        self.is_timed = True

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:
        rendered = super().render(batch, waiter)
        if self.spoil is None:
            return rendered
        return [
            Rendered(self.spoil(one.samples, SAMPLE_RATE), one.timings if self.is_timed else ())
            if request.spoken == SPOILED
            else one
            for request, one in zip(batch.requests, rendered, strict=True)
        ]


def spoiling_engine() -> SpoilingEspeak:
    """The engine "spoiling" of this process."""
    registry.ENGINES["spoiling"] = Engine("spoiling", lambda _options: SpoilingEspeak())
    return registry.open_renderer("spoiling")


def spoiled_job(folder: Path, **choices) -> Job:
    source = folder / "book.md"
    source.write_text(BOOK)
    options = {"engine": "spoiling", "formats": ("flac",), "speed": 2.0} | choices
    return Job(source, folder / "library", str(folder / "store"), **options)
