"""The state of a podcast between its runs: each article, its episode, and what went wrong.

One SQLite file beside the podcast's own, `show.toml.state`. Each record is written at once and
whole, so a run that is killed has forgotten at most the article that it was at.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing, contextmanager
from dataclasses import astuple, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Self

from audiomill.flows.errors import UsageError
from audiomill.outputs.types import OutputUnwritable

SUFFIX = ".state"
# 1 had no digests, and did not keep the addresses that pages give as their own; 2 had no values.
VERSION = 3
_BUSY_S = 30.0
_TABLES = """
CREATE TABLE IF NOT EXISTS articles (
    id TEXT PRIMARY KEY,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    made_from TEXT NOT NULL,
    episode TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    failure TEXT NOT NULL,
    first_seen TEXT NOT NULL,
    canonical TEXT NOT NULL DEFAULT '',
    is_temporary INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS members (
    id TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    place INTEGER NOT NULL,
    url TEXT NOT NULL,
    title TEXT NOT NULL,
    published TEXT NOT NULL,
    path TEXT NOT NULL,
    voice TEXT NOT NULL,
    canonical TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS show_values (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
)"""
_FROM_VERSION_1 = """
ALTER TABLE articles ADD COLUMN canonical TEXT NOT NULL DEFAULT '';
ALTER TABLE articles ADD COLUMN is_temporary INTEGER NOT NULL DEFAULT 0;
DROP TABLE IF EXISTS files
"""


@dataclass(frozen=True, slots=True)
class ArticleRecord:
    """The record of an article. "" stands for what there is not."""

    id: str
    url: str
    title: str
    fingerprint: str = ""  # of its episode
    episode: str = ""  # the episode in JSON
    attempts: int = 0  # that failed since it last succeeded
    failure: str = ""  # of the last one
    first_seen: str = ""  # ISO 8601, in UTC
    canonical: str = ""  # the address that its page gives as its own
    is_temporary: bool = False  # the failure: nothing that the article could help


@dataclass(frozen=True, slots=True)
class MemberRecord:
    """An article that belongs to a digest: all that is needed to make it again.

    The digest itself has an ArticleRecord. "" stands for what there is not.
    """

    id: str  # of the article, which is in no other digest
    digest: str  # its id
    place: int  # in the digest, from 0
    url: str
    title: str
    published: str  # ISO 8601, in UTC
    path: str  # of its file
    voice: str  # that its source names
    canonical: str  # the address that its page gives as its own


# The column of the fingerprint keeps its name of version 1.
_COLUMNS = tuple(
    "made_from" if one.name == "fingerprint" else one.name for one in fields(ArticleRecord)
)
_MEMBER_COLUMNS = tuple(one.name for one in fields(MemberRecord))


class ShowState:
    """The records of one show. Use it in a block, in the thread that made it."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it. Raises UsageError if it is not one of ours."""
        self._path = path
        with self._errors():
            self._database = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if version > VERSION:
                raise UsageError(f"{path} was written by a newer audiomill.")
        with self._at_once():
            steps = (*(_FROM_VERSION_1.split(";") if version == 1 else ()), *_TABLES.split(";"))
            for step in (*steps, f"PRAGMA user_version = {VERSION}"):
                self._database.execute(step)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._database.close()

    def records(self) -> dict[str, ArticleRecord]:
        """All records, by their id. Raises UsageError if the file is damaged."""
        select = f"SELECT {', '.join(_COLUMNS)} FROM articles"  # noqa: S608
        with self._errors(), closing(self._database.execute(select)) as rows:
            return {row[0]: ArticleRecord(*row) for row in rows}

    def save(self, record: ArticleRecord) -> None:
        """Add a record, or replace the one of its id. Raises UsageError, OutputUnwritable."""
        self._write("REPLACE INTO articles", astuple(record))

    def members(self) -> dict[str, list[MemberRecord]]:
        """The articles of each digest by its id, in order."""
        query = f"SELECT {', '.join(_MEMBER_COLUMNS)} FROM members ORDER BY digest, place"  # noqa: S608
        digests = dict[str, list[MemberRecord]]()
        with self._errors(), closing(self._database.execute(query)) as rows:
            for row in rows:
                member = MemberRecord(*row)
                digests.setdefault(member.digest, []).append(member)
        return digests

    def save_digest(self, record: ArticleRecord, members: Sequence[MemberRecord]) -> None:
        """Add the record of a digest and its articles, or replace them, at once."""
        with self._at_once():
            self.save(record)
            self._database.execute("DELETE FROM members WHERE digest = ?", [record.id])
            for member in members:
                # No replacing: an article that is in another digest is a fault.
                self._write("INSERT INTO members", astuple(member))

    def leave_out(self, records: Iterable[ArticleRecord]) -> None:
        """Save the records of articles that leave their digests, at once."""
        with self._at_once():
            for record in records:
                self.save(record)
                self._database.execute("DELETE FROM members WHERE id = ?", [record.id])

    def remove_digest(self, digest_id: str) -> None:
        """Forget a digest, so that its articles are free."""
        with self._at_once():
            self._database.execute("DELETE FROM members WHERE digest = ?", [digest_id])
            self._database.execute("DELETE FROM articles WHERE id = ?", [digest_id])

    def value(self, name: str) -> str:
        """The value remembered of the show itself under a name; "" for nothing."""
        query = "SELECT value FROM show_values WHERE name = ?"
        with self._errors(), closing(self._database.execute(query, [name])) as rows:
            return next((str(value) for (value,) in rows), "")

    def save_value(self, name: str, value: str) -> None:
        """Remember something of the show. Raises UsageError, OutputUnwritable."""
        self._write("REPLACE INTO show_values", [name, value])

    def _write(self, how: str, values: Sequence[object]) -> None:
        marks = ", ".join("?" * len(values))
        with self._errors():
            self._database.execute(f"{how} VALUES ({marks})", values)

    @contextmanager
    def _at_once(self) -> Generator[None]:
        """Do all of the block, or nothing of it. Raises UsageError, OutputUnwritable."""
        # The connection commits or, after any error, rolls back what SQLite has not ended itself.
        with self._errors(), self._database:
            self._database.execute("BEGIN IMMEDIATE")
            yield

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
