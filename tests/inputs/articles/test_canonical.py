"""Which addresses are of one article, and what pages say of their own."""

import pytest

from audiomill.inputs.articles.links import address_key, canonical_address, without_tracking
from audiomill.inputs.articles.page import Fetched
from support.case_files import each_row

URL = "https://quay.example/2026/mill"


@each_row
def test_ways_to_write_one_address(url):
    assert address_key(url) == address_key(URL)


@pytest.mark.parametrize("url", [f"{URL}?id=7", f"{URL}-2", f"{URL}/2", f"{URL}?page=2"])
def test_addresses_of_other_pages(url):
    assert address_key(url) != address_key(URL)


def test_what_chooses_a_page_is_kept():
    assert without_tracking(f"{URL}?b=2&utm_id=x&a=1#c") == f"{URL}?b=2&a=1"
    assert without_tracking(f"{URL}?q=%20x&&gclid=1") == f"{URL}?q=%20x&"


@each_row
def test_the_address_that_a_page_gives_as_its_own(head, address):
    page = f"<html><head><title>x</title>{head}</head><body><p>y</p></body></html>"
    assert canonical_address(Fetched(f"{URL}?x=1", page.encode(), "text/html", "")) == address


def test_no_other_part_of_a_page_gives_it():
    body = f'<html><head></head><body><link rel="canonical" href="{URL}"></body></html>'
    assert canonical_address(Fetched(f"{URL}?x=1", body.encode(), "text/html", "")) == f"{URL}?x=1"
