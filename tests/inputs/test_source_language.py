"""The language of a source that names none, or another one than that of its text."""

import pytest

from audiomill.inputs.book import Limits
from audiomill.inputs.languages.detection import language_of_source
from audiomill.inputs.reading import read_book
from support.epub_data import Epub, page

TEXTS = {
    "de": "Das Rad stand still, und der Fluss ging nicht mit uns. Sie wird auch noch bei der Mühle"
    " sein, aus der wir das Mehl für den Winter holen. Es ist ein Haus, wie es noch keines gab,"
    " und nach dem Regen sind die Wege zu der Stadt nicht mehr so gut wie im Sommer.",
    "fr": "La roue ne tournait plus et le fleuve nous suivait dans la nuit. Elle est encore au bord"
    " de l’eau avec les autres, pour une heure ou deux, mais il ne vient pas sur le pont que nous"
    " avons fait. Les gens du village sont aux champs par ce temps, et leur pain est dans le four.",
    "en": "The wheel stood still and the river went on with us. She was at the mill from which we"
    " have the flour for the winter, and it is a house as there was not one before. They were not"
    " as glad of the rain as you are, but he had it for his own.",
}
NAMES = {
    "a.txt": "{}",
    "a.md": "# Eins\n\n{}",
    "a.html": "<title>x</title><p>{}</p>",
    "a.epub": "",
}


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
        assert book.language == language
        assert any("names no language" in one for one in book.warnings) == (language != "en")
        same = book_of(tmp_path, name, text, language)
        assert (same.language, same.warnings) == (language, ())
    wrong = book_of(tmp_path, name, TEXTS["de"], "en")
    assert wrong.language == "en"
    assert "language=de" in " ".join(wrong.warnings)
    assert book_of(tmp_path, name, "Guten Tag.", "").language == "en"  # too short to tell


OTHERS = {
    "kk": "Мен өзенге бардым да, диірменнің енді ол жерде жоқ екенін көрдім. ",
    "grc": "ἦλθον πρὸς τὸν ποταμόν, καὶ οὐκ ἦν ἐκεῖ ἡ μύλη. ",
}


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_that_is_not_told_apart_has_no_warning(language):
    assert language_of_source(language, OTHERS[language]) == (language, ())
