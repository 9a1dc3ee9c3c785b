"""EPUBs: faults of their archives, many lines of contents, shared style sheets."""

from pathlib import Path

import pytest

from audiomill.inputs.epub import chapter_starts, styles
from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.reader import read
from audiomill.inputs.markup import cascade, hiding
from audiomill.inputs.model.book import Book, Limits, SkipReason
from audiomill.inputs.model.comparison import comparison_key
from support.case_files import each_row_apart
from support.epub_data import Epub, chapter, line, nav, ncx, page, point, three_chapters
from support.reading_data import skipped, texts

LIMITS = Limits()


def test_broken_fragments_are_looked_for_once_in_each_heading(tmp_path, monkeypatch):
    """Twice as many lines and headings take twice as many comparisons, not four times."""
    compared: list[str] = []

    def counted(text: str) -> str:
        compared.append(text)
        return comparison_key(text)

    monkeypatch.setattr(chapter_starts, "comparison_key", counted)
    counts = []
    for n in (20, 40, 60):
        compared.clear()
        toc = nav("".join(line(f"Line {k}", f"a.xhtml#x{k}") for k in range(n)))
        body = "".join(f"<h2>Head {k}</h2><p>words</p>" for k in range(n))
        read(Epub({"a.xhtml": page(body)}, nav=toc).write(tmp_path), LIMITS)
        counts.append(len(compared))
    assert counts[2] - counts[1] == counts[1] - counts[0]


def test_a_table_of_contents_has_32_levels_at_most(tmp_path):
    """Each line names all those around it: a hundred nested ones would take a hundred times it."""
    inner = ""
    pages = {f"c{k}.xhtml": chapter(k, f"Head {k}") for k in range(100)}
    for k in reversed(range(100)):
        inner = point(f"Line {k}", f"c{k}.xhtml", inner)
    book = read(Epub(dict(pages), ncx=ncx(inner)).write(tmp_path), LIMITS)
    assert [one.level for one in book.chapters] == [min(k, 32) for k in range(1, 101)]


XHTML = '<item id="{0}" href="{0}" media-type="application/xhtml+xml"/>'


def framed(
    directory: Path, pages: dict[str, str], frames: dict[str, str], **changes: object
) -> Book:
    """A book with `pages` in its spine, and `frames` in the manifest only."""
    book = Epub(
        pages=dict(pages),
        manifest="".join(map(XHTML.format, frames)),
        files={f"OEBPS/{name}": content for name, content in frames.items()},
    )
    for name, value in changes.items():
        setattr(book, name, value)
    return read(book.write(directory), Limits())


def frame(src: str, inner: str = "", **attributes: str) -> str:
    given = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f'<iframe src="{src}"{given}>{inner}</iframe>'


def test_frames_nested_too_deep_are_listed(tmp_path):
    frames = {f"f{n}.xhtml": page(f"<p>{n}</p>{frame(f'f{n + 1}.xhtml')}") for n in range(1, 30)}
    book = framed(tmp_path, {"a.xhtml": page(frame("f1.xhtml"))}, frames)
    assert texts(book) == [str(n) for n in range(1, 9)]
    assert skipped(book, SkipReason.FRAME) == ["f9.xhtml"]


BODY = "<h1>One</h1><p class='off'>Not shown.</p><p>Shown.</p>"
LINK = '<link rel="stylesheet" type="text/css" href="{}"/>'
OFF = ".off { display: none }"


def styled(head: str, body: str = BODY) -> str:
    return page(body).replace("</head>", f"{head}</head>")


def test_a_sheet_of_many_documents_is_parsed_and_compiled_once(tmp_path, monkeypatch):
    parsed: list[str] = []
    compiled: list[object] = []

    def parse(text: str) -> cascade.StyleSheet:
        parsed.append(text)
        return cascade.parse_sheet(text)

    def compile_rules(found: list[cascade.StyleRule]) -> hiding.HidingRules | None:
        compiled.append(found)
        return hiding.hiding_rules(found)

    monkeypatch.setattr(styles, "parse_sheet", parse)
    monkeypatch.setattr(styles, "hiding_rules", compile_rules)
    pages = {f"{n}.xhtml": styled(LINK.format("a.css")) for n in range(20)}
    book = read(Epub(pages, files={"OEBPS/a.css": OFF}).write(tmp_path), Limits())
    assert texts(book).count("Shown.") == 20
    assert (len(parsed), len(compiled)) == (1, 1)


