"""Pages in frames are read in their place, once, and nothing in a frame is lost."""

from __future__ import annotations

from pathlib import Path

from audiomill.inputs.epub.reader import read
from audiomill.inputs.model.book import Book, Limits, SkipReason
from support.epub_data import Epub, chapter, page, three_chapters
from support.reading_data import skipped, texts, titles

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


def test_a_page_that_is_only_a_frame_is_read(tmp_path: Path) -> None:
    book = framed(
        tmp_path, {"a.xhtml": page(frame("in.xhtml"))}, {"in.xhtml": chapter(1, "Inside")}
    )
    assert titles(book) == [("Inside", 1)]
    assert texts(book) == ["Inside", "Words of chapter 1 stand here, once."]
    assert (book.skipped, book.warnings) == ((), ())


def test_a_frame_is_read_where_it_stands(tmp_path: Path) -> None:
    body = f"<h1>T</h1><p>Before {frame('sub/in.xhtml')} after.</p><p>End.</p>"
    inner = page("<p>Inside.</p>" + frame("../two.xhtml"))
    frames = {"sub/in.xhtml": inner, "two.xhtml": page("Deep inside.")}
    book = framed(tmp_path, {"a.xhtml": page(body)}, frames)
    assert texts(book) == ["T", "Before", "Inside.", "Deep inside.", "after.", "End."]


def test_a_frame_of_a_document_in_the_reading_order_is_read_there(tmp_path: Path) -> None:
    pages = {"a.xhtml": page(f"<p>First.</p>{frame('b.xhtml')}"), "b.xhtml": page("<p>Second.</p>")}
    assert texts(framed(tmp_path, pages, {})) == ["First.", "Second."]
    pages = {"a.xhtml": page("<p>First.</p>"), "b.xhtml": page(f"{frame('a.xhtml')}<p>Second.</p>")}
    assert texts(framed(tmp_path, pages, {})) == ["First.", "Second."]


def test_a_document_outside_the_reading_order_is_read_in_its_frame(tmp_path: Path) -> None:
    pages = {"a.xhtml": page(frame("b.xhtml")), "b.xhtml": page("<p>Inside.</p>")}
    spine = '<itemref idref="p0"/><itemref idref="p1" linear="no"/>'
    book = framed(tmp_path, pages, {}, spine=spine)
    assert (texts(book), book.skipped) == (["Inside."], ())


def test_a_document_that_a_frame_cannot_show_is_told_once(tmp_path: Path) -> None:
    pages = {"a.xhtml": page(f"<p>Text.</p>{frame('b.xhtml')}"), "b.xhtml": ""}
    spine = '<itemref idref="p0"/><itemref idref="p1" linear="no"/>'
    book = framed(tmp_path, pages, {}, spine=spine, missing=frozenset({"OEBPS/b.xhtml"}))
    assert [item.reason for item in book.skipped] == [SkipReason.UNREADABLE]


def test_frames_in_a_circle_end(tmp_path: Path) -> None:
    frames = {
        "b.xhtml": page(f"<p>B.</p>{frame('c.xhtml')}{frame('a.xhtml')}"),
        "c.xhtml": page(f"<p>C.</p>{frame('b.xhtml')}{frame('c.xhtml')}"),
    }
    pages = {"a.xhtml": page(f"<p>A.</p>{frame('b.xhtml')}{frame('b.xhtml')}")}
    assert texts(framed(tmp_path, pages, frames)) == ["A.", "B.", "C."]


def test_frames_nested_too_deep_are_listed(tmp_path: Path) -> None:
    frames = {f"f{n}.xhtml": page(f"<p>{n}</p>{frame(f'f{n + 1}.xhtml')}") for n in range(1, 30)}
    book = framed(tmp_path, {"a.xhtml": page(frame("f1.xhtml"))}, frames)
    assert texts(book) == [str(n) for n in range(1, 9)]
    assert skipped(book, SkipReason.FRAME) == ["f9.xhtml"]


