"""Conversion to blocks: their kinds, and the text that is skipped with its reason."""

from __future__ import annotations

import pytest
from lxml import etree

from audiomill.inputs.book import BlockKind, SkipReason
from audiomill.inputs.markup.blocks import DocumentBlocks, to_blocks
from audiomill.inputs.markup.parser import body_of, parse_xhtml
from audiomill.inputs.markup.semantics import text_within

PAGE = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">'
    "<body>{}</body></html>"
)


def convert(body: str, language: str | None = None) -> DocumentBlocks:
    root = parse_xhtml(PAGE.format(body).encode())
    return to_blocks(body_of(root), where="ch1.xhtml", language=language)


def texts(body: str) -> list[str]:
    return [anchored.block.text for anchored in convert(body).blocks]


def kinds(body: str) -> list[tuple[BlockKind, str]]:
    return [(anchored.block.kind, anchored.block.text) for anchored in convert(body).blocks]


def skips(body: str) -> list[tuple[SkipReason, str]]:
    return [(skipped.reason, skipped.text) for skipped in convert(body).skipped]


def test_each_element_becomes_its_kind_of_block() -> None:
    blocks = kinds(
        "<h2>Title</h2><p>Prose.</p><blockquote><p>Said.</p></blockquote><ul><li>Item</li></ul>"
        "<figure><img src='x.png' alt='unspoken'/><figcaption>Below</figcaption></figure>"
        "<pre>for x in y:\n    go()\n</pre><hr/><p>After</p>"
    )
    assert blocks == [
        (BlockKind.HEADING, "Title"),
        (BlockKind.PARAGRAPH, "Prose."),
        (BlockKind.QUOTE, "Said."),
        (BlockKind.LIST_ITEM, "Item"),
        (BlockKind.CAPTION, "Below"),
        (BlockKind.CODE, "for x in y:\n    go()"),
        (BlockKind.SCENE_BREAK, ""),
        (BlockKind.PARAGRAPH, "After"),
    ]


def test_headings_and_nested_items_carry_their_level() -> None:
    result = convert(
        "<h3>A</h3><p role='heading' aria-level='5'>B</p>"
        "<ol><li>one<ul><li><p>two</p></li></ul></li></ol>"
    )
    assert [(a.block.text, a.block.level) for a in result.blocks] == [
        ("A", 3),
        ("B", 5),
        ("1. one", 1),
        ("two", 2),
    ]


def test_bare_text_beside_blocks_is_a_block() -> None:
    assert texts("a<div>b<p>c</p>d<span>e</span></div>f") == ["a", "b", "c", "de", "f"]
    keys = "<p>Press <kbd>G</kbd><kbd>F</kbd>, <kbd>A</kbd>-<kbd>B</kbd>.</p>"
    assert texts(keys) == ["Press G F, A-B."]


@pytest.mark.parametrize("line", ["* * *", "***", "⁂", "· · ·", "• • •", "———", "- - -", "❦", "#"])
def test_lines_of_ornament_are_scene_breaks(line: str) -> None:
    assert kinds(f"<p>a</p><p>{line}</p>")[1] == (BlockKind.SCENE_BREAK, line)


@pytest.mark.parametrize("line", ["—", "…", "“…”", "?!", "#1", "*sigh*", "- -"])
def test_other_short_lines_are_no_scene_breaks(line: str) -> None:
    assert kinds(f"<p>{line}</p>") == [(BlockKind.PARAGRAPH, line)]


def test_an_empty_element_with_the_class_of_a_scene_break_is_one() -> None:
    assert kinds("<p>a</p><div class='SceneBreak'><img src='o.png'/></div><p>b</p>")[1] == (
        BlockKind.SCENE_BREAK,
        "",
    )


@pytest.mark.parametrize(
    "poem",
    [
        "<div class='poem'><p>One line</p><p>and two</p></div>",
        "<div epub:type='z3998:poem'><p><span>One line</span><br/><span>and two</span></p></div>",
        "<div class='stanza'><div class='line'>One line</div>\n<div>and two</div></div>",
        "<p class='verse'>One line</p><p class='verse'>and two</p>",
        "<p>One line<br/>and two</p>",
        "<blockquote class='verse'><ul><li>One line</li><li>and two</li></ul></blockquote>",
    ],
)
def test_verse_keeps_its_lines(poem: str) -> None:
    assert kinds(poem) == [(BlockKind.VERSE, "One line\nand two")]


def test_each_stanza_is_a_block() -> None:
    poem = "<div class='poem'><p>a</p><p>b</p><p>\u00a0</p><p>c</p></div>"
    assert texts(poem) == ["a\nb", "c"]
    assert texts("<p class='verse'>a<br/>b<br/><br/>c<br/>d</p>") == ["a\nb", "c\nd"]


