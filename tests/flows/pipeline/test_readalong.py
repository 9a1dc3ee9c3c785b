"""Books with their sound: each part of the text is shown while it is heard."""

import posixpath
import re
import zipfile
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest
from lxml import etree

from audiomill.flows.pipeline import encode_recordings
from audiomill.inputs.model.book import SourceUnsupported
from audiomill.outputs.checking.profiles import MasteringChoices
from audiomill.outputs.formats.registry import READALONGS, TRANSCRIPTS
from audiomill.outputs.readalong.overlays import Overlay, with_overlays
from support.book_data import book_job, rendered, source_job
from support.case_files import each_row
from support.epub_data import Epub, line, nav, page
from support.examples import first_often
from support.readalong_data import heard, pars_in, seconds, shown

FIRST = page(
    "<h1>One</h1><h2>The sea</h2>"
    '<p class="a">Mills <em>stood</em> still.<a epub:type="noteref" href="#n">1</a>'
    " <em>Nobody came. Boats</em> sank &amp; gulls<br/>\n cried.</p>"
    '<aside epub:type="footnote" id="n"><p>An unread note.</p></aside>',
    title="The first",
)
SECOND = page("<h1>Two</h1><ul><li>Rain fell.</li><li>Wind <b>sang</b>.</li></ul>")
SENTENCES = "One|The sea|Mills stood still.|Nobody came.|Boats sank and gulls|cried.|Two|Rain fell."
VOCABULARY = re.split(r"[ |]", f"{SENTENCES}|Wind sang.")
ALL_WORDS = (*VOCABULARY, "Image:")


def job_for(folder: Path, book: Epub | None = None, **choices):
    if book is not None:
        book.write(folder)
    return source_job(folder / "book.epub", **{"formats": ["epub"]} | choices)


def book_of(*pages: str, **parts) -> Epub:
    names = [f"p{number}.xhtml" for number in range(len(pages))]
    toc = "".join(line(name, name) for name in names)
    return Epub(pages=dict(zip(names, pages, strict=True)), nav=nav(toc), **parts)


def made(report) -> Path:
    (path,) = (file.path for file in report.files if file.format == "epub")
    return path


def read_along(folder: Path, report) -> list[tuple[str, list[str]]]:
    """What is shown and what is heard, clip by clip."""
    with zipfile.ZipFile(made(report)) as archive:
        return [
            (shown(archive, par), heard(folder, archive, par, ALL_WORDS))
            for par in pars_in(archive)
        ]


def without_spans(document: bytes) -> bytes:
    return re.sub(rb'</?span(?: id="am[^"]*")?>', b"", document)


def test_each_sentence_is_shown_while_it_is_heard(tmp_path):
    report = rendered(job_for(tmp_path, book_of(FIRST, SECOND)))
    clips = read_along(tmp_path, report)
    assert [text for text, _ in clips] == [
        "One",
        "The sea",
        "Mills stood still.",
        "Nobody came.",
        "Boats",
        "sank & gulls",
        "cried.",
        "Two",
        "Rain fell.",
        "Wind sang.",
    ]
    for text, words in clips:
        assert words == text.replace("&", "and").split()


def test_a_sign_in_a_place_of_its_own_is_shown_between_the_words_around_it(tmp_path):
    cells = "".join(f"<td>{text}</td>" for text in ("Rain", "-", "stood"))
    table = page(f"<table><tr>{cells}</tr></table>")
    report = rendered(job_for(tmp_path, book_of(table), credits=False))
    vocabulary = ["Rain;", "-;", "stood"]
    with zipfile.ZipFile(made(report)) as archive:
        pars = pars_in(archive)
        assert [shown(archive, par) for par in pars] == ["Rain", "-", "stood"]
        for par, word in zip(pars, vocabulary, strict=True):
            assert heard(tmp_path, archive, par, vocabulary) == [word]


def test_a_word_that_markup_cuts_is_shown_where_it_begins(tmp_path):
    cut = page("<p><b>Rain fell. Nobody</b><i>s</i> cried.</p>")
    report = rendered(job_for(tmp_path, book_of(cut), credits=False))
    vocabulary = ["Rain", "fell.", "Nobodys", "cried."]
    with zipfile.ZipFile(made(report)) as archive:
        found = [
            (shown(archive, par), heard(tmp_path, archive, par, vocabulary))
            for par in pars_in(archive)
        ]
    assert found == [
        ("Rain fell.", ["Rain", "fell."]),
        ("Nobody", ["Nobodys"]),
        ("s cried.", ["cried."]),
    ]


