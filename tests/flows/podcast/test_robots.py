"""robots.txt: who may fetch what, and what holds without one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.podcast.robots import (
    MAX_BYTES,
    MAX_DELAY_S,
    parse_robots,
    robots_address,
    robots_without,
)
from audiomill.inputs.articles.page import NotThere, Refused, Unavailable
from support.case_files import each_row

PAGE = "https://quay.example/2026/mill?a=1"


@each_row
def test_what_the_rules_allow(text, expected):
    assert parse_robots(text.encode()).allows(PAGE) is expected


@pytest.mark.parametrize(
    ("error", "allowed"),
    [(NotThere("404"), True), (Refused("a loop"), True), (Unavailable("503"), False)],
)
def test_without_the_file(error, allowed):
    assert robots_without(error).allows(PAGE) is allowed


@pytest.mark.parametrize(
    ("told", "delay_s"),
    [("2.5", 2.5), ("0", 0.0), ("99999", MAX_DELAY_S), ("inf", 0.0), ("-1", 0.0), ("soon", 0.0)],
)
def test_the_delay_is_that_for_us_and_has_a_limit(told, delay_s):
    text = f"User-agent: other\nCrawl-delay: 7\n\nUser-agent: *\nCrawl-delay: {told}"
    assert parse_robots(text.encode()).delay_s == delay_s


def test_where_the_file_is():
    assert (
        robots_address("http://quay.example:8080/a/b?c#d") == "http://quay.example:8080/robots.txt"
    )


def test_what_is_over_the_limit_is_not_read_nor_half_a_line():
    start = b"User-agent: *\n"
    rule = b"Disallow: /2026/mill-of-another\n"
    filler = b"#" * (MAX_BYTES - len(start) - len(b"Disallow: /2026/mill") - 1) + b"\n"
    assert parse_robots(start + filler + rule).allows(PAGE)
    assert not parse_robots(start + filler[:-1000] + b"\nDisallow: /2026/mill\n").allows(PAGE)


def test_many_programs_with_many_rules_need_little_memory():
    """Each of 20,000 programs would get each of 20,000 rules."""
    names = "".join(f"User-agent: a{n}\n" for n in range(15_000))
    rules = "".join(f"Disallow: /{n}\n" for n in range(15_000))
    assert parse_robots(f"{names}{rules}".encode()).allows(PAGE)


@given(st.binary(max_size=200), st.text(max_size=60))
def test_any_bytes_and_any_address_have_an_answer(content, url):
    robots = parse_robots(b"User-agent: *\nDisallow: " + content)
    assert robots.allows(f"https://quay.example/{url}") in {True, False}
    assert robots.allows(url) in {True, False}
    assert 0.0 <= robots.delay_s <= MAX_DELAY_S
