"""Builds the files of the sample book into `inputs/samples`.

    story ─▶ the-lighthouse-mill.md, .epub      cover ─▶ the-lighthouse-mill.png

Run it in `tests` as `python -m support.sample_book.build`.
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
    """Write the cover, the Markdown and the EPUB into `folder`, and return their paths."""
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