def test_what_a_frame_cannot_show_is_listed_with_its_reason(tmp_path: Path) -> None:
    body = (
        "<p>Text.</p>"
        + frame("https://example.org/film", id="film")
        + frame("gone.xhtml")
        + frame("lost.xhtml")
        + frame("gone.xhtml")
        + frame("film.mp4")
        + frame("torn.xhtml")
        + '<iframe srcdoc="&lt;p&gt;Words&lt;/p&gt; in it"></iframe>'
        + frame("", "No frames here.")
    )
    files = {"film.mp4": b"\0\0", "torn.xhtml": b"\0\1\2\3"}
    manifest = XHTML.format("torn.xhtml") + '<item id="m" href="film.mp4" media-type="video/mp4"/>'
    book = framed(
        tmp_path,
        {"a.xhtml": page(body)},
        {},
        manifest=manifest,
        files={f"OEBPS/{name}": data for name, data in files.items()},
    )
    assert texts(book) == ["Text."]
    listed = [(item.reason, item.text, item.where) for item in book.skipped]
    assert sorted(listed) == sorted(
        [
            (SkipReason.FRAME, "https://example.org/film", "OEBPS/a.xhtml#film"),
            (SkipReason.FRAME, "film.mp4", "OEBPS/a.xhtml"),
            (SkipReason.FRAME, "Words in it", "OEBPS/a.xhtml"),
            (SkipReason.FRAME, "No frames here.", "OEBPS/a.xhtml"),
            (SkipReason.UNREADABLE, "", "OEBPS/gone.xhtml"),
            (SkipReason.UNREADABLE, "", "OEBPS/lost.xhtml"),
            (SkipReason.UNREADABLE, "", "OEBPS/torn.xhtml"),
        ]
    )
    assert [warning.split(":")[0] for warning in book.warnings] == [
        "OEBPS/gone.xhtml",
        "OEBPS/lost.xhtml",
        "OEBPS/torn.xhtml",
    ]


def test_a_document_that_is_nothing_but_a_frame_element(tmp_path: Path) -> None:
    pages = {"a.xhtml": '<iframe src="in.xhtml"/>', "b.xhtml": page("<p>Text.</p>")}
    book = framed(tmp_path, pages, {"in.xhtml": page("<p>Inside.</p>")})
    assert (texts(book), skipped(book)) == (["Text."], ["in.xhtml", "Inside."])


def test_a_hidden_frame_is_not_spoken(tmp_path: Path) -> None:
    body = f"<p>Text.</p>{frame('in.xhtml', 'Fallback.', hidden='')}"
    book = framed(tmp_path, {"a.xhtml": page(body)}, {"in.xhtml": page("<p>Secret.</p>")})
    assert texts(book) == ["Text."]
    (text,) = skipped(book, SkipReason.HIDDEN)
    assert sorted(text.split()) == ["Fallback.", "Secret."]


def test_ids_notes_and_language_of_a_page_in_a_frame(tmp_path: Path) -> None:
    inner = page(
        '<h2 id="two">Zwei</h2><p>Wort<a href="in.xhtml#n1">[1]</a> und'
        '<a href="../notes.xhtml#n2">[2]</a>.</p><p id="n1"><a href="#r1">[1]</a> Eine Notiz.</p>',
        attributes='xml:lang="de"',
    )
    notes = page('<p>Text.</p><p id="n2"><a href="sub/in.xhtml#r2">[2]</a> Noch eine.</p>')
    pages = {"a.xhtml": page("<h2>One</h2>" + frame("sub/in.xhtml")), "notes.xhtml": notes}
    book = framed(tmp_path, pages, {"sub/in.xhtml": inner})
    assert texts(book) == ["One", "Zwei", "Wort und.", "Text."]
    assert skipped(book, SkipReason.NOTE) == ["Eine Notiz.", "Noch eine."]
    languages = [block.language for chapter in book.chapters for block in chapter.blocks]
    assert languages == [None, "de", "de", None]


def test_pictures_with_a_description_are_listed_with_their_place(tmp_path: Path) -> None:
    body = (
        "<h1>T</h1><p id='p1'>A <img id='i1' src='a.png' alt=' A cat,\n asleep '/> sleeps.</p>"
        "<img src='b.png' alt=''/><img src='c.png'/>"
        "<img src='d.png' alt='Rule' role='presentation'/>"
        "<svg aria-label='A map'><path d=''/></svg><p><img alt='T' src='t.png'/>he end</p>"
    )
    book = read(three_chapters(pages={"ch1.xhtml": page(body)}).write(tmp_path), Limits())
    assert texts(book) == ["T", "A sleeps.", "The end"]
    listed = [(item.reason, item.text, item.where) for item in book.skipped]
    assert listed == [
        (SkipReason.ALTERNATIVE_TEXT, "A cat, asleep", "OEBPS/ch1.xhtml#i1"),
        (SkipReason.ALTERNATIVE_TEXT, "A map", "OEBPS/ch1.xhtml"),
    ]


def test_a_page_of_pictures_is_listed_once(tmp_path: Path) -> None:
    pages = {"a.xhtml": page("<img src='a.png' alt='One'/><img src='b.png' alt='Two'/>")}
    pages["b.xhtml"] = page("<p>Text.</p>")
    book = read(Epub(pages=dict(pages)).write(tmp_path), Limits())
    assert [(item.reason, item.text) for item in book.skipped] == [
        (SkipReason.IMAGE_ONLY, "One; Two")
    ]
