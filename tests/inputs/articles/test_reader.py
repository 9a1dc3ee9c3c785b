"""Articles: what of a page is its article, what is listed, and pages that have none."""

from pathlib import Path

import pytest

from audiomill.inputs.articles.page import Fetched, dumped
from audiomill.inputs.articles.reader import NotAnArticle
from audiomill.inputs.model.book import Limits, SkipReason, SourceCorrupt
from audiomill.inputs.readers.sources import read_book
from support.article_data import PARAGRAPHS, article_page
from support.reading_data import texts

URL = "https://quay.example/2026/mill"


@pytest.fixture
def read(tmp_path):
    def read(page: str | bytes, charset: str = "utf-8", url: str = URL):
        content = page if isinstance(page, bytes) else page.encode()
        path = tmp_path / "page.article"
        path.write_bytes(dumped(Fetched(url, content, "text/html", charset)))
        return read_book(path, Limits())

    return read


def test_the_article_is_read_and_all_else_is_listed(read):
    book = read(article_page())
    assert [text for text in texts(book) if text in PARAGRAPHS] == list(PARAGRAPHS)
    assert texts(book)[0] == "The Mill That Turned by Itself"
    listed = " ".join(skipped.text for skipped in book.skipped)
    for around in ("Sport", "Ten ways to tie a knot", "Fish prices", "All rights reserved"):
        assert around in listed
        assert not any(around in text for text in texts(book))


def test_a_caption_after_the_last_paragraph_belongs_to_the_article(read):
    teaser = "<div><figure><img src=a.png><figcaption>Knots</figcaption></figure></div></article>"
    book = read(article_page().replace("</article>", teaser))
    assert texts(book)[-1] == "The mill on Sunday"
    assert "Knots" in [one.text for one in book.skipped]


def test_formulas_belong_to_the_article_around_them(read):
    formulas = ("Let \\(x^2\\) be what $5 are, with <code>\\(x\\)</code>.", "$$E = mc^2$$", "$$F$$")
    book = read(article_page(paragraphs=(*PARAGRAPHS[:2], *formulas, *PARAGRAPHS[2:])))
    said = ["Let x squared be what $5 are, with \\(x\\).", "E = m c squared", "F"]
    assert [text for text in texts(book) if text in said] == said
    assert [one.text for one in book.skipped if one.reason is SkipReason.FORMULA] == [
        "x^2",
        "E = mc^2",
        "F",
    ]


@pytest.mark.parametrize("order", [(0, 0), (0, 1, 1, 1), (0, 1, 0, 2, 2)])
def test_a_paragraph_that_is_said_twice_is_read_twice(read, order):
    said = [PARAGRAPHS[at] * 2 for at in order]
    assert [text for text in texts(read(article_page(paragraphs=said))) if text in said] == said


def test_who_wrote_it_where_and_when(read):
    book = read(article_page())
    assert book.title == "The Mill That Turned by Itself"
    assert book.authors == ("Jan Mertens",)
    assert (book.publisher, book.language) == ("The Quay Times", "en-GB")
    assert book.date.startswith("2026-03-02")


def test_a_changed_article_is_the_same_article(read):
    old = read(article_page())
    new = read(article_page(paragraphs=(*PARAGRAPHS[:-1], "The council has decided.")))
    assert old.source_id == new.source_id
    assert old.source_id != read(article_page(), url=f"{URL}-2").source_id


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [("utf-8", "utf-8"), ("iso-8859-15", "iso-8859-15"), ("iso-8859-1", "utf-8"), ("", "utf-8"),
     ("no-such", "utf-8"), ("utf-16", "utf-8"), ("shift_jis", "shift_jis")],
)  # fmt: skip
def test_the_charset_that_the_server_told(read, charset, encoding):
    word = "日本" if encoding == "shift_jis" else "Café"
    paragraphs = (f"The {word} was open. {PARAGRAPHS[0]}", *PARAGRAPHS[1:])
    page = article_page(paragraphs=paragraphs).replace("’", "'").replace("“", '"')
    page = page.replace("”", '"').replace("©", "")
    assert any(
        f"The {word} was open." in text for text in texts(read(page.encode(encoding), charset))
    )