def test_a_sign_without_a_time_of_its_own_has_no_span(tmp_path):
    quoted = page("<p>Mills <em>“Rain fell. Nobody cried.</em>” Boats sank.</p>")
    with zipfile.ZipFile(made(rendered(job_for(tmp_path, book_of(quoted), credits=False)))) as book:
        ids = re.findall('<span id="([^"]*)">', book.read("OEBPS/p0.xhtml").decode())
        assert ids == [par.id for par in pars_in(book)]


def test_each_word_is_shown_while_it_is_heard(tmp_path):
    report = rendered(job_for(tmp_path, book_of(FIRST, SECOND), follow="word"))
    clips = read_along(tmp_path, report)
    assert [words for _, words in clips] == [[word] for word in VOCABULARY]
    shown_words = [word.replace("and", "&").rstrip(".") for word in VOCABULARY]
    assert [text for text, _ in clips] == shown_words


def test_documents_are_the_source_but_for_spans_and_the_rest_stays(tmp_path):
    clashing = page('<p id="am0">Rain fell.</p>').replace("<head>", "<head><!-- &c. --> ")
    book = book_of(FIRST, clashing, files={"OEBPS/data.bin": bytes(range(256))})
    report = rendered(job_for(tmp_path, book))
    with zipfile.ZipFile(made(report)) as archive:
        assert archive.namelist()[0] == "mimetype"
        assert archive.getinfo("mimetype").compress_type == zipfile.ZIP_STORED
        for name, content in book.entries().items():
            if name != book.opf_path:
                content = content.encode() if isinstance(content, str) else content
                assert without_spans(archive.read(name)) == content
        assert b'<p id="am0"><span id="am-0">Rain fell.</span></p>' in archive.read(
            "OEBPS/p1.xhtml"
        )


def test_the_clips_of_a_recording_are_all_of_it_without_a_gap(tmp_path):
    report = rendered(job_for(tmp_path, book_of(FIRST, SECOND, SECOND), credits=False))
    with zipfile.ZipFile(made(report)) as archive:
        pars = pars_in(archive)
        package = etree.fromstring(archive.read("OEBPS/book.opf"))
    assert pars[0].start_s == 0
    for before, after in pairwise(pars):
        assert after.start_s == (before.end_s if after.audio == before.audio else 0)
    total_s = sum(par.end_s - par.start_s for par in pars)
    assert total_s == pytest.approx(report.files[0].duration_s, abs=0.002)
    durations = package.xpath("//*[@property='media:duration']")
    assert sum(seconds(one.text) for one in durations[:-1]) == pytest.approx(total_s)
    assert seconds(durations[-1].text) == pytest.approx(total_s)


def test_a_finished_book_gets_it_without_rendering_or_encoding(tmp_path, monkeypatch):
    rendered(job_for(tmp_path, book_of(FIRST, SECOND), formats=["m4b"]))
    monkeypatch.setattr(encode_recordings, "encode_recording", None)  # whatever calls it, fails
    first = rendered(job_for(tmp_path, formats=["m4b", "epub"], transcripts=[*TRANSCRIPTS]))
    assert [file.format for file in first.files] == ["m4b", *TRANSCRIPTS, "epub"]
    content = made(first).read_bytes()
    made(first).unlink()
    again = rendered(job_for(tmp_path, formats=["epub", "m4b"]))
    assert (first.rendered, again.rendered) == (0, 0)
    assert made(again).read_bytes() == content  # the same whenever it is made


def test_what_is_made_to_read_along_is_cut_from_the_finished_recording(tmp_path, monkeypatch):
    rendered(job_for(tmp_path, book_of(FIRST, SECOND), formats=None))  # for no purpose: one M4B
    monkeypatch.setattr(encode_recordings, "encode_recording", None)  # whatever calls it, fails
    report = rendered(job_for(tmp_path, formats=None, profile="readalong"))
    assert report.rendered == 0
    assert [file.format for file in report.files] == ["m4b", *READALONGS]
    assert all(file.path.is_file() for file in report.files)


