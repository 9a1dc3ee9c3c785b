"""Lists that nobody listens to end where their entries end: no prose is lost with them."""

import pytest

from audiomill.inputs.chapters.listings import list_spans, title_counts
from audiomill.inputs.chapters.reference_lists import untitled_spans
from audiomill.inputs.model.book import SkipReason

RECIPE = ["Contents", "Flour", "Salt", "Butter", "Stir it well.", "Bake it.", "Let it cool."]
BOX = ["Contents", "The box was open.", "A coin of 1912", "He counted them: 14", "It was in 1913"]
PROSE = "miller walked along the river until evening, and thought about the long road. " * 4
STORY = [f"{word} {PROSE}" for word in ("When the", "At noon the", "So one", "Here a") * 4]
CONTENTS = ["Contents", "The Mill 3", "The River 9", "The Road 20"]
GLOSSARY = ["Glossary", *(f"{letter}xle{n}: a part" for letter in "abcdef" for n in range(15))]
TERMS = [
    "Glossary",
    *(text for term in ("Axle", "Cog", "Dam", "Tow", "Tun") for text in (term, PROSE)),
]
INDEX = ["Index", *(f"{word}, {n}" for n, word in enumerate(["Dam", "Cog", "Axle", "Beam"] * 12))]

BOOKS = {
    "prose that ends with a year": (CONTENTS, [f"{PROSE} This was in 1914.", *STORY]),
    "prose that begins like a title": (CONTENTS, [f"Part one of the plan: {PROSE}", *STORY]),
    "a poem": (CONTENTS, ["The wind is still,", "and none so sad as I,", "so old and ill", *STORY]),
    "prose below a glossary": (GLOSSARY, STORY),
    "prose below terms that stand alone": (TERMS, ["The end", *STORY]),
    "prose below an index": (INDEX, STORY),
    "prose below an index with a title": (["The Mill—Index to Recipes", *INDEX[1:]], STORY),
    "a box in a story": ([], [*BOX, *STORY]),
    "a few numbers in a dialogue": (
        [],
        ["Contents", "I had 2", *(f"{name} ran." for name in "ABDEFGHJ"), "He 3", "She 5", *STORY],
    ),
    "a list above each recipe": ([], [*RECIPE * 4, *STORY]),
    "a chronicle called an index": ([], ["Index", *(f"In {n} the {PROSE}" for n in range(9))]),
}


@pytest.mark.parametrize("name", BOOKS)
def test_no_prose_is_lost_with_a_list(name):
    entries, prose = BOOKS[name]
    texts = [*entries, *prose]
    spans = [*list_spans(texts, [False] * len(texts), title_counts(texts))]
    assert [end for _, end, _ in spans] == ([len(entries)] if entries else [])


def test_long_entries_and_those_without_a_page_belong_to_their_list():
    summary = f"How the {PROSE.strip('. ')}, and came home 45"
    contents = [*CONTENTS, summary, "The End 81"]
    index = ["Index", "Axles, 3", "B", "Beams, 4; of oak, 12", "Cogs, see Wheels", "Dams, 12"]
    for texts in (contents, index):
        (span,) = list_spans(texts, [False] * len(texts), title_counts(texts))
        assert span[1] == len(texts)


def test_each_book_of_a_table_begins_with_chapter_one_and_titles_may_be_long():
    long = f"Chapter 2. How the {PROSE.strip()[:250]}"
    chapters = ["Chapter 1. The Sea", long, "Chapter 3. The Mill"]
    contents = ["Contents", "Book I", *chapters, "Book II", *chapters]
    body = [text for part in ("Book I", "Book II") for text in (part, chapters[0], *STORY)]
    texts = [*contents, "To Ann Ode", "Madam,", *body]
    is_heading = [at == len(contents) or text.startswith("Book") for at, text in enumerate(texts)]
    ((start, end, _),) = list_spans(texts, is_heading, title_counts([*texts, "To Ann Ode"]))
    assert (start, end) == (0, len(contents))


def test_the_same_title_may_stand_at_several_pages_and_go_over_lines():
    table = ["Contents", *("Chapter I", "Ann's Journal 1"), *("Chapter II", "Ann's Journal 14")]
    pictures = ["Illustrations", "The mill.\nFrom a photo 3", "The hill.\nFrom a photo 9", "Ann 12"]
    body = ["Chapter I", "Ann's Journal", *STORY]
    for entries in (table, pictures):
        texts = [*entries, *body]
        is_heading = [at == len(entries) for at in range(len(texts))]
        assert [*list_spans(texts, is_heading, title_counts(texts))] == [
            (0, len(entries), SkipReason.TABLE_OF_CONTENTS)
        ]


def test_the_number_of_the_first_chapter_is_no_entry():
    contents = ["Contents", "I. The Mill 3\nII. The River 9\nIII. The Road 20"]
    texts = [*contents, "A BOOK", "Chapter I", "The Mill", *STORY, "Chapter II", *STORY]
    is_heading = [text == "A BOOK" or text.startswith("Chapter") for text in texts]
    (span,) = list_spans(texts, is_heading, title_counts(texts))
    assert span[1] == len(contents)


def test_entries_in_capitals_do_not_end_an_index():
    texts = ["INDEX", "PAGE", "ALBERTI, 109, 112.", *INDEX[1:], "THE HILL", *STORY]
    is_heading = [text.isupper() for text in texts]
    (span,) = list_spans(texts, is_heading, title_counts(texts))
    assert span == (0, texts.index("THE HILL"), SkipReason.INDEX)


TITLES = ["I. The Sea", "II. The Hill", "III. The Road", "The End"]
CHAPTERS = [text for title in TITLES for text in (title.upper(), PROSE)]
WITHOUT_TITLE = {
    "a line each": ([*TITLES, *CHAPTERS], (0, 4)),
    "in one text, without numbers": (["\n".join(TITLES), *CHAPTERS], (0, 1)),
    "below a preface": (["The Mill", PROSE, *TITLES, *CHAPTERS], (2, 6)),
    "no text below the titles": ([*TITLES, *TITLES], None),
    "another order": ([*reversed(TITLES), *CHAPTERS], None),
    "persons of a play": (["ANNA", "TOM", "BEN", "EVE", *["ANNA", PROSE, "TOM", PROSE] * 4], None),
    "chapters alone": (CHAPTERS, None),
}


@pytest.mark.parametrize("name", WITHOUT_TITLE)
def test_a_table_without_a_title_is_known_by_the_titles_of_the_book(name):
    texts, span = WITHOUT_TITLE[name]
    assert [*untitled_spans(texts)] == ([span] if span else [])
