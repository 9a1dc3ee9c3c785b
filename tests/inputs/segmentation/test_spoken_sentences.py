"""Sentences and what is said for them agree."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.languages.declaration import LIST_ENDS
from audiomill.inputs.languages.registry import abbreviations
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.segmentation.spoken_sentences import spoken_sentences
from audiomill.inputs.spoken.edits import Edit, SpokenLine


def sentences_of(monkeypatch, text, *edits, max_length=400):
    """The sentences as they are said, with these edits: (printed, spoken)."""
    made = [
        Edit(text.index(printed), text.index(printed) + len(printed), spoken, "any")
        for printed, spoken in edits
    ]
    monkeypatch.setattr(
        "audiomill.inputs.segmentation.spoken_sentences.spoken_line",
        lambda *_: SpokenLine(text, tuple(made)),
    )
    _, line, sentences = spoken_sentences(text, "en", BlockKind.PARAGRAPH, max_length)
    return [line.between(start, end) for start, end in sentences]


def test_no_sentence_ends_inside_an_edit(monkeypatch):
    money = ("£12 3s. 4d.", "twelve pounds three and four")
    text = "He had £12 3s. 4d. Then he had none. She laughed."
    assert sentences_of(monkeypatch, text, money) == [
        "He had twelve pounds three and four.",
        "Then he had none.",
        "She laughed.",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nails, etc. He paid.", ["Nails, et cetera.", "He paid."]),
        ("(Nails, etc.) He paid.", ["(Nails, et cetera.)", "He paid."]),
        ("Nails, etc., were cheap.", ["Nails, et cetera, were cheap."]),
        ("Nails, etc.? He paid.", ["Nails, et cetera? He paid."]),
        ("Nails, etc.", ["Nails, et cetera."]),
    ],
)
def test_a_full_stop_that_ends_the_sentence_is_said(monkeypatch, text, expected):
    said = sentences_of(monkeypatch, text, ("etc.", "et cetera"))
    assert " ".join(said) == " ".join(expected)


@pytest.mark.parametrize("note", ["9", "[9]", "²", "”9"])
def test_a_sentence_ends_before_the_number_of_a_note(note):
    text = f"The middle is best.{note} Then he left."
    _, line, sentences = spoken_sentences(text, "en", BlockKind.PARAGRAPH, 400)
    said = [line.between(start, end) for start, end in sentences]
    assert said == [f"The middle is best.{note.strip('[]9²')}", "Then he left."]


def test_a_full_stop_stands_at_its_word(monkeypatch):
    said = sentences_of(monkeypatch, "He got an A. She had a B.", ("A.", "A "))
    assert " ".join(said) == "He got an A. She had a B."


def test_an_edit_that_fits_no_segment_is_spoken_as_it_is_printed(monkeypatch):
    text = "It was 9999 then."
    said = sentences_of(monkeypatch, text, ("9999", "a very long number"), max_length=20)
    assert said == [text]


@given(st.text(max_size=80))
def test_sentences_hold_every_character_that_is_no_space(text):
    _, _, sentences = spoken_sentences(text, "en-GB", BlockKind.PARAGRAPH, 400)
    inside = "".join(text[start:end] for start, end in sentences)
    assert "".join(inside.split()) == "".join(text.split())


def split_by(text, language):
    """The text, with a bar where a sentence ends."""
    _, _, sentences = spoken_sentences(text, language, BlockKind.PARAGRAPH, 400)
    return " |".join(text[start:end] for start, end in sentences)


# "|" marks the end of a sentence and is not part of the text.
AROUND_ABBREVIATIONS = {
    "de": """
Er wohnt in der Hauptstr. 5 in Ulm. |Sie wohnt am Karlspl. 3 daneben.
Wir trafen Dr. med. Müller und Dr. rer. nat. Schmidt. |Dann gingen wir.
Herr v. Arnim kam ab Jan. 2020 nicht mehr. |Es war still.
Das steht im BGBl. I Nr. 4 und in Anm. 7. |Der Rest fehlt.
Der Laden hat Mo.–Fr. 9–17 Uhr offen. |Er kam um neun.
Der Sack wog 5 kg. |Peter trug ihn. |Das Heft ist vom ADFC. |Klara las es.
„Pst. |Hörst du das?“
Hptm. Krause kam mit Lt. Voss. |Sie schwiegen.
Er nahm Brot, Wein u. s. w. |Gott sah es. |Er ließ Eier usw. an der Tür. |Jedes Kind lief.
""",
    "fr": """
Selon l'art. 5 et l’art. 12 du code. |Il partit.
Voir liv. 3 et éd. 4 du tome. |Elle lut.
Mgr. Loup vint à St. Denis, bd. Voltaire. |Il pleuvait.
Il vint le 4 févr. |Il partit le 5.
Des poires, des noix, etc. |Paris dort, etc., etc. |Puis rien.
""",
    "it": """
L'art. 5 e dell'art. 6 della legge. |Il giudice lesse.
Parlò l'avv. Rossi con l’on. Verdi. |Poi tacque.
Mad. Ribier venne tardi. |Era sera.
""",
    "es": """
Las FF. CC. Vascas y las FF. AA. Argentinas. |El tren paró.
El Excmo. Sr. Ruiz vive en Av. Corrientes 5. |Es alto.
Pan, vino, etc. |Cada cual calló.
""",
    "pt": """
Fr. Hilarião e o Exmo. Sr. Costa vieram. |Era noite.
Está no liv. II da obra. |Ele leu, etc... |Isto foi tudo.
""",
    "en": """
The Asst. Professor is in Bldg. 5 today. |She waits.
It lies at lat. 45 and long. 12. |Nobody lives there.
He won in the 9th Cir. 1995 case. |She lost.
See Gen. i. 3 and 1 Cor. xiii. 4. |Then rest.
The shop opens Mon.–Fri. 9–5 and Sat. 9–1. |It is small.
See the act of 5 Geo. V, c. 7, and Thm. 3. |They hold.
He saw Atty. Gen. Poe and Amb. Rice. |They left.
He fl. 1880 in Bath. |She did not.
Pears, apples, etc. |I bought them. |He is in the dept. |They know.
It weighs 5 lb. |He took it. |“Hm. |Come in.”
""",
}


@pytest.mark.parametrize("language", AROUND_ABBREVIATIONS)
def test_what_is_said_in_full_ends_no_sentence(language):
    rows = AROUND_ABBREVIATIONS[language].strip().split("\n")
    assert [split_by(row.replace("|", ""), language) for row in rows] == rows


def _stopped(short):
    """With a full stop, but for one that ends with a sign: “n °”."""
    return short if short[-1] in "ªº°" else f"{short.rstrip('.')}."


def _ends_list(abbreviation: str, language: str) -> bool:
    return language != "en" and re.sub(r"\s|\.\Z", "", abbreviation) in LIST_ENDS


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it", "pt"])
def test_an_abbreviation_of_the_table_joins_what_it_belongs_to(language):
    """Each entry of the table, before a name or before a number."""
    table = abbreviations(language)
    shorts = (*table.always, *table.before_name)
    before_names = (f"{_stopped(one)} Lormier" for one in shorts if not _ends_list(one, language))
    before_numbers = (f"{_stopped(one)} 7" for one in table.before_number)
    texts = [f"Xaver {one} xaver." for one in (*before_names, *before_numbers)]
    assert [text for text in texts if split_by(text, language) != text] == []
