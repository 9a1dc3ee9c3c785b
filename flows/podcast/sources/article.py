"""An article that a source of a podcast has."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from audiomill.flows.podcast.config.show import SourceChoice
from audiomill.inputs.articles.page import Fetched

FILE_SCHEME = "file:"  # of the id of an article in a file


@dataclass(frozen=True, slots=True)
class Article:
    """An article that a source has, and the file that is read for it."""

    id: str  # the same in each run: what it was first found under
    url: str  # for people: of a page, or mid: of a letter; "" for a file
    source: SourceChoice
    path: Path
    title: str = ""
    published: datetime | None = None  # in UTC
    page: Fetched | None = None  # what the source itself had of it: nothing is fetched then
    canonical: str = ""  # the address that the page gives as its own
    problem: str = ""  # why it cannot be had now
    is_temporary: bool = False  # what the problem is: nothing that the article could help
    address: str = ""  # of a page that is fetched, with placeholders for secrets
