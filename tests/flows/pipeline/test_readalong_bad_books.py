"""Bad books that are read while they are heard: each clip shows what sounds in it."""

import re
import zipfile
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from lxml import etree

from audiomill.flows.make_job import make_job
from audiomill.flows.settings import Settings
from support.book_data import rendered
from support.epub_data import Epub, page
from support.readalong_data import heard, marked_and_heard, pars_in, shown

RAIN, WIND, GULLS = "Rain fell.", "Wind sang.", "Gulls cried."
VOCABULARY = f"{RAIN} {WIND} {GULLS} fell on the mill and sea.".split()
N_DOCUMENTS = 500
OUR_SPANS = re.compile(rb'</?span(?: id="am[^"]*")?>')


@dataclass(frozen=True)
class BadBook:
    """Documents of a book, what its clips show, and whether its documents but for spans stay."""

    pages: tuple[str | bytes, ...]
    clips: tuple[str, ...]
    stays: bool = True
    parts: dict = field(default_factory=dict)  # of the `Epub`
    n_drawn: int = 0  # clips at the end that drawings have

    @property
    def n_texts(self) -> int:
        return len(self.clips) - self.n_drawn


BOOKS = {
    "never closed": BadBook(
        (f"<html><body><p>Rain <b>fell.<p>{WIND}<i>",), ("Rain fell.", WIND), stays=False
    ),
    "closed in the wrong order": BadBook(
        (page(f"<p><b>Rain <i>fell.</b></i></p></div><p>{WIND}"),), (RAIN, WIND), stays=False
    ),
    "ids like ours": BadBook(
        (page(f'<p id="am0">{RAIN}</p><p id="am-0">{WIND}</p>'),), (RAIN, WIND)
    ),
    "an id of two elements": BadBook(
        (page(f'<p id="a">{RAIN}</p><p id="a">{WIND}</p>'),), (RAIN, WIND)
    ),
    "an item twice in the spine": BadBook(
        (page(f"<p>{RAIN}</p>"), page(f"<p>{WIND}</p>")),
        (RAIN, WIND),
        parts={"spine": '<itemref idref="p0"/><itemref idref="p1"/><itemref idref="p0"/>'},
    ),
    "a document as two items": BadBook(
        (page(f'<p>{RAIN}</p><p id="a">{WIND}</p>'),),
        (RAIN, WIND),
        parts={
            "manifest": '<item id="q" href="p0.xhtml#a" media-type="application/xhtml+xml"/>',
            "spine": '<itemref idref="p0"/><itemref idref="q"/>',
        },
    ),
    "a sentence over three documents": BadBook(
        (page("<p>Rain fell on</p>"), page("<p>the mill and</p>"), page("<p>the sea.</p>")),
        ("Rain fell on", "the mill and", "the sea."),
    ),
    "NUL": BadBook((page("<p>Rain\0 fell.\x0b</p>"),), (RAIN,), stays=False),
    "UTF-16": BadBook(
        (page(f"<p>{RAIN}</p>").replace("utf-8", "utf-16").encode("utf-16"),), (RAIN,), stays=False
    ),
    "CDATA": BadBook((page(f"<p><![CDATA[{RAIN}]]> {WIND}</p>"),), (RAIN, WIND), stays=False),
    "CDATA in the style of a drawing": BadBook(
        (
            page(
                f'<p>{RAIN}</p><svg xmlns="http://www.w3.org/2000/svg"><style><![CDATA[g {{}}]]>'
                "</style><script><![CDATA[1 < 2]]></script><path d='M0 0L9 9'/></svg>"
            ),
        ),
        (RAIN,),
    ),
    "1,000 elements in each other": BadBook(
        (page("<div>" * 1000 + RAIN + "</div>" * 1000),), (RAIN,)
    ),
    "comments inside words": BadBook((page("<p>Ra<!-- o -->in f<?x y?>ell.</p>"),), (RAIN,)),
    "documents without words": BadBook(
        (page(""), page(f"<p>{RAIN}</p>"), page("<p> </p>"), page(f"<p>{WIND}</p>")), (RAIN, WIND)
    ),
    "a drawing in the spine": BadBook(
        (page(f"<p>{RAIN}</p>"),),
        (RAIN, f"{WIND} {GULLS}"),  # a drawing has no spans, but one clip
        parts={
            "manifest": '<item id="d" href="d.svg" media-type="image/svg+xml"/>',
            "spine": '<itemref idref="p0"/><itemref idref="d"/>',
            "files": {
                "OEBPS/d.svg": '<svg xmlns="http://www.w3.org/2000/svg">'
                f"<text>{WIND}</text>\n<text>{GULLS}</text></svg>"
            },
        },
        n_drawn=1,
    ),
}


