"""A book of our own has the markup, the links, the notes and the pictures of its source."""

import base64
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.articles.page import Fetched, dumped, picture_path
from audiomill.inputs.model.book import Limits
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.reading.choices import Reading
from audiomill.inputs.reading.rules import ReadingRules
from audiomill.outputs.readalong.own.book import PACKAGE_PATH, OwnBook, own_book
from audiomill.outputs.readalong.own.text import own_text
from support.article_data import PARAGRAPHS, article_page
from support.case_files import assert_cases, each_row_apart
from support.epub_data import JPEG, PNG
from support.examples import few_examples

MARKUP = Path(__file__).with_name("cases") / "text_markup.txt"
CHAPTERS = """# Mills

{first}

# Seas

{second}
"""
NOTES = """# Mills

A mill.[^a] Again.[^b]

# Seas

A sea.[^c] The mill.[^a]

[^a]: An *ell*.
[^b]: A rod.
[^c]: A knot.
"""
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" onload="a()"><path d="M0 0"/>'
    "<script>a()</script></svg>"
)


def made(path: Path, rules: ReadingRules | None = None) -> OwnBook:
    """The EPUB that is made of a source."""
    book = read_book(path, Limits(), rules)
    return own_book(book, own_text(book, path, Limits()))


def made_of(folder: Path, name: str, text: str, rules: ReadingRules | None = None) -> OwnBook:
    (folder / name).write_text(text)
    return made(folder / name, rules)


def page(book: OwnBook, number: int = 0) -> str:
    """The elements of a chapter, without spaces around them and declarations of namespaces."""
    section = etree.fromstring(book.entries[book.documents[number]]).find(".//{*}section")
    text = "".join(etree.tostring(one, encoding="unicode") for one in section)
    return re.sub(r"\n+| xmlns(:\w+)?=\"[^\"]*\"", "", text)


def test_the_markup_of_a_text_is_kept(tmp_path):
    def first_chapter(markdown: str) -> list[str]:
        book = made_of(tmp_path, "book.md", CHAPTERS.format(first=markdown, second="A sea."))
        assert page(book, 1) == "<h1>Seas</h1><p>A sea.</p>"
        return [page(book).removeprefix("<h1>Mills</h1>")]

    assert_cases(MARKUP, first_chapter)


def test_characters_that_no_xml_has_are_left_out(tmp_path):
    markup = '<html><body><h1>A</h1><p title="A&#1;">The &#1;m<b>i&#11;ll</b>&#2; stood.</p>'
    book = made_of(tmp_path, "page.html", markup)
    assert page(book) == '<h1>A</h1><p title="A">The m<b>ill</b> stood.</p>'


def test_a_chapter_that_is_not_found_is_made_of_its_blocks(tmp_path):
    text = "# Mills\n\nA *mill*.\n\n# $\\mill{x}$\n\n# Seas\n\nA *sea*."
    book = made_of(tmp_path, "book.md", text)
    assert page(book).startswith("<h1>Mills</h1><p>A <em>mill</em>.</p>")
    assert page(book, 1) == "<h1>formula</h1>"
    assert page(book, 2) == "<h1>Seas</h1><p>A <em>sea</em>.</p>"


@pytest.mark.parametrize("inner", ["<li>A mill.</li>", "<tr><td>A mill.</td></tr>"])
def test_a_page_that_is_one_element_keeps_it(tmp_path, inner):
    name = "ol" if "li" in inner else "table"
    assert page(made_of(tmp_path, "book.html", f"<{name}>{inner}</{name}>")).endswith(
        f"<{name}>{inner}</{name}>"
    )


def test_what_a_typed_text_emphasizes_is_emphasized(tmp_path):
    paragraphs = (
        "CHAPTER I",
        "A _mill that\nturned_ by *itself*, she said: _“Stop!”_ It was snake_case_here.",
        "It _did_ not.",
        "CHAPTER II",
        "It _did_ not, or =did=.",
    )
    book = made_of(tmp_path, "book.txt", "\n\n".join(paragraphs))
    assert "<p>A <em>mill that turned</em> by <em>itself</em>, she said: <em>“Stop!”</em>" in page(
        book
    )
    assert page(book).endswith("It was snake_case_here.</p><p>It <em>did</em> not.</p>")
    assert page(book, 1).endswith("<p>It <em>did</em> not, or <em>did</em>.</p>")