@pytest.mark.parametrize(
    ("words", "is_apart", "changed"),
    [
        ("Wind roared aloud.", True, {"book.opf", "p1.xhtml", "00001.smil", "00001.m4a"}),
        ("Wind <b>sang</b>.", False, {"p1.xhtml"}),  # it sounds as before
    ],
)
def test_a_changed_sentence_changes_only_what_holds_it(tmp_path, words, is_apart, changed):
    """Files of one level share their sound: so the others have a level and a file of their own."""
    texts = ("Mills stood still.", "Rain fell. Wind sang.", "Boats sank.")
    pages = [page(f"<h1>{number}</h1><p>{text}</p>") for number, text in enumerate(texts)]
    before = entries_of(rendered(one_by_one(tmp_path, pages, is_apart)))
    pages[1] = pages[1].replace("Wind sang.", words)
    report = rendered(one_by_one(tmp_path, pages, is_apart))
    after = entries_of(report)
    assert report.rendered == is_apart
    assert before.keys() == after.keys()
    assert {posixpath.basename(name) for name in after if after[name] != before[name]} == changed


def one_by_one(folder: Path, pages: list[str], is_apart: bool):
    """The job of a book, of which each chapter may have a file and a level of its own."""
    settings = {"mastering": MasteringChoices(per_file=is_apart)}
    choices = {"split": is_apart, "credits": False}
    return job_for(folder, book_of(*pages), settings=settings, **choices)


