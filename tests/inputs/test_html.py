"""Web pages to a book: the main content, and the text around it."""

import pytest

from audiomill.inputs import html
from audiomill.inputs.book import BlockKind, Limits, SkipReason, SourceCorrupt, SourceTooLarge
from audiomill.inputs.reading import read_book
from support.reading_data import skipped, texts

LIMITS = Limits()


@pytest.fixture
def read(tmp_path):
    def read_page(page, *, limits=LIMITS):
        path = tmp_path / "a-page.html"
        path.write_bytes(page if isinstance(page, bytes) else page.encode())
        return html.read(path, limits)

    return read_page


@pytest.mark.parametrize(
    ("head", "said", "listed"),
    [
        ("", ["Of x squared, $y_1$ and $5, $6. z sub 1 \\(c\\) or a sub 1"], ["x^2", "z_1", "a_1"]),
        (
            "<script>MathJax = {tex: {inlineMath: [['$', '$']]}}</script>",
            ["Of x squared, y sub 1 and $5, $6. z sub 1 \\(c\\) or a sub 1"],
            ["x^2", "y_1", "z_1", "a_1"],
        ),
    ],
)
def test_formulas_in_latex_are_said(read, head, said, listed):
    body = r"<p>Of \(x^2\), $y_1$ and $5, $6. $$z_1$$ <code>\(c\)</code> or <!--c--> \[a_1\]</p>"
    book = read(f"<html><head>{head}</head><body>{body}</body></html>")
    assert (texts(book), skipped(book, SkipReason.FORMULA)) == (said, listed)


def left_out(book):
    return skipped(book, SkipReason.NAVIGATION)


ARTICLE = """<!doctype html><html lang=en-GB><head><title>A Post – The Site</title>
<meta property="og:title" content="A Post"><meta name=author content="Zoe Finch">
<meta property="article:author" content="https://example.org/zoe">
<meta property="article:published_time" content="2026-01-02T08:00:00Z">
<meta property="og:site_name" content="The Site">
<meta name=description content="About mills."></head>
<body><header><a href=/>The Site</a></header>
<nav><ul><li><a href=/a>Home</a><li><a href=/b>Shop</a></ul></nav>
<main><article><header><h1>A Post</h1><p>By Zoe Finch</header>
<p>First <b>words</b>, and <a href="https://example.org">a link</a>.
<aside>Subscribe now!</aside>
<h2>One</h2><p>Text one.<form><input name=q>Search</form>
<h2>Two</h2><blockquote><p>Said well.<footer>Ann Ode</footer></blockquote>
<figure><img src=a.png alt="not said"><figcaption>A caption.</figcaption></figure>
</article></main>
<footer>© 2026</footer><script>track()</script></body></html>"""


def test_an_article(read):
    book = read(ARTICLE)
    assert (book.title, book.authors, book.language) == ("A Post", ("Zoe Finch",), "en-GB")
    assert (book.date, book.publisher) == ("2026-01-02T08:00:00Z", "The Site")
    assert book.description == "About mills."
    assert [chapter.title for chapter in book.chapters] == ["A Post", "One", "Two"]
    assert texts(book, BlockKind.PARAGRAPH) == [
        "By Zoe Finch",
        "First words, and a link.",
        "Text one.",
    ]
    assert texts(book, BlockKind.QUOTE) == ["Said well.", "Ann Ode"]
    assert texts(book, BlockKind.CAPTION) == ["A caption."]
    around = " ".join(left_out(book))
    for words in ("The Site", "Home", "Shop", "© 2026", "Subscribe now!", "Search"):
        assert words in around
    assert skipped(book, SkipReason.SCRIPT) == ["track()"]


def test_every_word_of_the_page_is_read_or_listed(read):
    book = read(ARTICLE)
    all_text = " ".join([*texts(book), *(item.text for item in book.skipped)])
    for words in ("The Site", "Home", "A Post", "First words", "Subscribe", "Search", "track()"):
        assert words in all_text


def test_a_plain_page_is_read_whole(read):
    book = read("<title>Old Page</title><h1>One</h1><p>Text.<h1>Two</h1><p>More.")
    assert book.title == "Old Page"
    assert [chapter.title for chapter in book.chapters] == ["One", "Two"]
    assert (book.language, book.authors, book.skipped) == ("en", (), ())


def test_one_top_heading_is_the_title(read):
    book = read("<title>x | y</title><h1>The Book</h1><h2>A</h2><p>Text.<h2>B</h2><p>More.")
    assert book.title == "The Book"
    assert [chapter.title for chapter in book.chapters] == ["A", "B"]


def test_a_series_above_the_title_makes_no_chapter_of_the_whole_book(read):
    page = "<h3>Library<h4>Vol. XII<h1>The Book</h1><h2>A</h2><p>Text.<h2>B</h2><p>More."
    assert [chapter.title for chapter in read(page).chapters] == ["A", "B"]


MANY_HEADINGS = [
    *("<h1>The Paper</h1>", f"<p>{'A paper for millers. ' * 20}", "<h2>THE FIRST PART</h2>"),
    *("<h2>Chapter I: Wind</h2>", "<p>Text.", "<h2>A MILLER</h2><h2>A Guide</h2><h2>By Bo Li</h2>"),
    *("<p>Text.", "<h2>Act I</h2><h2>Act II</h2><p>Text.", "<h2>THE</h2><h2>PAPER</h2><p>More."),
    *("<h2>The End.</h2>", "<h2>Our Books</h2><p>One.", "<h2>FOOTNOTES:</h2>"),
]


