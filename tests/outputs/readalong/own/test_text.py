"""A book of our own has the markup, the links, the notes and the pictures of its source."""

import base64
import re
from functools import partial
from pathlib import Path

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


def pages_of(folder: Path, text: str, name: str = "book.md", notes: str = "") -> list[str]:
    """The chapters of a source, each on one line."""
    rules = ReadingRules(Reading(notes=notes)) if notes else None
    book = made_of(folder, name, text, rules)
    assert [{*paths} for paths in book.paths] == [{path} for path in book.documents]
    return [page(book, number) for number in range(len(book.documents))]


def test_the_pages_of_a_source_are_as_its_case_tells(tmp_path):
    assert_cases(MARKUP.with_name("text_pages.txt"), partial(pages_of, tmp_path))


def test_the_markup_of_a_text_is_kept(tmp_path):
    def first_chapter(markdown: str) -> list[str]:
        book = made_of(tmp_path, "book.md", CHAPTERS.format(first=markdown, second="A sea."))
        assert page(book, 1) == "<h1>Seas</h1><p>A sea.</p>"
        return [page(book).removeprefix("<h1>Mills</h1>")]

    assert_cases(MARKUP, first_chapter)


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
