"""The cover picture: where books keep it, and whether it is one we can carry."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from inputs.book import Cover, SourceError
from inputs.epub_archive import Archive
from inputs.epub_package import Package, resolve
from inputs.markup_parse import local_name, parse_xhtml
from inputs.pictures import UnusablePicture, cover_of

XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg")


def find_cover(archive: Archive, package: Package) -> Cover | None:
    """The first picture named as the cover that is a whole JPEG or PNG by its bytes.

    A cover that cannot be used is a warning of the archive's, never an error.
    """
    for path in dict.fromkeys(_candidates(archive, package)):
        try:
            data = archive.read(path)
        except SourceError as error:
            archive.warnings.append(f"cover {path!r}: {str(error).splitlines()[0]}")
            continue
        try:
            return cover_of(data)
        except UnusablePicture as error:
            archive.warnings.append(f"cover {path!r} is {error}; it is left out")
    return None


def _candidates(archive: Archive, package: Package) -> Iterator[str]:
    """Paths, best first: EPUB 3's property, EPUB 2's meta, the guide, then by name."""
    by_id = {item.id: item for item in package.items}
    by_href = {item.href: item for item in package.items}
    for item in package.items:
        if item.is_cover and item.path:
            yield item.path
    for meta in package.metadata:
        if meta.name == "meta" and meta.attributes.get("name", "").lower() == "cover":
            named = meta.attributes.get("content", "").strip()
            item = by_id.get(named) or by_href.get(named)
            if item and item.path:
                yield from _pictures(archive, item.path)
    for kind, href in package.guide:
        path = archive.find(href.partition("#")[0]) if "cover" in kind else None
        if path:
            yield from _pictures(archive, path)
    for item in package.items:
        is_named = "cover" in f"{item.id} {posixpath.basename(item.href)}".lower()
        if is_named and item.path and item.media_type.startswith("image/"):
            yield item.path


def _pictures(archive: Archive, path: str) -> Iterator[str]:
    """The picture at `path`, or the first one shown on the page there."""
    if path.lower().endswith(PICTURE_SUFFIXES):
        yield path
        return
    try:
        root = parse_xhtml(archive.read(path))
    except SourceError:
        return  # the page is read again, and reported, as part of the book
    for node in root.iter():
        if local_name(node) in {"img", "image"}:
            href = node.get("src") or node.get(XLINK_HREF) or node.get("href") or ""
            found = archive.find(resolve(posixpath.dirname(path), href)[0])
            if found:
                yield found
                return
