"""JSON Feed 1 and 1.1."""

import pytest

from audiomill.inputs.articles.listings.entries import NotAListing
from audiomill.inputs.articles.listings.listing import parse_listing
from audiomill.inputs.articles.page import Fetched

BASE = "https://quay.example/feed.json"


@pytest.mark.parametrize(
    "content",
    [b"{", b'{"a": 1}', b'{"version": "https://jsonfeed.org/version/1.1"}', b'{"items": []}',
     b'{"version": 1, "items": []}', b"{" * 50_000, b'{"a":' * 50_000],
)  # fmt: skip
def test_other_json_is_no_listing(content):
    with pytest.raises(NotAListing, match=r"feed\.json: .*JSON") as error:
        parse_listing(Fetched(BASE, content, "application/json", ""))
    assert "\n" not in str(error.value)
