"""No word of a Markdown file is lost, however nested or hostile, also in marks for web pages."""

import itertools
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.rules_block import StateBlock

from audiomill.inputs.markdown import marks
from audiomill.inputs.markdown.mdx import Dialect
from audiomill.inputs.markdown.parser import MAX_NESTING, to_html
from audiomill.inputs.model.book import BlockKind
from audiomill.inputs.segmentation.lengths import is_speakable
from support.case_files import rows_of
from support.examples import many_examples
from support.reading_data import convert, skipped, texts


def words(result):
    """Every word of a converted page, spoken or skipped."""
    spoken = [anchored.block.text for anchored in result.blocks]
    return " ".join([*spoken, *(item.text for item in result.skipped)]).split()


NESTED = {
    "quotes": ("> ", ""),
    "lists": ("- ", "  "),
    "numbered lists": ("1. ", "   "),
    "quoted lists": ("> - ", ">   "),
    "notes": ("[^n]: ", "    "),
}


@pytest.mark.parametrize("depth", [5, 19, 21, MAX_NESTING // 2, MAX_NESTING, 500, 2_000])
@pytest.mark.parametrize("kind", NESTED)
def test_nested_blocks_lose_no_word(read, kind, depth):
    mark, _ = NESTED[kind]
    book = read(f"Before.\n\n{mark * depth}deep\n\nAfter one.\n\nAfter two.\n")
    all_text = " ".join([*texts(book), *skipped(book)])
    for word in ("Before.", "deep", "After one.", "After two."):
        assert word in all_text


@pytest.mark.parametrize("depth", [12, 40, 100])
@pytest.mark.parametrize("kind", NESTED)
def test_changing_depths_lose_no_word(kind, depth):
    mark, indent = NESTED[kind]
    lines = [f"{(indent or mark) * n}{mark}w{n}w" for n in range(depth)]
    lines += [f"{(indent or mark) * n}v{n}v\n" for n in reversed(range(depth))]
    all_text = " ".join(words(convert(to_html("\n".join(lines)))))
    for n in range(depth):
        assert f"w{n}w" in all_text
        assert f"v{n}v" in all_text


def indented(text, by):
    first, *rest = text.split("\n")
    return "\n".join([first, *(f"{' ' * by}{line}" if line else "" for line in rest)])


KINDS = ["text", "table", "quote", "list", "ordered", "note", "formula", "tag", "role", "tab"]


@st.composite
def documents(draw):
    """Nested blocks of Markdown, and their words, each of which occurs once."""
    n_words, labels = itertools.count(), itertools.count()

    def text():
        return " ".join(f"w{next(n_words)}w" for _ in range(draw(st.integers(1, 3))))

    def table():
        width = draw(st.integers(1, 3))
        rows = [[text() for _ in range(draw(st.integers(1, 4)))] for _ in range(2)]
        head = [text() for _ in range(width)]
        lines = [head, ["---"] * width, *rows]
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)

    def note():
        label = draw(st.sampled_from(["a", "b", f"n{next(labels)}"]))
        reference = f" [^{label}] ^[{text()}]" if draw(st.booleans()) else ""
        return f"{text()}{reference}\n\n[^{label}]: {{}}", 4

    def block(depth):
        kind = draw(st.sampled_from(KINDS))
        if kind == "text" or depth > 8:
            return text()
        if kind == "table":
            return table()
        if kind == "formula":
            mark = draw(st.sampled_from(["$", "$$", "$$\n", "\\\\(", "\\["]))
            end = {"$$\n": "\n$$", "\\\\(": "\\\\)", "\\[": "\\]"}.get(mark, mark)
            return f"{text()} {mark}x_1 \\text{{{text()}}}{end} {text()}"
        if kind == "role":
            role = draw(st.sampled_from(["{ref}", "{doc}", ":cite:", "{kbd}", "{x}", ":a:"]))
            return f":class: {text()}\n\n:{text().replace(' ', '-')}: {role}`{text()} <{text()}>`"
        inner = blocks(depth + 1)
        if kind == "tab":
            return f'=== "{text()}"\n\n    {indented(inner, 4)}'
        if kind == "tag":
            name = draw(st.sampled_from(["Card", "div", "Note", "a.b", ""]))
            attributes = ["", " b={'>'}"] if name else [""]
            attribute = draw(st.sampled_from(attributes))
            title = f' title="{text()}"' if name[:1].isupper() else ""
            space = draw(st.sampled_from(["\n", "\n\n", "  "]))
            return f"<{name}{attribute}{title}>{space}{inner}{space}</{name}> {{{text()}}}"
        if kind == "quote":
            return "\n".join(f"> {line}" for line in inner.split("\n"))
        if kind == "note":
            frame, by = note()
            return frame.format(indented(inner, by))
        mark = "- " if kind == "list" else "7. "
        return mark + indented(inner, len(mark))

    def blocks(depth):
        return "\n\n".join(block(depth) for _ in range(draw(st.integers(1, 2))))

    return blocks(0), [f"w{n}w" for n in range(next(n_words))]


@many_examples(200)
@given(documents(), st.sampled_from(Dialect))
def test_every_word_is_in_a_block_or_listed(document, dialect):
    text, expected = document
    all_text = " ".join(words(convert(to_html(text, dialect))))
    assert [word for word in expected if word not in all_text] == []


HOSTILE = dict(rows_of(Path(__file__).with_name("cases") / "whole.txt", "HOSTILE"))


@pytest.mark.prove
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_markdown_is_read(read, name):
    imports = "import A from 'a'\n\n" if "without an end" in name else ""  # MDX
    book = read(f"{imports}Before.\n\n{HOSTILE[name]}\n")
    assert texts(book)[0] == "Before."


@many_examples(60)
@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1), min_size=1))
def test_plain_words_keep_their_order(words):
    blocks = convert(to_html(" ".join(words))).blocks
    assert [w for b in blocks for w in b.block.text.split()] == words


