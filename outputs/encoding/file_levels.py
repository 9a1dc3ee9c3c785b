"""Measures files as they are encoded: what has been written is decoded again, a moment later.

    samples ─▶ ffmpeg ─▶ Title.mp3, growing ─▶ ffmpeg ─▶ samples as players hear them ─▶ meters

So the levels are known when the file is finished, and decoding uses a core that would wait for the
encoder. A lossless file is measured by what the encoder gets.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from audiomill.outputs.audio.mastering import LevelMeter, in_channels
from audiomill.outputs.encoding.ffmpeg import decode_stream
from audiomill.outputs.types import Levels
from audiomill.renderers.base import Samples

POLL_S = 0.05
READ_BYTES = 1 << 16
OPUS_HZ = 48_000  # libopus decodes at this rate whatever it has encoded


class FileMeter(Protocol):
    """Measures a file while it is encoded. Entered before and left after its encoder."""

    @property
    def sample_rate(self) -> int:
        """The rate of what is measured, in Hz."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def add(self, samples: Samples) -> None:
        """Take note of mono samples that the encoder gets."""
        ...

    def finish(self) -> Levels:
        """The levels of the file, whose encoder has ended. Raises EncoderFailed, OSError."""
        ...


class LosslessMeter:
    """Measures what the encoder gets."""

    def __init__(self, sample_rate: int, channels: int) -> None:
        self.sample_rate = sample_rate
        self._meter, self._channels = LevelMeter(sample_rate), channels

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def add(self, samples: Samples) -> None:
        """Measure the samples."""
        self._meter.add(samples)

    def finish(self) -> Levels:
        """The levels of all samples, from all channels."""
        return in_channels(self._meter.measured(), self._channels)


class DecodingMeter:
    """Measures a growing file of ffmpeg's format `format_name`, in a thread."""

    def __init__(
        self, path: Path, name: str, format_name: str, executable: str, rate: int, channels: int
    ) -> None:
        self._path = path
        stream = decode_stream(self._tail(path), format_name, executable, name)
        self.sample_rate = OPUS_HZ if format_name == "ogg" else rate
        self._meter = LevelMeter(self.sample_rate, channels)
        self._stream, self._channels = stream, channels
        self._is_written = threading.Event()
        self._is_unwanted = False
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._measure, daemon=True)

    def __enter__(self) -> Self:
        # Nothing of an earlier try may be read before ffmpeg empties the file itself.
        self._path.write_bytes(b"")
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_unwanted = kind is not None
        self._is_written.set()
        self._thread.join()

    def add(self, samples: Samples) -> None:
        """Do nothing: the file itself is measured."""

    def finish(self) -> Levels:
        """The levels of the finished file."""
        self._is_written.set()
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        return self._meter.measured()

    def _measure(self) -> None:
        try:
            for samples in self._stream:
                self._meter.add(samples.reshape(-1, self._channels))
        except Exception as error:  # noqa: BLE001  raised again where the levels are asked for
            self._failure = error

    def _tail(self, path: Path) -> Iterator[bytes]:
        """The bytes of the file up to its end, once it is written."""
        with path.open("rb") as file:
            while not self._is_unwanted:
                is_whole = self._is_written.is_set()
                if data := file.read(READ_BYTES):
                    yield data
                elif is_whole:
                    return
                else:
                    self._is_written.wait(POLL_S)