def test_long_lines_between_breaks_are_prose() -> None:
    long = "This sentence goes on for rather more than a hundred characters, as sentences do. " * 2
    assert kinds(f"<p>{long}<br/>{long}</p>") == [(BlockKind.PARAGRAPH, long.strip())] * 2
    wrapped = "a line of prose that somebody wrapped by hand at about sixty or so"
    assert kinds(f"<p>{wrapped}<br/>{wrapped}</p>") == [
        (BlockKind.PARAGRAPH, f"{wrapped} {wrapped}")
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "<tspan x='0' dy='0'>The first line</tspan><tspan x='0' dy='1em'>and the next.</tspan>",
        "<tspan x='0' y='10'>The first line</tspan><tspan x='0' y='30'>and the next.</tspan>",
        "The first line<tspan x='0' dy='20'>and the next.</tspan>",
        "<tspan y='9'>The fi</tspan><tspan x='4' y='9'>rst line</tspan><tspan y='30'>and the"
        "<tspan font-style='italic'> next</tspan>.</tspan>",
    ],
)
def test_lines_of_svg_are_apart_and_parts_of_words_are_not(lines: str) -> None:
    svg = f"<svg xmlns='http://www.w3.org/2000/svg'><text>{lines}</text></svg>"
    assert texts(f"<p>Before.</p>{svg}") == ["Before.", "The first line and the next."]


def test_a_table_is_read_row_by_row() -> None:
    table = (
        "<table><caption>Tides</caption><thead><tr><th>Day</th><th>Height</th></tr></thead>"
        "<tr><td><p>Mon</p></td><td><b>2</b>.1 m</td></tr><tr><td/><td/></tr></table>"
    )
    assert kinds(table) == [
        (BlockKind.CAPTION, "Tides"),
        (BlockKind.TABLE, "Day; Height\nMon; 2.1 m"),
    ]


def test_a_layout_table_is_read_as_a_page() -> None:
    assert kinds("<table><tr><td><h1>T</h1><p>a</p></td><td><p>b</p></td></tr></table>") == [
        (BlockKind.HEADING, "T"),
        (BlockKind.PARAGRAPH, "a"),
        (BlockKind.PARAGRAPH, "b"),
    ]


@pytest.mark.parametrize(
    ("markup", "reason", "text"),
    [
        ("<span epub:type='pagebreak' id='p3'>3</span>", SkipReason.PAGE_NUMBER, "3"),
        ("<span role='doc-pagebreak'>iv</span>", SkipReason.PAGE_NUMBER, "iv"),
        ("<span class='pagenum'>[Pg 12]</span>", SkipReason.PAGE_NUMBER, "[Pg 12]"),
        ("<span class='pagenum'>12b</span>", SkipReason.PAGE_NUMBER, "12b"),
        ("<span class='pagnum'>{12}</span>", SkipReason.PAGE_NUMBER, "{12}"),
        ("<span class='pn'>{12}</span>", SkipReason.PAGE_NUMBER, "{12}"),
        ("<span class='pn'>{4}<br/>{5}</span>", SkipReason.PAGE_NUMBER, "{4} {5}"),
        ("<span class='pagenum'>VI.50</span>", SkipReason.PAGE_NUMBER, "VI.50"),
        ("<a name='pag_3'>{pág. 3}</a>", SkipReason.PAGE_NUMBER, "{pág. 3}"),
        ("<a epub:type='noteref' href='#n'>note</a>", SkipReason.NOTE_REFERENCE, "note"),
        ("<a role='doc-noteref' href='#n'>*</a>", SkipReason.NOTE_REFERENCE, "*"),
        ("<sup><a href='#n'>3</a></sup>", SkipReason.NOTE_REFERENCE, "3"),
        ("<sup>[<a href='#n'>3</a>]</sup>", SkipReason.NOTE_REFERENCE, "[3]"),
        ("<a href='#fn1'><sup>1</sup></a>", SkipReason.NOTE_REFERENCE, "1"),
        ("<a href='notes.html#q'>[3]</a>", SkipReason.NOTE_REFERENCE, "[3]"),
        ("<a href='notes.html#note3'>3</a>", SkipReason.NOTE_REFERENCE, "3"),
        ("<a href='#ref3'>↩︎</a>", SkipReason.NOTE_REFERENCE, "↩︎"),
        ("<aside epub:type='footnote'><p>An aside.</p></aside>", SkipReason.NOTE, "An aside."),
        ("<div role='doc-endnotes'><p>One</p></div>", SkipReason.NOTE, "One"),
        ("<p class='footnote'>By hand.</p>", SkipReason.NOTE, "By hand."),
        ("<p hidden=''>gone</p>", SkipReason.HIDDEN, "gone"),
        ("<span aria-hidden='true'>gone</span>", SkipReason.HIDDEN, "gone"),
        ("<i style='color:red; Display : NONE'>gone</i>", SkipReason.HIDDEN, "gone"),
        ("<i style='visibility:hidden'>gone</i>", SkipReason.HIDDEN, "gone"),
        ("<script>var x</script>", SkipReason.SCRIPT, "var x"),
        ("<nav><ol><li>Home</li></ol></nav>", SkipReason.NAVIGATION, "Home"),
        ("<section epub:type='toc'><p>One</p></section>", SkipReason.TABLE_OF_CONTENTS, "One"),
        ("<div epub:type='titlepage'><p>A Book</p></div>", SkipReason.FRONT_MATTER, "A Book"),
    ],
)
def test_skipped_text_is_listed_with_its_reason(markup: str, reason: SkipReason, text: str) -> None:
    body = f"<div>before {markup} after</div>"
    assert skips(body) == [(reason, text)]
    assert " ".join(texts(body)) == "before after"