def test_headings_without_text_between_them_begin_one_chapter(tmp_path):
    path = tmp_path / "a-paper.html"
    path.write_text(f"<title>The Paper</title>{''.join(MANY_HEADINGS)}")
    book = read_book(path, LIMITS)
    assert [chapter.title for chapter in book.chapters] == [
        *("The Paper", "THE FIRST PART: Chapter I: Wind", "A MILLER: A Guide: By Bo Li"),
        *("Act I", "Act II", "The Paper", "Our Books"),
    ]
    assert book.chapters[-2].blocks[-1].text == "The End."
    assert skipped(book, SkipReason.NOTE) == ["FOOTNOTES:"]


def test_a_chapter_of_hours_is_divided_at_the_headings_in_it(read):
    hours = "".join(f"<h3>{title}</h3><p>{'The wheel turned. ' * 2_000}" for title in "BCDE")
    short = "<h3>G</h3><p>One.<h3>H</h3><p>Two.<h3>I</h3><p>Three."
    page = f"<title>T</title><h2>A</h2><p>Text.{hours}<h2>F</h2><p>Text.{short}"
    chapters = read(page).chapters
    assert [(chapter.title, chapter.level) for chapter in chapters] == [
        ("A", 1),
        *(("B", 2), ("C", 2), ("D", 2), ("E", 2)),
        ("F", 1),
    ]
    minutes = read(page.replace("wheel turned. ", ""))
    assert [chapter.title for chapter in minutes.chapters] == ["A", "F"]


def test_paragraphs_that_count_chapters_are_headings_on_a_page_of_hours_without_any(read):
    text = f"<p>{'The wheel turned. ' * 1_500}</p>"
    contents = "".join(f"<p>CHAPTER {one}.</p>" for one in ("I", "II", "III"))
    chapters = "".join(f"<p><br>CHAPTER {one}.</p>{text}" for one in ("I", "II", "III"))
    page = f"<title>T</title><h1>The Mill</h1><p>By Ann Ode.</p>{contents}{chapters}"
    titles = [chapter.title for chapter in read(page).chapters]
    assert titles[-3:] == ["CHAPTER I.", "CHAPTER II.", "CHAPTER III."]
    assert len(titles) == 4
    # A page with headings of its own keeps those, and a short page stays as it is.
    own = page.replace("<p>By Ann Ode.</p>", "<h2>Chapter 1</h2>")
    short = page.replace(" * 1_500", "").replace("The wheel turned. ", "It.")
    for other in (own, short):
        assert "CHAPTER II." not in [chapter.title for chapter in read(other).chapters]


@pytest.mark.parametrize(
    ("page", "main", "around"),
    [
        ("<main><p>In.</main><p>Out.", ["In."], ["Out."]),
        ("<p>Out.<div role=main><p>In.</div>", ["In."], ["Out."]),
        ("<div>Out.<article>In.</article>Out too.</div>", ["In."], ["Out.", "Out too."]),
        ("<article>One.</article><article>Two.</article>", ["One.", "Two."], []),
        (
            "<main><article>One.</article><article>Two.</article></main>Out.",
            ["One.", "Two."],
            ["Out."],
        ),
        ("<main></main><p>All.", ["All."], []),
        ("<article>Post.<article>Comment.</article></article>", ["Post.", "Comment."], []),
        ("<header><h1>T</h1></header><p>In.", ["T", "In."], []),
        ("<header>Logo</header><p>In.", ["In."], ["Logo"]),
    ],
)
def test_the_main_content_is_recognised(read, page, main, around):
    book = read(f"<html><body>{page}</body></html>")
    assert texts(book) == main
    assert " ".join(left_out(book)) == " ".join(around)


def test_a_list_of_links_into_the_page_is_not_read(read):
    links = "".join(f"<li><a href='#s{n}'>Part {n}</a>" for n in range(4))
    book = read(f"<h2>Contents</h2><ul>{links}</ul><p>Text.")
    assert texts(book) == ["Text."]
    assert {item.reason for item in book.skipped} == {SkipReason.TABLE_OF_CONTENTS}


def test_a_list_of_links_to_other_pages_is_read(read):
    links = "".join(f"<li><a href='/p{n}'>Part {n}</a>" for n in range(3))
    assert texts(read(f"<ul>{links}</ul>")) == ["Part 0", "Part 1", "Part 2"]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "shift-jis"])
def test_encodings(read, encoding):
    words = "日本語" if encoding == "shift-jis" else "Café"
    page = f"<html><head><meta charset={encoding}></head><body><p>{words}</body></html>"
    assert texts(read(page.encode(encoding))) == [words]


def test_the_language_of_the_page(read):
    assert read("<html lang=de><body><p>Ja.").language == "de"
    assert read("<html><meta property=og:locale content=fr_CA><body><p>Oui.").language == "fr-CA"
    assert read("<html><body lang=it><p>Sì.").language == "it"


def test_too_long_a_page_is_refused(read):
    with pytest.raises(SourceTooLarge, match="max_text_chars"):
        read("<p>" + "word " * 100, limits=Limits(max_text_chars=400))
    markup = "<p class='" + "x" * 1000 + "'>Text."
    assert texts(read(markup, limits=Limits(max_text_chars=400))) == ["Text."]


def test_binary_data_is_refused(read):
    with pytest.raises(SourceCorrupt, match=r"“a-page\.html” is no web page"):
        read(b"<p>\0\0\0\1")


@pytest.mark.parametrize("page", ["", "<", "<html>", "<p>", "<!doctype html>", "<frameset>"])
def test_an_empty_page_has_no_chapters(read, page):
    assert [text for text in texts(read(page)) if text != "<"] == []


def test_a_page_without_a_title_is_named_by_its_file(read):
    book = read("<p>Only text.")
    assert (book.title, book.chapters[0].title) == ("a page", "a page")
    assert read("<title>Named</title><p>Text.").chapters[0].title == "Named"
