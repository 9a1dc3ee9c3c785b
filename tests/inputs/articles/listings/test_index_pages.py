"""Index pages: which links are those of articles, on pages as several kinds of sites have them."""

from audiomill.inputs.articles.listings.links import is_same_site, web_address, why_no_article
from support.case_files import each_row


@each_row
def test_what_addresses_say_of_themselves(path, expected):
    assert why_no_article(f"https://quay.example{path}") == expected


@each_row
def test_addresses_of_links(link, expected):
    found = web_address(link, "https://quay.example/news/")
    assert found.replace("HTTPS", "https") == expected


@each_row
def test_what_one_site_is(one, other, same):
    assert is_same_site(one, other) is same
    assert is_same_site(other, one) is same
