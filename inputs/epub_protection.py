"""Whether an EPUB is encrypted, and by whom; knows META-INF and no cipher."""

from __future__ import annotations

from inputs.book import SourceCorrupt, SourceProtected
from inputs.epub_archive import Archive
from inputs.markup_parse import local_name, parse_xml

ENCRYPTION = "META-INF/encryption.xml"
# Fonts are scrambled with these and the text is not (EPUB 3.3, 4.3; Adobe's older way).
FONT_ALGORITHMS = frozenset(
    ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
)
LICENCES = {
    "META-INF/license.lcpl": "Readium LCP",
    "META-INF/rights.xml": "Adobe ADEPT",
    "META-INF/sinf.xml": "Apple FairPlay",
}


def check_protection(archive: Archive) -> None:
    """Raise `SourceProtected` if anything but fonts is encrypted."""
    name = archive.find(ENCRYPTION)
    if name is None:
        return
    try:
        algorithms = _algorithms(archive.read(name))
    except SourceCorrupt as error:
        archive.warnings.append(f"{name} could not be read: {error}")
        return
    if algorithms - FONT_ALGORITHMS:
        raise protected(archive)


def protected(archive: Archive) -> SourceProtected:
    """The error to raise for an encrypted book, naming the scheme where it is known."""
    scheme = licence(archive)
    return SourceProtected(
        f"“{archive.name}” is encrypted (DRM{': ' + scheme if scheme else ''}) and cannot be read."
        "\nAsk the seller for a copy without protection."
    )


def licence(archive: Archive) -> str | None:
    """The scheme whose licence lies in the archive, if one does."""
    return next((scheme for name, scheme in LICENCES.items() if archive.find(name)), None)


def _algorithms(data: bytes) -> set[str]:
    """How resources are encrypted (XML Encryption, 3.1); one that names no way is not."""
    return {
        (method.get("Algorithm") or "").strip()
        for node in parse_xml(data).iter()
        if local_name(node) == "encrypteddata"
        for method in node
        if local_name(method) == "encryptionmethod"
    }
