"""Front matter of Markdown: title, authors, language, cover; safe against hostile YAML."""

import os
import textwrap

import pytest

from audiomill.inputs.book import Limits, Series, SkipReason
from audiomill.inputs.markdown import reader
from support.epub_data import PNG
from support.picture_data import halves, pixels_of, saved
from support.reading_data import skipped, texts, titles


@pytest.fixture
def read(tmp_path):
    def read_text(text, *, name="a-book.md", **limits):
        path = tmp_path / name
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return reader.read(path, Limits(**limits))

    return read_text


FRONT_MATTER = {
    "yaml": """\
        ---
        title: "The Mill: A Tale"
        authors: [Ann Ode, {name: Bo Li}]
        lang: en_GB
        date: 2026-11-21
        description: |
          Two lines
          of it.
        series: Mills
        series_index: 2
        ---
        Text.
        """,
    "toml": """
        +++
        title = "The Mill: A Tale"
        author = ["Ann Ode", "Bo Li"]
        language = "en-GB"
        date = 2026-11-21
        description = "Two lines of it."
        series = "Mills"
        volume = 2
        +++
        Text.
        """,
}


@pytest.mark.parametrize("kind", FRONT_MATTER)
def test_front_matter(read, kind):
    book = read(FRONT_MATTER[kind])
    assert book.title == "The Mill: A Tale"
    assert book.authors == ("Ann Ode", "Bo Li")
    assert (book.language, book.date) == ("en-GB", "2026-11-21")
    assert book.description == "Two lines of it."
    assert (book.series, book.series_index) == ("Mills", "2")
    assert (texts(book), book.warnings) == (["Text."], ())


def test_without_front_matter_the_file_names_the_book(read):
    book = read("Text.", name="the_little-mill.md")
    assert (book.title, book.authors, book.language) == ("the little mill", (), "en")
    assert titles(book) == [("the little mill", 1)]
    assert len(book.source_id) == 64


@pytest.mark.parametrize(
    "text",
    [
        "---\nNot a mapping, only text between rules.\n\n---\nMore.",
        "---\nkey: [unclosed\n---\nMore.",
        "---\n*a: &a [*a, *a]\n---\nMore.",
        "---\n" + "[" * 5000 + "\n---\nMore.",
        "+++\nnot toml at all\n+++\nMore.",
        "---\ndate: 2026-13-45\n---\nMore.",
        "---\nnever: closed\n\nMore.",
    ],
)
def test_text_that_looks_like_front_matter_stays_in_the_text(read, text):
    book = read(text)
    assert any("More." in t for t in texts(book))


def test_front_matter_that_cannot_be_read_is_listed(read):
    book = read("---\ntitle: [unclosed\n---\nMore.")
    assert texts(book) == ["More."]
    assert skipped(book, SkipReason.UNREADABLE) == ["title: [unclosed\n"]
    assert "front matter" in book.warnings[0]


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("---\ntitle: One: two\n---\nMore.", "line 2: mapping values are not allowed"),
        ("---\nauthor: A\ntitle: One: two\n---\nMore.", "line 3: mapping values are not"),
    ],
)
def test_the_line_that_cannot_be_read_is_named(read, text, where):
    (warning,) = read(text).warnings
    assert where in warning
    assert "unicode string" not in warning


def test_front_matter_never_runs_code(read):
    book = read("---\ntitle: !!python/object/apply:os.getcwd []\n---\nMore.")
    assert book.title == "a book"
    assert any("front matter" in warning for warning in book.warnings)


def test_exponential_aliases_are_not_expanded(read):
    bomb = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))
    book = read(f"---\na0: &a0 [x, x]\n{bomb}\ntitle: *a11\n---\nMore.")
    assert book.title == "a book"


def test_values_stay_as_they_are_written(read):
    values = (
        "title: 1.10\nauthor: [007, No, 0x1F]\nlanguage: no\nseries: On\nvolume: 3:10\ndate: 1_000"
    )
    book = read(f"---\n{values}\n---\nText.")
    assert (book.title, book.authors, book.language) == ("1.10", ("007", "No", "0x1F"), "no")
    assert (book.series, book.series_index, book.date) == ("On", "3:10", "1_000")
    assert read("+++\ntitle = 1.10\n+++\nText.").title == "1.10"


def test_booleans_and_null_are_no_values(read):
    book = read("---\ntitle: ~\nauthor:\npublished: false\ndescription: null\nyear: 1897\n---\nT.")
    assert (book.title, book.authors, book.description) == ("a book", (), "")
    assert read("---\npublished: false\n---\nT.").date == ""
    assert read('---\ntitle: "true"\n---\nT.').title == "true"


@pytest.mark.parametrize("tag", ["bool", "timestamp", "int", "float", "binary", "set", "omap"])
def test_front_matter_with_other_type_tags_is_listed(read, tag):
    book = read(f"---\ntitle: !!{tag} x\n---\nMore.")
    assert skipped(book, SkipReason.UNREADABLE) == [f"title: !!{tag} x\n"]


