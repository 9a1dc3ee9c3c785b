"""Which text of a web page is its article, and who wrote it when, by trafilatura.

Its precision mode has the best F1 of what was measured on 181 pages (docs/design/articles.md). It
finds dates and authors too, in the markup of search engines and in the text.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

import trafilatura
from trafilatura.settings import Document

from audiomill.inputs.articles.metadata import article_title, author_names
from audiomill.inputs.markup.parser import without_forbidden_references


@dataclass(frozen=True, slots=True)
class Extraction:
    """The article of a page. A text that is not known is ""."""

    text: str = ""  # a line for each paragraph
    title: str = ""
    authors: tuple[str, ...] = ()
    site: str = ""
    date: str = ""  # ISO 8601, of the publication
    description: str = ""
    image: str = ""  # its URL


def named_picture(page: str) -> str:
    """The URL of the picture that an HTML page names for previews, as it is written; or ""."""
    found = trafilatura.extract_metadata(without_forbidden_references(page))
    return (found.image if found else "") or ""


def extract(page: str, url: str) -> Extraction:
    """The article of an HTML page; without any text if there is none."""
    page = without_forbidden_references(page)  # which trafilatura takes for no page at all
    found = trafilatura.bare_extraction(
        page, url=url or None, favor_precision=True, include_comments=False, with_metadata=True
    )
    if not isinstance(found, Document):
        return Extraction()
    site, host = found.sitename or found.hostname or "", urlsplit(url).hostname or ""
    return Extraction(
        text=found.text or "",
        title=article_title(found.title or "", site, host, page, found.text or ""),
        authors=author_names((found.author or "").split(";")),
        site=site,
        date=found.date or "",
        description=found.description or "",
        image=found.image or "",
    )