@pytest.mark.parametrize(
    "markup",
    [
        "<p>see <a href='#ch3'>3</a></p>",
        "<p>the 1<sup>st</sup></p>",
        "<p>the <a href='#x'>third chapter</a></p>",
        "<div class='pagebreak'><p>A chapter that starts a page.</p></div>",
        "<aside><p>A sidebar.</p></aside>",
        "<p style='display:block'>seen</p>",
        "<p><span class='verse'>1</span>In the beginning</p>",
        "<p aria-hidden='false'>seen</p>",
    ],
)
def test_similar_text_is_read(markup: str) -> None:
    assert skips(markup) == []
    assert "".join(texts(markup)).split() == text_within(parse_xhtml(markup.encode())).split()


def test_no_space_remains_before_a_removed_reference() -> None:
    assert texts("<p>The end <a href='#n1'><sup>1</sup></a>. So</p>") == ["The end. So"]


def test_ruby_speaks_its_base_and_formulas_their_alternative() -> None:
    assert texts("<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>字</p>") == ["漢字"]
    assert texts("<p>so <math alttext='x squared'><mi>x</mi></math> or <math/></p>") == [
        "so x squared or formula"
    ]


def test_invisible_characters_are_removed_and_spaces_normalised() -> None:
    assert texts("<p>co\u00adop\u200ber\ufeffate\u00a0\u2003now\n\t please&nbsp;</p>") == [
        "cooperate now please"
    ]


def test_the_picture_of_a_first_letter_is_read_as_that_letter() -> None:
    assert texts(
        "<p><img alt='T' src='t.png'/>he end</p><p><img alt='a cat' src='c.png'/></p>"
    ) == ["The end"]


def test_a_block_has_a_language_if_it_differs_from_the_books() -> None:
    result = convert(
        "<p>one</p><div xml:lang='fr'><p>deux</p><p xml:lang='en-GB'>three</p></div>"
        "<p>a <i lang='de'>wort</i></p><p><i lang='de'>Wort</i></p>",
        language="en",
    )
    assert [a.block.language for a in result.blocks] == [None, "fr", None, None, "de"]


def test_blocks_inherit_the_language_of_the_document() -> None:
    root = parse_xhtml(b"<html lang='sv'><body><p>hej</p><p lang='und'>?</p></body></html>")
    blocks = to_blocks(body_of(root), where="", language="en").blocks
    assert [a.block.language for a in blocks] == ["sv", None]


