"""Chapters of an EPUB: complete, in order, with titles that are spoken once."""

from __future__ import annotations

from pathlib import Path

from audiomill.inputs.epub import chapter_starts
from audiomill.inputs.epub.reader import read
from audiomill.inputs.markup.text import comparison_key
from audiomill.inputs.model.book import Limits
from support.epub_data import Epub, chapter, line, nav, ncx, page, point

LIMITS = Limits()


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