@pytest.mark.parametrize("merge", ["<<: [{}]", "more: [{}]"])
def test_too_many_aliases_are_refused_and_listed(read, merge):
    """Eleven levels of nine aliases each: expanded, they would fill any memory."""
    levels = [
        f"a{n}: &a{n} {{{merge.format(', '.join([f'*a{n - 1}'] * 9))}}}" for n in range(1, 12)
    ]
    source = "\n".join(["a0: &a0 {x: 1}", *levels, "title: T", ""])
    book = read(f"---\n{source}---\nMore.")
    assert texts(book) == ["More."]
    assert skipped(book, SkipReason.UNREADABLE) == [source]
    assert "aliases" in book.warnings[0]


def test_a_few_aliases_are_read(read):
    book = read("---\nme: &me {author: Ann}\n<<: *me\ntitle: &t The Mill\nseries: *t\n---\nMore.")
    assert (book.title, book.authors, book.series) == ("The Mill", ("Ann",), "The Mill")


@pytest.mark.parametrize(
    ("escaped", "title"),
    [(r"\ud83d\ude00", "😀"), (r"a\ud83db", "a\ufffdb"), (r"\ude00\ud83d", "\ufffd\ufffd")],
)
def test_escaped_surrogates_are_joined(read, escaped, title):
    assert read(f'---\ntitle: "{escaped}"\n---\nMore.').title == title


def test_an_invalid_language_is_a_warning(read):
    book = read("---\nlang: the common tongue\n---\nText.")
    assert book.language == "en"
    assert "the common tongue" in book.warnings[0]


def test_the_cover_is_read_from_the_folder_of_the_file(read, tmp_path):
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "front.png").write_bytes(PNG)
    book = read("---\ncover: art/front.png\n---\nText.")
    assert (book.cover.media_type, book.cover.data) == ("image/png", PNG)
    assert book.warnings == ()


def test_a_cover_that_cannot_be_used_is_a_warning(read, tmp_path):
    (tmp_path.parent / "outside.png").write_bytes(PNG)
    (tmp_path / "link.png").symlink_to(tmp_path.parent / "outside.png")
    (tmp_path / "text.png").write_text("no picture")
    (tmp_path / "large.png").write_bytes(PNG)
    (tmp_path / "round.png").symlink_to(tmp_path / "round.png")
    os.mkfifo(tmp_path / "pipe.png")
    for name in (
        "../outside.png",
        "/etc/hostname",
        "link.png",
        "text.png",
        "gone.png",
        "https://example.org/cover.png",
        "a\\0b",
        "n" * 5000,
        ".",
        "..",
        "round.png",
        "pipe.png",
    ):
        book = read(f'---\ncover: "{name}"\n---\nText.')
        assert book.cover is None, name
        assert len(book.warnings) == 1, name
    (tmp_path / "torn.png").write_bytes(PNG[:-5])
    assert "a damaged PNG picture" in read("---\ncover: torn.png\n---\nT.").warnings[0]
    book = read("---\ncover: large.png\n---\nT.", max_entry_bytes=4)
    assert "max_entry_bytes" in book.warnings[0]


def test_a_cover_that_is_made_smaller_is_told(read, tmp_path):
    (tmp_path / "front.webp").write_bytes(saved(halves(), "WEBP"))
    book = read("---\ncover: front.webp\n---\nText.")
    assert pixels_of(book.cover.data).shape == (48, 64, 3)
    assert "WebP picture of 64 × 48 pixels" in book.warnings[0]


def test_what_shelves_read(read):
    book = read(
        """\
        ---
        title: The Mill
        title_sort: Mill, The
        author_sort: Ode, Ann
        narrator: [Di Voice, {name: Ed Voice}]
        genres: [Fiction, Mills]
        rights: © 1897
        isbn: 978-0-306-40615-7
        asin: b00abc1234
        original_year: 1895
        series: [Valley, "Rivers #3"]
        series_part: 1.5
        description: "<p>One.</p><p>Two.</p><script>x</script>"
        ---
        Text.
        """
    )
    assert (book.title_sort, book.author_sort) == ("Mill, The", "Ode, Ann")
    assert (book.narrators, book.subjects) == (("Di Voice", "Ed Voice"), ("Fiction", "Mills"))
    assert (book.rights, book.original_year) == ("© 1897", "1895")
    assert (book.isbn, book.asin) == ("9780306406157", "B00ABC1234")
    assert (book.series, book.series_index) == ("Valley", "1.5")
    assert book.more_series == (Series("Rivers", "3"),)
    assert book.description == "One.\nTwo."


def test_an_isbn_in_the_list_of_identifiers(read):
    book = read(
        """\
        ---
        identifier:
        - {scheme: DOI, text: "doi:10.1/x"}
        - {scheme: ISBN-13, text: 978-0-306-40615-7}
        ---
        Text.
        """
    )
    assert (book.identifier, book.isbn) == ("doi:10.1/x", "9780306406157")
