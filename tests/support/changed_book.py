"""A book whose metadata changes and whose words stay: an EPUB, and a job that reads it."""

from dataclasses import dataclass
from pathlib import Path

from audiomill.flows.job import Job
from audiomill.outputs.formats.registry import FORMATS
from support.book_data import source_job
from support.epub_data import PNG, Epub, line, nav, page


@dataclass(frozen=True)
class ChangedBook:
    """What of the book can change without its words."""

    title: str = "The Mill"
    author: str = "Ann Author"
    chapters: tuple[str, ...] = ("The Sea", "The Hill", "The Mill")
    has_cover: bool = False

    def write(self, folder: Path) -> Path:
        """The book's file in `folder`, always of the same name."""
        names = [f"ch{number}.xhtml" for number in range(1, len(self.chapters) + 1)]
        words = ("First words stand here.", "Second ones follow.", "Third ones end it.")
        pages = {name: page(f"<p>{text}</p>") for name, text in zip(names, words, strict=False)}
        cover = '<item id="c" href="c.png" media-type="image/png" properties="cover-image"/>'
        book = Epub(
            pages=pages,
            nav=nav("".join(map(line, self.chapters, names))),
            metadata=f"<dc:title>{self.title}</dc:title><dc:language>en</dc:language>"
            f"<dc:creator>{self.author}</dc:creator>",
            manifest=cover if self.has_cover else "",
            files={"OEBPS/c.png": PNG} if self.has_cover else {},
        )
        return book.write(folder)

    def job(self, folder: Path, out: str = "library", **choices) -> Job:
        """A job for the book, read fast, whose library and store are in `folder`."""
        # Credits would speak the title and the author.
        chosen = {"formats": [*FORMATS], "credits": False, "speed": 4.0} | choices
        return source_job(self.write(folder), settings={"library": folder / out}, **chosen)
