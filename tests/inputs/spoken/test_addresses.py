"""Web addresses, in a language that has no rules of its own."""

import pytest

from support.spoken_cases import said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("See https://www.example.org/a/b?c=d#e.", "See example.org."),
        ("(http://example.org)", "(example.org)"),
        ("https://example.org/a, and HTTPS://b.example/", "example.org, and b.example"),
        ("https:// is a scheme", "https:// is a scheme"),
        ("これはhttps://example.org/aです。", "これはexample.orgです。"),
    ],
)
def test_an_address_is_spoken_as_its_host(text, expected):
    assert said(text, "ja") == expected
