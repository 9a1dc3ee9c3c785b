"""What comes of sources that are read: files of cases, a folder for each reader."""

from pathlib import Path

import pytest

from audiomill.inputs import html
from audiomill.inputs.markdown import reader as markdown
from audiomill.inputs.markup.blocks import to_blocks
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.inputs.model.book import Limits, SourceError
from audiomill.inputs.plaintext import reader as plaintext
from support.book_lines import book_lines, document_lines
from support.case_files import assert_cases

CASES = Path(__file__).with_name("cases")
FILES = sorted(file.relative_to(CASES).as_posix() for file in CASES.glob("*/*.txt"))
PAGE = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
    ' xmlns:ssml="http://www.w3.org/2001/10/synthesis"><body>{}</body></html>'
)
READERS = {
    "html": (html.read, "a-page.html"),
    "markdown": (markdown.read, "a-book.md"),
    "plaintext": (plaintext.read, "a-book.txt"),
}


def blocks_of(body: str, language: str | None = None) -> list[str]:
    """The blocks of a page with such a body, or of a whole page."""
    page = body if body.startswith("<html") else PAGE.format(body)
    root = parse_xhtml(page.encode())
    return document_lines(to_blocks(body_of(root), where="x", language=language))


@pytest.mark.parametrize("name", FILES)
def test_each_source_is_read_as_its_case_tells(name: str, tmp_path: Path) -> None:
    kind = name.partition("/")[0]

    def read(text: str, file: str = "") -> list[str]:
        reader, usual = READERS[kind]
        path = tmp_path / (file or usual)
        usual_title = usual.partition(".")[0].replace("-", " ")
        path.write_text(text, encoding="utf-8", newline="")
        try:
            return book_lines(reader(path, Limits()), usual_title)
        except SourceError as error:
            return [f"{type(error).__name__}: {error}".replace(str(path), path.name)]

    assert_cases(CASES / name, blocks_of if kind == "markup" else read)