def entries_of(report) -> dict[str, bytes]:
    with zipfile.ZipFile(made(report)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize(
    "choices", [{}, *first_often([{"split": True}, {"formats": ["mp3", "epub"]}], 2)]
)
def test_a_text_gets_a_book_of_its_own(tmp_path, choices):
    text = "# One\n\nMills stood still.\n\n# Two\n\nRain fell.\n"
    given = {"formats": ["epub"], "credits": False}
    clips = read_along(tmp_path, rendered(book_job(tmp_path, text, **given | choices)))
    assert clips == [
        ("One", ["One"]),
        ("Mills stood still.", ["Mills", "stood", "still."]),
        ("Two", ["Two"]),
        ("Rain fell.", ["Rain", "fell."]),
    ]


@pytest.mark.parametrize("n_styled", [1, 2])
def test_what_sounds_has_a_style_if_every_document_can(tmp_path, n_styled):
    link = '<link rel="stylesheet" href="style.css"/></head>'
    pages = [FIRST, SECOND]
    for at in range(n_styled):
        pages[at] = pages[at].replace("</head>", link)
    book = book_of(*pages, files={"OEBPS/style.css": "p { margin: 0 }"})
    with zipfile.ZipFile(made(rendered(job_for(tmp_path, book)))) as archive:
        style, package = (archive.read(f"OEBPS/{name}") for name in ("style.css", "book.opf"))
    is_styled = b".-epub-media-overlay-active { background" in style
    assert is_styled is (b"media:active-class" in package) is (n_styled == 2)
    assert style.startswith(b"p { margin: 0 }")


def test_what_sounds_in_an_epub_2_without_style_sheets_has_our_style(tmp_path):
    book = book_of(FIRST, SECOND)
    book.opf = book.package().replace('version="3.0"', 'version="2.0"')
    with zipfile.ZipFile(made(rendered(job_for(tmp_path, book)))) as archive:
        style, package = (archive.read(f"OEBPS/{name}") for name in ("readalong.css", "book.opf"))
    assert b".-epub-media-overlay-active { background" in style
    assert b"media:active-class" in package


def test_what_only_one_program_takes_for_a_style_sheet_is_none(tmp_path):
    template = "<ade:template xmlns:ade='http://ns.adobe.com/2006/ade'/>"
    link = (
        '<link rel="stylesheet" type="application/adobe-page-template+xml" href="t.xpgt"/></head>'
    )
    book = book_of(SECOND.replace("</head>", link), files={"OEBPS/t.xpgt": template})
    with zipfile.ZipFile(made(rendered(job_for(tmp_path, book)))) as archive:
        assert archive.read("OEBPS/t.xpgt").decode() == template
        assert b"media:active-class" not in archive.read("OEBPS/book.opf")


@each_row
def test_a_package_that_tells_of_accessibility_tells_of_the_sound(told, tells):
    metas = (one.split(": ") for one in told)
    metadata = "".join(f'<meta property="schema:{name}">{text}</meta>' for name, text in metas)
    package = (
        f'<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata>{metadata}'
        '</metadata><manifest><item id="p1" href="p1.xhtml"/></manifest></package>'
    ).encode()
    overlays = [Overlay("p1.smil", "p1.xhtml", 1000)]
    found = etree.fromstring(
        with_overlays(package, "book.opf", overlays, [], [], str, is_styled=False)
    ).xpath("//*[starts-with(@property, 'schema:')]/text()")
    assert found == tells


def test_overlays_of_the_source_give_way(tmp_path):
    par = '<par><audio src="old.mp3"/></par>'
    old = f'<smil xmlns="http://www.w3.org/ns/SMIL"><body>{par}</body></smil>'
    book = book_of(
        SECOND,
        manifest='<item id="old" href="old.smil" media-type="application/smil+xml"/>'
        '<item id="sound" href="old.mp3" media-type="audio/mpeg"/>',
        files={"OEBPS/old.smil": old, "OEBPS/old.mp3": b"old"},
    )
    links = '<link href="p0.xhtml"/><link href="old.smil"/><link href="old.mp3"/>'
    preview = f'<collection role="preview">{links}</collection>'
    book.opf = book.package().replace("</package>", f"{preview}</package>")
    with zipfile.ZipFile(made(rendered(job_for(tmp_path, book)))) as archive:
        assert not {"OEBPS/old.smil", "OEBPS/old.mp3"} & {*archive.namelist()}
        assert b"old" not in archive.read("OEBPS/book.opf")
        assert b'<link href="p0.xhtml"/></collection>' in archive.read("OEBPS/book.opf")
        assert len(pars_in(archive)) == 3


@pytest.mark.parametrize("href", ["Pa%CC%81ge.XHTML", "P%C3%A1ge.xhtml", "./x/..//p\u00e1ge.xhtml"])
def test_entries_are_found_however_the_book_spells_them(tmp_path, href):
    sheet = href.replace("ge", "int").rpartition(".")[0] + ".CSS"
    link = f'<link rel="stylesheet" href="{sheet}"/></head>'
    book = Epub(
        manifest=f'<item id="p" href="{href}" media-type="application/xhtml+xml"/>'
        '<item id="old" href="OLD.smil" media-type="application/smil+xml"/>',
        spine='<itemref idref="p"/>',
        files={
            "OEBPS/p\u00e1ge.xhtml": SECOND.replace("</head>", link),
            "OEBPS/p\u00e1int.css": "p { margin: 0 }",
            "OEBPS/old.smil": '<smil xmlns="http://www.w3.org/ns/SMIL"><body/></smil>',
        },
    )
    with zipfile.ZipFile(made(rendered(job_for(tmp_path, book)))) as archive:
        package = etree.fromstring(archive.read("OEBPS/book.opf"))
        assert {unquote(par.document) for par in pars_in(archive)} == {"OEBPS/p\u00e1ge.xhtml"}
        assert b".-epub-media-overlay-active" in archive.read("OEBPS/p\u00e1int.css")
        assert "OEBPS/old.smil" not in archive.namelist()
    assert package.xpath("count(//*[@media-overlay])") == 1


def test_a_picture_is_marked_while_its_words_sound(tmp_path):
    drawing = '<svg xmlns="http://www.w3.org/2000/svg"><title>Rain fell.</title></svg>'
    pictures = (
        '<p><img src="a.png" alt="Mills stood still. Nobody came."/></p>'
        '<p><img id="own" src="b.png" alt="Boats sank"/><img id="own" src="b.png" alt="Two"/></p>'
    )
    book = book_of(page(f"<div>{pictures}{drawing}</div>"))
    report = rendered(job_for(tmp_path, book, read="everything", credits=False))
    with zipfile.ZipFile(made(report)) as archive:
        document = archive.read("OEBPS/p0.xhtml").decode()
        sounds = [(par.id, heard(tmp_path, archive, par, ALL_WORDS)) for par in pars_in(archive)]
    assert '<img id="am0" src="a.png"' in document
    assert '<svg id="am4" xmlns' in document
    assert sounds == [
        ("am0", ["Image:", "Mills", "stood", "still.", "Nobody", "came."]),
        ("own", ["Image:", "Boats", "sank", "Image:", "Two"]),  # nothing can name the second
        ("am4", ["Image:", "Rain", "fell."]),
    ]


def test_a_book_without_what_is_spoken_is_refused_in_a_line(tmp_path):
    pages = page('<div><img id="a" src="a.png" alt="Two"/></div>').replace("<body", '<body id="a"')
    job = job_for(tmp_path, book_of(pages), read="everything", credits=False)
    with pytest.raises(SourceUnsupported, match="nothing of what is spoken"):
        rendered(job)
    assert not list(tmp_path.glob("library/**/*.epub"))
