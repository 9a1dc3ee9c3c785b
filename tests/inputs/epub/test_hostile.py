"""EPUBs that are broken or hostile: each gives its own error of one or two lines."""

import io
import struct
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from audiomill.inputs.epub.reader import read
from audiomill.inputs.model.book import (
    MIB,
    Book,
    Limits,
    SourceCorrupt,
    SourceEmpty,
    SourceError,
    SourceProtected,
    SourceTooLarge,
)
from support.case_files import each_row_apart
from support.epub_data import ENCRYPTED, Epub, chapter, page, three_chapters

LIMITS = Limits()


def refused(path: Path, limits: Limits = LIMITS) -> SourceError:
    with pytest.raises(SourceError) as caught:
        read(path, limits)
    assert 1 <= len(str(caught.value).splitlines()) <= 2
    assert path.name in str(caught.value)
    return caught.value


def written(folder: Path, data: bytes) -> Path:
    path = folder / "book.epub"
    path.write_bytes(data)
    return path


@contextmanager
def memory_below(n_bytes: int) -> Iterator[None]:
    """Fail if more memory than this is taken meanwhile."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < n_bytes
    finally:
        tracemalloc.stop()


def all_text(book: Book) -> str:
    return "\n".join([book.title, *(b.text for c in book.chapters for b in c.blocks)])


def test_an_entry_without_a_name_is_ignored(tmp_path):
    data = three_chapters(files={"x.css": "p {}"}).build().replace(b"x.css", b"\0.css")
    assert len(read(written(tmp_path, data), LIMITS).chapters) == 3


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_zip(tmp_path, share):
    data = three_chapters().build()
    cut = written(tmp_path, data[: int(len(data) * share)])
    assert isinstance(refused(cut), SourceCorrupt)


def test_a_zip_that_is_no_epub(tmp_path):
    path = tmp_path / "book.epub"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", "<w/>")
    assert isinstance(refused(path), SourceCorrupt)


@pytest.mark.parametrize("opf", ["no xml", "<", "\0\0\0\0"])
def test_a_package_that_is_no_xml(tmp_path, opf):
    assert isinstance(refused(three_chapters(opf=opf).write(tmp_path)), SourceCorrupt)


@pytest.mark.parametrize("opf", ["<package/>", "<html/>", "<package><spine/></package>"])
def test_an_empty_package(tmp_path, opf):
    assert isinstance(refused(three_chapters(opf=opf).write(tmp_path)), SourceEmpty)


@pytest.mark.parametrize(
    "body",
    ["", "<img src='a.png' alt='a picture'/>", "<p>* * *</p>", "<script>x()</script>", "<p>…</p>"],
)
def test_no_readable_text(tmp_path, body):
    error = refused(Epub({"a.xhtml": page(body)}).write(tmp_path))
    assert isinstance(error, SourceEmpty)
    assert "text recognition" in str(error)


# Bombs


def bomb(n_mib: int, name: str = "OEBPS/big.jpg") -> dict[str, str | bytes]:
    return {name: b"\0" * (n_mib * MIB)}


@pytest.mark.parametrize("name", ["OEBPS/big.jpg", "OEBPS/ch1.xhtml"])
def test_a_ratio_bomb_is_refused_without_unpacking_it(tmp_path, name):
    path = three_chapters(files=bomb(64, name)).write(tmp_path)
    with memory_below(4 * MIB):
        error = refused(path)
    assert isinstance(error, SourceTooLarge)
    assert "max_entry_ratio" in str(error)
    raised = replace(LIMITS, max_entry_ratio=10_000)
    if name.endswith("jpg"):
        assert len(read(path, raised).chapters) == 3


def test_a_bomb_with_a_false_size_unpacks_only_that_size(tmp_path):
    data = bytearray(three_chapters(files=bomb(64, "OEBPS/ch1.xhtml")).build())
    for signature, at_size in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = -1
        while (at := data.find(signature, at + 1)) >= 0:
            if struct.unpack_from("<I", data, at + at_size)[0] == 64 * MIB:
                struct.pack_into("<I", data, at + at_size, 1000)
    path = written(tmp_path, data)
    with memory_below(4 * MIB):
        book = read(path, LIMITS)
    assert [c.title for c in book.chapters] == ["The Hill", "The Mill"]


@pytest.mark.parametrize(
    ("limits", "setting"),
    [
        (replace(LIMITS, max_archive_entries=5), "max_archive_entries"),
        (replace(LIMITS, max_archive_bytes=2000), "max_archive_bytes"),
        (replace(LIMITS, max_entry_bytes=500), "max_entry_bytes"),
        (replace(LIMITS, max_text_chars=50), "max_text_chars"),
    ],
)
def test_each_limit_is_named_when_it_is_exceeded(tmp_path, limits, setting):
    error = refused(three_chapters().write(tmp_path), limits)
    assert isinstance(error, SourceTooLarge)
    assert setting in str(error)


def test_what_is_not_read_counts_against_the_limit_of_the_archive(tmp_path):
    path = three_chapters(files={"pad.bin": bytes(range(256)) * 400}).write(tmp_path)
    error = refused(path, replace(LIMITS, max_archive_bytes=100_000))
    assert "max_archive_bytes" in str(error)


def test_many_entries_are_refused_before_the_directory_is_read(tmp_path):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("0", b"")
        archive.filelist *= 70_000
    path = written(tmp_path, file.getvalue())
    del file
    with memory_below(MIB):
        error = refused(path)
    assert isinstance(error, SourceTooLarge)
    assert "70,000" in str(error)


def test_a_page_of_only_tags_is_refused(tmp_path):
    limits = replace(LIMITS, max_entry_bytes=MIB, max_entry_ratio=100_000)
    path = Epub({"a.xhtml": page("<b/>" * 100_000)}).write(tmp_path)
    error = refused(path, limits)
    assert isinstance(error, SourceTooLarge)
    assert "max_entry_bytes" in str(error)


def test_skipped_text_counts_against_the_limit(tmp_path):
    hidden = page("<p>seen</p><p hidden=''>" + "unseen words " * 100 + "</p>")
    error = refused(Epub({"a.xhtml": hidden}).write(tmp_path), replace(LIMITS, max_text_chars=1000))
    assert "max_text_chars" in str(error)


# Entities


NAMES = "abcdefghij"
LAUGHS = '<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {after} "{f"&{name};" * 10}">' for name, after in pairwise(NAMES)
)


def hostile_doctype(name: str, folder: Path) -> str:
    """With an entity that grows, “j”, and one of a file of the machine, “x”."""
    secret = folder / "secret.txt"
    secret.write_text("the secret")
    return f'<!DOCTYPE {name} [{LAUGHS}<!ENTITY x SYSTEM "{secret.as_uri()}">]>'


def test_entities_in_the_package_are_never_resolved(tmp_path):
    doctype = hostile_doctype("package", tmp_path)
    metadata = "<dc:title>A&j;&x;&nbsp;Mill</dc:title><dc:creator>&x;Ann</dc:creator>"
    book = read(three_chapters(doctype=doctype, metadata=metadata).write(tmp_path), LIMITS)
    assert book.title == "A Mill"
    assert book.authors == ("Ann",)


def test_entities_in_pages_are_never_resolved_and_listed(tmp_path):
    doctype = hostile_doctype("html", tmp_path)
    body = page("<p>before &j; and &x; after</p>").replace("<html", doctype + "<html", 1)
    book = read(Epub({"a.xhtml": body}).write(tmp_path), LIMITS)
    assert all_text(book).endswith("before and after")
    assert [s.text for s in book.skipped] == ["&j;", "&x;"]


@pytest.mark.parametrize("name", ["META-INF/container.xml", "OEBPS/toc.ncx", "OEBPS/nav.xhtml"])
def test_entities_elsewhere_do_no_harm(tmp_path, name):
    book = three_chapters()
    if name.endswith("ncx"):
        book.nav = ""
    original = book.entries()[name]
    assert isinstance(original, str)
    doctype = hostile_doctype("x", tmp_path)
    prologue, _, rest = original.partition("?>")
    book.files[name] = f"{prologue}?>{doctype}{rest}".replace("The Sea", "The Sea&x;&j;")
    result = read(book.write(tmp_path), LIMITS)
    assert len(result.chapters) == 3
    assert "secret" not in all_text(result)
    assert "hahaha" not in all_text(result)


# Names


def test_names_that_point_outside_the_archive_do_nothing(tmp_path):
    names = ("../../evil.xhtml", "/etc/evil", "C:\\evil", "OEBPS/../../evil2")
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    item = '<item id="e" href="../../../evil.xhtml" media-type="application/xhtml+xml"/>'
    files: dict[str, str | bytes] = {name: chapter(9, "Evil") for name in names}
    path = three_chapters(files=files, manifest=item).write(inside)
    before = sorted(tmp_path.rglob("*"))
    book = read(path, LIMITS)
    assert sorted(tmp_path.rglob("*")) == before
    assert [c.title for c in book.chapters] == ["The Sea", "The Hill", "The Mill"]
    assert [w for w in book.warnings if "outside" in w]


# Protection


DATA = (
    '<enc:EncryptedData><enc:EncryptionMethod Algorithm="{}"/><enc:CipherData>'
    '<enc:CipherReference URI="{}"/></enc:CipherData></enc:EncryptedData>'
)
AES = "http://www.w3.org/2001/04/xmlenc#aes128-cbc"
FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


@each_row_apart
def test_encrypted_content_is_reported(tmp_path, licence, scheme):
    files: dict[str, str | bytes] = {
        "META-INF/encryption.xml": ENCRYPTED.format(
            DATA.format(FONTS[0], "OEBPS/f.otf") + DATA.format(AES, "OEBPS/ch1.xhtml")
        )
    }
    if licence:
        files[licence] = "{}"
    error = refused(three_chapters(files=files).write(tmp_path))
    assert isinstance(error, SourceProtected)
    assert scheme in str(error)


def test_scrambled_fonts_are_no_protection(tmp_path):
    files: dict[str, str | bytes] = {
        "META-INF/encryption.xml": ENCRYPTED.format(
            "".join(DATA.format(way, f"OEBPS/{n}.otf") for n, way in enumerate(FONTS))
        ),
        "META-INF/rights.xml": "<rights/>",
    }
    book = read(three_chapters(files=files).write(tmp_path), LIMITS)
    assert len(book.chapters) == 3


def test_ciphertext_beside_a_licence_is_protection_even_undeclared(tmp_path):
    noise = bytes((n * 7 + n // 3) % 256 for n in range(4000))
    pages: dict[str, str | bytes] = {f"ch{n}.xhtml": noise for n in (1, 2)}
    licence: dict[str, str | bytes] = {"META-INF/rights.xml": "<rights/>"}
    error = refused(Epub(pages, files=licence).write(tmp_path))
    assert isinstance(error, SourceProtected)
    error = refused(Epub(pages).write(tmp_path))
    assert isinstance(error, SourceEmpty)


def test_a_zip_with_a_password_is_protected(tmp_path):
    data = bytearray(three_chapters().build())
    for signature, at_flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        at = -1
        while (at := data.find(signature, at + 1)) >= 0:
            data[at + at_flags] |= 1
    error = refused(written(tmp_path, data))
    assert isinstance(error, SourceProtected)
    assert "password" in str(error)
