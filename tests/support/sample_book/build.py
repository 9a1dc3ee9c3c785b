"""Write the sample book's files beside this one: `python -m audiomill.inputs.samples.build`.

story ─▶ the-lighthouse-mill.md, .epub      cover ─▶ the-lighthouse-mill.png
"""

from __future__ import annotations

from pathlib import Path

from support.home import SAMPLES
from support.sample_book.as_epub import as_epub
from support.sample_book.as_markdown import COVER_NAME, as_markdown
from support.sample_book.canvas import png
from support.sample_book.cover import picture

NAME = "the-lighthouse-mill"


def build(folder: Path) -> list[Path]:
    """The files written into `folder`: cover, Markdown, EPUB."""
    cover = png(picture())
    files = {
        COVER_NAME: cover,
        f"{NAME}.md": as_markdown().encode(),
        f"{NAME}.epub": as_epub(cover),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [folder / name for name in files]


if __name__ == "__main__":
    build(SAMPLES)
