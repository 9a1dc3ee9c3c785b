"""Editions of Project Gutenberg, in their markup and our words: the book is read, and no more."""

import pytest

from audiomill.inputs.choices.reading import ReadingSettings
from audiomill.inputs.choices.rules import ReadingRules
from audiomill.inputs.gutenberg.wording import is_credit, is_makers_note, without_label
from audiomill.inputs.model.book import BlockKind, Limits, SkipReason
from audiomill.inputs.reading import read_book
from support.case_files import each_row
from support.epub_data import Epub, line, nav, page
from support.reading_data import skipped, texts

BOOK = ["The Mill", "by Ann Ode", "Chapter 1", "The wheel stood still.", "Chapter 2", "It rained."]
BODY = "\n\n\n".join(BOOK)
TERMS = "You may copy this file. It is one of Project Gutenberg's."
FIELDS = """Title: The Mill
       A Story of Water

Author: Ann Ode
        Bo Li

Translator: Cy Moss

Release Date: March 4, 2008 [EBook #1234]
                Most recently updated: May 1, 2020

Language: German

Original publication: Leeds: Fen and Sons, 1891
"""
NEW_TEXT = f"""The Project Gutenberg eBook of The Mill

{TERMS}

{FIELDS}
Credits: Dee Low


*** START OF THE PROJECT GUTENBERG EBOOK THE MILL ***




{BODY}


*** END OF THE PROJECT GUTENBERG EBOOK THE MILL ***

{TERMS}
"""
OLD_TEXT = f"""The Project Gutenberg EBook of The Mill, by Ann Ode

{TERMS}

{FIELDS}
***START OF THE PROJECT GUTENBERG EBOOK THE MILL: A VERY LONG STORY OF WATER
AND OF OTHER THINGS***


E-text prepared by Dee Low and Distributed Proofreaders



Note: Project Gutenberg also has a version with pictures.
      See 1234-h.htm


+-----------------------------------+
| Transcriber's Note:               |
|                                   |
| Two commas were moved.            |
+-----------------------------------+


{BODY}




Transcriber's Notes


Page 4: a word was doubled.

Page 9: a comma was lost.




End of Project Gutenberg's The Mill, by Ann Ode

***END OF THE PROJECT GUTENBERG EBOOK THE MILL***


******* This file should be named 1234.txt *******
"""
OLDEST_TEXT = f"""Project Gutenberg Etext of The Mill, by Ann Ode

Please do not remove this header. {TERMS}

{FIELDS}
*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*




This etext was prepared by Dee Low, dee@example.org.




{BODY}




End of the Project Gutenberg Etext of The Mill, by Ann Ode
"""
PARAGRAPHS = "".join(
    f"<h2>{text}</h2>" if text.startswith("Chapter") else f"<p>{text}</p>" for text in BOOK
)
NUMBERED = PARAGRAPHS.replace("<h2>", '<h2 id="c1">', 1).replace("<h2>", '<h2 id="c2">', 1)
HEAD = """<title>The Project Gutenberg eBook of The Mill, by Ann Ode</title>
<meta name="dc.title" content="The Mill"><meta name="dc.creator" content="Ode, Ann, 1850-1900">"""
HEADER = f"""<section class="pg-boilerplate pgheader" id="pg-header" lang="en">
<h2 id="pg-header-heading">The Project Gutenberg eBook of <span>The Mill</span></h2>
<div>{TERMS}</div><div class="container" id="pg-machine-header"><p><strong>Title</strong>: The Mill
<br> A Story of Water</p><div id="pg-header-authlist"><p><strong>Author</strong>: Ann Ode</p>
<p><strong>Author</strong>: Bo Li</p><p><strong>Translator</strong>: Cy Moss</p></div>
<p><strong>Release date</strong>: March 4, 2008 [eBook #1234]<br>
                Most recently updated: May 1, 2020</p><p><strong>Language</strong>: German</p>
<p><strong>Original publication</strong>: Leeds: Fen and Sons, 1891</p>
<p><strong>Credits</strong>: Dee Low</p></div>
<div id="pg-start-separator">
<span>*** START OF THE PROJECT GUTENBERG EBOOK THE MILL ***</span></div>
</section>"""
FOOTER = f"""<section class="pg-boilerplate pgheader" id="pg-footer" lang="en">
<div id="pg-end-separator"><span>*** END OF THE PROJECT GUTENBERG EBOOK THE MILL ***</span></div>
<h2 id="pg-footer-heading">THE FULL PROJECT GUTENBERG LICENSE</h2><p>{TERMS}</p></section>"""
NEW_PAGE = f"<!DOCTYPE html><html lang=de><head>{HEAD}</head><body>{HEADER}{PARAGRAPHS}{FOOTER}"
OLD_PAGE = f"""<html><head>{HEAD}</head><body>
<h1>The Project Gutenberg eBook, The Mill, by Ann Ode</h1><p>{TERMS}</p>
<pre>
{FIELDS}</pre>
<p>***START OF THE PROJECT GUTENBERG EBOOK THE MILL***</p>
<hr><h4>E-text prepared by Dee Low</h4>
<div class="box"><p><b>Transcriber's Note:</b></p><p>Two commas were moved.</p></div>
<h3>Format Choice</h3><div class="mynote">Another format is best for small screens.</div>
<p>Every attempt has been made to replicate the original. (etext transcriber's note)</p>
<p><a href="1.jpg">ENLARGE TO FULL SIZE</a></p>
<table><tr><th>Typographical errors corrected by the etext transcriber:</th></tr>
<tr><td>a mil=&gt; a mill {{pg 3}}</td></tr></table>
{PARAGRAPHS}<div class="transnote"><p>Page 9: a comma was lost.</p></div>
<hr><p>***END OF THE PROJECT GUTENBERG EBOOK THE MILL***</p>******* This file is 1234-h.htm *******
<pre>{TERMS}</pre>"""
PREFORMATTED_PAGE = f"""<html><head>{HEAD}</head><body>
<pre>

The Project Gutenberg EBook of The Mill, by Ann Ode

{TERMS}

{FIELDS}
*** START OF THIS PROJECT GUTENBERG EBOOK THE MILL ***


Produced by Dee Low

</pre>{PARAGRAPHS}<pre>

End of the Project Gutenberg EBook of The Mill, by Ann Ode

*** END OF THIS PROJECT GUTENBERG EBOOK THE MILL ***

{TERMS}
</pre>"""
SOURCES = {
    "new.txt": NEW_TEXT,
    "old.txt": OLD_TEXT,
    "oldest.txt": OLDEST_TEXT,
    "new.html": NEW_PAGE,
    "old.htm": OLD_PAGE,
    "preformatted.htm": PREFORMATTED_PAGE,
}


