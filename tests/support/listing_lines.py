"""What a listing says of its articles, in lines for files of cases."""

from audiomill.inputs.articles.listings.entries import Entry
from audiomill.inputs.articles.listings.listing import parse_listing
from audiomill.inputs.articles.page import Fetched
from audiomill.inputs.model.book import SourceError
from support.book_lines import shown


def listing_of(text: str, url: str, media_type: str = "") -> list[str]:
    """Of a text that was fetched from `url`, or why it is no listing."""
    try:
        listing = parse_listing(Fetched(url, text.encode(), media_type, ""))
    except SourceError as error:
        return [f"{type(error).__name__}: {error}"]
    return [
        *([f"title: {shown(listing.title)}"] if listing.title else []),
        *(line for entry in listing.entries for line in entry_lines(entry)),
        *(f"further: {one}" for one in listing.further),
        *(f"warning: {shown(one)}" for one in listing.warnings),
    ]


def entry_lines(entry: Entry) -> list[str]:
    """The address of an article, and what else is told of it."""
    told = {
        "id": entry.id if entry.id != entry.url else "",
        "title": entry.title,
        "authors": entry.authors,
        "published": entry.published and entry.published.isoformat(),
        "updated": entry.updated and entry.updated.isoformat(),
        "summary": entry.summary,
        "content": entry.content,
        "language": entry.language,
    }
    return [entry.url, *(f"  {name}: {shown(value)}" for name, value in told.items() if value)]
