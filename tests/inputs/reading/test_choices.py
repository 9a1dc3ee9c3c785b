"""What the settings and presets have read, in books of every format."""

from collections import Counter
from dataclasses import fields

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.markup.pictures import is_placeholder
from audiomill.inputs.model.book import Limits
from audiomill.inputs.readers.sources import read_book
from audiomill.inputs.reading.choices import PRESETS, Reading, ReadingSettings
from audiomill.inputs.reading.rules import ReadingRules
from support.case_files import each_row
from support.epub_data import page, three_chapters
from support.reading_data import skipped, texts


def test_a_preset_is_what_the_settings_do_not_say():
    assert ReadingSettings().reading() == Reading() == PRESETS["essential"]
    assert ReadingSettings(preset="everything").reading() == PRESETS["everything"]
    chosen = ReadingSettings(preset="everything", code="skip", captions="skip").reading()
    assert (chosen.code, chosen.captions, chosen.index) == ("skip", "skip", "speak")
    names = [one.name for one in fields(ReadingSettings) if one.name != "preset"]
    assert names == [one.name for one in fields(Reading)]


@each_row
def test_a_text_that_describes_nothing_is_a_placeholder(text):
    assert is_placeholder(text)


@each_row
def test_a_description_is_no_placeholder(text):
    assert not is_placeholder(text)


CHOICES = st.builds(
    Reading,
    notes=st.sampled_from(["skip", "mark", "chapter"]),
    tables=st.sampled_from(["rows", "headers", "summary", "skip"]),
    code=st.sampled_from(["announce", "speak", "skip"]),
    images=st.sampled_from(["speak", "skip"]),
    captions=st.sampled_from(["speak", "skip"]),
    contents=st.sampled_from(["speak", "skip"]),
    front_matter=st.sampled_from(["speak", "skip"]),
)
WORDS = (
    *("sail", "cloth", "fair", "title", "caption", "alone", "print", "header", "cell", "note"),
    *("imprint", "chapter"),
)
WHOLE = page(
    "<h1>title</h1><p>sail<a epub:type='noteref' href='#n'>1</a></p>"
    "<figure><img src='x' alt='cloth'/><figcaption>caption</figcaption></figure>"
    "<table><tr><th>header</th></tr></table><table><tr><td>cell</td><td></td></tr></table>"
    "<pre>print</pre><section epub:type='imprint'><p>imprint</p></section>"
    "<nav epub:type='toc'><ol><li>chapter</li></ol></nav>"
    "<aside epub:type='footnote' id='n'><p>note</p></aside>"
    "<aside epub:type='footnote' id='m'><p>alone</p></aside><p>fair</p>"
)


@given(reading=CHOICES)
def test_whatever_is_chosen_every_word_is_read_or_listed(tmp_path_factory, reading):
    path = tmp_path_factory.getbasetemp() / "whole.epub"
    if not path.exists():
        three_chapters(pages={"all.xhtml": WHOLE}, nav="", ncx="").write(path.parent, path.name)
    book = read_book(path, Limits(), ReadingRules(reading))
    counts = Counter(" ".join([*texts(book), *skipped(book)]).translate({58: " ", 59: " "}).split())
    assert {word: counts[word] for word in WORDS} == dict.fromkeys(WORDS, 1)