def edition_epub(directory):
    """An EPUB of theirs: its header is in the first page, its licence is the last one."""
    lines = [
        line("The Project Gutenberg eBook of The Mill", "0.xhtml#pg-header-heading"),
        line("Chapter 1", "0.xhtml#c1"),
        line("Chapter 2", "0.xhtml#c2"),
        line("THE FULL PROJECT GUTENBERG LICENSE", "1.xhtml#pg-footer-heading"),
    ]
    first = HEADER.replace("<br>", "<br/>") + NUMBERED
    label = "The Project Gutenberg eBook of The Mill"
    pages = {
        "0.xhtml": page(first, title=label),
        "1.xhtml": page(FOOTER, title=label),
        "2.xhtml": page(f"<p>{TERMS} Again.</p>", title=label),
    }
    return Epub(pages, nav=nav("".join(lines))).write(directory)


def write(directory, name):
    if name == "new.epub":
        return edition_epub(directory)
    path = directory / name
    path.write_text(SOURCES[name], encoding="utf-8")
    return path


@pytest.mark.parametrize("name", [*SOURCES, "new.epub"])
def test_the_book_is_read_and_nothing_around_it(tmp_path, name):
    book = read_book(write(tmp_path, name), Limits())
    said = [text for text in texts(book) if text]
    assert said == BOOK
    assert [one.title for one in book.chapters][-2:] == ["Chapter 1", "Chapter 2"]
    listed = " ".join(skipped(book, SkipReason.EDITION))
    assert TERMS in listed
    if "old" in name and "oldest" not in name:
        assert "Two commas were moved." in listed
        assert "a comma was lost." in listed


@pytest.mark.parametrize("name", SOURCES)
def test_the_header_tells_what_the_book_is(tmp_path, name):
    book = read_book(write(tmp_path, name), Limits())
    assert (book.title, book.subtitle) == ("The Mill", "A Story of Water")
    assert (book.authors, book.translators) == (("Ann Ode", "Bo Li"), ("Cy Moss",))
    assert (book.language, book.date, book.original_year) == ("de", "2008-03-04", "1891")
    assert book.identifier.endswith("/1234")


@pytest.mark.parametrize("name", [*SOURCES, "new.epub"])
def test_everything_is_read_if_it_is_asked_for(tmp_path, name):
    rules = ReadingRules(ReadingSettings(preset="everything").reading())
    book = read_book(write(tmp_path, name), Limits(), rules)
    assert TERMS in " ".join(texts(book))
    assert not skipped(book, SkipReason.EDITION)