def test_ids_belong_to_the_block_that_they_start_or_are_in() -> None:
    result = convert(
        "<section id='s'><a id='empty'/><h1 id='h'>T</h1><p>one <b id='b'>two</b></p></section>"
        "<a name='old'/><p>first<br/><br/><a id='mid'/>second</p><hr id='r'/><p id='end'/>"
    )
    assert [(a.block.text, a.ids) for a in result.blocks] == [
        ("T", ("s", "empty", "h")),
        ("one two", ("b",)),
        ("first", ("old",)),
        ("second", ("mid",)),
        ("", ("r",)),
    ]
    assert result.end_ids == ("end",)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<h1>Chapter 1<br/>The Sea</h1>", ["Chapter 1: The Sea"]),
        ("<h1><span>CHAPTER II</span><br/>The Sea</h1>", ["CHAPTER II: The Sea"]),
        ("<h1>A Tale<br/>of Cities</h1>", ["A Tale of Cities"]),
        ("<h2>2</h2><h3>The Sea</h3>", ["2: The Sea"]),
        ("<h2>IV.</h2>\n<h2>The Sea</h2>", ["IV. The Sea"]),
        ("<h2>Mill</h2><h3>The Sea</h3>", ["Mill", "The Sea"]),
        ("<h2>2</h2><p>A motto.</p><h3>The Sea</h3>", ["2", "A motto.", "The Sea"]),
        ("<h2>2</h2><h3>2.1 The Sea</h3>", ["2", "2.1 The Sea"]),
        ("<h1>Part One</h1><h2>Chapter 1</h2><h3>The Sea</h3>", ["Part One", "Chapter 1: The Sea"]),
        ("<h1>Part One</h1><h2>The Sea</h2>", ["Part One", "The Sea"]),
        ("<h1>Part One</h1><h1>The Sea</h1>", ["Part One: The Sea"]),
        ("<h2>Erstes Kapitel</h2><h3>Das Meer</h3>", ["Erstes Kapitel: Das Meer"]),
        ("<h2>Chapitre premier</h2><h3>La mer</h3>", ["Chapitre premier: La mer"]),
        ("<h2>Capítulo 3</h2><h3>El mar</h3>", ["Capítulo 3: El mar"]),
        ("<h2>3</h2><h3 lang='fr'>La mer</h3>", ["3", "La mer"]),
        ("<hgroup><h2>2</h2><p>The Sea</p></hgroup>", ["2: The Sea"]),
        ("<hgroup><h2>The Sea</h2><p>A tale</p></hgroup><p>w</p>", ["The Sea: A tale", "w"]),
        ("<hgroup><h2>The Sea?</h2><h3>A tale</h3></hgroup>", ["The Sea? A tale"]),
        ("<p epub:type='ordinal'>First Day</p><h2>The Sea</h2>", ["First Day: The Sea"]),
        (
            "<p role='doc-ordinal' class='number'>9</p><p epub:type='title'>The Sea</p>",
            ["9: The Sea"],
        ),
        (
            "<h2><span epub:type='ordinal'>9</span><span epub:type='title'>The Sea</span></h2>",
            ["9: The Sea"],
        ),
    ],
)
def test_a_number_and_a_title_are_one_heading(page: str, expected: list[str]) -> None:
    assert texts(page) == expected


def test_one_heading_keeps_the_ids_of_its_parts() -> None:
    (heading,) = convert("<h2 id='a'>2</h2><h3 id='b'>The <i id='c'>Sea</i></h3>").blocks
    assert heading.ids == ("a", "b", "c")
    assert heading.block.level == 2


def test_ten_thousand_nested_elements_are_read() -> None:
    root = node = etree.Element("body")
    for _ in range(10_000):
        node = etree.SubElement(node, "div")
    node.text = "deep"
    root[0].tail = "after"
    blocks = to_blocks(root, where="", language=None).blocks
    assert [a.block.text for a in blocks] == ["deep", "after"]


def test_a_scene_break_after_bare_text_is_recognised() -> None:
    assert kinds("<div>a<p class='scenebreak'/>b</div>")[1] == (BlockKind.SCENE_BREAK, "")


def test_a_single_element_is_converted() -> None:
    root = etree.fromstring("<span>a<b>b</b></span>")
    assert [a.block.text for a in to_blocks(root, where="").blocks] == ["ab"]


@pytest.mark.parametrize(
    ("body", "expected", "numbers"),
    [
        ("…these ascended<span class='lnum'>90</span>", "…these ascended", ["90"]),
        ("<span class='num' id='ln12'>१२</span><span>समन्त</span>", "समन्त", ["१२"]),
        ("The end.<sup class='versenum' id='v3'>3:16</sup>And then", "The end. And then", ["3:16"]),
        ("one<span class='Verse_Number'>[2a]</span>two", "one two", ["[2a]"]),
        (
            "“<b class='v-num'>4–6</b>Go<i class='line-number'>7</i>,” she",
            "“Go,” she",
            ["4–6", "7"],
        ),
    ],
)
def test_numbers_of_lines_and_verses_are_not_joined_to_words(
    body: str, expected: str, numbers: list[str]
) -> None:
    assert texts(f"<p>{body}</p>") == [expected]
    assert skips(f"<p>{body}</p>") == [(SkipReason.LINE_NUMBER, number) for number in numbers]


@pytest.mark.parametrize(
    "body",
    [
        "<span class='num'>1,000</span> men",
        "<span class='num' id='figure3'>12</span> men",
        "<span class='lnum'>ninety</span> men",
        "<span class='verse'>12</span> men",
    ],
)
def test_other_numbers_are_read(body: str) -> None:
    assert skips(f"<p>{body}</p>") == []
    assert texts(f"<p>{body}</p>")[0].endswith(" men")


def test_lines_with_their_numbers_stay_verse() -> None:
    lines = [f"Line {n} of it<span class='lnum'>{n}</span><br/>" for n in (10, 20)]
    assert kinds(f"<p>{''.join(lines)}</p>") == [(BlockKind.VERSE, "Line 10 of it\nLine 20 of it")]
