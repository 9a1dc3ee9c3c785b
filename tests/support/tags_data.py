"""Tags for tests of the outputs: every field of a book, with characters that need escaping."""

from audiomill.inputs.model.book import Series
from audiomill.outputs.metadata.tags import Tags

TITLE = "Ein Büch; =#\\ 本"
BOOK_TAGS = Tags(
    title=TITLE,
    album=TITLE,
    authors=("Ann Author", "Ben Writer"),
    subtitle="Eine Sage",
    narrators=("Voïce",),
    language="de-AT",
    date="1897-05-26",
    original_year="1895",
    publisher="A Press",
    description="One.\n\nTwo.",
    rights="© 1897",
    series=(Series("Saga", "2"), Series("Mills", "1.5")),
    identifier="urn:isbn:1",
    isbn="9780306406157",
    asin="B00ABC1234",
    genres=("19th century", "Mills"),
    title_sort="Büch, Ein",
    author_sort="Author, Ann & Writer, Ben",
    engine="tone",
    voices=("sine", "reed"),
)
