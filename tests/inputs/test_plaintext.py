"""Plain text to a book: paragraphs, clear headings only, scene breaks, emphasis."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.book import BlockKind, Limits, SkipReason, SourceTooLarge
from audiomill.inputs.plaintext import reader as plaintext

LIMITS = Limits()


@pytest.fixture
def read(tmp_path):
    def read_text(text, *, name="a-book.txt", limits=LIMITS):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else textwrap.dedent(text).encode())
        return plaintext.read(path, limits)

    return read_text


def blocks(book):
    return [(block.kind, block.text) for chapter in book.chapters for block in chapter.blocks]


def texts(book):
    return [text for _, text in blocks(book)]


def headings(book):
    return [text for kind, text in blocks(book) if kind is BlockKind.HEADING]


BOOK = """\
    Title: The Mill
    Author: Ann Ode
    Language: English

    CONTENTS

    CHAPTER I. The Sea
    CHAPTER II. The Land
    CHAPTER III. The End

    CHAPTER I. The Sea

    It was a _dark_ night, and the
    rain fell on the well-
    known mill--and
    on *everything* else.

    STOP!

        Grind by the sun,
        shine by the star.

    * * *

    It ended with snake_case_names and 2 * 3 * 4.

    CHAPTER II
    The Land

    - one - well-known * item
    - two

    CHAPTER III.

    The last.
    """


def test_a_book(read):
    book = read(BOOK)
    assert (book.title, book.authors, book.language) == ("The Mill", ("Ann Ode",), "en")
    assert [chapter.title for chapter in book.chapters] == [
        "CHAPTER I. The Sea",
        "CHAPTER II: The Land",
        "CHAPTER III.",
    ]
    assert blocks(book)[1:6] == [
        (
            BlockKind.PARAGRAPH,
            "It was a dark night, and the rain fell on the well-known mill--and"
            " on everything else.",
        ),
        (BlockKind.PARAGRAPH, "STOP!"),
        (BlockKind.VERSE, "Grind by the sun,\nshine by the star."),
        (BlockKind.SCENE_BREAK, "* * *"),
        (BlockKind.PARAGRAPH, "It ended with snake_case_names and 2 * 3 * 4."),
    ]
    assert blocks(book)[7:9] == [
        (BlockKind.LIST_ITEM, "one - well-known * item"),
        (BlockKind.LIST_ITEM, "two"),
    ]
    contents = [s.text for s in book.skipped if s.reason is SkipReason.TABLE_OF_CONTENTS]
    assert contents == [
        "CONTENTS",
        "CHAPTER I. The Sea CHAPTER II. The Land CHAPTER III. The End",
    ]


def test_without_blank_lines_each_line_is_a_paragraph(read):
    book = read("First paragraph.\nSecond one.\nThird.")
    assert texts(book) == ["First paragraph.", "Second one.", "Third."]
    assert [chapter.title for chapter in book.chapters] == ["a book"]


def test_wrapped_lines_are_joined_between_blank_lines(read):
    assert texts(read("One\ntwo\n\n \t\nthree\nfour")) == ["One two", "three four"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Chapter 1: A Title", "Chapter 2"], ["Chapter 1: A Title", "Chapter 2"]),
        (["Chapter One", "CHAPTER TWENTY-ONE"], ["Chapter One", "CHAPTER TWENTY-ONE"]),
        (["Prologue", "Kapitel 3", "Epilogue."], ["Prologue", "Kapitel 3", "Epilogue."]),
        (["I", "II", "III."], ["I", "II", "III."]),
        (["THE SEA", "THE LAND"], ["THE SEA", "THE LAND"]),
        (["Part One", "Chapter 1", "Part Two"], ["Part One", "Chapter 1", "Part Two"]),
        (["Erstes Kapitel.", "Zweiundzwanzigstes Kapitel: Das Meer"],) * 2,
        (["PREMIÈRE PARTIE", "Chapitre premier", "Deuxième partie"],) * 2,
        (["Segunda parte", "Capítulo primero"], ["Segunda parte", "Capítulo primero"]),
        (["XXXII", "XXXIII", "XXXIV", "XXXV"], ["XXXII", "XXXIII", "XXXIV", "XXXV"]),
        (["C", "D", "M"], []),
        (["I"], []),
        (["V", "X"], []),
        (["THE SEA"], []),
        (["HELP!", "STOP!"], []),
        (["“NO”", "“YES”"], []),
        (["Chapter 4 was the one he liked", "Part of it"], []),
        (["I am.", "It is."], []),
        (["1999", "12"], []),
        (["USA", "UK"], []),
    ],
)
def test_only_clear_headings_are_headings(read, lines, expected):
    text = "\n\n".join(f"{line}\n\nSome text of it." for line in lines)
    book = read(text)
    assert headings(book) == expected
    assert [b for b in texts(book) if b != "Some text of it."] == lines


def test_titles_of_plain_words_are_known_by_the_table_of_contents(read):
    titles = ("Economy", "Reading", "The Bean-Field")
    contents = "\n".join(f" {title}" for title in titles)
    chapters = "\n\n\n".join(f"{title}\n\nIt was so.\n\nReading\n\nMore." for title in titles)
    book = read(f"Contents\n\n{contents}\n\n\n{chapters}")
    assert [chapter.title for chapter in book.chapters] == [*titles]
    assert headings(read(chapters)) == []  # without the table they may be anything
    parts = f"WALDEN\n\n{chapters}\n\n\nTHE HILL\n\nThe Way\n\nIt was far."
    book = read(f"Contents\n\n{contents}\n The Way\n\n\n{parts}")
    assert [chapter.title for chapter in book.chapters] == [*titles, "The Way"]
    numbered = contents.replace(" ", " Chapter I      ", 1).replace("\n ", "\n Chapter II  ")
    long = f"I. {chapters}".replace("It was so.", "It was so. " * 20)
    book = read(f"Contents\n\n{numbered}\n\n\n{long}")
    assert [chapter.title for chapter in book.chapters] == ["I. Economy", *titles[1:]]


def test_a_numeral_may_have_a_title_below_it(read):
    book = read("I.\n A Guest\n\nShe came.\n\nII.\n The Storm\n\nIt rained.")
    assert [chapter.title for chapter in book.chapters] == ["I: A Guest", "II: The Storm"]
    assert headings(read("I.\nIt rained, and\n\nShe came.\n\nIV\nIt rained;\n\nMore.")) == []


LONG = "The wheel of the mill went round in the rain, and nobody came. " * 9
# How a book has its titles ─▶ those of its chapters, from what each title of a list is set in.
SETTINGS = {
    "by the space above": ("\n\n\n\n{title}\n\n", ["Who Calls?", "TO A CAT", "3. Day."]),
    "in brackets": ("\n\n\n\n{title}\n\n", ["[ 1 ]", "[ 2 ]", "[ 3 ]"]),
    "numbers": ("\n{title}\n\n", ["217.", "218.", "219.", "220."]),
    "no space above": ("{title}\n\n", ["The Mill", "The Cat", "The Road"]),
    "no space above numbers": ("{title}\n\n", ["217", "218", "219", "220"]),
    "other numbers": ("\n{title}\n\n", ["1900.", "217.", "3.", "88."]),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_titles_are_known_by_the_space_above_them_and_by_counting_on(read, name):
    setting, titles = SETTINGS[name]
    front = "By\n\n\n\n\nANN ODE\n\n\n\n\nCopyright 1912\n\n"
    book = read(front + "".join(setting.format(title=title) + f"{LONG}\n\n" for title in titles))
    is_known = "no space" not in name and "other" not in name
    assert headings(book) == (titles if is_known else [])
    assert [chapter.title for chapter in book.chapters[1:]] == (titles if is_known else [])


def test_a_title_in_quotes_is_a_chapter_beside_those_by_their_space(read):
    titles = ["The Mill", "“Tiger! Tiger!”", "The Road", "“The Cat”", "The Rain"]
    contents = "\n".join(f"     {title}" for title in titles)
    chapters = "".join(f"\n\n\n\n{title}\n\n{LONG}\n\n" for title in titles)
    book = read(f"Contents\n\n{contents}\n\n{chapters}")
    assert [chapter.title for chapter in book.chapters] == titles
    named = chapters.replace("\n\n\n\nThe ", "\n\n\n\nChapter 1: The ")
    book = read(f"Contents\n\n{contents}\n\n{named}")  # there it is a subtitle
    assert [chapter.title for chapter in book.chapters] == [
        f"Chapter 1: {title}" for title in titles[::2]
    ]


def test_the_first_number_may_stand_below_a_title(read):
    wide = "\n" * 5
    chapters = [f"{wide}{number}\n\n{LONG}" for number in ("II", "III", "IV")]
    book = read(f"{wide}PREFACE\n\n{LONG}{wide}THE MILL\n\nI\n\n{LONG}{''.join(chapters)}")
    assert [one.title for one in book.chapters] == ["PREFACE", "THE MILL: I", "II", "III", "IV"]


@pytest.mark.parametrize(
    ("titles", "are_titles"),
    [
        (["The Mill", "The Cat.", "“The Road”"], True),
        (["TO ZMESKALL.", "TO ZMESKALL.", "To the Same"], True),
        (["It rained, and", "“No!”", "she said;"], False),
        (["ANN.", "ANN.", "TOM."], False),  # speakers: both speak again
    ],
)
def test_a_number_may_have_its_title_in_a_paragraph_of_its_own(read, titles, are_titles):
    again = "" if are_titles else "ANN.\n\nYes.\n\nTOM.\n\nNo.\n\n" * 3
    numbered = zip(("I", "II", "III"), titles, strict=True)
    book = read("".join(f"Scene {n}\n\n{one}\n\n{LONG}\n\n{again}" for n, one in numbered))
    expected = [f"Scene {n}: {one}" for n, one in zip(("I", "II", "III"), titles, strict=True)]
    shown = expected if are_titles else ["Scene I", "Scene II", "Scene III"]
    assert [chapter.title for chapter in book.chapters] == shown


def test_a_preface_stands_beside_titles_in_capitals(read):
    book = read("PREFACE\n\nRead.\n\nTHE SEA\n\nWide.\n\nTHE HILL\n\nUp.\n\nEPILOGUE\n\nEnd.")
    shown = [(chapter.title, chapter.level) for chapter in book.chapters]
    assert shown == [("PREFACE", 1), ("THE SEA", 1), ("THE HILL", 1), ("EPILOGUE", 1)]


def test_a_second_play_begins_at_its_title(read):
    acts = "ACT I\n\nThe wheel turns in the dark.\n\nACT II\n\nIt stands still.\n\n"
    persons = "[_Møllen_]\n\nA Play in Two Acts\n\n1912\n\n\nDRAMATIS PERSONÆ\n\nThe miller.\n\n"
    book = read(f"The plays of a miller.\n\n{acts}\n\nTHE MILL\n\n{persons}{acts}")
    titles = [chapter.title for chapter in book.chapters]
    assert titles[-5:] == ["ACT I", "ACT II", "THE MILL", "ACT I", "ACT II"]
    assert book.chapters[-3].blocks[-1].text == "The miller."


def test_parts_are_one_level_above_chapters(read):
    book = read("Part One\n\nChapter 1\n\nText.\n\nPart Two\n\nChapter 2\n\nText.")
    assert [(c.title, c.level) for c in book.chapters] == [
        ("Part One", 1),
        ("Chapter 1", 2),
        ("Part Two", 1),
        ("Chapter 2", 2),
    ]


def test_the_licence_around_an_old_book_is_left_out(read):
    book = read(
        "Title: The Mill\nAuthor: Ann Ode\n\nLicence above.\n\n"
        "*** START OF THE EXAMPLE EBOOK THE MILL ***\n\nThe text.\n\n"
        "*** END OF THE EXAMPLE EBOOK THE MILL ***\n\nLicence below."
    )
    assert (book.title, book.authors, texts(book)) == ("The Mill", ("Ann Ode",), ["The text."])
    left_out = " ".join(s.text for s in book.skipped if s.reason is SkipReason.EDITION)
    assert "Licence above." in left_out
    assert "Licence below." in left_out


@pytest.mark.parametrize(
    "text",
    [
        "Title: a word he loved.\n\nHe said it often.",
        "Title: a word he loved.\nHe said it often.\n\nMore.",
        "Title: The Mill\nAuthor: Ann Ode",
        "Title: The Mill\nAuthor: Ann Ode\nIt was night.\n\nMore.",
        "Author: he.\nAuthor: she.\n\nThey wrote.",
        "Date: a fruit.\nEditor: a beast.\n\nMore.",
    ],
)
def test_text_that_looks_like_a_header_is_text(read, text):
    book = read(text)
    assert " ".join(texts(book)).split() == text.split()
    assert (book.title, book.authors, book.skipped) == ("a book", (), ())


def test_a_header_is_listed(read):
    book = read("Title: The Mill\nTranslator: Bo Li\nDate: 1897\n\nIt was night.")
    assert (book.title, book.date, texts(book)) == ("The Mill", "1897", ["It was night."])
    assert [(item.reason, item.text) for item in book.skipped] == [
        (SkipReason.FRONT_MATTER, "Title: The Mill Translator: Bo Li Date: 1897")
    ]


def test_windows_1252_is_a_warning(read):
    book = read("Café.\r\n\r\nNaïve.".encode("cp1252"))
    assert texts(book) == ["Café.", "Naïve."]
    assert "windows-1252" in book.warnings[0]


def test_too_much_text_is_refused(read):
    with pytest.raises(SourceTooLarge, match="500 characters of text; the limit is 400"):
        read("word " * 100, limits=Limits(max_text_chars=400))


@pytest.mark.parametrize(
    "text", ["_" * 50_000, "*a" * 20_000, "_a" * 20_000, "* " * 20_000, "-\n" * 20_000]
)
def test_hostile_text_is_read(read, text):
    assert "".join(texts(read(text))) != ""


LINES = st.text(st.characters(categories=["L", "N", "P"]) | st.just(" "), max_size=40)


@given(lines=st.lists(LINES, max_size=12))
def test_every_letter_is_in_a_block_or_skipped(tmp_path_factory, lines):
    path = tmp_path_factory.getbasetemp() / "any.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    book = plaintext.read(path, LIMITS)
    letters = "".join([*texts(book), *(item.text for item in book.skipped)])
    assert sorted(filter(str.isalnum, letters)) == sorted(filter(str.isalnum, "".join(lines)))


def test_names_of_speakers_are_no_chapters(read):
    speech = "\n\n".join(
        f"{name}\n\nThis is speech {number}." for number in range(4) for name in ("ANNA", "BORIS")
    )
    book = read(f"THE FIRST ACT\n\n{speech}\n\nSERVANT\n\nSir!\n\nTHE SECOND ACT\n\n{speech}\n")
    assert headings(book) == ["THE FIRST ACT", "THE SECOND ACT"]
    assert "SERVANT" in texts(book)


def test_the_source_of_a_quotation_is_no_chapter(read):
    chapter = "The miller walked along the river until evening. " * 8
    book = read(f"THE MILL\n\n{chapter}\n\n--ANN ODE.\n\nTHE RIVER\n\n{chapter}\n\n—BO LI\n")
    assert headings(book) == ["THE MILL", "THE RIVER"]
    assert "--ANN ODE." in texts(book)


@pytest.mark.parametrize(
    "titles",
    [
        ["ANNA", "TOM"] * 4,
        ["PART ONE", "THE MILL", "THE RIVER", *["LONDON", "PARIS"] * 3],
        ["ONE MAY", "TWO MAY", "TEN MAY", "LATER", "LATER", "LATER"],
    ],
)
def test_chapters_with_the_same_names_are_chapters(read, titles):
    chapter = "The miller walked along the river until evening. " * 8
    book = read("\n\n".join(f"{title}\n\n{chapter}" for title in titles))
    assert headings(book) == titles
    assert len(book.chapters) == len(titles)
    with_list = "\n\n".join([*titles, *(f"{title}\n\n{chapter}" for title in titles)])
    assert headings(read(with_list))[-len(titles) :] == titles


@pytest.mark.parametrize(
    "paragraphs",
    [
        ["CHAPTER I", "Footnotes", "He hated them.", "He read on.", "CHAPTER II", "More."],
        ["[1] I am the first verse of a hymn", "[2] I am the second", "[1] And again"],
        ["The mill [1] stood.", "Footnotes", "[1] Of oak.", "He went home.", "[1] A verse."],
    ],
)
def test_only_notes_that_the_text_refers_to_are_notes(read, paragraphs):
    book = read("\n\n".join(paragraphs))
    is_note = "[1] Of oak." in paragraphs
    kept = ["The mill stood.", "He went home.", "[1] A verse."] if is_note else paragraphs
    assert texts(book) == kept


@pytest.mark.parametrize(
    "text",
    [
        "He read the label [Plate: a mill] and [map] and [Image].",
        "[Map] of the land, and its [rivers]",
        "[Figure] he said.\n\nSee [note 3] and\n[page 4] of it.",
    ],
)
def test_words_in_brackets_inside_prose_are_text(read, text):
    book = read(text)
    assert " ".join(texts(book)).split() == text.split()
    assert book.skipped == ()


def test_what_stood_beside_the_text_is_told_from_it(read):
    book = read(
        "The wheel[1] stood [Sidenote: Winter] still.[Pg 4]\n\n[Illustration]\n\n"
        "[Illustration: The _mill_\n\nby night.]\n\n[Footnote 1: Of oak.\n\nAnd iron.]"
        "\n\nIt rained [2].\n\n[Music: Treble clef, C major.]\n\n[Music: Transcribers note See"
        " the page]\n\n[Music: Cuck-oo!]"
    )
    assert blocks(book) == [
        (BlockKind.PARAGRAPH, "The wheel stood still."),
        (BlockKind.CAPTION, "The mill by night."),
        (BlockKind.PARAGRAPH, "It rained [2]."),
        (BlockKind.CAPTION, "Cuck-oo!"),
    ]
    reasons = {one.reason: one.text for one in book.skipped}
    assert reasons[SkipReason.PAGE_NUMBER] == "Pg 4"
    assert reasons[SkipReason.NOTE].endswith(("Of oak. And iron.", "Winter"))


LISTS = {
    SkipReason.TABLE_OF_CONTENTS: "CONTENTS\n\nThe Sea ... 3\n\nThe Hill ... 40\n\nThe End ... 81",
    SkipReason.GLOSSARY: "GLOSSARY\n\n"
    + "\n\n".join(f"{word}: a thing of mills." for word in ("Axle", "Beam", "Cog", "Dam", "Flume")),
    SkipReason.INDEX: "INDEX\n\nAxles, 3\nBeams, 4, 9\nCogs, 7\nDams, 12\nFlumes, 40",
}


@pytest.mark.parametrize("reason", LISTS)
def test_lists_to_look_things_up_are_listed(read, reason):
    text = f"{LISTS[reason]}\n\nTHE SEA\n\n" + "It was a long way to the sea. " * 8
    book = read(text + "\n\nTHE HILL\n\nUp.\n")
    assert texts(book)[0] == "THE SEA"
    assert {one.reason for one in book.skipped} == {reason}


OLD_TITLES = (
    "OF WHAT THE MILLER AND HIS THREE SONS SAID TO THE\nBARBER WHO CAME UP THE RIVER, AND OF HIS"
    "\nDONKEY",
    "WHICH TELLS OF THE WHEEL",
    "IN WHICH IS CONTINUED WHAT HAS BEEN BEGUN, WITH\nOTHER MATTERS THAT ARE WORTH TELLING, AMONG\n"
    "THEM A STORM",
)


def test_titles_of_several_lines_are_of_chapters_and_of_their_contents(read):
    """As in old novels in two volumes: each has its table, which goes over the ends of lines."""
    numbers = ("I", "II", "III")
    contents = "\n\n".join(
        f"CHAPTER\n{number} {title}" for number, title in zip(numbers, OLD_TITLES, strict=True)
    )
    chapters = "\n\n\n".join(
        f"CHAPTER {number}.\n{title}\n\n\n{'The wheel of the mill went round. ' * 9}"
        for number, title in zip(numbers, OLD_TITLES, strict=True)
    )
    tables = f"CONTENTS VOLUME I\n\n{contents}\n\nCONTENTS VOLUME II\n\n{contents}"
    book = read(f"{tables}\n\n\n{chapters}\n\n\n{chapters}")
    shown = [
        f"CHAPTER {number}: {' '.join(title.split())}"
        for number, title in zip(numbers, OLD_TITLES, strict=True)
    ]
    assert [chapter.title for chapter in book.chapters] == [*shown, *shown]
    assert {one.reason for one in book.skipped} == {SkipReason.TABLE_OF_CONTENTS}
