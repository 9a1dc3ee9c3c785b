"""Any text becomes clean tags and safe names."""

from pathlib import Path, PurePath, PureWindowsPath

from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.text import (
    MAX_BYTES,
    capped,
    library_folder,
    many_lines,
    one_line,
    safe_name,
    shelf_name,
    split_name,
)
from support.case_files import each_row

ANYTHING = st.text(st.characters(), max_size=400)  # includes lone surrogates and control characters
FORBIDDEN = set('<>:"/\\|?*') | {chr(n) for n in range(32)} | {"\x7f"}


@each_row
def test_titles_become_safe_names(title, expected):
    assert safe_name(title) == expected


@given(ANYTHING)
def test_any_title_becomes_one_safe_path_component(title):
    name = safe_name(title)
    assert name
    assert not FORBIDDEN & set(name)
    assert name not in {".", ".."}
    assert name[0] not in ". "
    assert name[-1] not in ". "
    assert len(name.encode("utf-8")) <= MAX_BYTES + 1
    assert Path(name).name == name
    assert not PureWindowsPath(name).drive
    assert safe_name(name) == name


def test_a_long_title_is_cut_between_characters():
    assert safe_name("é" * 300) == "é" * (MAX_BYTES // 2)
    assert len((safe_name("本" * 300) + ".m4b").encode()) <= 255


@given(ANYTHING, st.lists(ANYTHING, max_size=4))
def test_a_folder_never_leaves_the_library(title, authors):
    folder = library_folder(title, authors)
    assert not folder.is_absolute()
    assert 1 <= len(folder.parts) <= 2
    assert ".." not in folder.parts


def test_a_book_is_filed_under_its_author():
    assert library_folder("Emma", ["Jane Austen"]) == PurePath("Jane Austen/Emma")
    assert library_folder("It", ["A. B.", "C/D"]) == PurePath("A. B., C-D/It")
    assert library_folder("Emma", []) == PurePath("Emma")
    assert library_folder("Emma", [" "]) == PurePath("Emma")


def test_split_files_sort_in_reading_order():
    assert split_name(3, 12, "Title") == "03 - Title"
    assert split_name(3, 7, "Title") == "03 - Title"
    assert split_name(3, 7, "T" * 300, " (chapter 3)").endswith("T (chapter 3)")
    names = [split_name(n, 1200, "x") for n in range(1, 1201)]
    assert names == sorted(names)


@given(ANYTHING, st.integers(4, 60))
def test_a_cap_holds_and_cuts_only_what_is_too_long(text, n_bytes):
    text = one_line(text)
    short = capped(text, n_bytes)
    assert len(short.encode()) <= n_bytes
    if len(text.encode()) <= n_bytes:
        assert short == text
    else:
        assert short.endswith("…")
        assert text.startswith(short[:-1])


@given(ANYTHING)
def test_cleaned_text_can_be_written_and_stays_clean(text):
    for clean in (one_line, many_lines):
        once = clean(text)
        once.encode("utf-8")
        assert "\x00" not in once
        assert clean(once) == once
    assert "\n" not in one_line(text)


def test_many_lines_keeps_paragraphs():
    assert many_lines("\r\nOne  two\r\n\r\n\x07three\n") == "One two\n\nthree"


def test_a_book_of_a_series_has_a_folder_in_it():
    folder = library_folder("The Mill", ["Ann Ode"], "Valley: North", " (2)")
    assert folder == PurePath("Ann Ode/Valley - North/The Mill (2)")
    assert library_folder("The Mill", [], "Valley") == PurePath("The Mill")
    assert library_folder("The Mill", ["Ann Ode"], " \n") == PurePath("Ann Ode/The Mill")


@each_row
def test_servers_find_no_year_and_no_number_in_a_title(title, name):
    assert shelf_name(title) == name
