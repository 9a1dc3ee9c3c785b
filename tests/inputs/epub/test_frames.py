"""Pages in frames are read in their place, once, and nothing in a frame is lost."""

from __future__ import annotations

from pathlib import Path

from audiomill.inputs.epub.reader import read
from audiomill.inputs.model.book import Book, Limits, SkipReason
from support.epub_data import Epub, page
from support.reading_data import skipped, texts

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


def test_frames_nested_too_deep_are_listed(tmp_path: Path) -> None:
    frames = {f"f{n}.xhtml": page(f"<p>{n}</p>{frame(f'f{n + 1}.xhtml')}") for n in range(1, 30)}
    book = framed(tmp_path, {"a.xhtml": page(frame("f1.xhtml"))}, frames)
    assert texts(book) == [str(n) for n in range(1, 9)]
    assert skipped(book, SkipReason.FRAME) == ["f9.xhtml"]