PAYWALL = '<script type="application/ld+json">{"isAccessibleForFree": "False"}</script>'
NOT_ARTICLES = {
    "only the beginning is free": article_page(
        paragraphs=(*PARAGRAPHS[:2], "Subscribe now to continue reading this story."), head=PAYWALL
    ),
    "consent to cookies": article_page(
        title="Before you continue",
        paragraphs=(
            "We and our partners use cookies to store and read information on your device.",
            "With your consent we may use cookies to measure how often our pages are read.",
            "You can refuse cookies or change your consent at any time in our privacy policy.",
            "Our partners use cookies to show personalised ads and to learn what you like.",
        ),
    ),
    "runs its programs": "<html><head><title>News</title></head><body><div id='root'></div>"
    "<noscript>You need to enable JavaScript to run this app.</noscript>"
    "<script src='app.js'></script></body></html>",
    "nothing here": "<html><head><title>404: Page not found</title></head><body>"
    "<h1>Page not found</h1><p>Try the search.</p></body></html>",
    "list of articles": "<html><head><title>News</title></head><body><ul>"
    + "".join(f"<li><a href='/{n}'>Headline number {n}</a></li>" for n in range(40))
    + "</ul></body></html>",
}


@pytest.mark.parametrize("reason", NOT_ARTICLES)
def test_a_page_without_an_article_is_refused(read, reason):
    with pytest.raises(NotAnArticle, match=reason) as error:
        read(NOT_ARTICLES[reason])
    assert str(error.value).startswith(URL)
    assert "\n" not in str(error.value)


def test_scripts_without_an_end_are_a_program(read):
    """For each of them the rest of the page was searched for its end."""
    with pytest.raises(NotAnArticle, match="runs its programs"):
        read("<html><body>" + "<script>" * 60_000)


def test_an_article_about_cookies_is_read(read):
    words = "The regulator wants fewer banners about cookies, and consent that means something. "
    book = read(article_page(title="Cookies", paragraphs=tuple(words * 6 + p for p in PARAGRAPHS)))
    assert sum("regulator" in text for text in texts(book)) == len(PARAGRAPHS)


@pytest.mark.parametrize("content", [b"", b"no json\n", b"{}\n<p>", b"[1]\n", b"\x1f\x8b\x08\x00"])
def test_another_file_is_no_article(tmp_path, content):
    path = Path(tmp_path / "page.article")
    path.write_bytes(content or b" ")
    with pytest.raises(SourceCorrupt, match=r"page\.article"):
        read_book(path, Limits())


def test_prose_that_keeps_its_lines_is_no_code(read):
    prose = "The wind has turned, and with it\nthe whole town, said the baker."
    code = "for sail in mill.sails:\n    sail.turn(speed=2)"
    marked = (*PARAGRAPHS[:2], f"</p><pre>{prose}</pre><pre>{code}</pre><p>", *PARAGRAPHS[2:])
    book = read(article_page(paragraphs=marked))
    [verse] = [text for text in texts(book) if text.startswith("The wind has turned")]
    assert " ".join(verse.split()) == " ".join(prose.split())
    assert not any("sail.turn" in text for text in texts(book))


def test_a_heading_does_not_say_the_sign_that_links_to_it(read):
    heading = '</p><h2>The storm <a href="#storm">#</a></h2><p>'
    book = read(article_page(paragraphs=(*PARAGRAPHS[:3], heading, *PARAGRAPHS[3:])))
    assert "The storm" in texts(book)
    assert any(skipped.text == "#" for skipped in book.skipped)


def test_the_language_is_that_of_the_text(read):
    paragraphs = tuple(
        f"Die Mühle {n} stand still, und der Müller wusste nicht, warum sie sich wieder drehte."
        for n in range(9)
    )
    book = read(article_page(title="Die Mühle", paragraphs=paragraphs))
    assert book.language == "de"
    assert not any(block.language for chapter in book.chapters for block in chapter.blocks)


def test_an_article_without_spaces_between_words_is_read(read):
    paragraphs = tuple(
        f"风车在第{n}个暴风雨的夜里自己转动起来，镇上没有人知道原因。" for n in range(9)
    )
    book = read(article_page(title="风车", paragraphs=paragraphs))
    assert book.language == "zh"
    assert [text for text in texts(book) if text in paragraphs] == [*paragraphs]


def test_a_subtitle_does_not_name_the_first_chapter(read):
    storm, repair = ("</p><h2>The storm</h2><p>", "</p><h2>The repair</h2><p>")
    page = article_page(
        paragraphs=(*PARAGRAPHS[:2], storm, *PARAGRAPHS[2:4], repair, PARAGRAPHS[4])
    )
    page = page.replace("</h1>", "</h1><h2>Nobody had oiled its gears</h2>")
    first, *others = read(page).chapters
    assert first.title == "The Mill That Turned by Itself"
    assert [one.title for one in others] == ["The storm", "The repair"]