def titles(book: Book) -> list[str]:
    return [c.title for c in book.chapters]


def text(book: Book) -> str:
    return "\n".join(b.text for c in book.chapters for b in c.blocks)


@pytest.mark.parametrize("content", [None, b"\x00\x01\x02" * 100, b"\x89PNG\r\n\x1a\n\x00\x00"])
def test_a_missing_page_is_a_warning_and_listed(tmp_path, content):
    book = three_chapters()
    if content is None:
        book.missing = frozenset({"OEBPS/ch2.xhtml"})
    else:
        book.pages["ch2.xhtml"] = content
    result = read(book.write(tmp_path), Limits())
    assert titles(result) == ["The Sea", "The Mill"]
    assert [s.reason for s in result.skipped] == [SkipReason.UNREADABLE]
    assert [w for w in result.warnings if "ch2.xhtml" in w]


def test_a_damaged_page_is_a_warning_and_listed(tmp_path):
    data = bytearray(three_chapters().build())
    at = data.index(b"OEBPS/ch2.xhtml") + len(b"OEBPS/ch2.xhtml") + 20
    data[at] ^= 0xFF
    path = tmp_path / "book.epub"
    path.write_bytes(data)
    result = read(path, Limits())
    assert titles(result) == ["The Sea", "The Mill"]
    assert [s.reason for s in result.skipped] == [SkipReason.UNREADABLE]


@each_row_apart
def test_bad_encodings_and_markup_are_read(tmp_path, data):
    book = read(Epub({"a.xhtml": data}).write(tmp_path), Limits())
    assert text(book) == "naïve café"


def test_utf_8_names_without_the_flag_are_resolved(tmp_path):
    data = Epub({"cafe-.xhtml": chapter(1, "Found")}, nav=nav(line("Found", "caf%C3%A9.xhtml")))
    raw = data.build().replace(b"cafe-.xhtml", "café.xhtml".encode())
    path = tmp_path / "book.epub"
    path.write_bytes(raw)
    opf = data.package().replace("cafe-.xhtml", "café.xhtml")
    assert "café" in opf
    fixed = Epub({"cafe-.xhtml": chapter(1, "Found")}, opf=opf).build()
    path.write_bytes(fixed.replace(b"OEBPS/cafe-.xhtml", "OEBPS/café.xhtml".encode()))
    assert titles(read(path, Limits())) == ["Found"]
    with Archive(path, Limits()) as archive:
        assert "OEBPS/café.xhtml" in archive.names
        assert b"Found" in archive.read("OEBPS/café.xhtml")


def test_a_document_that_is_listed_several_times_is_read_once(tmp_path):
    items = (
        f'<item id="q{n}" href="a.xhtml#b{n}" media-type="application/xhtml+xml"/>'
        for n in range(9)
    )
    book = Epub(
        {"a.xhtml": chapter(1, "Found"), "b.xhtml": chapter(2, "After")},
        manifest="".join(items),
        spine="".join(f'<itemref idref="{name}"/>' for name in ("q1", "p0", "q2", "p1", "p1")),
    )
    found = read(book.write(tmp_path), Limits())
    assert titles(found) == ["Found", "After"]
    assert len([block for one in found.chapters for block in one.blocks]) == 4
    assert not found.skipped


def test_a_large_plain_page_is_read_whole(tmp_path):
    body = "".join(f"<p>Paragraph {n}.</p>" for n in range(8_000))
    book = read(Epub({"a.xhtml": page(body)}).write(tmp_path), Limits())
    assert len(book.chapters[0].blocks) == 8_000
