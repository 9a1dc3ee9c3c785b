"""Markup without end is refused before it becomes a tree."""

import pytest

from audiomill.inputs.articles.page import Fetched, dumped
from audiomill.inputs.articles.reader import MAX_PAGE_TAGS, read
from audiomill.inputs.markup.parser import MAX_ATTRIBUTES, MAX_TAGS, parse_xhtml, parse_xml
from audiomill.inputs.model.book import Limits, SourceTooLarge
from audiomill.inputs.readers.sources import read_book


@pytest.mark.parametrize("parse", [parse_xhtml, parse_xml])
@pytest.mark.parametrize(
    ("page", "words"),
    [
        (b"<b></b>" * (MAX_TAGS // 2 + 1), "1,000,002 tags; at most 1,000,000"),
        (b"<b>" * (MAX_TAGS + 1), "1,000,001 tags"),
        (b"<p " + b"a= " * (MAX_ATTRIBUTES + 1) + b">", "1,000,001 attributes"),
    ],
)
def test_a_document_of_too_much_markup(parse, page, words):
    with pytest.raises(SourceTooLarge, match=words):
        parse(page)


NAMES = [f"a{number}" for number in range(100_000)]
MANY_ATTRIBUTES = {
    "bare": f"<p {' '.join(NAMES)}>",
    "unquoted": f"<p {'=1 '.join(NAMES)}>",
    "quoted": "<p " + "".join(f'{name}=">"' for name in NAMES) + ">",
    "slashes": f"<p/{'/'.join(NAMES)}>",
    "below a comment": f'<!-- <a b=" --><p {" ".join(NAMES)}>',
    "below code": f"<script>x = '<a b=\"'</script><p {' '.join(NAMES)}>",
    "without an end": f"<p {' '.join(NAMES)}",
}


@pytest.mark.parametrize("name", MANY_ATTRIBUTES)
def test_a_tag_of_many_attributes(name):
    """The time that the parser takes for them grows with their square: hours for a million."""
    with pytest.raises(SourceTooLarge, match=r"a tag has .* attributes; at most 1,000 are read"):
        parse_xhtml(MANY_ATTRIBUTES[name].encode())


def test_long_values_are_no_attributes():
    words = "the mill / the river = the road " * 500
    page = f"<img alt=\"{words}\" title='{words}' src=/a/b/c><p>{words} <!-- {words} {words} -->"
    page += f"a < b <script>if (a<b) {{ {words} }}</script>"
    assert parse_xhtml(page.encode()).find(".//img").get("alt") == words


@pytest.mark.parametrize("page", [b"<%b>", b"<p/%b <b>", b"<p %b='", b"<p>&%b"])
def test_a_name_of_half_a_million_letters(page):
    """Each of its letters was tried as its end: it took hours."""
    parse_xhtml(page % (b"r" * 500_000))


def test_it_is_one_line_for_a_page_of_ones_own(tmp_path):
    path = tmp_path / "page.html"
    path.write_bytes(b"<p>The mill.</p>" + b"<b></b>" * (MAX_TAGS // 2))
    with pytest.raises(SourceTooLarge, match="at most 1,000,000 are read"):
        read_book(path, Limits())


def test_an_article_has_less(tmp_path):
    path = tmp_path / "a.article"
    page = b"<p>The mill.</p>" + b"<b>" * MAX_PAGE_TAGS
    path.write_bytes(dumped(Fetched("https://quay.example/a", page, "text/html", "utf-8")))
    told = "^https://quay.example/a cannot be read: it has 100,002 tags; at most 100,000 are read.$"
    with pytest.raises(SourceTooLarge, match=told):
        read(path, Limits())
