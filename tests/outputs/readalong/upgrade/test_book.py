"""EPUB 2 becomes EPUB 3: the package, the navigation document, and each document's structure."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import load_package
from audiomill.inputs.epub.toc import read_toc
from audiomill.inputs.markup.parser import body_of as body_of_page
from audiomill.inputs.markup.parser import parse_xhtml
from audiomill.inputs.markup.semantics import text_within
from audiomill.inputs.model.book import Limits
from audiomill.outputs.readalong.upgrade.book import upgraded
from audiomill.outputs.readalong.upgrade.documents import serialized, upgraded_tree
from support.case_files import assert_cases
from support.epub_data import Epub, ncx, page, point, told_epub

CASES = Path(__file__).with_name("cases") / "book.txt"
XHTML = ' xmlns="http://www.w3.org/1999/xhtml"'  # left out where an entry is shown


def upgraded_entries(
    folder: Path, told: str, version: str = "2.0", shows: Sequence[str] = (), **changes: object
) -> list[str]:
    """The entries that change, or are new, of an EPUB; what is in those that a case shows."""
    book = told_epub(told, **changes)
    book.pages = book.pages or {"ch1.xhtml": page("<p>Words.</p>")}
    if version == "2.0":
        book.ncx = book.ncx or ncx(point("One", "ch1.xhtml"))
    book.opf = book.package().replace('version="3.0"', f'version="{version}"')
    made, again = (upgrade(book, folder) for _ in range(2))
    assert made == again
    lines = (line for name in shows for line in shown_lines(name, made[name].decode()))
    return [f"entries: {', '.join(made)}", *lines]


def upgrade(book: Epub, folder: Path) -> dict[str, bytes]:
    with Archive(book.write(folder), Limits()) as archive:
        return upgraded(archive, book.opf_path, read_toc(archive, load_package(archive)))


def shown_lines(name: str, text: str) -> list[str]:
    """An entry, with each element that holds others on lines of its own."""
    lines = re.split(r"\n|(?<=>)(?=<(?!/))", text.replace(XHTML, ""))
    return [f"{name}:", *filter(None, map(str.strip, lines))]


def test_a_book_is_upgraded_as_its_case_tells(tmp_path):
    assert_cases(CASES.with_name("entries.txt"), partial(upgraded_entries, tmp_path))


def test_document_has_the_structure_of_html_5(tmp_path):
    def upgraded_body(body: str) -> list[str]:
        book = Epub({"ch1.xhtml": page(body)}, ncx=ncx(point("One", "ch1.xhtml")))
        book.files["OEBPS/p.png"] = b"\x89PNG"
        book.opf = book.package().replace('version="3.0"', 'version="2.0"')
        text = upgrade(book, tmp_path)["OEBPS/ch1.xhtml"].decode()
        inner = text.partition("<body>")[2].partition("</body>")[0]
        return [inner.replace(XHTML, "")]

    assert_cases(CASES, upgraded_body)


CHILDREN = {
    "ul": {"li"},
    "ol": {"li"},
    "dl": {"dt", "dd", "div"},
    "select": {"option"},
    "table": {"caption", "colgroup", "thead", "tbody", "tfoot", "tr"},
    "tbody": {"tr"},
    "tr": {"td", "th"},
}
NAMES = """
a address b big blockquote br button caption center col colgroup dd details div dl dt em fieldset
font form h1 hr i ins label legend li nobr ol option p pre q rp rt ruby select span strike sub
summary table tbody td tfoot th thead tr tt ul unknown
"""
ATTRIBUTES = st.sampled_from(
    ['id="i"', 'href="#i"', 'name="n"', 'align="center"', 'lang="xx_y"', 'style="color:red"']
)


@st.composite
def markup(draw, *, is_whole=True):
    """Markup of HTML in which tags stand anywhere, and are closed in their order if `is_whole`."""
    parts, opened = [], []
    for number, kind in enumerate(draw(st.lists(st.integers(0, 3), min_size=1, max_size=40))):
        if kind == 0:
            parts.append(f"w{number} ")
        elif kind < 3:
            opened.append(draw(st.sampled_from(NAMES.split())))
            parts.append(f"<{opened[-1]} {draw(ATTRIBUTES)}>")
        elif opened:
            at = -1 if is_whole else draw(st.integers(0, len(opened) - 1))
            parts.append(f"</{opened.pop(at)}>")
    closing = "".join(f"</{name}>" for name in reversed(opened)) if is_whole else ""
    return "".join(parts) + closing


@given(st.booleans().flatmap(lambda is_whole: markup(is_whole=is_whole)))
def test_words_of_a_document_stay_and_its_elements_stand_where_they_may(body):
    source = page(body).encode()
    tree = upgraded_tree(source, "A title")
    words = "".join(text_within(body_of_page(parse_xhtml(source))).split())
    made = etree.fromstring(serialized(tree))
    assert "".join(text_within(body_of_page(made)).split()) == words
    ids = [node.get("id") for node in made.iter() if node.get("id")]
    assert len(ids) == len({*ids})
    for path, allowed in CHILDREN.items():
        found = {etree.QName(child).localname for child in made.iterfind(f".//{{*}}{path}/*")}
        assert found <= allowed, path
    assert not made.xpath("//*[local-name()='a']//*[local-name()='a']")
    assert not made.xpath("//*[local-name()='p']//*[local-name()='div' or local-name()='ul']")
