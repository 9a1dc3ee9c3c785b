"""Text of an EPUB that its style sheets hide is listed, not read."""

from __future__ import annotations

from pathlib import Path

import pytest

from audiomill.inputs.css import hiding, rules
from audiomill.inputs.epub import styles
from audiomill.inputs.epub.reader import read
from audiomill.inputs.model.book import Limits
from support.epub_data import Epub, page
from support.reading_data import texts

BODY = "<h1>One</h1><p class='off'>Not shown.</p><p>Shown.</p>"
LINK = '<link rel="stylesheet" type="text/css" href="{}"/>'
OFF = ".off { display: none }"


def styled(head: str, body: str = BODY) -> str:
    return page(body).replace("</head>", f"{head}</head>")


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
