"""A digest lists short articles that become one recording, with a chapter for each.

The list is a file of JSON. The articles stay in files of their own, and are read from those.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from audiomill.inputs.json_text import parse_json
from audiomill.inputs.model.book import SourceCorrupt

SUFFIX = ".digest"


@dataclass(frozen=True, slots=True)
class DigestArticle:
    """An article of a digest, and who reads it."""

    path: Path
    title: str = ""  # of its chapter if the article itself names none
    voice: str | None = None  # None: the engine's default for the article's language
    cast: Path | None = None  # its casting file


@dataclass(frozen=True, slots=True)
class Digest:
    """Articles in the order in which they are read, and what is said around them."""

    id: str
    title: str
    language: str  # BCP 47, of what is said before and after all articles
    date: str  # ISO 8601
    opening: str  # said before all articles; "": nothing
    closing: str  # said after them
    intro: str  # said before each article: a template of credits
    articles: tuple[DigestArticle, ...]


def dumped(digest: Digest) -> bytes:
    """The content of the file of a digest."""
    return json.dumps(asdict(digest), ensure_ascii=False, indent=1, default=str).encode() + b"\n"


def load(path: Path) -> Digest:
    """The digest in a file. Raises SourceCorrupt for another file, and OSError."""
    data = path.read_bytes()
    try:
        content = parse_json(data)
        articles = tuple(_article(one) for one in content.pop("articles"))
        return Digest(**content, articles=articles)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SourceCorrupt(f"“{path.name}” is no list of articles. Make it again.") from error


def _article(content: Mapping[str, Any]) -> DigestArticle:
    cast = content["cast"]
    path = Path(content["path"])
    return DigestArticle(path, content["title"], content["voice"], Path(cast) if cast else None)
