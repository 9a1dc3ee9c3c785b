"""What people write in Markdown for web pages: admonitions, changes, badges, contents."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.rules_block import StateBlock

from audiomill.inputs.book import BlockKind, Book, Limits, SkipReason
from audiomill.inputs.markdown import reader, templates
from audiomill.inputs.markdown.parser import MAX_NESTING, to_html
from support.reading_data import convert, skipped, texts


@pytest.fixture
def read(tmp_path: Path):
    def read_text(text: str) -> Book:
        path = tmp_path / "a-book.md"
        path.write_text(text, "utf-8")
        return reader.read(path, Limits())

    return read_text


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("> [!NOTE]\n> Oil the mill.\n", ["Note", "Oil the mill."]),
        ("> [!warning]\n> Oil it.\n>\n> Twice.\n", ["Warning", "Oil it.", "Twice."]),
        ("> [!NOISE]\n> Oil it.\n", ["[!NOISE] Oil it."]),
        ("!!! note\n    Oil it.\n", ["Note", "Oil it."]),
        ('!!! danger "Hot *oil*"\n    Wait.\n\nAfter.\n', ["Hot oil", "Wait.", "After."]),
        ('??? tip ""\n    Oil it.\n', ["Oil it."]),
        ("???+ tip\n    - Oil it.\n", ["Tip", "Oil it."]),
        ("!!! Help, she said.\n", ["!!! Help, she said."]),
        ("!!!\n", ["!!!"]),
        (":::note\nOil it.\n:::\nAfter.\n", ["Note", "Oil it.", "After."]),
        ("::: warning Hot oil\nWait.\n:::\n", ["Hot oil", "Wait."]),
        (":::tip[Hot oil]\nWait.\n:::\n", ["Hot oil", "Wait."]),
        (":::{note}\nWait.\n:::\n", ["Note", "Wait."]),
        ("::: columns\nWait.\n:::\n", ["Wait."]),
        ("::::note\n:::tip\nWait.\n:::\n::::\n", ["Note", "Tip", "Wait."]),
        (":::\nWait.\n", ["::: Wait."]),
        ("<details><summary>More</summary>\n\nInside.\n\n</details>\n", ["More", "Inside."]),
    ],
)
def test_admonitions_are_read_as_their_kind_and_text(read, text: str, spoken: list[str]) -> None:
    book = read(text)
    assert texts(book) == spoken
    assert skipped(book) == []


LINK = "https://example.org/mill"


@pytest.mark.parametrize(
    ("item", "spoken", "listed"),
    [
        ("Mended (#12)", "Mended", ["(#12)"]),
        ("Mended (#12, 1a2b3c4).", "Mended.", ["(#12, 1a2b3c4)"]),
        ("Mended (miller/mill#12) at last", "Mended at last", ["(miller/mill#12)"]),
        (f"Mended ([#12]({LINK}/issues/12))", "Mended", ["(#12)"]),
        (f"Mended ([#12]({LINK}), [1a2b3c4]({LINK})) now", "Mended now", ["(#12, 1a2b3c4)"]),
        (f"[`1a2b3c4`]({LINK}) Mended", "Mended", ["1a2b3c4"]),
        ("1a2b3c4d Mended", "Mended", ["1a2b3c4d"]),
        ("Mended `1a2b3c4`", "Mended", ["1a2b3c4"]),
        ("Fixes #12", "Fixes #12", []),
        (f"See [#12]({LINK})", "See #12", []),
        ("Mended (12) sails", "Mended (12) sails", []),
        ("Defaced the facade", "Defaced the facade", []),
        ("1234567 sails", "1234567 sails", []),
        (f"Mended ([the mill]({LINK}))", "Mended (the mill)", []),
        (f"Mended ([#12]({LINK}) and more)", "Mended (#12 and more)", []),
    ],
)
def test_issues_and_commits_of_changes_are_listed(
    read, item: str, spoken: str, listed: list[str]
) -> None:
    book = read(f"- {item}\n")
    assert texts(book) == [spoken]
    assert skipped(book, SkipReason.CHANGE_REFERENCE) == listed


@pytest.mark.parametrize(
    ("line", "spoken", "listed"),
    [
        ('{% include a.html src="2018-03.jpg" %}', [], ['{% include a.html src="2018-03.jpg" %}']),
        ("The {%- raw -%} mill.", ["The mill."], ["{%- raw -%}"]),
        ('See [Mill]({{ "/a/1" | url }}) and [Miller]({{ a.b }}/c).', ["See Mill and Miller."], []),
        ("It turns {{< youtube 6DUG >}}.", ["It turns."], ["{{< youtube 6DUG >}}"]),
        ("## The mill {#mill .wide}", ["The mill"], ["{#mill .wide}"]),
        ('Text.\n{: width="30%" }', ["Text."], ['{: width="30%" }']),
        ("The {{ value }} of {this} {%} and `{% raw %}`", None, []),
    ],
)
def test_commands_of_page_generators_are_listed(
    read, line: str, spoken: list[str] | None, listed: list[str]
) -> None:
    book = read(f"{line}\n\nEnd.\n")
    assert texts(book) == [*([line.replace("`", "")] if spoken is None else spoken), "End."]
    assert skipped(book, SkipReason.TEMPLATE) == listed


@pytest.mark.parametrize(
    ("begins", "ends"),
    [
        ("{% highlight sh %}", "{% endhighlight %}"),
        ('{{< highlight go "linenos=table" >}}', "{{< /highlight >}}"),
    ],
)
def test_what_stands_between_commands_for_code_is_code(read, begins: str, ends: str) -> None:
    book = read(f"It runs:\n{begins}\nls $1\n\npwd\n{ends}\nThen.\n")
    blocks = [(block.kind, block.text) for chapter in book.chapters for block in chapter.blocks]
    assert blocks == [
        (BlockKind.PARAGRAPH, "It runs:"),
        (BlockKind.CODE, "ls $1\n\npwd"),
        (BlockKind.PARAGRAPH, "Then."),
    ]
    assert skipped(book, SkipReason.TEMPLATE) == [begins, ends]


def test_commands_that_begin_code_without_an_end_are_searched_once(read, monkeypatch) -> None:
    begins, n_looked = "{% highlight sh %}", Counter[int]()
    line = templates._line

    def counted(state: StateBlock, number: int) -> str:
        n_looked[number] += 1
        return line(state, number)

    monkeypatch.setattr(templates, "_line", counted)
    book = read(f"> {begins}\n> ls\n> {{% endhighlight %}}\n" + 200 * f"{begins}\n\n" + "End.\n")
    assert [(one.kind, one.text) for one in book.chapters[0].blocks] == [
        (BlockKind.CODE, "ls"),
        (BlockKind.PARAGRAPH, "End."),
    ]
    assert n_looked.total() < 5 * 400


@pytest.mark.parametrize(
    "badge",
    [
        "[![Build](https://img.shields.io/b/x)](https://ci.example)",
        "![Build](https://github.com/m/m/workflows/test/badge.svg)",
        "[![Build](https://ci.example/status.svg?branch=main)](https://ci.example)",
        "![Build](https://badge.fury.io/py/mill)",
    ],
)
def test_badges_are_listed_as_such(read, badge: str) -> None:
    book = read(f"# Mill {badge}\n\nText.\n")
    assert texts(book) == ["Mill", "Text."]
    assert skipped(book, SkipReason.BADGE) == ["Build"]


@pytest.mark.parametrize(
    "contents",
    [
        "## Inhalt\n\n- [A](#a)\n- [B](#b)\n- [C](#c)\n",
        "## Contents\n\n<!-- made by a program -->\n\n- [A](#a)\n- [B](#b)\n- [C](#c)\n",
        "## Table des matières\n\n1. [A](#a)\n2. [B](#b)\n   - [C](#c)\n",
        "[[_TOC_]]\n",
        "[TOC]\n",
    ],
)
def test_contents_are_not_read(read, contents: str) -> None:
    book = read(f"# Mill\n\n{contents}\n## A\n\nText.\n")
    assert texts(book) == ["Mill", "A", "Text."]
    assert skipped(book, SkipReason.TABLE_OF_CONTENTS)


@pytest.mark.parametrize("opening", [":::note\n\n", ":" * 3 + "a b\n", "!!! note\n    "])
def test_nested_admonitions_lose_no_word(opening: str) -> None:
    blocks = convert(to_html(f"{opening * (3 * MAX_NESTING)}deep\n\nAfter.\n")).blocks
    spoken = " ".join(anchored.block.text for anchored in blocks)
    assert "deep" in spoken
    assert "After." in spoken


PIECES = ("w ", "#12", "(#12)", "(", ")", ", ", "1a2b3c4", "`1a2b3c4`", "[#12](u)", "[1a2b3c4](u)")


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_no_mark_of_a_change_is_lost_or_doubled(pieces: list[str]) -> None:
    text = "".join(pieces)
    result = convert(to_html(f"- Text {text} end"))
    spoken = "".join(one.block.text for one in result.blocks)
    found = spoken + "".join(one.text for one in result.skipped)
    shown = text.replace("(u)", "")
    for part in ("w", "12", "1a2b3c4"):
        assert found.count(part) == shown.count(part)
