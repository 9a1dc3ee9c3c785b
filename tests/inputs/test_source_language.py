"""The language of a source that names none, or another one than that of its text."""

from pathlib import Path

import pytest

from audiomill.inputs.articles.html import PageBytes, book_of_page
from audiomill.inputs.articles.letters import split_letter
from audiomill.inputs.languages import detection
from audiomill.inputs.model.book import Limits
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.reading.rules import ReadingRules
from support.case_files import each_of, rows_of
from support.epub_data import Epub, page

CASES = Path(__file__).with_name("cases") / "paragraphs.txt"
PARAGRAPHS, TEXTS, OTHERS, NEWS = (
    dict(rows_of(CASES, section)) for section in ("PARAGRAPHS", "TEXTS", "OTHERS", "NEWS")
)
NAMES = {"a.txt": "{}", "a.md": "# Eins\n\n{}", "a.html": "<title>x</title><p>{}</p>", "a.epub": ""}


def language_of_source(declared, text):
    found = detection.language_of_source(declared, text)
    return found.tag, found.warnings


def book_of(directory, name, text, language):
    path = directory / name
    if name == "a.epub":
        named = f"<dc:language>{language}</dc:language>" if language else ""
        return read_book(
            Epub(
                {"a.xhtml": page(f"<p>{text}</p>")}, metadata=f"<dc:title>A</dc:title>{named}"
            ).write(directory),
            Limits(),
        )
    head = {
        "a.txt": f"Title: A\nLanguage: {language}\n\n",
        "a.md": f"---\nlanguage: {language}\n---\n",
        "a.html": f"<html lang={language}>",
    }[name]
    path.write_text((head if language else "") + NAMES[name].format(text), encoding="utf-8")
    return read_book(path, Limits())


@pytest.mark.parametrize("name", NAMES)
def test_the_text_shows_its_language_and_the_source_has_the_last_word(tmp_path, name):
    for language, text in TEXTS.items():
        book = book_of(tmp_path, name, text, "")
        assert (book.language, book.language_source) == (language, "detected")
        assert any("names no language" in one for one in book.warnings) == (language != "en")
        same = book_of(tmp_path, name, text, language)
        assert (same.language, same.warnings) == (language, ())
        assert same.language_source == "declared"
    wrong = book_of(tmp_path, name, TEXTS["de"], "en")
    assert wrong.language == "en"
    assert "language=de" in " ".join(wrong.warnings)
    short = book_of(tmp_path, name, "Das Rad stand still, und wir sind in der Mühle.", "")
    assert (short.language, short.language_source) == ("en", "default")  # too short to tell
    assert "language=de" in short.warnings[0]
    assert not book_of(tmp_path, name, "The wheel stood still in the café.", "").warnings


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_that_is_not_told_apart_has_no_warning(language):
    assert language_of_source(language, OTHERS[language]) == (language, ())


def test_the_text_of_each_known_language_shows_it_with_a_note():
    for language, text in PARAGRAPHS.items():
        shown, notes = language_of_source("", text)
        assert shown == language
        assert len(notes) == (language != "en")
        assert language_of_source(language, text) == (language, ())


def test_like_languages_are_not_doubted_where_the_source_names_one():
    for declared, shown in (("nb", "da"), ("gl", "pt"), ("sk", "cs"), ("ru", "bg"), ("nn", "nb")):
        assert language_of_source(declared, PARAGRAPHS[shown]) == (declared, ())


@each_of(rows_of(CASES, "STILL_FOREIGN"))
def test_english_names_and_few_stop_words_hide_no_language(language, _what, text):
    assert language_of_source("", text)[0] == language


def test_a_text_that_may_be_in_another_language_has_a_warning():
    text = "Índice: Introducción, Instalación, Línea de comandos, Editor de código, Conclusión. "
    language, warnings = language_of_source("", text * 9)
    assert (language, len(warnings)) == ("en", 1)