@pytest.mark.parametrize("mark", ['class="pg-boilerplate"', 'id="pg-header"', 'id="pg-footer"'])
def test_a_mark_is_enough_and_the_title_of_a_page_has_no_label(tmp_path, mark):
    """Where neither fields nor the lines around a book tell what it is."""
    label = "The Project Gutenberg eBook of The Mill, by Ann Ode"
    about = f"<div {mark}><p>You may copy this.</p></div>"
    path = tmp_path / "a.html"
    path.write_text(f"<title>{label}</title>{about}{PARAGRAPHS}", encoding="utf-8")
    book = read_book(path, Limits())
    assert (book.title, book.authors, texts(book)) == ("The Mill", ("Ann Ode",), BOOK)
    words = page(f"{about}<p>It rained.</p>", title=label)
    book = read_book(Epub({"0.xhtml": words}).write(tmp_path), Limits())
    assert (texts(book), [one.title for one in book.chapters]) == (["It rained."],) * 2


ASIDES = """<p>[Illustration]</p><p>[Illustration: The <i>mill</i> by night.]</p>
<p>[Illustration of a carp]</p>
<p>The [Sidenote: Winter] wheel[3] stood [Pg 12]<i lang="fr">tout court</i>.</p>
<p>[Footnote 3: Of oak.</p><p>And iron.]</p><p>[Transcriber's Note: a comma.]</p>"""


@pytest.mark.parametrize("name", ["old.htm", "plain.html", "new.epub", "a.md"])
@pytest.mark.parametrize("notes", ["skip", "mark"])
def test_words_in_brackets_that_stood_beside_the_text_are_no_text(tmp_path, name, notes):
    path = tmp_path / name
    if name == "new.epub":
        asides = HEADER.replace("<br>", "<br/>") + f"<h2>One</h2>{ASIDES}<p>It rained.[9]</p>"
        path = Epub({"0.xhtml": page(asides)}, nav=nav(line("One", "0.xhtml"))).write(tmp_path)
    else:
        around = {"old.htm": OLD_PAGE, "plain.html": f"<html lang=de>{PARAGRAPHS}", "a.md": "# One"}
        body = around[name].replace(PARAGRAPHS, f"{PARAGRAPHS}{ASIDES}<p>It rained.[9]</p>")
        body += "\n\n" + "\n".join(ASIDES.split("\n")) * (name == "a.md")
        path.write_text(body, encoding="utf-8")
    book = read_book(path, Limits(), ReadingRules(ReadingSettings(notes=notes).reading()))
    assert texts(book, BlockKind.CAPTION) == ["The mill by night.", "of a carp"]
    assert "The wheel stood tout court." in texts(book)
    read = [] if notes == "skip" else ["Winter", "Of oak. And iron."]
    assert sorted(one.partition(": ")[2] for one in texts(book, BlockKind.NOTE)) == sorted(read)
    assert "comma" not in " ".join(texts(book))
    assert "Pg 12" in skipped(book, SkipReason.PAGE_NUMBER)


@each_row
def test_a_label_is_not_a_title(label, title, author):
    found = without_label(label)
    assert (found.title, found.author) == (title, author)


def test_a_story_may_speak_of_those_who_produce_and_transcribe():
    for text in (
        "Produced before the judge, the letter said nothing. " * 20,
        "The transcriber of the roll wrote late.",
        "Notes by the miller",
        "Created by God in the beginning, man walked.",
        "Produced by fire and water, the wheel was never still.",
        "This book was prepared by hands unknown to me.",
        "Transcriber's note he was called.",
        "Transcriber's note, they called it.",
    ):
        assert not is_credit(text)
        assert not is_makers_note(text)


def test_credits_name_those_who_made_the_edition():
    for text in (
        "Produced by Dee Low",
        "Produced by an Anonymous Volunteer, and Dee Low dee@example.org.",
        "Produced by Dee Low, dee@example.org with proofreading and correction by Dr. Bo Li.",
        "Produced by Dee Low, É. Noé and the Online Distributed Proofreading Team",
        "Transcribed from the 1894 Fen and Sons edition by Dee Low, email dee@example.org",
        "Scanned and proofed by Dee Low. HTML version by Bo Li.",
        "This eBook was created by hands unknown.",
        "Produced by Dee Low. The previous edition was updated by Bo Li.",
        "Produced by Dee Low. Previous editions produced by Bo Li and Mill Wiretap",
        "Produced by Livres libres et gratuits at http://www.livres.example",
        "Note: See also “The Mill” by Ann Ode, Low, eBook #150",
        "Contents (added by transcriber)",
        "THERE IS AN ILLUSTRATED EDITION OF THIS TITLE AT EBOOK [ #17396 ]",
    ):
        assert is_credit(text)
    for text in (
        "Transcriber's Note",
        "TRANSCRIBER'S NOTES Two commas were moved.",
        "[Transcriber’s note: a",
        "See also the Transcriber's Notes at the end of this eBook.",
        "Ebook Editor’s Note",
    ):
        assert is_makers_note(text)


