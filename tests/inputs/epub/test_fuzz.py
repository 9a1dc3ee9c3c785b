"""EPUBs damaged at random: each gives a book with text, or a SourceError of one or two lines."""

import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audiomill.inputs.epub.reader import read
from audiomill.inputs.model.book import Limits, SourceError
from support.epub_data import ENCRYPTED, PNG, three_chapters
from support.examples import many_examples
from support.reading_data import texts

LIMITS = Limits()


SMALL = three_chapters(
    metadata="<dc:title>T</dc:title><meta name='cover' content='c'/>",
    manifest='<item id="c" href="c.png" media-type="image/png"/>',
    files={"OEBPS/c.png": PNG, "META-INF/encryption.xml": ENCRYPTED.format("")},
)


def book_or_error(path: Path) -> None:
    """Reading gives a book with text or a SourceError; any other error fails the test."""
    try:
        book = read(path, LIMITS)
    except SourceError as error:
        assert 1 <= len(str(error).splitlines()) <= 2
    else:
        assert any(c.isalnum() for c in " ".join(texts(book)))


def damaged(data: bytes, flips: list[tuple[int, int]], cut: tuple[int, int] | None) -> bytes:
    changed = bytearray(data)
    for at, value in flips:
        changed[at % len(changed)] = value
    if cut:
        start = cut[0] % len(changed)
        del changed[start : start + cut[1]]
    return bytes(changed)


FLIPS = st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, 255)), max_size=12)
CUTS = st.none() | st.tuples(st.integers(0, 1 << 20), st.integers(1, 400))


def fuzz_the_file(tmp_path: Path, flips, cut) -> None:
    path = tmp_path / "fuzz.epub"
    path.write_bytes(damaged(SMALL.build(), flips, cut))
    book_or_error(path)


def fuzz_an_entry(tmp_path: Path, which: int, flips, cut, gone: int) -> None:
    entries = SMALL.entries()
    names = sorted(entries)
    name = names[which % len(names)]
    data = entries[name]
    entries[name] = damaged(data.encode() if isinstance(data, str) else data, flips, cut)
    if gone < len(names):
        del entries[names[gone]]
    path = tmp_path / "fuzz.epub"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for entry, content in entries.items():
            archive.writestr(entry, content)
    book_or_error(path)


QUICK = settings(
    many_examples(400),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
LONG = settings(QUICK, max_examples=3_000)
of_the_file = given(flips=FLIPS, cut=CUTS)
of_an_entry = given(which=st.integers(0, 20), flips=FLIPS, cut=CUTS, gone=st.integers(0, 20))


test_a_damaged_file_gives_a_book_or_an_error = QUICK(of_the_file(fuzz_the_file))
test_a_damaged_entry_gives_a_book_or_an_error = QUICK(of_an_entry(fuzz_an_entry))
test_many_damaged_files_give_a_book_or_an_error = pytest.mark.prove_long(
    LONG(of_the_file(fuzz_the_file))
)
test_many_damaged_entries_give_a_book_or_an_error = pytest.mark.prove_long(
    LONG(of_an_entry(fuzz_an_entry))
)
