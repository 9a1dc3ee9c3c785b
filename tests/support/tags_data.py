"""Tags for tests of the outputs: every field of a book, with characters that need escaping."""

from __future__ import annotations

from audiomill.outputs.metadata.tags import Tags

TITLE = "Ein Büch; =#\\ 本"
BOOK_TAGS = Tags(
    title=TITLE,
    album=TITLE,
    authors=("Ann Author", "Ben Writer"),
    narrator="Voïce",
    language="de-AT",
    date="1897",
    publisher="A Press",
    description="One.\n\nTwo.",
    series="Saga",
    series_part="2",
    identifier="urn:isbn:1",
)