@pytest.mark.parametrize(
    "line", ["End of Gutenberg and the printing press", "End of Project Gutenberg? No"]
)
@pytest.mark.parametrize("suffix", [".txt", ".html"])
def test_a_book_about_the_project_is_read_to_its_end(tmp_path, line, suffix):
    path = tmp_path / f"essay{suffix}"
    paragraphs = ["On Project Gutenberg and its books.", line, "What was below it.", "More of it."]
    marked = "".join(f"<p>{text}</p>" for text in paragraphs)
    path.write_text(marked if suffix == ".html" else "\n\n".join(paragraphs), encoding="utf-8")
    assert [text for text in texts(read_book(path, Limits())) if text] == paragraphs


@pytest.mark.parametrize("suffix", [".txt", ".html"])
def test_only_the_last_line_of_a_book_ends_it(tmp_path, suffix):
    path = tmp_path / f"essay{suffix}"
    chapter = "The wheel stood still, and the miller went home. " * 80
    paragraphs = ["On Project Gutenberg.", "End of Project Gutenberg's first year", chapter.strip()]
    marked = "".join(f"<p>{text}</p>" for text in paragraphs)
    path.write_text(marked if suffix == ".html" else "\n\n".join(paragraphs), encoding="utf-8")
    assert texts(read_book(path, Limits()))[-1] == chapter.strip()


def test_verse_that_old_pages_set_as_code_is_read(tmp_path):
    verse = "<pre>\n    Grind by the sun,\n    shine by the star.\n</pre>"
    path = tmp_path / "verse.htm"
    path.write_text(OLD_PAGE.replace(PARAGRAPHS, PARAGRAPHS + verse), encoding="utf-8")
    book = read_book(path, Limits())
    last = [block for block in book.chapters[-1].blocks if block.text][-1]
    assert (last.kind, last.text) == (BlockKind.VERSE, "Grind by the sun,\nshine by the star.")


def test_other_books_keep_what_looks_like_a_note_of_transcribers(tmp_path):
    path = tmp_path / "novel.txt"
    path.write_text("Transcriber's Note\n\nI found these pages in a mill.\n\nThe end.\n")
    assert "I found these pages in a mill." in texts(read_book(path, Limits()))


@pytest.mark.parametrize(
    "note",
    [
        "Transcriber's note:\n\n      A symbol is a macron.\n\n      A comma was lost.",
        "Transcriber's Notes: 1. A comma was lost.\n\n   2. A macron was lost.",
        "[This e-text has signs that need Unicode:\n\n  ⅙ ⅕ [all rare]\n\nChange the font.]",
    ],
)
def test_a_note_of_several_paragraphs_below_the_credits_is_left_out_whole(tmp_path, note):
    path = tmp_path / "a.txt"
    path.write_text(OLD_TEXT.replace("Note: Project", f"{note}\n\n\n\nNote: Project"))
    assert [text for text in texts(read_book(path, Limits())) if text] == BOOK


def test_a_note_ends_at_a_rule(tmp_path):
    note = "Transcriber's Note: A comma was lost.\n\nAnd a macron.\n\n-------\n\nTo Bo Li"
    path = tmp_path / "a.txt"
    path.write_text(OLD_TEXT.replace("Note: Project", f"{note}\n\n\n\nNote: Project"))
    said = texts(read_book(path, Limits()))
    assert "To Bo Li" in said
    assert "And a macron." not in said


LIBER_LIBER = """Anna Ode

Il mulino

www.liberliber.it

QUESTO E-BOOK:

TITOLO: Il mulino
AUTORE: Ode, Anna
NOTE: il testo è tratto da una copia della biblioteca.

DIRITTI D'AUTORE: no

LICENZA: questo testo è distribuito con la licenza specificata alla pagina delle licenze

INDICE DI AFFIDABILITÀ: 1
 0: affidabilità bassa
 1: affidabilità standard

PUBBLICAZIONE:
 Bruno Li, bruno@example.org

Liber Liber

Se questo libro ti è piaciuto, aiutaci a farne altri.

Fai una donazione: www.example.org

I

Il mulino stava sul fiume.

II

NOTE: il mugnaio dormiva.
"""


def test_what_liber_liber_sets_above_a_book_is_left_out(tmp_path):
    path = tmp_path / "mulino.txt"
    path.write_text(LIBER_LIBER)
    book = read_book(path, Limits())
    assert (book.title, book.authors, book.language) == ("Il mulino", ("Anna Ode",), "it")
    texts = [block.text for one in book.chapters for block in one.blocks]
    assert texts == [
        *("Anna Ode", "Il mulino", "I", "Il mulino stava sul fiume."),
        *("II", "NOTE: il mugnaio dormiva."),
    ]
    assert {one.reason for one in book.skipped} == {SkipReason.EDITION}
