"""Builds small EPUBs in memory, valid by default and with faults on request."""

import io
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

CONTAINER = """<?xml version="1.0"?>
<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>
<rootfile full-path="{}" media-type="application/oebps-package+xml"/></rootfiles></container>"""
NAMESPACES = (
    'xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:opf="http://www.idpf.org/2007/opf"'
)
# Pictures of one pixel. The JPEG has a frame, a scan and an end, but no tables.
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63"
    "f8ffff3f0005fe02fe0def46b80000000049454e44ae426082"
)
JPEG = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffc0000b080001000101011100ffda0008010100003f0000ffd9"
)
TITLE = "<dc:title>The Mill</dc:title><dc:language>en</dc:language>"


def page(body: str, *, title: str = "", attributes: str = "") -> str:
    """An XHTML document."""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" '
        f'xmlns:epub="http://www.idpf.org/2007/ops"><head><title>{title}</title></head>'
        f"<body {attributes}>{body}</body></html>"
    )


def chapter(number: int, title: str) -> str:
    """A page with a heading and a paragraph that no other chapter has."""
    return page(f"<h1>{title}</h1><p>Words of chapter {number} stand here, once.</p>")


def nav(lines: str, *, landmarks: str = "") -> str:
    """A navigation document; `lines` are its <li> elements."""
    marks = f'<nav epub:type="landmarks"><ol>{landmarks}</ol></nav>' if landmarks else ""
    return page(f'<h1>Contents</h1><nav epub:type="toc"><ol>{lines}</ol></nav>{marks}')


def ncx(points: str) -> str:
    """An NCX; `points` are its navPoints."""
    return (
        '<?xml version="1.0"?><ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1">'
        f"<navMap>{points}</navMap></ncx>"
    )


def point(title: str, src: str, inner: str = "") -> str:
    """One navPoint."""
    return (
        f"<navPoint><navLabel><text>{title}</text></navLabel>"
        f'<content src="{src}"/>{inner}</navPoint>'
    )


def line(title: str, href: str, inner: str = "") -> str:
    """One line of a navigation document."""
    nested = f"<ol>{inner}</ol>" if inner else ""
    return f'<li><a href="{href}">{title}</a>{nested}</li>'


@dataclass
class Epub:
    """The content of an EPUB. The spine lists the pages in their order."""

    pages: dict[str, str | bytes] = field(default_factory=dict)  # path below OEBPS ─▶ content
    nav: str = ""
    ncx: str = ""
    metadata: str = TITLE
    manifest: str = ""  # more <item> elements
    spine: str | None = None  # instead of one <itemref> per page
    guide: str = ""
    files: dict[str, str | bytes] = field(default_factory=dict)  # more entries, by full name
    missing: frozenset[str] = frozenset()  # entries left out of the archive, by full name
    opf: str = ""  # instead of the whole package document
    opf_path: str = "OEBPS/book.opf"
    doctype: str = ""

    def package(self) -> str:
        """The package document."""
        items = [
            f'<item id="p{number}" href="{path}" media-type="application/xhtml+xml"/>'
            for number, path in enumerate(self.pages)
        ]
        if self.nav:
            items.append(
                '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" '
                'properties="nav"/>'
            )
        if self.ncx:
            items.append('<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>')
        spine = self.spine
        if spine is None:
            spine = "".join(f'<itemref idref="p{number}"/>' for number in range(len(self.pages)))
        toc = ' toc="ncx"' if self.ncx else ""
        return (
            f'<?xml version="1.0"?>{self.doctype}<package {NAMESPACES} version="3.0" '
            f'unique-identifier="uid"><metadata>{self.metadata}</metadata>'
            f"<manifest>{''.join(items)}{self.manifest}</manifest>"
            f"<spine{toc}>{spine}</spine><guide>{self.guide}</guide></package>"
        )

    def entries(self) -> dict[str, str | bytes]:
        """All entries of the archive, by name."""
        entries: dict[str, str | bytes] = {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": CONTAINER.format(self.opf_path),
            self.opf_path: self.opf or self.package(),
        }
        entries |= {f"OEBPS/{path}": content for path, content in self.pages.items()}
        if self.nav:
            entries["OEBPS/nav.xhtml"] = self.nav
        if self.ncx:
            entries["OEBPS/toc.ncx"] = self.ncx
        entries |= self.files
        return {name: data for name, data in entries.items() if name not in self.missing}

    def build(self) -> bytes:
        """The bytes of the archive, the same each time."""
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in self.entries().items():
                entry = zipfile.ZipInfo(name, (2026, 11, 21, 0, 0, 0))
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, data)
        return file.getvalue()

    def write(self, directory: Path, name: str = "book.epub") -> Path:
        """Write the archive to a file in `directory` and return its path."""
        path = directory / name
        path.write_bytes(self.build())
        return path


def three_chapters(**changes: object) -> Epub:
    """A plain book: three chapters, a navigation document and an NCX."""
    titles = {1: "The Sea", 2: "The Hill", 3: "The Mill"}
    book = Epub(
        pages={f"ch{n}.xhtml": chapter(n, title) for n, title in titles.items()},
        nav=nav("".join(line(title, f"ch{n}.xhtml") for n, title in titles.items())),
        ncx=ncx("".join(point(title, f"ch{n}.xhtml") for n, title in titles.items())),
    )
    for name, value in changes.items():
        setattr(book, name, value)
    return book


ENCRYPTED = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
    'xmlns:enc="http://www.w3.org/2001/04/xmlenc#">{}</encryption>'
)


def told_epub(text: str, *, base: str = "", **changes: object) -> Epub:
    """The EPUB that a file of cases tells: `--- ch1.xhtml` and its body, `--- nav` and its lines.

    Fields of `Epub` are told so, too. `--- ch1.xhtml whole` is not only a body, `--- file NAME` an
    entry by its full name. `base="three chapters"`: the fields that are not told are that book's.
    """
    epub = three_chapters() if base == "three chapters" else Epub()
    pages: dict[str, str | bytes] = {}
    for part in text.split("--- ")[1:]:
        name, _, content = part.partition("\n")
        content = content.removesuffix("\n")
        if name.startswith("file "):
            epub.files[name.removeprefix("file ")] = content
        elif name in ("nav", "ncx"):
            setattr(epub, name, content and {"nav": nav, "ncx": ncx}[name](content))
        elif hasattr(epub, name):
            setattr(epub, name, content)
        else:
            path, _, is_whole = name.partition(" ")
            pages[path] = content if is_whole else page(content)
    epub.pages = pages or epub.pages
    for name, value in changes.items():
        setattr(epub, name, value)
    return epub
