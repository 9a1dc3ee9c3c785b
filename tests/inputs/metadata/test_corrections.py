"""What a user corrects of a book's metadata, from the command line and from a file beside it."""

import dataclasses

import pytest

from audiomill.inputs.metadata.checked_values import CorrectionInvalid
from audiomill.inputs.metadata.corrections import (
    KEYS,
    apply_corrections,
    checked_corrections,
    load_correction_file,
    metadata_of,
)
from audiomill.inputs.model.book import Book, Cover, Limits, Series
from support.case_files import each_row_apart
from support.epub_data import JPEG, PNG

BOOK = Book(
    title="MILL-final2",
    authors=("Unknown",),
    language="en",
    chapters=(),
    source_id="0" * 64,
    cover=Cover("image/png", PNG),
    narrators=("Wrong Name",),
    date="2026-01-01T00:00:00+00:00",
    series="Wrong",
    series_index="9",
    more_series=(Series("Too"),),
    subjects=("Junk",),
)


def corrected(tmp_path, values, book=BOOK):
    return apply_corrections(book, checked_corrections(values, tmp_path), Limits())


def refusal(tmp_path, values):
    with pytest.raises(CorrectionInvalid) as refused:
        corrected(tmp_path, values)
    return str(refused.value)


def test_every_key_can_be_set(tmp_path):
    (tmp_path / "front.jpg").write_bytes(JPEG)
    values = {
        "title": ["The  Mill"],
        "subtitle": ["A Tale"],
        "title_sort": ["Mill, The"],
        "author_sort": ["Ode, Ann & Li, Bo"],
        "year": ["1897-05-26"],
        "original_year": ["1895"],
        "language": ["en_gb"],
        "publisher": ["Press & Sons"],
        "isbn": ["978-0-306-40615-7"],
        "asin": ["b00abc1234"],
        "description": ["<p>One.</p><p>Two &amp; three.</p>"],
        "rights": ["© 1897"],
        "author": ["Ann Ode", "Bo Li", "Ann Ode"],
        "translator": ["Cy Tra"],
        "narrator": ["Di Voice"],
        "genre": ["Fiction", "Mills"],
        "series": ["Valley", "Rivers #3"],
        "series_part": ["2"],
        "cover": ["front.jpg"],
    }
    assert set(values) == set(KEYS)
    book = corrected(tmp_path, values)
    assert (book.title, book.subtitle, book.title_sort) == ("The Mill", "A Tale", "Mill, The")
    assert (book.authors, book.author_sort) == (("Ann Ode", "Bo Li"), "Ode, Ann & Li, Bo")
    assert (book.date, book.original_year, book.language) == ("1897-05-26", "1895", "en-GB")
    assert (book.isbn, book.asin) == ("9780306406157", "B00ABC1234")
    assert (book.description, book.rights) == ("One.\nTwo & three.", "© 1897")
    assert (book.translators, book.narrators) == (("Cy Tra",), ("Di Voice",))
    assert (book.subjects, book.publisher) == (("Fiction", "Mills"), "Press & Sons")
    assert (book.series, book.series_index) == ("Valley", "2")
    assert book.more_series == (Series("Rivers", "3"),)
    assert book.cover == Cover("image/jpeg", JPEG)
    shown = metadata_of(book)
    assert shown.keys() == KEYS_SHOWN
    assert corrected(tmp_path, shown, dataclasses.replace(BOOK, cover=book.cover)) == book


KEYS_SHOWN = set(KEYS) - {"cover", "series_part"}  # the part is shown with its series


def test_what_is_not_set_stays(tmp_path):
    assert corrected(tmp_path, {}) is BOOK
    book = corrected(tmp_path, {"title": ["The Mill"]})
    assert book == dataclasses.replace(BOOK, title="The Mill")


def test_an_empty_value_takes_away_what_the_source_says(tmp_path):
    cleared = [*{*KEYS} - {"title", "language"}]
    book = corrected(tmp_path, {key: [""] for key in cleared})
    assert book == Book(BOOK.title, (), BOOK.language, (), BOOK.source_id)


