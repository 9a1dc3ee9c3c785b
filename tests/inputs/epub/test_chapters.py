"""Chapters of an EPUB: complete, in order, with titles that are spoken once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from audiomill.inputs.epub import chapter_starts
from audiomill.inputs.epub.reader import read
from audiomill.inputs.markup.text import comparison_key
from audiomill.inputs.model.book import BlockKind, Book, Limits, SkipReason
from support.epub_data import Epub, chapter, line, nav, ncx, page, point, three_chapters

LIMITS = Limits()


def outline(book: Book) -> list[tuple[str, list[str]]]:
    return [(c.title, [b.text for b in c.blocks]) for c in book.chapters]


def spoken_texts(book: Book) -> Counter[str]:
    return Counter(b.text for c in book.chapters for b in c.blocks if b.text)


@pytest.mark.parametrize("without", [{}, {"nav": ""}, {"ncx": ""}, {"nav": "", "ncx": ""}])
def test_chapters_come_from_nav_or_ncx_or_headings(tmp_path: Path, without: dict[str, str]) -> None:
    book = read(three_chapters(**without).write(tmp_path), LIMITS)
    assert outline(book) == [
        (title, [title, f"Words of chapter {n} stand here, once."])
        for n, title in enumerate(["The Sea", "The Hill", "The Mill"], start=1)
    ]
    assert book.warnings == ()


def test_several_chapters_in_one_file(tmp_path: Path) -> None:
    body = (
        "<section id='a'><h2>One</h2><p>first</p></section>"
        "<h2 id='b'>Two</h2><p>second</p><p id='c'>third has no heading</p>"
    )
    lines = line("One", "all.xhtml#a") + line("Two", "all.xhtml#b") + line("Three", "all.xhtml#c")
    book = read(Epub({"all.xhtml": page(body)}, nav=nav(lines)).write(tmp_path), LIMITS)
    assert outline(book) == [
        ("One", ["One", "first"]),
        ("Two", ["Two", "second"]),
        ("Three", ["third has no heading"]),
    ]


def test_one_chapter_over_several_files(tmp_path: Path) -> None:
    pages = {
        "a.xhtml": page("<h1>One</h1><p>begins</p>"),
        "a2.xhtml": page("<p>goes on</p>"),
        "a3.xhtml": page("<h3>A part of it</h3><p>ends</p>"),
        "b.xhtml": page("<h1>Two</h1><p>other</p>"),
        "c.xhtml": page("<h1>Forgotten</h1><p>not in the contents</p>"),
    }
    toc = nav(line("One", "a.xhtml") + line("Two", "b.xhtml"))
    book = read(Epub(dict(pages), nav=toc).write(tmp_path), LIMITS)
    assert outline(book) == [
        ("One", ["One", "begins", "goes on", "A part of it", "ends"]),
        ("Two", ["Two", "other"]),
        ("Forgotten", ["Forgotten", "not in the contents"]),
    ]


@pytest.mark.parametrize("kind", ["nav", "ncx"])
def test_nested_levels(tmp_path: Path, kind: str) -> None:
    pages = {"part.xhtml": page("<h1>Part One</h1>"), "ch.xhtml": chapter(1, "The Sea")}
    tables = {
        "nav": nav(line("Part One", "part.xhtml", line("The Sea", "ch.xhtml"))),
        "ncx": ncx(point("Part One", "part.xhtml", point("The Sea", "ch.xhtml"))),
    }
    book = read(Epub(dict(pages), **{kind: tables[kind]}).write(tmp_path), LIMITS)
    assert [(c.title, c.level) for c in book.chapters] == [("Part One", 1), ("The Sea", 2)]
    assert [b.text for b in book.chapters[0].blocks] == ["Part One"]


def test_part_and_chapter_at_one_place_are_one_chapter(tmp_path: Path) -> None:
    toc = nav(line("Part One", "c.xhtml", line("The Sea", "c.xhtml") + line("B", "d.xhtml")))
    pages = {"c.xhtml": page("<p>words</p>"), "d.xhtml": page("<p>more</p>")}
    book = read(Epub(dict(pages), nav=toc).write(tmp_path), LIMITS)
    assert outline(book) == [
        ("Part One: The Sea", ["words"]),
        ("B", ["more"]),
    ]


@pytest.mark.parametrize(
    "href", ["CH2.XHTML", "ch%32.xhtml", "./ch2.xhtml", "../OEBPS/ch2.xhtml", "ch2.xhtml#nowhere"]
)
def test_inexact_links_are_resolved(tmp_path: Path, href: str) -> None:
    toc = nav(line("The Sea", "ch1.xhtml") + line("Up", href) + line("The Mill", "ch3.xhtml"))
    book = read(three_chapters(nav=toc).write(tmp_path), LIMITS)
    assert [c.title for c in book.chapters] == ["The Sea", "Up", "The Mill"]
    assert bool(book.warnings) == ("nowhere" in href)


def test_a_broken_fragment_leads_to_the_heading_with_its_title(tmp_path: Path) -> None:
    body = "<h2>One</h2><p>first</p><h2>Two!</h2><p>second</p>"
    toc = nav(line("One", "a.xhtml#x1") + line("Two", "a.xhtml#x2"))
    book = read(Epub({"a.xhtml": page(body)}, nav=toc).write(tmp_path), LIMITS)
    assert outline(book) == [("One", ["One", "first"]), ("Two", ["Two!", "second"])]


def test_broken_fragments_are_looked_for_once_in_each_heading(tmp_path: Path, monkeypatch) -> None:
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


def test_a_table_of_contents_has_32_levels_at_most(tmp_path: Path) -> None:
    """Each line names all those around it: a hundred nested ones would take a hundred times it."""
    inner = ""
    pages = {f"c{k}.xhtml": chapter(k, f"Head {k}") for k in range(100)}
    for k in reversed(range(100)):
        inner = point(f"Line {k}", f"c{k}.xhtml", inner)
    book = read(Epub(dict(pages), ncx=ncx(inner)).write(tmp_path), LIMITS)
    assert [one.level for one in book.chapters] == [min(k, 32) for k in range(1, 101)]


def test_an_entry_with_a_broken_link_is_a_warning(tmp_path: Path) -> None:
    toc = nav(
        line("The Sea", "ch1.xhtml")
        + line("Lost", "gone.xhtml")
        + line("Web", "https://example.org/x")
        + line("The Hill", "ch2.xhtml")
        + line("Odd", "http://[half")
    )
    book = read(three_chapters(nav=toc).write(tmp_path), LIMITS)
    assert [c.title for c in book.chapters] == ["The Sea", "The Hill", "The Mill"]
    assert [w for w in book.warnings if "Lost" in w and "gone.xhtml" in w]


def test_an_anchor_after_the_heading_includes_the_heading(tmp_path: Path) -> None:
    body = "<h2>One</h2><p id='a'>first</p><h2>Two</h2><p id='b'>second</p>"
    toc = nav(line("One", "a.xhtml#a") + line("Two", "a.xhtml#b"))
    book = read(Epub({"a.xhtml": page(body)}, nav=toc).write(tmp_path), LIMITS)
    assert outline(book) == [("One", ["One", "first"]), ("Two", ["Two", "second"])]


@pytest.mark.parametrize(
    ("body", "blocks"),
    [
        ("<h1>The Sea</h1><p>w</p>", ["The Sea", "w"]),
        ("<h1>1</h1><h2>The Sea</h2><p>w</p>", ["1: The Sea", "w"]),
        ("<h1>Another name</h1><p>w</p>", ["Another name", "w"]),
        ("<p class='title'>THE SEA</p><p>w</p>", ["THE SEA", "w"]),
        ("<p>The</p><p>Sea.</p><p>w</p>", ["The Sea.", "w"]),
        ("<hr/><p>w</p>", ["", "w"]),
        ("<p>A motto.</p><h1>The Sea</h1><p>w</p>", ["A motto.", "The Sea", "w"]),
        ("<p>w</p>", ["w"]),
    ],
)
def test_a_title_is_spoken_once_if_it_is_in_the_text(
    tmp_path: Path, body: str, blocks: list[str]
) -> None:
    toc = nav(line("The Sea", "a.xhtml") + line("Next", "b.xhtml"))
    pages = {"a.xhtml": page(body), "b.xhtml": page("<h1>Next</h1><p>x</p>")}
    book = read(Epub(dict(pages), nav=toc).write(tmp_path), LIMITS)
    first = book.chapters[0]
    assert (first.title, [b.text for b in first.blocks]) == ("The Sea", blocks)
    if len(blocks) > 1 and "motto" not in body and "<hr/>" not in body:
        spoken = [b for b in first.blocks if b.kind is not BlockKind.SCENE_BREAK]
        assert spoken[0].kind is BlockKind.HEADING


def test_without_contents_titles_are_headings_then_file_titles_then_first_words(
    tmp_path: Path,
) -> None:
    pages = {
        "a.xhtml": page("<p>It began in the rain, a long way from the sea.</p>", title="The Mill"),
        "b.xhtml": page("<p>words</p>", title="A Visit"),
        "c.xhtml": page("<p>words again</p>", title="index_split_003"),
        "d.xhtml": page("<h1>Chapter 9</h1><h2>The End</h2><p>all</p>"),
    }
    book = read(Epub(dict(pages)).write(tmp_path), LIMITS)
    assert outline(book) == [
        ("It began in the rain, a long…", ["It began in the rain, a long way from the sea."]),
        ("A Visit", ["words"]),
        ("words again", ["words again"]),
        ("Chapter 9: The End", ["Chapter 9: The End", "all"]),
    ]


def test_without_contents_the_level_that_repeats_makes_chapters(tmp_path: Path) -> None:
    body = "<h1>The Mill</h1>" + "".join(
        f"<h2>Day {n}</h2><p>words {n}</p><h3>Evening</h3><p>more {n}</p>" for n in (1, 2, 3)
    )
    book = read(Epub({"all.xhtml": page(body)}).write(tmp_path), LIMITS)
    assert [c.title for c in book.chapters] == ["The Mill: Day 1", "Day 2", "Day 3"]


def test_contents_of_one_line_do_not_hide_the_chapters(tmp_path: Path) -> None:
    book = read(three_chapters(nav=nav(line("Start", "ch1.xhtml")), ncx="").write(tmp_path), LIMITS)
    assert [c.title for c in book.chapters] == ["Start", "The Hill", "The Mill"]


def test_text_before_the_first_line_of_the_contents_is_kept(tmp_path: Path) -> None:
    pages = {
        "ded.xhtml": page("<p>For Anna</p>"),
        "a.xhtml": chapter(1, "A"),
        "b.xhtml": chapter(2, "B"),
    }
    book = read(
        Epub(dict(pages), nav=nav(line("A", "a.xhtml") + line("B", "b.xhtml"))).write(tmp_path),
        LIMITS,
    )
    assert outline(book)[0] == ("For Anna", ["For Anna"])
    assert [c.title for c in book.chapters] == ["For Anna", "A", "B"]


def test_contents_out_of_order_do_not_disorder_the_book(tmp_path: Path) -> None:
    toc = nav("".join(line(t, f"ch{n}.xhtml") for n, t in ((3, "C"), (1, "A"), (2, "B"))))
    book = read(three_chapters(nav=toc).write(tmp_path), LIMITS)
    assert [c.title for c in book.chapters] == ["A", "B", "C"]
    assert max(spoken_texts(book).values()) == 1


def test_front_matter_and_pages_without_text_are_left_out_and_listed(tmp_path: Path) -> None:
    book = three_chapters()
    links = "".join(f"<p><a href='ch{n}.xhtml'>{n}</a></p>" for n in (1, 2, 3))
    pages: dict[str, str | bytes] = {
        "cover.xhtml": page("<img src='c.png' alt='The cover'/>"),
        "title.xhtml": page("<p>The Mill, a novel</p>", attributes="epub:type='titlepage'"),
        "rights.xhtml": page("<p>All rights reserved.</p>"),
        "legal.xhtml": page("<h1>Copyright</h1><p>Printed in ink.</p>"),
        "toc.xhtml": page(f"<h2>Contents</h2>{links}"),
        **book.pages,
        "map.xhtml": page("<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0'/></svg>"),
        "blank.xhtml": page(""),
    }
    lines = "".join(line(t, h) for t, h in [("Copyright", "legal.xhtml"), ("The Sea", "ch1.xhtml")])
    lines += line("The Hill", "ch2.xhtml") + line("The Mill", "ch3.xhtml")
    marks = "<li><a epub:type='copyright-page' href='rights.xhtml'>Rights</a></li>"
    spine = '<itemref idref="nav"/>' + "".join(
        f'<itemref idref="p{n}"/>' for n in range(len(pages))
    )
    full = three_chapters(pages=pages, nav=nav(lines, landmarks=marks), spine=spine)
    result = read(full.write(tmp_path), LIMITS)
    assert [c.title for c in result.chapters] == ["The Sea", "The Hill", "The Mill"]
    assert [(s.reason, s.where) for s in result.skipped] == [
        (SkipReason.TABLE_OF_CONTENTS, "OEBPS/nav.xhtml"),
        (SkipReason.IMAGE_ONLY, "OEBPS/cover.xhtml"),
        (SkipReason.FRONT_MATTER, "OEBPS/title.xhtml"),
        (SkipReason.FRONT_MATTER, "OEBPS/rights.xhtml"),
        (SkipReason.FRONT_MATTER, "OEBPS/legal.xhtml"),
        (SkipReason.TABLE_OF_CONTENTS, "OEBPS/toc.xhtml"),
        (SkipReason.IMAGE_ONLY, "OEBPS/map.xhtml"),
    ]
    assert result.skipped[1].text == "The cover"
    assert "All rights reserved." in result.skipped[3].text


NAMES = "".join(f"<p>Owl, {n}, {n + 7}</p>" for n in range(9))
WORKS = "".join(
    f"<li>A. Thorne, The Mill in Year {n}, a study of sails, 19{n}0</li>" for n in range(9)
)
STORY = "".join(
    f"<p>{'The index finger of the miller pointed at the sea. ' * 3}</p>" for _ in range(9)
)


@pytest.mark.parametrize(
    ("title", "content", "reason"),
    [
        ("Impressum", "<p>Printed in ink.</p>", SkipReason.FRONT_MATTER),
        ("Colophon", "<p>Set in lead.</p>", SkipReason.FRONT_MATTER),
        ("Índice alfabético", NAMES, SkipReason.INDEX),
        ("Index", NAMES, SkipReason.INDEX),
        ("Index", STORY, None),
        ("Works Cited", f"<ul>{WORKS}</ul>", SkipReason.REFERENCES),
        ("By the Same Author", f"<ul>{WORKS}</ul>", SkipReason.REFERENCES),
        ("References", STORY, None),
        ("Notes", "".join(f"<p>{n}. See the mill.</p>" for n in range(9)), SkipReason.NOTE),
        ("Anmerkungen", STORY, None),
        ("Also by Anna Thorne", "<p>The Sail</p><p>The Sea</p>", SkipReason.REFERENCES),
        ("Weitere Bücher von Anna Thorne", "<p>Das Segel</p>", SkipReason.REFERENCES),
        ("Otras obras de Anna Thorne", "<p>La vela</p>", SkipReason.REFERENCES),
        ("Books by Candlelight", "<p>" + "He read on and on. " * 9 + "</p>", None),
        (
            "The End",
            "<p>© 1897 Anna Thorne</p><p>All rights reserved.</p>",
            SkipReason.FRONT_MATTER,
        ),
        ("Fin", "<p>ISBN 978-3-16</p><p>Tous droits réservés</p>", SkipReason.FRONT_MATTER),
        ("A Trial", "<p>The copyright was his, and the copyright was lost.</p>", None),
    ],
)
def test_lists_and_imprints_are_known_by_their_titles(
    tmp_path: Path, title: str, content: str, reason: SkipReason | None
) -> None:
    pages = {**three_chapters().pages, "last.xhtml": page(f"<h1>{title}</h1>{content}")}
    spine = "".join(f'<itemref idref="p{n}"/>' for n in range(len(pages)))
    lines = "".join(line(f"Chapter {n}", f"ch{n}.xhtml") for n in (1, 2, 3))
    toc = nav(lines + line(title, "last.xhtml"))
    result = read(three_chapters(pages=pages, nav=toc, spine=spine).write(tmp_path), LIMITS)
    found = [one.reason for one in result.skipped if one.where == "OEBPS/last.xhtml"]
    assert found == ([reason] if reason else [])
    assert len(result.chapters) == (3 if reason else 4)


@pytest.mark.parametrize(
    ("title", "reason"),
    [("Colofón", SkipReason.FRONT_MATTER), ("Impressum", SkipReason.FRONT_MATTER), ("Sea", None)],
)
def test_a_page_that_no_contents_name_is_known_by_its_heading(
    tmp_path: Path, title: str, reason: SkipReason | None
) -> None:
    pages = {**three_chapters().pages, "x.xhtml": page(f"<h2>{title}</h2><p>In ink.</p>")}
    result = read(three_chapters(pages=pages).write(tmp_path), LIMITS)
    assert [one.reason for one in result.skipped] == ([reason] if reason else [])


def test_a_book_that_is_all_front_matter_is_read(tmp_path: Path) -> None:
    guide = '<reference type="cover" href="a.xhtml"/>'
    book = read(
        Epub({"a.xhtml": page("<p>All there is.</p>")}, guide=guide).write(tmp_path), LIMITS
    )
    assert spoken_texts(book) == Counter(["All there is."])


def test_contents_outside_the_reading_order_are_contents(tmp_path: Path) -> None:
    spine = '<itemref idref="nav" linear="no"/><itemref idref="p0"/><itemref idref="p1"/>'
    book = read(three_chapters(spine=spine).write(tmp_path), LIMITS)
    assert [(s.reason, s.where) for s in book.skipped] == [
        (SkipReason.TABLE_OF_CONTENTS, "OEBPS/nav.xhtml"),
        (SkipReason.NOT_IN_READING_ORDER, "OEBPS/ch3.xhtml"),  # the spine leaves it out
    ]
    assert "The Sea The Hill" in book.skipped[0].text


def test_documents_outside_the_reading_order_are_listed_with_their_text(tmp_path: Path) -> None:
    spine = '<itemref idref="p0"/><itemref idref="p1" linear="no"/><itemref idref="p2"/>'
    book = read(three_chapters(spine=spine).write(tmp_path), LIMITS)
    assert [c.title for c in book.chapters] == ["The Sea", "The Mill"]
    (skipped,) = book.skipped
    assert skipped.reason is SkipReason.NOT_IN_READING_ORDER
    assert "Words of chapter 2" in skipped.text


def test_a_document_listed_twice_is_read_once(tmp_path: Path) -> None:
    spine = '<itemref idref="p0"/><itemref idref="p1"/><itemref idref="p0"/>'
    book = read(three_chapters(spine=spine).write(tmp_path), LIMITS)
    assert max(spoken_texts(book).values()) == 1


def test_notes_and_page_numbers_are_listed(tmp_path: Path) -> None:
    body = (
        "<h1>A</h1><p>Said<a epub:type='noteref' href='#n1'>1</a> so.</p>"
        "<span epub:type='pagebreak'>12</span><aside epub:type='footnote' id='n1'>By him.</aside>"
    )
    book = read(Epub({"a.xhtml": page(body)}).write(tmp_path), LIMITS)
    assert outline(book) == [("A", ["A", "Said so."])]
    assert [(s.reason, s.text, s.where) for s in book.skipped] == [
        (SkipReason.NOTE_REFERENCE, "1", "OEBPS/a.xhtml"),
        (SkipReason.PAGE_NUMBER, "12", "OEBPS/a.xhtml"),
        (SkipReason.NOTE, "By him.", "OEBPS/a.xhtml#n1"),
    ]


def test_notes_without_markup_are_recognised_by_their_links(tmp_path: Path) -> None:
    body = (
        "<h1>A</h1><p>Said so.<a id='r1' href='notes.xhtml#n1'><sup>1</sup></a> And "
        "more<a id='r2' href='#n2'>[2]</a>.</p><p id='n2'><a href='#r2'>[2]</a> Close by.</p>"
        "<p id='n3'>3 <a href='#r2'>is</a> a crowd.</p>"
    )
    notes = (
        "<h1>Notes</h1><p id='n1'><a href='a.xhtml#r1'>1</a>. In a letter.</p>"
        "<p><a href='a.xhtml#r9'>9</a> words nobody leads to.</p>"
    )
    pages = {"a.xhtml": page(body), "notes.xhtml": page(notes)}
    book = read(Epub(dict(pages)).write(tmp_path), LIMITS)
    assert outline(book) == [
        ("A", ["A", "Said so. And more.", "3 is a crowd."]),
        ("Notes", ["Notes", "9 words nobody leads to."]),
    ]
    listed = [(s.text, s.where) for s in book.skipped if s.reason is SkipReason.NOTE]
    assert listed == [
        ("Close by.", "OEBPS/a.xhtml#n2"),
        ("1. In a letter.", "OEBPS/notes.xhtml#n1"),
    ]


def test_a_chapter_with_only_ornaments_joins_its_neighbour(tmp_path: Path) -> None:
    pages = {
        "a.xhtml": page("<p>* * *</p>"),
        "b.xhtml": chapter(1, "B"),
        "c.xhtml": page("<p>⁂</p>"),
        "d.xhtml": chapter(2, "D"),
    }
    toc = nav("".join(line(n.upper(), f"{n}.xhtml") for n in "abcd"))
    book = read(Epub(dict(pages), nav=toc).write(tmp_path), LIMITS)
    assert [c.title for c in book.chapters] == ["B", "D"]
    assert spoken_texts(book)["* * *"] == spoken_texts(book)["⁂"] == 1
