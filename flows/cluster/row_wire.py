"""The rows of a book as a run sends them to a server of speech, and what it answers.

    POST /rows   {"engine": …, "store": …, "rows": […], "due_in_s": …}
    answer       a line of JSON for each row that is in the store, or cannot be; and empty lines
                 meanwhile, by which each side learns that the other one is gone

A request brings its key, which the server computes anew: who has other weights, pronunciations or
another version would make another sound under it. One without a key is stored under that of the
server. Audio never travels: both have one store.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from audiomill.inputs.model.book import Pronunciation
from audiomill.renderers.engine.protocol import Request

ROWS_PATH = "/rows"
BEAT_S = 1.0  # between empty lines


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A `Request` as it is sent."""

    key: str  # "": that of the server
    spoken: str
    voice: str
    speed: float
    pronunciations: tuple[Pronunciation, ...] = ()
    before: str = ""
    after: str = ""

    @property
    def request(self) -> Request:
        """What is to be rendered."""
        around = self.before, self.after
        return Request(self.key, self.spoken, self.voice, self.speed, self.pronunciations, *around)


@dataclass(frozen=True, slots=True)
class WantedRows:
    """Rows that the store of a run lacks."""

    engine: str
    store: str  # its identity
    rows: tuple[SentRequest, ...]
    # Until the first of them is heard, and the others after it; None: nobody listens.
    due_in_s: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None


def wanted_rows(
    engine: str, store: str, requests: Iterable[Request], due_in_s: float = math.inf
) -> WantedRows:
    """The rows that render requests, in the store of an identity; `inf`: nobody listens."""
    due = due_in_s if math.isfinite(due_in_s) else None
    return WantedRows(engine, store, tuple(map(sent_request, requests)), due)


def sent_request(one: Request) -> SentRequest:
    """A request as it is sent."""
    return SentRequest(
        *(one.key, one.spoken, one.voice, one.speed, one.pronunciations),
        before=one.before,
        after=one.after,
    )


@dataclass(frozen=True, slots=True)
class RowOutcome:
    """A row that is in the store now; with an error, one that cannot be."""

    key: str
    error: str = ""


_WANTED, _OUTCOME = TypeAdapter(WantedRows), TypeAdapter(RowOutcome)


def wanted_bytes(wanted: WantedRows) -> bytes:
    """The body of a request. Raises ValueError for a text that no UTF-8 can have."""
    return _WANTED.dump_json(wanted)


def read_wanted(content: bytes) -> WantedRows:
    """The rows in a body. Raises ValueError, which says what is wrong."""
    try:
        return _WANTED.validate_json(content)
    except ValidationError as error:
        raise ValueError(f"These are no rows: {error.errors()[0]['msg']}.") from error


def outcome_line(outcome: RowOutcome) -> bytes:
    """A line of an answer."""
    return _OUTCOME.dump_json(outcome) + b"\n"


def read_outcome(line: bytes) -> RowOutcome:
    """The outcome in a line. Raises ValueError."""
    return _OUTCOME.validate_json(line)
