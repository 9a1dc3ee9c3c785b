"""The beginning of a book as a listener asks a server of speech for its sound.

    POST /sound   {"engine": …, "store": …, "chapters": [[segment, …], …], "speed": …}
    answer        the joined samples (s16le, mono, at the rate of the engine) as they become ready

As in a request for rows, the server computes each key anew. A speed is that of now: the key of a
row is that of the speed at which the row was heard before. At another speed all rows are rendered,
but the sound ends with the first pause: how long pauses are is decided by the book.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from audiomill.flows.cluster.row_wire import SentRequest, WantedRows, sent_request
from audiomill.flows.pipeline.planning.plan import PlannedSegment
from audiomill.renderers.engine.protocol import Request

BEGINNING_PATH = "/sound"
MAX_PAUSE_S = 60.0
MAX_GAIN_DB = 60.0

_Pause = Annotated[float, Field(ge=0, le=MAX_PAUSE_S)]
_Gain = Annotated[float, Field(ge=-MAX_GAIN_DB, le=MAX_GAIN_DB)]
_Speed = Annotated[float, Field(gt=0, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class SentSegment:
    """A `PlannedSegment` as it is sent."""

    segment_id: str
    row: SentRequest
    pause_after_s: _Pause
    sentences: tuple[tuple[int, int], ...] = ()
    sentence_pauses_s: tuple[_Pause, ...] = ()
    gain_db: _Gain = 0.0

    def planned(self, request: Request) -> PlannedSegment:
        """The segment in its place, whose row is rendered by that request."""
        joined = self.pause_after_s, self.sentences, self.sentence_pauses_s, self.gain_db
        return PlannedSegment(self.segment_id, request, *joined)

    def check(self) -> None:
        """Raise ValueError for sentences that its text cannot have."""
        ends = [place for sentence in self.sentences for place in sentence]
        if (
            ends != sorted(ends)
            or not all(0 <= place <= len(self.row.spoken) for place in ends)
            or len(self.sentence_pauses_s) != max(0, len(self.sentences) - 1)
        ):
            raise ValueError(f"Segment {self.segment_id} has other sentences than its text.")


@dataclass(frozen=True, slots=True)
class WantedBeginning:
    """The segments at the beginning of a book, by chapter."""

    engine: str
    store: str  # its identity
    chapters: tuple[tuple[SentSegment, ...], ...]
    speed: _Speed | None = None  # None: that of each row

    @property
    def rows(self) -> WantedRows:
        """What is to be rendered, at the speed of before."""
        rows = tuple(segment.row for chapter in self.chapters for segment in chapter)
        return WantedRows(self.engine, self.store, rows)

    @property
    def is_slower_or_faster(self) -> bool:
        """Whether the speed of now is another one than that of the rows."""
        return self.speed is not None and any(row.speed != self.speed for row in self.rows.rows)

    def at_speed(self, request: Request) -> Request:
        """A request at the speed of now; its key is that of before."""
        return request if self.speed is None else replace(request, speed=self.speed)


def beginning_bytes(engine: str, store: str, chapters: Sequence[Sequence[PlannedSegment]]) -> bytes:
    """The body of a request. Raises ValueError for a text that no UTF-8 can have."""
    sent = tuple(tuple(map(_sent, chapter)) for chapter in chapters)
    return _WANTED.dump_json(WantedBeginning(engine, store, sent))


def _sent(segment: PlannedSegment) -> SentSegment:
    return SentSegment(
        segment.segment_id,
        sent_request(segment.request),
        segment.pause_after_s,
        segment.sentences,
        segment.sentence_pauses_s,
        segment.gain_db,
    )


_WANTED = TypeAdapter(WantedBeginning)


def read_beginning(content: bytes) -> WantedBeginning:
    """The beginning in a body. Raises ValueError, which says what is wrong."""
    try:
        wanted = _WANTED.validate_json(content)
    except ValidationError as error:
        raise ValueError(f"This is no beginning of a book: {error.errors()[0]['msg']}.") from error
    for chapter in wanted.chapters:
        for segment in chapter:
            segment.check()
    return wanted
