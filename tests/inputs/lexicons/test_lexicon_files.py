"""Lexicon files: what they say, and errors that name the file and the line."""

from pathlib import Path

import pytest

from audiomill.inputs.lexicons.entries import LexiconError
from audiomill.inputs.lexicons.files import lexicons_beside, read_lexicons
from support.case_files import each_row

CASES = Path(__file__).with_name("cases")
TOML, CSV, PLS = ((CASES / f"names.{kind}").read_text("utf-8") for kind in ("toml", "csv", "pls"))


def read(tmp_path, text, name="names.toml"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_lexicons([path])


def facts(entries):
    return [
        (one.written, one.say or f"/{one.phonemes}/", one.language, one.case_sensitive, one.line)
        for one in entries
    ]


def test_toml(tmp_path):
    assert facts(read(tmp_path, TOML)) == [
        ("Worcester", "Wooster", "en", None, 4),
        ("St. Ives", "/sənt ˈaɪvz/", "en", None, 5),
        ("Reading", "Redding", "en-GB", True, 7),
        (r"(\d+)-ers", r"\1 ers", "en", None, 13),
    ]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv(tmp_path, separator):
    text = b"\xef\xbb\xbf" + CSV.replace(",", separator).replace("\n", "\r\n").encode()
    assert facts(read(tmp_path, text, "names.csv")) == [
        ("Worcester", "Wooster", "en", None, 2),
        ("St. Ives", "/sənt ˈaɪvz/", "en", None, 3),
        ("Reading", "Redding", "en-GB", True, 4),
        (r"(\d+)-ers", r"\1 ers", "en", None, 5),
    ]


def test_pls_takes_the_first_or_the_preferred_pronunciation(tmp_path):
    assert facts(read(tmp_path, PLS, "names.pls")) == [
        ("Worcester", "Wooster", "en", None, 4),
        ("St. Ives", "/sənt ˈaɪvz/", "en", None, 5),
        ("St Ives", "/sənt ˈaɪvz/", "en", None, 5),
        ("wind", "/waɪnd/", "en", None, 7),
    ]


@each_row
def test_an_error_names_the_file_and_the_line(tmp_path, name, text, told):
    with pytest.raises(LexiconError) as caught:
        read(tmp_path, text, name)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("</lexicon>", "n.pls:11: this is not valid XML"),
        ("<alias>Wooster</alias>", "n.pls:4: nothing is said for “Worc"),
    ],
)
def test_an_error_of_xml_names_the_line(tmp_path, damage, told):
    with pytest.raises(LexiconError, match=told):
        read(tmp_path, PLS.replace(damage, ""), "n.pls")


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(LexiconError, match="there is no such lexicon"):
        read_lexicons([tmp_path / "names.toml"])


def test_a_book_has_the_lexicons_of_its_name(tmp_path):
    for name in ("book.lexicon.csv", "book.lexicon.toml", "other.lexicon.toml", "book.lexicon"):
        (tmp_path / name).touch()
    names = [path.name for path in lexicons_beside(tmp_path / "book.epub")]
    assert names == ["book.lexicon.toml", "book.lexicon.csv"]
