"""What a podcast remembers between its runs: each article, its episode, and what went wrong.

One SQLite file beside the podcast's own, `show.toml.state`. Each record is written at once and
whole, so a run that is killed has forgotten at most the article that it was at.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from audiomill.flows.job import UsageError
from audiomill.outputs.types import OutputUnwritable

SUFFIX = ".state"
VERSION = 1
_BUSY_S = 30.0
_TABLE = """
CREATE TABLE IF NOT EXISTS articles (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    made_from TEXT NOT NULL,
    episode TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    failure TEXT NOT NULL,
    first_seen TEXT NOT NULL,
    canonical TEXT NOT NULL,
    is_temporary INTEGER NOT NULL
)"""


@dataclass(frozen=True, slots=True)
class ArticleRecord:
    """What is remembered of an article. "" stands for what there is not."""

    id: str
    url: str
    title: str
    made_from: str = ""  # the digest of what its episode was made of
    episode: str = ""  # the episode in JSON
    attempts: int = 0  # that failed since it last succeeded
    failure: str = ""  # of the last one
    first_seen: str = ""  # ISO 8601, in UTC
    canonical: str = ""  # the address that its page gives as its own
    is_temporary: bool = False  # the failure: nothing that the article could help


_COLUMNS = tuple(one.name for one in fields(ArticleRecord))


class ShowState:
    """The records of one show. Use it in a block, in the thread that made it."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it. Raises UsageError if it is not one of ours."""
        self._path = path
        with self._errors():
            self._database = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if version not in (0, VERSION):
                raise UsageError(f"{path} was written by a newer audiomill.")
            self._database.execute(_TABLE)
            self._database.execute(f"PRAGMA user_version = {VERSION}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._database.close()

    def records(self) -> dict[str, ArticleRecord]:
        """All records, by their id. Raises UsageError if the file is damaged."""
        select = f"SELECT {', '.join(_COLUMNS)} FROM articles"  # noqa: S608
        with self._errors(), closing(self._database.execute(select)) as rows:
            return {row[0]: ArticleRecord(*row) for row in rows}

    def save(self, record: ArticleRecord) -> None:
        """Add a record, or replace the one of its id. Raises UsageError, OutputUnwritable."""
        marks = ", ".join("?" * len(_COLUMNS))
        values = [getattr(record, name) for name in _COLUMNS]
        with self._errors():
            self._database.execute(f"REPLACE INTO articles VALUES ({marks})", values)  # noqa: S608

    @contextmanager
    def _errors(self) -> Generator[None]:
        """Turn errors of the database into UsageError for its content, else OutputUnwritable."""
        try:
            yield
        except sqlite3.OperationalError as error:  # no permission, no space, no disk
            raise OutputUnwritable(
                f"{self._path} cannot be used ({error}). Look at its folder and the disk."
            ) from error
        except sqlite3.Error as error:
            raise UsageError(
                f"{self._path}, which remembers the podcast's articles, cannot be used ({error})."
                " Without it, all articles are made again: move it away to do that."
            ) from error


def date_of(record: ArticleRecord) -> datetime:
    """When an article was published, or else first seen."""
    published = json.loads(record.episode).get("published") if record.episode else None
    return datetime.fromisoformat(published or record.first_seen)
