"""Text of an EPUB that its style sheets hide is listed, not read."""

from __future__ import annotations

from pathlib import Path

import pytest

from audiomill.inputs.css import hiding, rules
from audiomill.inputs.epub import styles
from audiomill.inputs.epub.reader import read
from audiomill.inputs.model.book import Book, Limits, SkipReason
from support.epub_data import Epub, page
from support.reading_data import skipped, texts

BODY = "<h1>One</h1><p class='off'>Not shown.</p><p>Shown.</p>"
LINK = '<link rel="stylesheet" type="text/css" href="{}"/>'
OFF = ".off { display: none }"


def styled(head: str, body: str = BODY) -> str:
    return page(body).replace("</head>", f"{head}</head>")


def read_styled(tmp_path: Path, head: str, **sheets: str) -> Book:
    files = {f"OEBPS/css/{name}.css": text for name, text in sheets.items()}
    return read(Epub({"text/a.xhtml": styled(head)}, files=dict(files)).write(tmp_path), Limits())


@pytest.mark.parametrize(
    ("head", "sheets"),
    [
        (f"<style>{OFF}</style>", {}),
        (f"<style>/*<![CDATA[*/ {OFF} /*]]>*/</style>", {}),
        (f"<style media='screen'>{OFF}</style>", {}),
        (LINK.format("../css/a.css"), {"a": OFF}),
        (LINK.format("../css/a.css"), {"a": "@import url(b.css);", "b": f"@import 'a.css';{OFF}"}),
        (LINK.format("../css/a.css") + LINK.format("../css/b.css"), {"a": "p{}", "b": OFF}),
    ],
)
def test_hidden_text_is_listed(tmp_path: Path, head: str, sheets: dict[str, str]) -> None:
    book = read_styled(tmp_path, head, **sheets)
    assert texts(book) == ["One", "Shown."]
    assert skipped(book, SkipReason.HIDDEN) == ["Not shown."]
    assert book.warnings == ()


@pytest.mark.parametrize(
    ("head", "sheets"),
    [
        (f"<style media='print'>{OFF}</style>", {}),
        (LINK.format("../css/a.css").replace("/>", ' media="print"/>'), {"a": OFF}),
        (LINK.format("../css/a.css").replace("stylesheet", "alternate stylesheet"), {"a": OFF}),
        (LINK.format("https://example.org/a.css"), {}),
        (LINK.format("../css/gone.css"), {}),
        (f"<style>{OFF}</style>" + LINK.format("../css/a.css"), {"a": "p.off {display: block}"}),
        (LINK.format("../css/a.css"), {"a": "@import 'b.css'; p.off {display: block}", "b": OFF}),
    ],
)
def test_other_text_is_read(tmp_path: Path, head: str, sheets: dict[str, str]) -> None:
    assert texts(read_styled(tmp_path, head, **sheets)) == ["One", "Not shown.", "Shown."]


def test_a_damaged_sheet_is_a_warning(tmp_path: Path) -> None:
    files = {"OEBPS/a.css": b"\0\0\0binary"}
    pages = {"a.xhtml": styled(LINK.format("a.css"))}
    book = read(Epub(pages, files=dict(files)).write(tmp_path), Limits())
    assert "Not shown." in texts(book)
    assert "a.css" in book.warnings[0]


def test_a_sheet_of_many_documents_is_parsed_and_compiled_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsed: list[str] = []
    compiled: list[object] = []

    def parse(text: str) -> rules.StyleSheet:
        parsed.append(text)
        return rules.parse_sheet(text)

    def compile_rules(found: list[rules.StyleRule]) -> hiding.HidingRules | None:
        compiled.append(found)
        return hiding.hiding_rules(found)

    monkeypatch.setattr(styles, "parse_sheet", parse)
    monkeypatch.setattr(styles, "hiding_rules", compile_rules)
    pages = {f"{n}.xhtml": styled(LINK.format("a.css")) for n in range(20)}
    book = read(Epub(pages, files={"OEBPS/a.css": OFF}).write(tmp_path), Limits())
    assert texts(book).count("Shown.") == 20
    assert (len(parsed), len(compiled)) == (1, 1)