ENGLISH = PARAGRAPHS["en"] + "\n\n"
FRENCH = PARAGRAPHS["fr"] + "\n\n"
STILL_ENGLISH = {
    "foreign names": "Pan Wojciech z Gdańska, Señor de la Cruz y los Ríos, Graf von der Au und zu"
    " Rhein met Jan van de Velde and Ole og Åse at the inn of the mill. " + ENGLISH,
    "Latin": "“Mola erat ad flumen, et nemo sciebat quis eam fecisset; sed nocte eo non ibat.” "
    + ENGLISH,
    "Russian": PARAGRAPHS["ru"] + " " + ENGLISH,
    "a long preface": FRENCH * 100 + ENGLISH * 400,
    "code": "for i in range(n):\n    a = i if i in x else o\n    do(e, y, de, a, i, la=z)\n" * 40,
    "a dictionary": "house: das Haus, die Häuser. mill: die Mühle, der Müller. to turn: drehen."
    " river: der Fluss. to grind: das Korn mahlen. water: das Wasser. flour: das Mehl.\n" * 40,
    "numbers": "| 12.5 | 40 | a | 3 m |\n| 13.1 | 41 | e | 4 m |\n" * 100,
    "a formula": "α + β = γ",
}


@pytest.mark.parametrize("name", STILL_ENGLISH)
def test_what_is_foreign_in_an_english_text_raises_no_alarm(name):
    assert language_of_source("", STILL_ENGLISH[name]) == ("en", ())
    assert language_of_source("en", STILL_ENGLISH[name]) == ("en", ())


def test_a_text_full_of_names_and_numbers_is_not_read_as_english_in_silence():
    assert language_of_source("", NEWS["es"])[0] == "es"
    language, warnings = language_of_source("", NEWS["fr"])
    assert language == "fr" or "language=fr" in warnings[0]


def test_a_preface_in_another_language_decides_nothing():
    book = PARAGRAPHS["da"] + "\n\n"
    assert language_of_source("", ENGLISH * 100 + book * 500)[0] == "da"


def test_an_old_or_quoting_text_keeps_its_language():
    old = "Онъ вошелъ въ домъ и сѣлъ у окна, не снимая пальто, и никто его не видѣлъ. "
    assert language_of_source("", old)[0] == "ru"
    assert language_of_source("", PARAGRAPHS["ru"] * 60 + PARAGRAPHS["uk"])[0] == "ru"
    assert language_of_source("", PARAGRAPHS["uk"] * 60 + PARAGRAPHS["ru"])[0] == "uk"


def test_letters_of_an_unknown_script_are_never_read_as_english_in_silence():
    language, notes = language_of_source("", "ᎠᏂᏴᏫᏯ ᎤᎾᏤᎵ ᎦᏬᏂᎯᏍᏗ ᎠᎴ ᎪᏪᎵ")
    assert language == "en"
    assert "language=" in notes[0]


def test_latin_names_and_addresses_hide_no_script():
    linked = "Мельница стояла у реки (https://mill.example/history/of/the/old/mill/index.html)."
    assert language_of_source("", linked)[0] == "ru"
    technical = "请先安装 Python 和 FFmpeg 程序，再打开命令行窗口输入 audiomill render 命令。"
    assert language_of_source("", technical)[0] == "zh"


@pytest.mark.parametrize(("name", "opening", "closing"), [
    ("a.md", "\n```\n", "\n```\n"), ("a.html", "<pre><code>", "</code></pre><p>"),
])  # fmt: skip
def test_code_shows_no_language(tmp_path, name, opening, closing):
    code = opening + "while the_mill_is_not_at_rest: turn(the_wheel, of=the_mill)\n" * 20 + closing
    book = book_of(tmp_path, name, PARAGRAPHS["bg"] + code + PARAGRAPHS["bg"], "")
    assert book.language == "bg"


@pytest.mark.parametrize(("declared", "language"), [("no", "no"), ("en", "da")])
def test_a_page_is_corrected_where_its_program_named_a_language_unlike_its_text(declared, language):
    html = f"<html lang={declared}><title>x</title><p>{PARAGRAPHS['da']}</p>".encode()
    page = PageBytes(html, "x", "x", "utf-8", language="da")
    assert book_of_page(page, Limits(), ReadingRules(), split_letter).language == language
