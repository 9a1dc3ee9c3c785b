"""Bad books that are read while they are heard: each clip shows what sounds in it."""

import re
import zipfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest
from lxml import etree

from support.book_data import rendered, source_job
from support.case_files import Case, read_cases
from support.epub_data import Epub, page
from support.examples import first_often
from support.readalong_data import heard, marked_and_heard, pars_in, shown

RAIN, WIND, GULLS = "Rain fell.", "Wind sang.", "Gulls cried."
VOCABULARY = f"{RAIN} {WIND} {GULLS} fell on the mill and sea.".split()
OUR_SPANS = re.compile(rb'</?span(?: id="am[^"]*")?>')


CASES = Path(__file__).with_name("cases") / "readalong_bad_books.txt"
DRAWING = {
    "manifest": '<item id="d" href="d.svg" media-type="image/svg+xml"/>',
    "spine": '<itemref idref="p0"/><itemref idref="d"/>',
}


@dataclass(frozen=True)
class BadBook:
    """An EPUB, what its clips show, and whether its documents but for spans stay."""

    book: Epub
    clips: tuple[str, ...]
    stays: bool
    has_drawing: bool  # as its last clip

    @property
    def text(self) -> str:
        return " ".join(self.clips[:-1] if self.has_drawing else self.clips)


def bad_book(case: Case) -> BadBook:
    """The book of a case, whose documents stand between lines of dashes."""
    parts = dict(case.options)
    bare, encoding = parts.pop("bare", False), parts.pop("encoding", "utf-8")
    stays, drawn = parts.pop("stays", True), parts.pop("drawn", "")
    texts = re.split(r"^----$", case.given, flags=re.MULTILINE)
    pages = [one.strip("\n") if bare else page(one.strip("\n")) for one in texts]
    pages = [one.replace("utf-8", encoding).encode(encoding) for one in pages]
    if drawn:
        svg = f'<svg xmlns="http://www.w3.org/2000/svg">{drawn}</svg>'
        parts |= DRAWING | {"files": {"OEBPS/d.svg": svg}}
    book = Epub({f"p{number}.xhtml": one for number, one in enumerate(pages)}, **parts)
    return BadBook(book, case.expected, stays, bool(drawn))


@pytest.mark.parametrize("case", [*read_cases(CASES)], ids=lambda case: case.title)
def test_what_a_bad_book_shows_is_what_sounds(tmp_path, case):
    bad = bad_book(case)
    source = bad.book.write(tmp_path)
    report = rendered(source_job(source, formats=["epub", "html"], credits=False))
    made = {file.format: file for file in report.files}
    with zipfile.ZipFile(made["epub"].path) as archive:
        pars = pars_in(archive)
        assert [shown(archive, par) for par in pars] == [*bad.clips]
        for par, text in zip(pars, bad.clips, strict=True):
            assert heard(tmp_path, archive, par, VOCABULARY) == text.split()
        check_documents(archive, bad)
    for before, after in pairwise(pars):
        assert after.start_s == (before.end_s if after.audio == before.audio else 0)
    total_s = sum(par.end_s - par.start_s for par in pars)
    assert total_s == pytest.approx(made["epub"].duration_s, abs=0.002)
    marked = marked_and_heard(made["html"].path, VOCABULARY)
    assert [word for word, _ in marked] == re.findall(r"\w+", bad.text)
    for word, sounds in marked:
        assert [sound.rstrip(".") for sound in sounds] == [word]


@pytest.mark.parametrize("n_documents", first_often([120, 500], 1))
def test_a_book_of_many_documents_shows_each_while_it_sounds(tmp_path, n_documents):
    texts = [(RAIN, WIND, GULLS)[number % 3] for number in range(n_documents)]
    pages = {f"p{at}.xhtml": page(f"<p>{text}</p>") for at, text in enumerate(texts)}
    source = Epub(pages).write(tmp_path)
    report = rendered(source_job(source, formats=["epub"], credits=False))
    (path,) = (file.path for file in report.files if file.format == "epub")
    with zipfile.ZipFile(path) as archive:
        pars = pars_in(archive)
        assert [par.document for par in pars] == [f"OEBPS/p{at}.xhtml" for at in range(n_documents)]
        assert len({par.audio for par in pars}) == n_documents
        for at in (0, 1, n_documents // 2, n_documents - 2, n_documents - 1):
            assert shown(archive, pars[at]) == texts[at]
            assert heard(tmp_path, archive, pars[at], VOCABULARY) == texts[at].split()
    total_s = sum(par.end_s - par.start_s for par in pars)
    assert total_s == pytest.approx(report.files[0].duration_s, abs=0.5 * len(pars) / 1000)


def check_documents(archive: zipfile.ZipFile, bad: BadBook) -> None:
    """The documents are the source's but for spans, or have its words."""
    found = {name: archive.read(f"OEBPS/{name}") for name in bad.book.pages}
    if bad.stays:
        assert {name: OUR_SPANS.sub(b"", data) for name, data in found.items()} == bad.book.pages
    printed = "".join(body_text(one) for one in found.values())
    assert "".join(printed.split()) == bad.text.replace(" ", "")


def body_text(document: bytes) -> str:
    body = etree.fromstring(document, etree.XMLParser(huge_tree=True)).find("{*}body")
    hidden = "ancestor::*[local-name()='style' or local-name()='script']"
    return "".join(body.xpath(f".//text()[not({hidden})]"))
