"""What people write in Markdown for web pages: admonitions, changes, badges, contents."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.rules_block import StateBlock

from audiomill.inputs.markdown import marks, reader
from audiomill.inputs.markdown.parser import MAX_NESTING, to_html
from audiomill.inputs.model.book import BlockKind, Book, Limits
from support.reading_data import convert


@pytest.fixture
def read(tmp_path: Path):
    def read_text(text: str) -> Book:
        path = tmp_path / "a-book.md"
        path.write_text(text, "utf-8")
        return reader.read(path, Limits())

    return read_text


def test_commands_that_begin_code_without_an_end_are_searched_once(read, monkeypatch):
    begins, n_looked = "{% highlight sh %}", Counter[int]()
    line = marks._line

    def counted(state: StateBlock, number: int) -> str:
        n_looked[number] += 1
        return line(state, number)

    monkeypatch.setattr(marks, "_line", counted)
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
