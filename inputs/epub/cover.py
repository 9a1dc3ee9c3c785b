"""Finds the cover of a book in its package, in the form to embed."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.epub.package import Package, resolve
from audiomill.inputs.markup.parser import local_name, parse_xhtml
from audiomill.inputs.metadata.covers import fit_cover
from audiomill.inputs.metadata.images import UnusableImage
from audiomill.inputs.model.book import Cover, SourceError

XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg")


def find_cover(archive: Archive, package: Package) -> Cover | None:
    """Return the first picture declared as the cover that can be used, in the form to embed.

    A cover that cannot be used, or not as it is, becomes a warning of the archive, never an error.
    """
    for path in dict.fromkeys(_cover_paths(archive, package)):
        try:
            data = archive.read(path)
        except SourceError as error:
            archive.warnings.append(f"cover {path!r}: {str(error).splitlines()[0]}")
            continue
        try:
            fitted = fit_cover(data)
        except UnusableImage as error:
            archive.warnings.append(f"cover {path!r} is {error}; it is left out")
            continue
        if fitted.change:
            archive.warnings.append(f"cover {path!r} is {fitted.change}")
        return fitted.cover
    return None


def _cover_paths(archive: Archive, package: Package) -> Iterator[str]:
    """Paths of pictures, best first: the property of EPUB 3, the meta of EPUB 2, guide, name."""
    by_id = {item.id: item for item in package.items}
    by_href = {item.href: item for item in package.items}
    for item in package.items:
        if item.is_cover and item.path:
            yield item.path
    for meta in package.metadata:
        if meta.name == "meta" and meta.attributes.get("name", "").lower() == "cover":
            reference = meta.attributes.get("content", "").strip()
            item = by_id.get(reference) or by_href.get(reference)
            if item and item.path:
                yield from _first_picture(archive, item.path)
    for kind, href in package.guide:
        path = archive.find(href.partition("#")[0]) if "cover" in kind else None
        if path:
            yield from _first_picture(archive, path)
    for item in package.items:
        is_cover = "cover" in f"{item.id} {posixpath.basename(item.href)}".lower()
        if is_cover and item.path and item.media_type.startswith("image/"):
            yield item.path


def _first_picture(archive: Archive, path: str) -> Iterator[str]:
    """Yield `path` if it is a picture, or else the first picture on the page at `path`, if any."""
    if path.lower().endswith(PICTURE_SUFFIXES):
        yield path
        return
    try:
        root = parse_xhtml(archive.read(path))
    except SourceError:
        return  # the page is read again as part of the book, and reported there
    for node in root.iter():
        if local_name(node) in {"img", "image"}:
            href = node.get("src") or node.get(XLINK_HREF) or node.get("href") or ""
            picture = archive.find(resolve(posixpath.dirname(path), href)[0])
            if picture:
                yield picture
                return
