"""Markdown to a book: front matter, the headings that make chapters, and what a README holds."""

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inputs import markdown
from inputs.book import BlockKind, SkipReason, SourceCorrupt, SourceTooLarge
from inputs.limits import Limits
from inputs.markdown import _html
from inputs.spoken import is_speakable

PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
LIMITS = Limits()


@pytest.fixture
def read(tmp_path):
    def read_text(text, *, name="a-book.md", encoding="utf-8", limits=LIMITS):
        path = tmp_path / name
        data = text if isinstance(text, bytes) else textwrap.dedent(text).encode(encoding)
        path.write_bytes(data)
        return markdown.read(path, limits)

    return read_text


def titles(book):
    return [(chapter.title, chapter.level) for chapter in book.chapters]


def texts(book, kind=None):
    return [
        block.text
        for chapter in book.chapters
        for block in chapter.blocks
        if kind in {None, block.kind}
    ]


def skipped(book, reason):
    return [item.text for item in book.skipped if item.reason is reason]


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
    "toml": """\
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
def test_what_only_looks_like_front_matter_stays_in_the_text(read, text):
    book = read(text)
    assert any("More." in t for t in texts(book))


def test_front_matter_that_cannot_be_read_is_listed(read):
    book = read("---\ntitle: [unclosed\n---\nMore.")
    assert texts(book) == ["More."]
    assert skipped(book, SkipReason.UNREADABLE) == ["title: [unclosed\n"]
    assert "front matter" in book.warnings[0]


def test_front_matter_never_runs_code(read):
    book = read("---\ntitle: !!python/object/apply:os.getcwd []\n---\nMore.")
    assert book.title == "a book"
    assert any("front matter" in warning for warning in book.warnings)


def test_aliases_that_explode_are_never_written_out(read):
    bomb = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))
    book = read(f"---\na0: &a0 [x, x]\n{bomb}\ntitle: *a11\n---\nMore.")
    assert book.title == "a book"


def test_a_language_that_is_none_is_a_warning(read):
    book = read("---\nlang: Middle English\n---\nText.")
    assert book.language == "en"
    assert "Middle English" in book.warnings[0]


def test_the_cover_lies_beside_the_file(read, tmp_path):
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
    for name in (
        "../outside.png",
        "/etc/hostname",
        "link.png",
        "text.png",
        "gone.png",
        "https://example.org/cover.png",
        "a\\0b",
        ".",
    ):
        book = read(f'---\ncover: "{name}"\n---\nText.')
        assert book.cover is None, name
        assert len(book.warnings) == 1, name
    small = Limits(max_entry_bytes=4)
    assert "max_entry_bytes" in read("---\ncover: large.png\n---\nT.", limits=small).warnings[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n\nx\n\n# B\n\nx", [("A", 1), ("B", 1)]),
        ("# Book\n\n## A\n\nx\n\n## B\n\nx", [("A", 1), ("B", 1)]),
        ("# Book\n\nIntro.\n\n## A\n\nx", [("Book", 1), ("A", 1)]),
        ("Intro.\n\n# A\n\nx\n\n# B\n\nx", [("a book", 1), ("A", 1), ("B", 1)]),
        ("# Book\n\n### A\n\nx\n\n### B\n\nx", [("A", 1), ("B", 1)]),
        ("# Book\n\n## A subtitle\n\n### A\n\nx\n\n### B\n\nx", [("A", 1), ("B", 1)]),
        ("# Book\n\n## Usage\n\nx\n\n### Fast\n\nx", [("Usage", 1)]),
        ("# Book\n\nOnly text.", [("Book", 1)]),
        ("## A\n\nx\n\n## B\n\nx\n\n### B1\n\nx", [("A", 1), ("B", 1)]),
        (
            "# Part One\n\n## A\n\nx\n\n# Part Two\n\n## B\n\nx",
            [("Part One", 1), ("A", 2), ("Part Two", 1), ("B", 2)],
        ),
        (
            "# Book\n\n## Part I\n\n### A\n\nx\n\n## Part II\n\n### B\n\nx",
            [("Part I", 1), ("A", 2), ("Part II", 1), ("B", 2)],
        ),
        ("A\n===\n\nx\n\nB\n===\n\nx", [("A", 1), ("B", 1)]),
        ("No headings at all.", [("a book", 1)]),
        ("", []),
    ],
)
def test_the_level_that_makes_chapters_is_found(read, text, expected):
    book = read(text)
    assert titles(book) == expected


def test_a_bare_title_is_said_at_the_start_of_the_first_chapter(read):
    book = read("# The Book\n\n## One\n\nText.")
    assert book.title == "The Book"
    assert texts(book) == ["The Book", "One", "Text."]


README = """\
    # Mill [![Build](https://img.example/b.svg)](https://ci.example)

    ![Coverage](https://img.example/c.svg)
    <!-- a comment -->

    ## Contents

    - [Install](#install)
    - [Usage](#usage)
      - [Fast](#fast)

    ## Install

    ```sh
    pip install mill
    ```

    Read [the manual][m] or <https://example.org/a>. It's :tada: 🎉 ~~slow~~ fast.

    - [x] stones
    - [ ] sails

    <details><summary>More</summary>

    Inside **details**.

    </details>

    ## Usage

    | Part | Price |
    |------|-------|
    | Sail | £9    |

    > Quoted *words*.[^1]

    Roses are red,\\
    Violets are blue.

    ***

    <img src="a.png" alt="A picture"> The `end` &amp; more.

    [m]: https://example.org/manual

    [^1]: A note.
    """


def test_a_readme(read):
    book = read(README)
    assert titles(book) == [("Install", 1), ("Usage", 1)]
    assert texts(book, BlockKind.PARAGRAPH) == [
        "Read the manual or https://example.org/a. It's :tada: 🎉 slow fast.",
        "More",
        "Inside details.",
        "The end & more.",
    ]
    assert texts(book, BlockKind.LIST_ITEM) == ["stones", "sails"]
    assert texts(book, BlockKind.TABLE) == ["Part; Price\nSail; £9"]
    assert texts(book, BlockKind.QUOTE) == ["Quoted words."]
    assert texts(book, BlockKind.VERSE) == ["Roses are red,\nViolets are blue."]
    assert texts(book, BlockKind.CODE) == ["pip install mill"]
    assert texts(book, BlockKind.SCENE_BREAK) == [""]
    assert skipped(book, SkipReason.TABLE_OF_CONTENTS) == ["Contents", "Install Usage Fast"]
    assert skipped(book, SkipReason.NOTE_REFERENCE) == ["[1]"]
    assert "A note." in skipped(book, SkipReason.NOTE)[0]


def test_words_in_another_language(read):
    book = read('<p lang="fr">Bonjour.</p>\n\nHello.')
    assert [block.language for block in book.chapters[0].blocks] == ["fr", None]


def test_broken_html_loses_no_words(read):
    book = read("One <b>two\n\n<div>three <p>four\n\n</section> five <br> six &nbsp; & 7 < 8\n")
    assert " ".join(texts(book)).split() == [
        "One",
        "two",
        "three",
        "four",
        "five",
        "six",
        "&",
        "7",
        "<",
        "8",
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_with_a_name(read, encoding):
    book = read("# Café — “naïve”\r\n\r\nÉté.\r\n", encoding=encoding)
    assert texts(book) == ["Café — “naïve”", "Été."]
    assert book.warnings == ()


def test_windows_1252_is_a_warning(read):
    book = read("Café — “naïve”.".encode("cp1252"))
    assert texts(book) == ["Café — “naïve”."]
    assert "windows-1252" in book.warnings[0]


def test_binary_data_is_refused(read):
    with pytest.raises(SourceCorrupt, match=r"“a-book\.md” holds binary data"):
        read(b"# Title\n\0\1\2")


def test_too_much_text_is_refused_but_pictures_are_not_text(read):
    limits = Limits(max_text_chars=100)
    with pytest.raises(SourceTooLarge, match="max_text_chars"):
        read("word " * 30, limits=limits)
    book = read(f"Text. ![x](data:image/png;base64,{'A' * 500})", limits=limits)
    assert texts(book) == ["Text."]


HOSTILE = {
    "brackets": "[" * 20_000,
    "images": "![" * 20_000,
    "stars": "*a " * 20_000,
    "ticks": "`a" * 20_000,
    "quotes": ">" * 5_000,
    "lists": "- " * 3_000,
    "tags": "<a " * 20_000,
    "divs": "<div>" * 5_000,
    "comments": "<!--" * 20_000,
    "references": "[^a]" * 20_000,
    "inline notes": "^[" * 20_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_markdown_is_read(read, name):
    book = read(f"Before.\n\n{HOSTILE[name]}\n")
    assert texts(book)[0] == "Before."


@settings(max_examples=60)
@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1), min_size=1))
def test_plain_words_come_through_in_order(words):
    root = markdown.parse_xhtml(_html(" ".join(words)).encode())
    blocks = markdown.walk(markdown.body_of(root), where="x").blocks
    assert [w for b in blocks for w in b.block.text.split()] == words


@settings(max_examples=60)
@given(st.text(max_size=200))
def test_any_text_is_read(text):
    root = markdown.parse_xhtml(_html(text).encode("utf-8", "replace"))
    walked = markdown.walk(markdown.body_of(root), where="x")
    assert all(block.block.text.strip() == block.block.text for block in walked.blocks)
    if text.isalpha() and is_speakable(text):
        assert walked.blocks
