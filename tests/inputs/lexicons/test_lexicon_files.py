"""Lexicon files: what they say, and errors that name the file and the line."""

import pytest

from audiomill.inputs.lexicons.entries import LexiconError
from audiomill.inputs.lexicons.files import lexicons_beside, read_lexicons

TOML = """\
language = "en"

[words]
Worcester = "Wooster"  # a town
"St. Ives" = "/sənt ˈaɪvz/"

[[entries]]
word = "Reading"
say = "Redding"
case_sensitive = true
language = "en-GB"

[[entries]]
pattern = '(\\d+)-ers'
say = '\\1 ers'
"""
CSV = """\
word,pattern,say,language,case_sensitive
Worcester,,Wooster,en,
"St. Ives",,/sənt ˈaɪvz/,en,
Reading,,Redding,en-GB,true
,(\\d+)-ers,\\1 ers,en,
"""
PLS = """\
<?xml version="1.0" encoding="UTF-8"?>
<lexicon version="1.0" alphabet="ipa" xml:lang="en"
  xmlns="http://www.w3.org/2005/01/pronunciation-lexicon">
  <lexeme><grapheme>Worcester</grapheme><alias>Wooster</alias></lexeme>
  <lexeme><grapheme>St. Ives</grapheme><grapheme>St Ives</grapheme>
    <phoneme>sənt  ˈaɪvz</phoneme><phoneme>never</phoneme></lexeme>
  <lexeme><grapheme>wind</grapheme><phoneme>wɪnd</phoneme>
    <phoneme prefer="true">waɪnd</phoneme></lexeme>
  <lexeme><grapheme>wind</grapheme><phoneme>second</phoneme></lexeme>
</lexicon>
"""


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


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("n.toml", "[words]\na = 1\n", "n.toml:2: what is said for “a” is no text"),
        ("n.toml", "[words]\nSt.Ives = 'x'\n", "needs quotation marks"),
        ("n.toml", "[words]\nJosé = 'x'\n", "n.toml:2: this is not valid TOML"),
        ("n.toml", "[words]\nJosé = 'x'\n", "needs quotation marks"),
        ("n.toml", "[words]\na = 'x'\na = 'y'\n", "n.toml:3: this is not valid TOML"),
        ("n.toml", "[words]\na = 'x'\n\"b\" = ' '\n", "n.toml:3: nothing is said for “b”"),
        ("n.toml", "[words]\na = '…'\n", "n.toml:2: “…”, said for “a”, has no letter"),
        ("n.toml", "[wrods]\na = 'x'\n", "n.toml: there is no “wrods”"),
        ("n.toml", "[[entries]]\nword='a'\nsay='x'\n[[entries]]\nword='a'\nsay='y'\n",
         "n.toml:4: “a” is there twice, also in line 1"),
        ("n.toml", "[[entries]]\nword='a'\nsya='x'\n", "n.toml:1: there is no “sya”"),
        ("n.toml", "[[entries]]\nsay='x'\n", "n.toml:1: an entry has a word or a pattern"),
        ("n.toml", "[[entries]]\nword='a'\nsay='x'\nphonemes='ə'\n", "n.toml:1: “a” has both"),
        ("n.toml", "[[entries]]\nword='a'\nsay='x'\nlanguage='??'\n", "n.toml:1: “??” is no lang"),
        ("n.toml", "[[entries]]\npattern='('\nsay='x'\n", "n.toml:1: “(” is no pattern"),
        ("n.toml", b"[words]\na = 'x'\nb = '\xff'\n", "n.toml: it cannot be read: line 3"),
        ("n.csv", "word,sya\na,b\n", "n.csv:1: there is no “sya”"),
        ("n.csv", "word,say\na,b\nc,\n", "n.csv:3: nothing is said for “c”"),
        ("n.csv", "word,say\na,b,c\n", "n.csv:2: there are 3 values for 2 columns"),
        ("n.csv", 'word,say\na,"b\n', "n.csv:2: this is not valid CSV"),
        ("n.csv", "word,say\na,b\n\na,c\n", "n.csv:4: “a” is there twice, also in line 2"),
        ("n.csv", "word,say,case_sensitive\na,b,perhaps\n", "n.csv:2: case_sensitive is “perhaps”"),
        ("n.pls", PLS.replace("</lexicon>", ""), "n.pls:11: this is not valid XML"),
        ("n.pls", "<html/>", "n.pls: this XML is no pronunciation lexicon"),
        ("n.pls", PLS.replace("<alias>Wooster</alias>", ""), "n.pls:4: nothing is said for “Worc"),
        ("n.txt", "a b\n", "ends in one of .toml, .csv, .pls"),
    ],
)  # fmt: skip
def test_an_error_names_the_file_and_the_line(tmp_path, name, text, told):
    with pytest.raises(LexiconError) as caught:
        read(tmp_path, text, name)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(LexiconError, match="there is no such lexicon"):
        read_lexicons([tmp_path / "names.toml"])


def test_a_book_has_the_lexicons_of_its_name(tmp_path):
    for name in ("book.lexicon.csv", "book.lexicon.toml", "other.lexicon.toml", "book.lexicon"):
        (tmp_path / name).touch()
    names = [path.name for path in lexicons_beside(tmp_path / "book.epub")]
    assert names == ["book.lexicon.toml", "book.lexicon.csv"]