def test_a_book_cannot_be_without_a_title(tmp_path):
    assert refusal(tmp_path, {"title": [" "]}) == "title is empty, but every book has one."


@each_row_apart
def test_a_wrong_value_is_refused(tmp_path, key, value, said):
    (tmp_path / "notes.txt").write_text("no picture")
    assert said in refusal(tmp_path, {key: [value]})


@pytest.mark.parametrize("names", [("author", "authors"), ("authors", "author")])
def test_a_key_under_two_names_is_refused(tmp_path, names):
    said = refusal(tmp_path, {name: ["Ann Ode"] for name in names})
    assert said == "author and authors are one key; write one of them."


def test_hostile_values_are_taken_as_text(tmp_path):
    long = "x" * 1_000_000
    tags = "<i>" * 50_000
    book = corrected(tmp_path, {"title": [f"A\x00\n\udcff{long}"], "description": [f"{tags}x"]})
    assert book.title.endswith(long)
    assert "\udcff" not in book.title
    assert book.description == "x"


@each_row_apart
@pytest.mark.parametrize(
    "key", ["title", "author", "genre", "description", "series", "series_part"]
)
def test_what_cannot_be_seen_is_no_value(tmp_path, key, unseen):
    assert refusal(tmp_path, {key: [unseen]}) == (
        f"{key} is {unseen!a}, of which nothing can be seen."
    )


@pytest.mark.parametrize("seen", ["😀", "שלום", "?", "1984", "٣", "x" * 10_000, "\U0001fae9"])
def test_whatever_can_be_seen_is_a_title(tmp_path, seen):
    assert corrected(tmp_path, {"title": [seen]}).title == seen


def test_a_title_is_one_line_in_its_own_direction(tmp_path):
    assert corrected(tmp_path, {"title": ["A\r\n\u202eB\0C"]}).title == "A B C"


@pytest.mark.parametrize("text", ["if a<b then c>d", "<Ctrl-C> ends <b", "I <3 it", "R&D; Q&A"])
def test_signs_that_are_no_html_stay_in_a_description(tmp_path, text):
    assert corrected(tmp_path, {"description": [text]}).description == text
    assert corrected(tmp_path, {"description": [f"<p>{text}\n\nx"]}).description != text


def test_entities_are_read_and_lines_kept_in_a_description(tmp_path):
    book = corrected(tmp_path, {"description": ["A &amp; b &lt;c&gt;\n\n&copy; d"]})
    assert book.description == "A & b <c>\n\n© d"


def test_digits_of_other_scripts_become_those_of_tags(tmp_path):
    values = {"year": ["١٨٩٧"], "original_year": ["१८९५"], "isbn": ["٩٧٨٠٣٠٦٤٠٦١٥٧"]}
    book = corrected(tmp_path, {**values, "series": ["Valley #٤", "Rivers #۵"]})
    assert (book.date, book.original_year, book.isbn) == ("1897", "1895", "9780306406157")
    assert (book.series_index, book.more_series) == ("4", (Series("Rivers", "5"),))
    assert corrected(tmp_path, {"series_part": ["#٣"]}).series_index == "3"


def test_a_new_title_or_author_is_not_sorted_by_the_old_name(tmp_path):
    old = dataclasses.replace(BOOK, title_sort="Final2, MILL", author_sort="Unknown")
    book = corrected(tmp_path, {"title": ["The Mill"], "author": ["Ann Ode"]}, old)
    assert (book.title_sort, book.author_sort) == ("", "")
    same = corrected(tmp_path, {"title": [old.title], "author": [*old.authors]}, old)
    assert same == old
    both = corrected(tmp_path, {"title": ["The Mill"], "title_sort": ["Mill, The"]}, old)
    assert (both.title_sort, both.author_sort) == ("Mill, The", "Unknown")