@pytest.mark.parametrize("name", BOOKS)
def test_what_a_bad_book_shows_is_what_sounds(tmp_path, name):
    bad = BOOKS[name]
    pages = {f"p{number}.xhtml": one for number, one in enumerate(bad.pages)}
    book = Epub(pages=pages, **bad.parts)
    book.write(tmp_path)
    settings = Settings(library=tmp_path / "library", store=str(tmp_path / "store"))
    choices = {"engine": "tone", "formats": ["epub", "html"], "credits": False}
    report = rendered(make_job(settings, tmp_path / "book.epub", **choices))
    made = {file.format: file for file in report.files}
    with zipfile.ZipFile(made["epub"].path) as archive:
        pars = pars_in(archive)
        assert [shown(archive, par) for par in pars] == [*bad.clips]
        for par, text in zip(pars, bad.clips, strict=True):
            assert heard(tmp_path, archive, par, VOCABULARY) == text.split()
        check_documents(archive, book, bad)
    for before, after in pairwise(pars):
        assert after.start_s == (before.end_s if after.audio == before.audio else 0)
    total_s = sum(par.end_s - par.start_s for par in pars)
    assert total_s == pytest.approx(made["epub"].duration_s, abs=0.002)
    marked = marked_and_heard(made["html"].path, VOCABULARY)
    assert [word for word, _ in marked] == re.findall(r"\w+", " ".join(bad.clips[: bad.n_texts]))
    for word, sounds in marked:
        assert [sound.rstrip(".") for sound in sounds] == [word]


@pytest.mark.prove
def test_a_book_of_500_documents_shows_each_while_it_sounds(tmp_path):
    texts = [(RAIN, WIND, GULLS)[number % 3] for number in range(N_DOCUMENTS)]
    Epub({f"p{at}.xhtml": page(f"<p>{text}</p>") for at, text in enumerate(texts)}).write(tmp_path)
    settings = Settings(library=tmp_path / "library", store=str(tmp_path / "store"))
    choices = {"engine": "tone", "formats": ["epub"], "credits": False}
    report = rendered(make_job(settings, tmp_path / "book.epub", **choices))
    (path,) = (file.path for file in report.files if file.format == "epub")
    with zipfile.ZipFile(path) as archive:
        pars = pars_in(archive)
        assert [par.document for par in pars] == [f"OEBPS/p{at}.xhtml" for at in range(N_DOCUMENTS)]
        assert len({par.audio for par in pars}) == N_DOCUMENTS
        for at in (0, 1, 248, 498, 499):
            assert shown(archive, pars[at]) == texts[at]
            assert heard(tmp_path, archive, pars[at], VOCABULARY) == texts[at].split()
    total_s = sum(par.end_s - par.start_s for par in pars)
    assert total_s == pytest.approx(report.files[0].duration_s, abs=0.5 * len(pars) / 1000)


def check_documents(archive: zipfile.ZipFile, book: Epub, bad: BadBook) -> None:
    """The documents are the source's but for spans, or have its words."""
    found = {name: archive.read(f"OEBPS/{name}") for name in book.pages}
    if bad.stays:
        without = {name: OUR_SPANS.sub(b"", data) for name, data in found.items()}
        assert without == {name: page.encode() for name, page in book.pages.items()}
    printed = "".join(body_text(one) for one in found.values())
    assert "".join(printed.split()) == "".join(bad.clips[: bad.n_texts]).replace(" ", "")


def body_text(document: bytes) -> str:
    body = etree.fromstring(document, etree.XMLParser(huge_tree=True)).find("{*}body")
    hidden = "ancestor::*[local-name()='style' or local-name()='script']"
    return "".join(body.xpath(f".//text()[not({hidden})]"))