@many_examples(60)
@given(st.text(max_size=200), st.sampled_from(Dialect))
def test_any_text_is_read(text, dialect):
    blocks = convert(to_html(text, dialect)).blocks
    assert all(block.block.text.strip() == block.block.text for block in blocks)
    if text.isalpha() and is_speakable(text):
        assert blocks


def test_commands_that_begin_code_without_an_end_are_searched_once(read, monkeypatch):
    begins, n_looked = "{% highlight sh %}", Counter[int]()
    line = marks.line_at

    def counted(state: StateBlock, number: int) -> str:
        n_looked[number] += 1
        return line(state, number)

    monkeypatch.setattr(marks, "line_at", counted)
    book = read(f"> {begins}\n> ls\n> {{% endhighlight %}}\n" + 200 * f"{begins}\n\n" + "End.\n")
    assert [(one.kind, one.text) for one in book.chapters[0].blocks] == [
        (BlockKind.CODE, "ls"),
        (BlockKind.PARAGRAPH, "End."),
    ]
    assert n_looked.total() < 5 * 400


@pytest.mark.parametrize("opening", [":::note\n\n", ":" * 3 + "a b\n", "!!! note\n    "])
def test_nested_admonitions_lose_no_word(opening):
    blocks = convert(to_html(f"{opening * (3 * MAX_NESTING)}deep\n\nAfter.\n")).blocks
    spoken = " ".join(anchored.block.text for anchored in blocks)
    assert "deep" in spoken
    assert "After." in spoken


PIECES = ("w ", "#12", "(#12)", "(", ")", ", ", "1a2b3c4", "`1a2b3c4`", "[#12](u)", "[1a2b3c4](u)")


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_no_mark_of_a_change_is_lost_or_doubled(pieces):
    text = "".join(pieces)
    result = convert(to_html(f"- Text {text} end"))
    spoken = "".join(one.block.text for one in result.blocks)
    found = spoken + "".join(one.text for one in result.skipped)
    shown = text.replace("(u)", "")
    for part in ("w", "12", "1a2b3c4"):
        assert found.count(part) == shown.count(part)