def test_only_the_sentence_that_is_typed_with_emphasis_is_emphasized(tmp_path):
    first = ("CHAPTER I", "So it did.[1]", "It did not.", "It _did_ not.", "It did not.")
    second = ("CHAPTER II", "It did _not_.", "It did not.", "[1] It did _not_.")
    rules = ReadingRules(Reading(notes="mark"))  # the note is read before what follows its mark
    book = made_of(tmp_path, "book.txt", "\n\n".join(first + second), rules)
    plain = "<p>It did not.</p>"
    assert page(book).endswith(f"{plain}<p>It <em>did</em> not.</p>{plain}")
    assert page(book, 1).endswith(f"<p>It did <em>not</em>.</p>{plain}")
    assert "<p>Note: It did <em>not</em>.</p>" in page(book)


def test_links_lead_to_the_page_of_their_place(tmp_path):
    text = CHAPTERS.format(first='[b](#b) <i id="a">a</i>', second='[a](#a) <i id="b">b</i>')
    book = made_of(tmp_path, "book.md", text)
    assert '<a href="chapter-2.xhtml#b">b</a>' in page(book)
    assert '<a href="chapter-1.xhtml#a">a</a>' in page(book, 1)


def test_notes_are_on_the_page_of_their_first_mark_and_link_back(tmp_path):
    book = made_of(tmp_path, "book.md", NOTES)
    mark = '<a id="fnref{0}" epub:type="noteref" href="{1}#fn{0}" role="doc-noteref">[{0}]</a>'
    note = (
        '<aside class="note" epub:type="footnote" role="doc-footnote" id="fn{0}"><p>'
        '<a epub:type="backlink" href="#fnref{0}" role="doc-backlink">[{0}]</a> {1}</p></aside>'
    )
    assert page(book) == (
        f"<h1>Mills</h1><p>A mill.<sup>{mark.format(1, '')}</sup>"
        f" Again.<sup>{mark.format(2, '')}</sup></p>"
        '<section epub:type="footnotes" class="notes">'
        f"{note.format(1, 'An <em>ell</em>.')}{note.format(2, 'A rod.')}</section>"
    )
    again = mark.format(1, "chapter-1.xhtml").replace('"fnref1"', '"fnref1:1"')
    assert f"The mill.<sup>{again}</sup>" in page(book, 1)
    assert page(book, 1).endswith(f"{note.format(3, 'A knot.')}</section>")


def test_notes_that_are_spoken_are_shown_where_they_are_read(tmp_path):
    book = made_of(tmp_path, "book.md", NOTES, ReadingRules(Reading(notes="mark")))
    assert "<aside" not in page(book)
    assert '<div class="note" epub:type="footnote" role="doc-footnote" id="fn1">' in page(book)
    assert set(book.paths[0]) == {book.documents[0]}


def test_the_notes_of_a_page_are_told_by_their_links(tmp_path):
    text = (
        '<h1>Mills</h1><p>A mill.<sup id="r1"><a href="#n1">1</a></sup></p><h1>Seas</h1><p>A sea.'
        '<a id="r2" href="#n2">*</a></p><div class="footnotes"><p id="n1"><a href="#r1">1</a>'
        ' An ell.</p><p id="n2"><a href="#r2">*</a> A knot.</p></div><p>The end <a href="#n3">9</a>'
        ' of it.</p><p id="n3">A place.</p>'
    )
    book = made_of(tmp_path, "book.html", text)
    assert page(book).endswith(
        '<aside class="note" epub:type="footnote" role="doc-footnote" id="n1">'
        '<p><a href="#note-mark-4" epub:type="backlink" role="doc-backlink">1</a> An ell.</p>'
        "</aside></section>"
    ) or '<aside class="note"' in page(book)
    assert page(book).count("doc-noteref") == page(book, 1).count("doc-noteref") == 1
    assert 'href="#r2"' in page(book, 1)
    assert 'role="doc-footnote"' in page(book, 1)