def test_a_corrected_isbn_is_also_the_identifier(tmp_path):
    old = dataclasses.replace(BOOK, isbn="0306406152", identifier="0306406152")
    book = corrected(tmp_path, {"isbn": ["9780306406157"]}, old)
    assert (book.isbn, book.identifier) == ("9780306406157", "9780306406157")
    own = dataclasses.replace(BOOK, identifier="urn:uuid:1")
    assert corrected(tmp_path, {"isbn": ["9780306406157"]}, own).identifier == "urn:uuid:1"


def test_a_place_in_another_series_is_left_out_and_told(tmp_path):
    book = corrected(tmp_path, {"series": ["Valley"]})
    assert (book.series, book.series_index) == ("Valley", "")
    (warning,) = book.warnings
    assert "place 9 in “Wrong” is left out" in warning
    assert "set series_part, too" in warning
    for values in ({"series": ["Valley #2"]}, {"series": ["Valley"], "series_part": ["2"]}):
        book = corrected(tmp_path, values)
        assert (book.series_index, book.warnings) == ("2", ())
    book = corrected(tmp_path, {"series": ["WRONG"]})  # only written otherwise
    assert (book.series, book.series_index, book.warnings) == ("WRONG", "9", ())
    book = corrected(tmp_path, {"series": [""]})
    assert (book.series, book.series_index, book.more_series) == ("", "", ())


def test_a_cover_may_be_in_ones_home(tmp_path, monkeypatch):
    (tmp_path / "front.jpg").write_bytes(JPEG)
    monkeypatch.setenv("HOME", str(tmp_path))
    book = corrected(tmp_path / "elsewhere", {"cover": ["~/front.jpg"]})
    assert book.cover == Cover("image/jpeg", JPEG)


def test_a_place_in_no_series_is_a_warning(tmp_path):
    book = corrected(tmp_path, {"series_part": ["2"]}, Book("T", (), "en", (), "0"))
    assert book.series_index == ""
    assert "series_part" in book.warnings[0]


def write(tmp_path, text):
    (tmp_path / "novel.metadata.toml").write_text(text, "utf-8")
    return tmp_path / "novel.epub"


def test_a_file_beside_the_book(tmp_path):
    (tmp_path / "front.png").write_bytes(PNG)
    source = write(
        tmp_path,
        'title = "The Mill"\nauthors = ["Ann Ode", "Bo Li"]\nyear = 1897\nseries = "Valley"\n'
        'series_part = 1.10\ncover = "front.png"\n',
    )
    book = apply_corrections(BOOK, load_correction_file(source), Limits())
    assert (book.title, book.authors, book.date) == ("The Mill", ("Ann Ode", "Bo Li"), "1897")
    assert (book.series, book.series_index) == ("Valley", "1.10")
    assert book.cover == Cover("image/png", PNG)


def test_the_command_line_wins_over_the_file(tmp_path):
    beside = load_correction_file(write(tmp_path, 'title = "File"\nsubtitle = "File"\n'))
    both = checked_corrections({"title": ["Line"]}, tmp_path).over(beside)
    assert both.values == {"title": ("Line",), "subtitle": ("File",)}


def test_no_file_corrects_nothing(tmp_path):
    assert load_correction_file(tmp_path / "novel.epub").values == {}


@each_row_apart
def test_a_wrong_file_is_named_with_what_is_wrong(tmp_path, text, said):
    source = write(tmp_path, text)
    with pytest.raises(CorrectionInvalid) as refused:
        load_correction_file(source)
    assert said in str(refused.value)
    assert "novel.metadata.toml" in str(refused.value)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path):
    source = write(tmp_path, "")
    (tmp_path / "novel.metadata.toml").write_bytes(b'title = "\xff"')
    with pytest.raises(CorrectionInvalid, match="line 1 is not UTF-8; save"):
        load_correction_file(source)


def test_a_mark_of_the_byte_order_is_passed_over(tmp_path):
    source = write(tmp_path, '\ufefftitle = "The Mill"\n')
    assert load_correction_file(source).values["title"] == ("The Mill",)
