"""Makes a page of an entry that carries its whole article, so that it is read as any page is."""

from __future__ import annotations

from html import escape

from audiomill.inputs.articles.listings.entries import Entry
from audiomill.inputs.articles.page import Fetched


def page_of_entry(entry: Entry) -> Fetched:
    """The page of an entry with content."""
    published = entry.published.isoformat() if entry.published else ""
    metadata = {
        "og:title": entry.title,
        "article:published_time": published,
    }
    tags = [
        f'<meta property="{name}" content="{escape(value)}">'
        for name, value in metadata.items()
        if value
    ]
    authors = [f'<meta name="author" content="{escape(name)}">' for name in entry.authors]
    language = f' lang="{escape(entry.language)}"' if entry.language else ""
    title = escape(entry.title)
    page = (
        f"<!DOCTYPE html><html{language}><head><title>{title}</title>{''.join(tags + authors)}"
        f"</head><body><main><article><h1>{title}</h1>\n{entry.content}\n</article></main></body>"
        "</html>"
    )
    return Fetched(entry.url, page.encode("utf-8", "replace"), "text/html", "utf-8")
