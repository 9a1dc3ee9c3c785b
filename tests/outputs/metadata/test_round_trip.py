"""Any metadata reads back from each container, or is reported as cut."""

import shutil
from pathlib import Path

import mutagen
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from audiomill.inputs.metadata.source_metadata import is_isbn
from audiomill.inputs.model.book import Book, Chapter, Series
from audiomill.outputs.formats.encoder import encode
from audiomill.outputs.formats.registry import FORMATS
from audiomill.outputs.metadata.tags import (
    EmbeddedMetadata,
    Narration,
    Tags,
    book_tags,
    cut_fields,
    cut_warnings,
    texts_of,
)
from audiomill.outputs.text import many_lines, one_line
from support.encoded_files import DISTINCT, targets_in, whole
from support.examples import few_examples
from support.signals_data import RATE, voice

# Where mutagen finds each text. Frames of version 2.3 have the names that it gives them on reading.
ATOMS = {
    "TITLE": "\xa9nam", "ALBUM": "\xa9alb", "ARTIST": "\xa9ART", "ALBUMARTIST": "aART",
    "COMPOSER": "\xa9wrt", "GENRE": "\xa9gen", "DATE": "\xa9day", "DESCRIPTION": "ldes",
    "COPYRIGHT": "cprt", "GROUPING": "\xa9grp", "MOVEMENTNAME": "\xa9mvn", "MOVEMENT": "\xa9mvi",
    "ALBUMSORT": "soal", "TITLESORT": "sonm", "ARTISTSORT": "soar", "ALBUMARTISTSORT": "soaa",
}  # fmt: skip
FRAMES = {
    "TITLE": "TIT2", "ALBUM": "TALB", "ARTIST": "TPE1", "ALBUMARTIST": "TPE2", "COMPOSER": "TCOM",
    "GENRE": "TCON", "DATE": "TDRC", "SUBTITLE": "TIT3", "PUBLISHER": "TPUB", "COPYRIGHT": "TCOP",
    "GROUPING": "GRP1", "MOVEMENTNAME": "MVNM", "MOVEMENT": "MVIN", "ALBUMSORT": "TSOA",
    "TITLESORT": "TSOT", "ARTISTSORT": "TSOP", "ALBUMARTISTSORT": "TSO2",
}  # fmt: skip
TEXTS = (
    st.text(max_size=40) | st.just("17") | st.just("(4) x") | st.sampled_from(["ä" * 5000, "a/b"])
)
LISTS = st.lists(TEXTS, max_size=4).map(tuple)
PLACES = st.sampled_from(["", "1", "2", "1.5", "99999", "x y"])
SERIES = st.builds(Series, TEXTS, PLACES)
BOOKS = st.builds(
    Book,
    title=TEXTS,
    authors=LISTS,
    language=st.sampled_from(["en", "de-AT", "xx", "mul"]),
    chapters=st.just(()),
    source_id=st.just("0"),
    subtitle=TEXTS,
    date=TEXTS | st.sampled_from(["1897", "1897-05-26", "c. 1897"]),
    publisher=TEXTS,
    description=TEXTS | st.just("One.\n\nTwo & three.\n" * 9000),
    identifier=TEXTS,
    isbn=st.sampled_from(["", "9780306406157"]),
    asin=st.sampled_from(["", "B00ABC1234"]),
    original_year=st.sampled_from(["", "1895"]),
    rights=TEXTS,
    subjects=LISTS | st.just(tuple(f"Genre {n}" for n in range(40))),
    title_sort=TEXTS,
    author_sort=TEXTS,
    series=TEXTS,
    series_index=PLACES,
    more_series=st.lists(SERIES, max_size=10).map(tuple),
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A short file in each container, with a title only."""
    folder = tmp_path_factory.mktemp("files")
    made = encode(whole(voice(0.2)), RATE, targets_in(folder, DISTINCT), [], BARE)
    return {file.format: file.path for file in made.files}


BARE = Tags("T", "T")


@settings(
    few_examples(5),
    phases=[Phase.explicit, Phase.generate],  # shrinking would take minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(book=BOOKS, narrators=LISTS)
@example(
    Book("Ein\x00 Büch\udcff", ("A\n",), "de", (), "0", date="c. 1897", subjects=("17", "(4)")),
    ("N, M",),
)
def test_any_metadata_reads_back(tmp_path, files, book, narrators):
    tags = book_tags(book, Narration(narrators, "tone", ("sine",)))
    expected = texts_of(tags)
    for name, path in files.items():
        copy = shutil.copyfile(path, tmp_path / path.name)
        FORMATS[name].tag_style.write(copy, EmbeddedMetadata(tags, (), RATE, 0))
        found = texts_read(copy)
        genres = {one for one in found.pop("GENRE").split("; ") if one != "Audiobook"}
        assert genres == {one for one in tags.genre.split("; ") if one != "Audiobook"}, name
        assert found == {key: text for key, text in expected.items() if key != "GENRE"}, name


@given(book=BOOKS)
def test_what_tags_do_not_hold_is_reported(book):
    tags, cut = book_tags(book), {*cut_fields(book)}
    for name in ("title", "subtitle", "publisher", "rights", "title_sort", "author_sort"):
        told = one_line(getattr(book, name))
        assert name in cut or getattr(tags, name) == told or (name, told) == ("title", "")
    assert "description" in cut or tags.description == many_lines(book.description)
    told = {one_line(one) for one in book.subjects} - {""}
    assert "subjects" in cut or told <= {*tags.genres}
    told = {one_line(one.name) for one in book.more_series} - {""}
    assert "series" in cut or told <= {one.name for one in tags.series}
    assert bool([*cut_warnings(book)]) == bool(cut)


def test_a_cut_title_of_a_chapter_is_reported():
    chapters = (Chapter("a" * 300, ()), Chapter("b" * 255, ()), Chapter("c\\", ()))
    (warning,) = cut_warnings(Book("T", (), "en", chapters, "0"))
    assert warning.startswith("1 title of a chapter is cut to 255 bytes")


def test_short_metadata_is_not_reported():
    assert is_isbn("9780306406157")
    assert not [*cut_warnings(Book("T", ("A",), "en", (), "0", subjects=("x", "x", "")))]


def texts_read(path: Path) -> dict[str, str]:
    """All texts in a file, by the names of Vorbis comments."""
    file = mutagen.File(path)
    match path.suffix:
        case ".m4b":
            return _from_atoms(file)
        case ".flac" | ".opus":
            comments = ((key.upper(), file.tags[key]) for key in {*file.tags.keys()})
            return {key: "; ".join(texts) for key, texts in comments if key != "ENCODER"}
        case _:
            return _from_frames(file.tags)


def _from_atoms(file: mutagen.FileType) -> dict[str, str]:
    found = {name: str(file[atom][0]) for name, atom in ATOMS.items() if atom in file}
    free = "----:com.apple.iTunes:"
    for key in file:
        if key.startswith(free) and not key.endswith("iTunSMPB"):
            found[key.removeprefix(free)] = bytes(file[key][0]).decode()
    return found


def _from_frames(tags: mutagen.Tags) -> dict[str, str]:
    found = {name: str(tags[frame].text[0]) for name, frame in FRAMES.items() if frame in tags}
    free = {key.removeprefix("TXXX:"): tags[key].text[0] for key in tags if key[:5] == "TXXX:"}
    assert not free.keys() & FRAMES.keys()
    found |= free
    if "TLAN" in tags:  # of three letters; the whole tag is beside it if it has others
        found.setdefault("LANGUAGE", str(tags["TLAN"].text[0]))
    comments = tags.getall("COMM")
    if comments:
        found["DESCRIPTION"] = comments[0].text[0]
    if "TORY" in tags or "TDOR" in tags:
        found["ORIGINALYEAR"] = str(tags.get("TDOR", tags.get("TORY")).text[0])
    return found
