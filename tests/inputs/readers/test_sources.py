"""The choice of the reader for a file, and the errors for files that none can read."""

import errno
import hashlib
import json
import os
import zipfile
from dataclasses import asdict

import pytest

from audiomill.inputs.model.book import (
    MIB,
    Limits,
    SourceCorrupt,
    SourceEmpty,
    SourceError,
    SourceMissing,
    SourceTooLarge,
    SourceUnsupported,
)
from audiomill.inputs.readers.sources import check_file, read_book
from support.case_files import each_row_apart
from support.paths import SAMPLES
from support.reading_data import texts

LIMITS = Limits()
SAMPLE = SAMPLES / "the-lighthouse-mill.epub"


def written(folder, name, content):
    """A file of this text or of these bytes."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def refused(path, error, *words, limits=LIMITS):
    """The message of the error that `read_book` raises: one or two lines with the file name."""
    with pytest.raises(error) as caught:
        read_book(path, limits)
    assert type(caught.value) is error
    message = str(caught.value)
    assert path.name in message
    assert message.count("\n") <= 1
    for word in words:
        assert word in message
    return message


@each_row_apart
def test_each_kind_of_file_has_its_reader(tmp_path, name, text):
    path = written(tmp_path, name, text)
    book = read_book(path, LIMITS)
    assert texts(book)[1] == "Hello."
    assert book.source_id == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", ["book.epub", "book", "book.zip", "book.txt", "book.md"])
def test_an_epub_is_read_under_any_name(tmp_path, name):
    book = read_book(written(tmp_path, name, SAMPLE.read_bytes()), LIMITS)
    assert book.title == "The Lighthouse Mill"
    assert book.source_id == hashlib.sha256(SAMPLE.read_bytes()).hexdigest()


def test_text_that_begins_like_another_format_is_text(tmp_path):
    for number, start in enumerate(("ID3 tags", "RIFF is a word", "MZ", "PKware", "GIF89a")):
        path = written(tmp_path, f"{number}.txt", f"{start} stands here.")
        if start != "PKware":
            assert texts(read_book(path, LIMITS)) == [f"{start} stands here."]


def test_a_missing_file(tmp_path):
    refused(tmp_path / "gone.epub", SourceMissing, "no file")
    (tmp_path / "file.md").write_text("x")
    refused(tmp_path / "file.md" / "x.md", SourceMissing)
    long = tmp_path / ("long" * 100 + ".md")
    refused(long, SourceMissing, f"cannot be read: {os.strerror(errno.ENAMETOOLONG)}.")
    with pytest.raises(SourceMissing):
        check_file(long, LIMITS)


def test_why_a_file_is_missing(tmp_path):
    (tmp_path / "loop.md").symlink_to("loop.md")
    (tmp_path / "dead.md").symlink_to("gone.md")
    (tmp_path / "ab.md").write_text("x")
    for name in ("loop.md", "dead.md"):
        refused(tmp_path / name, SourceMissing, "link that leads to no file")
    for name in ("x", "x.md", "x/y.epub"):
        words = refused(tmp_path / "ab.md" / name, SourceMissing, "is a file, not a folder")
        assert "Errno" not in words


def test_a_directory(tmp_path):
    refused(tmp_path, SourceMissing, "directory")


def test_a_pipe_is_refused_without_waiting(tmp_path):
    path = tmp_path / "pipe.md"
    os.mkfifo(path)
    refused(path, SourceMissing, "pipe")


@pytest.mark.parametrize("suffix", [".md", ".epub", ".html", ".txt", ""])
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_devices_are_not_read(tmp_path, suffix, device):
    path = tmp_path / f"endless{suffix}"
    path.symlink_to(device)
    refused(path, SourceMissing, "device")


@pytest.mark.parametrize(
    ("suffix", "n_before"), [(".md", 0), (".txt", 0), (".html", 0), (".md", 5000), (".txt", 5000)]
)
def test_zeros_are_not_text(tmp_path, suffix, n_before):
    content = b"<p>" + b"x" * n_before + bytes(1 << 20)
    refused(written(tmp_path, f"a{suffix}", content), SourceCorrupt)


def test_a_long_page_of_zeros_is_refused_before_parsing(tmp_path, monkeypatch):
    monkeypatch.setattr("audiomill.inputs.articles.html.parse_xhtml", None)
    path = written(tmp_path, "a.html", "<p>" + "word " * 1000)
    os.truncate(path, 1 << 20)
    refused(path, SourceTooLarge, "max_text_chars", limits=Limits(max_text_chars=200_000))


def test_a_zero_far_down_a_page_loses_no_text(tmp_path):
    path = written(tmp_path, "a.html", "<p>" + "word " * 2000 + "before \0 after<p>And on.")
    *_, last = blocks = texts(read_book(path, LIMITS))
    assert last == "And on."
    assert " after" in blocks[0]


@pytest.mark.parametrize("suffix", [".md", ".txt", ".html", ".epub"])
def test_a_name_that_is_not_utf8_leaves_no_surrogate_in_the_book(tmp_path, suffix):
    path = tmp_path / os.fsdecode(b"bad\xff" + suffix.encode())
    path.write_bytes(SAMPLE.read_bytes() if suffix == ".epub" else b"Hello[^1].\n\n[^1]: A note.")
    book = read_book(path, LIMITS)
    shown = json.dumps(asdict(book), ensure_ascii=False, default=repr)
    assert shown.encode("utf-8")
    assert ("bad\ufffd" in shown) == (suffix != ".epub")


def test_a_file_without_permission(tmp_path, monkeypatch):
    path = written(tmp_path, "locked.md", "Hello.")

    def refuse(*_args, **_options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "open", refuse)
    refused(path, SourceMissing, "cannot be read: Permission denied.")


@pytest.mark.parametrize("name", ["a.epub", "a.md", "a.html", "a.txt", "a.pdf"])
def test_an_empty_file(tmp_path, name):
    refused(written(tmp_path, name, ""), SourceEmpty, "empty")


@pytest.mark.parametrize("text", ["  \n\n\t", "\ufeff", "---\ntitle: x\n---\n"])
def test_a_file_without_text(tmp_path, text):
    refused(written(tmp_path, "a.md", text), SourceEmpty, "no text")


def test_a_page_of_which_nothing_is_read(tmp_path):
    path = written(tmp_path, "a.html", "<nav><ul><li>Home</li><li>Mill</li></ul></nav>")
    book = read_book(path, Limits())
    assert not any(chapter.blocks for chapter in book.chapters)
    assert [one.text for one in book.skipped] == ["Home Mill"]


def test_a_file_over_the_limit(tmp_path):
    path = written(tmp_path, "a.md", "word " * 100)
    refused(path, SourceTooLarge, "max_file_bytes", limits=Limits(max_file_bytes=100))
    path.write_bytes(b"a" * (MIB + 1))
    refused(path, SourceTooLarge, "is 2 MiB; the limit is 1", limits=Limits(max_file_bytes=MIB))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *((name, "word " * 100) for name in ("a.md", "a.txt", "a.html")),
        ("a.html", f"<ol>{'<li>Mill' * 99}</ol>"),  # with its numbers, which it shows
    ],
)
def test_text_over_the_limit(tmp_path, name, text):
    path = written(tmp_path, name, text)
    refused(path, SourceTooLarge, "max_text_chars", limits=Limits(max_text_chars=400))


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.html"])
def test_text_over_the_limit_is_refused_before_it_is_parsed(tmp_path, monkeypatch, name):
    for step in (
        "segmentation.sentences.sentence_starts",
        "markdown.reader.to_html",
        "text.reader.split_paragraphs",
        "articles.html.parse_xhtml",
    ):
        monkeypatch.setattr(f"audiomill.inputs.{step}", None)
    path = written(tmp_path, name, "word " * 100_000)
    limits = Limits(max_text_chars=200_000)
    refused(path, SourceTooLarge, "500,000", "200,000", "max_text_chars", limits=limits)


BYTES = {
    "a PDF": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
    "a PNG picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "a JPEG picture": b"\xff\xd8\xff\xe0\0\x10JFIF",
    "a Kindle book": b"A_Book\0" + bytes(53) + b"BOOKMOBI" + bytes(9),
    "an MP3 file": b"ID3\3\0\0\0\0",
    "a rich text document": b"{\\rtf1\\ansi hello}",
    "binary data": bytes(range(256)),
}


@pytest.mark.parametrize("kind", BYTES)
@pytest.mark.parametrize("suffix", [".md", ".txt", ".html"])
def test_another_format_under_a_text_suffix_is_refused(tmp_path, kind, suffix):
    refused(written(tmp_path, f"book{suffix}", BYTES[kind]), SourceCorrupt, kind)


NO_EPUB = BYTES | {
    "a web page": b"<!DOCTYPE html><html></html>",
    "not a zip archive": b"Once upon a time",
}


@pytest.mark.parametrize("kind", NO_EPUB)
def test_another_format_under_the_epub_suffix_is_refused(tmp_path, kind):
    told = "not a zip archive" if kind in {"an MP3 file", "binary data"} else kind
    refused(written(tmp_path, "book.epub", NO_EPUB[kind]), SourceCorrupt, "not an EPUB", told)


@pytest.mark.parametrize("kind", BYTES)
def test_an_unknown_suffix_lists_the_supported_formats(tmp_path, kind):
    path = written(tmp_path, "book.xyz", BYTES[kind])
    refused(path, SourceUnsupported, kind, ".epub", ".md", ".html", ".txt")


@each_row_apart
def test_zip_archives_that_are_no_epub(tmp_path, entry, kind):
    path = tmp_path / "book.docx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(entry, "x")
    refused(path, SourceUnsupported, kind)
    renamed = path.rename(tmp_path / "book.md")
    refused(renamed, SourceCorrupt, kind)
    with pytest.raises(SourceError):
        read_book(renamed.rename(tmp_path / "book.epub"), LIMITS)


def test_text_with_an_unknown_suffix(tmp_path):
    path = written(tmp_path, "notes.rst", "Hello.")
    refused(path, SourceUnsupported, "“.rst”", ".txt")
    refused(path.rename(tmp_path / "notes"), SourceUnsupported, "without an ending")