def test_pictures_are_those_of_the_folder_or_in_the_text(tmp_path):
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "a b.png").write_bytes(PNG)
    (folder / "c.svg").write_text(SVG)
    (folder / "d.jpg").write_text("no picture")
    (tmp_path / "e.jpg").write_bytes(JPEG)
    embedded = f"data:image/jpeg;base64,{base64.b64encode(JPEG).decode()}"
    named = (
        "a%20b.png",
        "./a%20b.png",
        "c.svg",
        embedded,
        "d.jpg",
        "../e.jpg",
        "https://f.example/g",
    )
    text = "\n\n".join(f"![word {at}]({one})" for at, one in enumerate(named))
    book = made_of(folder, "book.md", f"# Mills\n\nA mill.\n\n{text}\n\nIt stood.")
    pictures = {name: data for name, data in book.entries.items() if "pictures/" in name}
    assert sorted(name.rpartition(".")[2] for name in pictures) == ["jpg", "png", "svg"]
    assert {PNG, JPEG} < set(pictures.values())
    assert b'<path d="M0 0"/>' in (
        drawing := next(filter(lambda one: b"svg" in one, pictures.values()))
    )
    assert b"script" not in drawing
    assert b"onload" not in drawing
    shown = re.findall(r"<img[^>]*/>|<span[^>]*>[^<]*</span>", page(book))
    assert len(re.findall(r'<img src="pictures/000\d.\w+" alt="word [0-3]"/>', "".join(shown))) == 4
    assert shown[4:] == [f'<span class="picture">word {at}</span>' for at in (4, 5, 6)]
    package = book.entries["EPUB/package.opf"].decode()
    assert all(f'href="{name.removeprefix("EPUB/")}"' in package for name in pictures)


@each_row_apart
def test_the_package_tells_what_the_text_has(tmp_path, text, modes, features):
    (tmp_path / "a.png").write_bytes(PNG)
    package = made_of(tmp_path, "book.md", f"# Mills\n\n{text} It stood.").entries[PACKAGE_PATH]
    told = re.findall(r'schema:(\w+)">(\w+)<', package.decode())
    assert [
        one in told for one in (("accessMode", "visual"), ("accessModeSufficient", "textual"))
    ] == ["visual" in modes, "textual" in modes]
    kinds = {"alternativeText", "MathML"}
    assert [value for _, value in told if value in kinds] == features


def test_an_article_has_its_own_elements_only_and_the_picture_that_was_kept(tmp_path):
    source = tmp_path / "page.article"
    url = "https://quay.example/2026/mill"
    picture = (
        '<figure><img src="/mill.png" alt="The mill"><figcaption>A mill.</figcaption></figure>'
    )
    linked = PARAGRAPHS[1].replace(" ", ' <a href="../other">and</a> ', 1)
    text = article_page(paragraphs=(PARAGRAPHS[0], picture + linked, *PARAGRAPHS[2:]))
    source.write_bytes(dumped(Fetched(url, text.encode(), "text/html", "utf-8")))
    kept = Fetched("https://quay.example/mill.png", PNG, "image/png", "")
    picture_path(source, kept.url).write_bytes(dumped(kept))
    shown = page(made(source))
    for around in ("Sport", "Ten ways to tie a knot", "Fish prices", "All rights reserved", "<nav"):
        assert around not in shown
    assert '<a href="https://quay.example/other">and</a>' in shown
    assert '<img src="pictures/0001.png" alt="The mill"/><figcaption>A mill.' in shown


PARTS = st.sampled_from(
    [
        "A *mill* stood.", "- one\n- two **three**", "> said", "## In", "```\ncode x\n```", "---",
        "| a | b |\n|---|---|\n| c | d |", "<div>div <i>words</i></div>", "Note.[^n]", "1. x\n2. y",
        "<!-- no -->", "[^n]: The note.", "![alt](a.png)", "$x^2$", "# Top", "line  \nbreak",
        "<b>open", "</div>", "<table><td>cell", "&amp; &lt; &#1; &nbsp;",
        "<svg><text>t</text></svg>",
    ]
)  # fmt: skip


@few_examples(60)
@given(st.lists(PARTS, min_size=1, max_size=12))
def test_any_mixture_gives_pages_with_the_letters_of_their_blocks(tmp_path_factory, parts):
    path = tmp_path_factory.getbasetemp() / "mixture.md"
    path.write_text("Here it begins.\n\n" + "\n\n".join(parts))
    book = read_book(path, Limits())
    own = own_book(book, own_text(book, path, Limits()))
    texts = {
        name: "".join(etree.fromstring(data).find("{*}body").itertext())
        for name, data in own.entries.items()
        if name in own.documents
    }
    for chapter, paths in zip(book.chapters, own.paths, strict=True):
        for block, name in zip(chapter.blocks, paths, strict=True):
            if block.kind != "code":
                words = re.findall(r"[a-z]{3,}", block.text)
                assert [one for one in words if one not in texts[name]] in ([], ["squared"])
