"""The page of each article of a digest has the article's markup, and says its title once."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from audiomill.inputs.articles.digest import Digest, DigestArticle, dumped
from audiomill.inputs.metadata.credits import Credits, with_credits
from audiomill.inputs.model.book import Book, Chapter, Limits
from audiomill.inputs.readers.sources import read_book
from audiomill.outputs.readalong.own.book import OwnBook, own_book
from audiomill.outputs.readalong.own.digest import digest_text
from support.epub_data import JPEG, PNG

NOTED = "# The {0}\n\nIt *came*.[^a] ![Sea](sea.png)\n\n[^a]: At [noon](https://noon.example/)."


def made(folder: Path, intro: str, *texts: str) -> OwnBook:
    """The EPUB of a digest of Markdown texts, each with what is said before it."""
    paths = [folder / f"{number}" / "text.md" for number in range(len(texts))]
    for path, text, picture in zip(paths, texts, (PNG, JPEG), strict=False):
        path.parent.mkdir()
        path.write_text(text)
        path.with_name("sea.png").write_bytes(picture)
    articles = tuple(map(DigestArticle, paths))
    digest = Digest("digest:1", "Morning", "en", "2026-11-29", "", "", intro, articles)
    (folder / "one.digest").write_bytes(dumped(digest))
    book = Book("Morning", (), "en", tuple(chapter_of(path, intro) for path in paths), "0" * 64)
    return own_book(book, digest_text(book, folder / "one.digest", Limits()))


def chapter_of(path: Path, intro: str) -> Chapter:
    book = read_book(path, Limits())
    chapters = with_credits(book, Credits(enabled=True, opening=intro, closing="")).chapters
    blocks = (replace(one, language=book.language) for each in chapters for one in each.blocks)
    return Chapter(book.title, tuple(blocks))


def pages(book: OwnBook) -> list[str]:
    names = [name for name in book.entries if re.search(r"chapter-\d+\.xhtml$", name)]
    return [book.entries[name].decode() for name in names]


def headings(page: str) -> list[str]:
    return re.findall(r"<h1>.*?</h1>", page)


def test_articles_keep_markup_pictures_and_notes_apart(tmp_path):
    book = made(tmp_path, "{title}.", NOTED.format("boat"), NOTED.format("mill"))
    for number, (page, picture) in enumerate(zip(pages(book), (PNG, JPEG), strict=True)):
        assert "It <em>came</em>." in page
        (mark,) = re.findall(r'epub:type="noteref"[^>]* href="#([\w-]+)"', page)
        assert mark.startswith(f"a{number}-")
        assert f'id="{mark}"' in page
        assert 'href="https://noon.example/"' in page
        (source,) = re.findall(r'src="([^"]+)"', page)
        assert book.entries[f"EPUB/{source}"] == picture


def test_an_intro_that_is_the_title_is_the_heading(tmp_path):
    (page,) = pages(made(tmp_path, "{title}.", NOTED.format("boat")))
    assert headings(page) == ["<h1>The boat.</h1>"]
    assert "<header>" not in page


def test_another_intro_stands_under_a_heading_that_is_not_read(tmp_path):
    (page,) = pages(made(tmp_path, "{title}, read aloud.", NOTED.format("boat")))
    assert headings(page) == ["<h1>The boat</h1>"]
    assert re.search(r"<header><h1>The boat</h1></header>\s*<p>The boat, read aloud.</p>", page)


@pytest.mark.parametrize("intro", ["", "From the quay."])
def test_a_title_that_is_read_in_the_text_is_the_heading(tmp_path, intro):
    (page,) = pages(made(tmp_path, intro, NOTED.format("boat")))
    assert headings(page) == ["<h1>The boat</h1>"]
    assert "<header>" not in page
    assert (f"<p>{intro}</p>" in page) == bool(intro)


def test_an_article_in_another_language_says_so(tmp_path):
    german = "---\nlang: de\n---\n# Das Boot\n\nEs *kam* spät.\n"
    (page,) = pages(made(tmp_path, "", german))
    text = r'<div lang="de"[^>]*>\s*<h1>Das Boot</h1>\s*<p>Es <em>kam</em> spät.</p>\s*</div>'
    assert re.search(text, page)
