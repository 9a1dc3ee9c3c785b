"""Writes the sample book as EPUB 3 (W3C, EPUB 3.3), with the features of real books.

It has a table of contents with nested levels, one file with two chapters, one chapter in two files,
notes, page numbers, a cover, and words in another language.
"""

from __future__ import annotations

import io
import zipfile
from html import escape

from lxml import etree

from support.sample_book import story
from support.sample_book.xhtml_pages import Page, text_pages, wrapped

_ZIP_TIME = (2026, 11, 21, 0, 0, 0)
_STYLE = """body { font-family: serif; line-height: 1.5; margin: 1em; }
h1, h2 { font-weight: normal; text-align: center; }
.verse { margin: 1em 2em; font-style: italic; }
.scene-break { text-align: center; margin: 1.5em 0; }
blockquote { margin: 1em 2em; }
table { border-collapse: collapse; margin: 1em auto; }
td, th { border-bottom: 1px solid; padding: 0.2em 1em; text-align: left; }
figure { text-align: center; margin: 1em 0; }
img { max-width: 100%; max-height: 95vh; }
"""
_CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles>
    <rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
"""
_COVER = wrapped(
    "Cover",
    f'<section epub:type="cover"><img src="cover.png" alt="{story.TITLE}" /></section>',
)


def as_epub(cover: bytes) -> bytes:
    """Return the whole file; `cover` is a PNG. The bytes depend only on the version of zlib."""
    pages = text_pages()
    texts = {f"{page.name}.xhtml": page.document() for page in pages}
    entries = {
        "META-INF/container.xml": _CONTAINER,
        "OEBPS/package.opf": _package(pages),
        "OEBPS/nav.xhtml": _nav(pages),
        "OEBPS/cover.xhtml": _COVER,
        **{f"OEBPS/{name}": text for name, text in texts.items()},
        "OEBPS/style.css": _STYLE,
    }
    for name, text in entries.items():
        if not name.endswith(".css"):
            etree.fromstring(text.encode())  # raises unless it is well formed
    binary = {name: text.encode() for name, text in entries.items()}
    return _zipped({"mimetype": b"application/epub+zip", **binary, "OEBPS/cover.png": cover})


def _zipped(entries: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in entries.items():
            entry = zipfile.ZipInfo(name, _ZIP_TIME)
            stored = name == "mimetype" or name.endswith(".png")
            entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            entry.create_system = 3  # Unix, whatever this runs on
            archive.writestr(entry, data)
    return buffer.getvalue()


def _package(pages: list[Page]) -> str:
    items = "\n    ".join(
        f'<item id="{page.name}" href="{page.name}.xhtml" media-type="application/xhtml+xml"/>'
        for page in pages
    )
    spine = "\n    ".join(f'<itemref idref="{page.name}"/>' for page in pages)
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en-GB">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="id">{story.IDENTIFIER}</dc:identifier>
    <dc:title>{escape(story.TITLE)}</dc:title>
    <dc:creator id="author">{escape(story.AUTHOR)}</dc:creator>
    <meta refines="#author" property="role" scheme="marc:relators">aut</meta>
    <dc:language>en-GB</dc:language>
    <dc:date>{story.DATE}</dc:date>
    <dc:description>{escape(story.DESCRIPTION)}</dc:description>
    <meta property="dcterms:modified">{story.DATE}T00:00:00Z</meta>
  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>
    <item id="cover-image" href="cover.png" media-type="image/png" properties="cover-image"/>
    <item id="style" href="style.css" media-type="text/css"/>
    {items}
  </manifest>
  <spine>
    <itemref idref="cover"/>
    <itemref idref="nav" linear="no"/>
    {spine}
  </spine>
</package>
"""


def _nav(pages: list[Page]) -> str:
    """The table of contents with parts and chapters, the page list, and the landmarks."""
    contents, targets = list[str](), [target for page in pages for target in page.targets]
    for target in targets:
        if target.kind == "part":
            contents += ["</ol></li>"] if contents else []
            contents.append(f'<li><a href="{target.href}">{escape(target.label)}</a><ol>')
        elif target.kind == "chapter":
            contents.append(f'<li><a href="{target.href}">{escape(target.label)}</a></li>')
    printed = [f'<li><a href="{m.href}">{m.label}</a></li>' for m in targets if m.kind == "page"]
    lines = [
        '<nav epub:type="toc" role="doc-toc" id="toc"><h1>Contents</h1><ol>',
        *contents,
        "</ol></li></ol></nav>",
        '<nav epub:type="page-list" role="doc-pagelist" hidden="hidden"><h2>Pages</h2><ol>',
        *printed,
        "</ol></nav>",
        '<nav epub:type="landmarks" hidden="hidden"><h2>Landmarks</h2><ol>',
        '<li><a epub:type="cover" href="cover.xhtml">Cover</a></li>',
        '<li><a epub:type="toc" href="#toc">Contents</a></li>',
        f'<li><a epub:type="bodymatter" href="{pages[0].name}.xhtml">Start</a></li>',
        "</ol></nav>",
    ]
    return wrapped("Contents", "\n".join(lines))
