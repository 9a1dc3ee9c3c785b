"""Finds the encryption (DRM) of an EPUB, and names its scheme.

A password of the zip archive itself is found when an entry is read (`archive.py`).
"""

from __future__ import annotations

from audiomill.inputs.epub.archive import Archive
from audiomill.inputs.markup.parser import local_name, parse_xml
from audiomill.inputs.model.book import SourceCorrupt, SourceProtected

ENCRYPTION = "META-INF/encryption.xml"
# These algorithms scramble fonts, not text (EPUB 3.3, 4.3; Adobe's older method).
FONT_ALGORITHMS = frozenset(
    ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
)
DRM_SCHEMES = {  # the licence file ─▶ the scheme
    "META-INF/license.lcpl": "Readium LCP",
    "META-INF/rights.xml": "Adobe ADEPT",
    "META-INF/sinf.xml": "Apple FairPlay",
}


def check_protection(archive: Archive) -> None:
    """Raise SourceProtected if anything but fonts is encrypted."""
    name = archive.find(ENCRYPTION)
    if name is None:
        return
    try:
        algorithms = _encryption_algorithms(archive.read(name))
    except SourceCorrupt as error:
        archive.warnings.append(f"{name} could not be read: {error}")
        return
    if algorithms - FONT_ALGORITHMS:
        raise protection_error(archive)


def protection_error(archive: Archive) -> SourceProtected:
    """Return the error for an encrypted book; its message names the DRM scheme if it is known."""
    scheme = drm_scheme(archive)
    return SourceProtected(
        f"“{archive.name}” is encrypted (DRM{': ' + scheme if scheme else ''}) and cannot be read."
        "\nAsk the seller for a copy without protection."
    )


def drm_scheme(archive: Archive) -> str | None:
    """Return the DRM scheme whose licence file is in the archive; None if there is none."""
    return next((scheme for name, scheme in DRM_SCHEMES.items() if archive.find(name)), None)


def _encryption_algorithms(data: bytes) -> set[str]:
    """The algorithms by which resources are encrypted (XML Encryption, 3.1).

    A resource without an EncryptionMethod counts as not encrypted.
    """
    return {
        (method.get("Algorithm") or "").strip()
        for node in parse_xml(data).iter()
        if local_name(node) == "encrypteddata"
        for method in node
        if local_name(method) == "encryptionmethod"
    }
