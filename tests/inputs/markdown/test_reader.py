"""Markdown to a book: the headings that begin chapters, and a README."""

import textwrap

import pytest

from audiomill.inputs.book import BlockKind, Limits, SkipReason, SourceCorrupt, SourceTooLarge
from audiomill.inputs.markdown import reader
from support.reading_data import skipped, texts, titles

LIMITS = Limits()


@pytest.fixture
def read(tmp_path):
    def read_text(text, *, name="a-book.md", encoding="utf-8", limits=LIMITS):
        path = tmp_path / name
        data = text if isinstance(text, bytes) else textwrap.dedent(text).encode(encoding)
        path.write_bytes(data)
        return reader.read(path, limits)

    return read_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n\nx\n\n# B\n\nx", [("A", 1), ("B", 1)]),
        ("# Book\n\n## A\n\nx\n\n## B\n\nx", [("A", 1), ("B", 1)]),
        ("# Book\n\nIntro.\n\n## A\n\nx", [("Book", 1), ("A", 1)]),
        ("Intro.\n\n# A\n\nx\n\n# B\n\nx", [("a book", 1), ("A", 1), ("B", 1)]),
        ("# Book\n\n### A\n\nx\n\n### B\n\nx", [("A", 1), ("B", 1)]),
        ("# Book\n\n## A subtitle\n\n### A\n\nx\n\n### B\n\nx", [("A", 1), ("B", 1)]),
        ("# Book\n\n## Usage\n\nx\n\n### Fast\n\nx", [("Usage", 1)]),
        ("# Book\n\nOnly text.", [("Book", 1)]),
        ("## A\n\nx\n\n## B\n\nx\n\n### B1\n\nx", [("A", 1), ("B", 1)]),
        (
            "# Part One\n\n## A\n\nx\n\n# Part Two\n\n## B\n\nx",
            [("Part One", 1), ("A", 2), ("Part Two", 1), ("B", 2)],
        ),
        (
            "# Book\n\n## Part I\n\n### A\n\nx\n\n## Part II\n\n### B\n\nx",
            [("Part I", 1), ("A", 2), ("Part II", 1), ("B", 2)],
        ),
        ("A\n===\n\nx\n\nB\n===\n\nx", [("A", 1), ("B", 1)]),
        ("No headings at all.", [("a book", 1)]),
        ("", []),
    ],
)
def test_chapters_begin_at_the_right_level(read, text, expected):
    book = read(text)
    assert titles(book) == expected


def test_a_title_without_text_begins_the_first_chapter(read):
    book = read("# The Book\n\n## One\n\nText.")
    assert book.title == "The Book"
    assert texts(book) == ["The Book", "One", "Text."]


README = """\
    # Mill [![Build](https://img.example/b.svg)](https://ci.example)

    ![Coverage](https://img.example/c.svg)
    <!-- a comment -->

    ## Contents

    - [Install](#install)
    - [Usage](#usage)
      - [Fast](#fast)

    ## Install

    ```sh
    pip install mill
    ```

    Read [the manual][m] or <https://example.org/a>. It's :tada: 🎉 ~~slow~~ fast.

    - [x] stones
    - [ ] sails

    <details><summary>More</summary>

    Inside **details**.

    </details>

    ## Usage

    | Part | Price |
    |------|-------|
    | Sail | £9    |

    > Quoted *words*.[^1]

    Roses are red,\\
    Violets are blue.

    ***

    <img src="a.png" alt="A picture"> The `end` &amp; more.

    [m]: https://example.org/manual

    [^1]: A note.
    """


def test_a_readme(read):
    book = read(README)
    assert titles(book) == [("Install", 1), ("Usage", 1)]
    assert texts(book, BlockKind.PARAGRAPH) == [
        "Read the manual or https://example.org/a. It's 🎉 slow fast.",
        "More",
        "Inside details.",
        "The end & more.",
    ]
    assert texts(book, BlockKind.LIST_ITEM) == ["stones", "sails"]
    assert texts(book, BlockKind.TABLE) == ["Part; Price\nSail; £9"]
    assert texts(book, BlockKind.QUOTE) == ["Quoted words."]
    assert texts(book, BlockKind.VERSE) == ["Roses are red,\nViolets are blue."]
    assert texts(book, BlockKind.CODE) == ["pip install mill"]
    assert texts(book, BlockKind.SCENE_BREAK) == [""]
    assert skipped(book, SkipReason.TABLE_OF_CONTENTS) == ["Contents", "Install Usage Fast"]
    assert skipped(book, SkipReason.NOTE_REFERENCE) == ["[1]"]
    assert "A note." in skipped(book, SkipReason.NOTE)[0]


FORMULAS = {
    "Let $x^2$, $`y`$, {math}`z`, \\(a_i\\) and \\\\(n = 5\\\\) be.": (
        ["Let x squared, y, z, a sub i and n = 5 be."],
        ["x^2", "y", "z", "a_i", "n = 5"],
    ),
    "So\n$$\nx\n=\n1\n$$\nis it.": (["So", "x = 1", "is it."], ["x = 1"]),
    "\\[\na^2\n+ b\n\\]": (["a squared + b"], ["a^2 + b"]),
    "\\begin{align}\nx &= 1\n\\end{align}": (["x = 1"], [r"\begin{align} x &= 1 \end{align}"]),
    "```math\nx^3\n```": (["x cubed"], ["x^3"]),
    "$\\nothing{x}$ is the $i$th.": (["formula is the ith."], [r"\nothing{x}", "i"]),
    "# The $O(n)$ bound": (["The O of n bound"], ["O(n)"]),
    "It is $5 and $6, or US$5/A$6 a $20/month or $7.": (
        ["It is $5 and $6, or US$5/A$6 a $20/month or $7."],
        [],
    ),
    "In $HOME/bin:$PATH, ${a}/${b}, $foo$bar, 5$ and 6$, $$ – $$$.": (
        ["In $HOME/bin:$PATH, ${a}/${b}, $foo$bar, 5$ and 6$, $$ – $$$."],
        [],
    ),
    "$$ x = 1 $$ (eq:a)\n\nso $q e x$, 16$\\times$, ${p_t}^2 $ but $ 5 or $6 ": (
        ["x = 1", "so q e x, 16 ×, p sub t squared but $ 5 or $6"],
        [r"x = 1 \label{eq:a}", "q e x", r"\times", "{p_t}^2"],
    ),
    "An ARMA$(p,q)$ of H$_2$O in m$^2$": (
        ["An ARMA (p, q) of H2O in m squared"],
        ["(p,q)", "_2", "^2"],
    ),
    "- \\[x\\] box \\[see a\\_b\\] \\(see $5\\)": (["[x] box [see a_b] (see $5)"], []),
}


@pytest.mark.parametrize(("text", "expected"), FORMULAS.items())
def test_formulas_in_latex_are_said_and_prices_are_none(read, text, expected):
    book = read(text)
    assert (texts(book), skipped(book, SkipReason.FORMULA)) == expected


MDX = """\
    import Tabs from '@theme/Tabs';
    import {
      A
    } from "a";

    export const meta = {

      b: () => { return 1 }
    };

    # Title {/* title */}

    <Tabs values={[{a: 1}]}>
      <TabItem value="a" label="npm">
        Text **bold** for {props.name} is{" "}here.

        <details>
        <summary>Show *it*</summary>
        ```js
        <Tabs a={b}>
        ```
        </details>
      </TabItem>
    </Tabs>

    <Card
      title="A & B"
      onClick={() => go("}")}
    >
    In the card
    </Card>

    <Card title="C">with text</Card>

    <Note>Be careful.</Note>

    <div style={{ color: 'red' }} className="x">It's red. Don't {x}</div>

    <Image src={x} alt="A mill" /> <>one</>

    {items.map(item => (
      <li>{item}</li>

    ))}
    """


def test_what_components_hold_is_read_and_what_they_are_told_is_listed(read):
    book = read(MDX, name="a.mdx")
    assert texts(book) == [
        *("Title", "npm", "Text bold for is here.", "Show it", "<Tabs a={b}>", "A & B"),
        *("In the card", "C", "with text", "Note", "Be careful.", "It's red. Don't", "one"),
    ]
    assert skipped(book, SkipReason.TEMPLATE) == [
        "import Tabs from '@theme/Tabs'; import { A } from \"a\";",
        "export const meta = { b: () => { return 1 } };",
        "{/* title */}",
        "<Tabs values={[{a: 1}]}>",
        '<TabItem value="a" label="npm">',
        "{props.name}",
        '<Card title="A & B" onClick={() => go("}")} >',
        '<Card title="C">',
        "<div style={{ color: 'red' }} className=\"x\">",
        "{x}",
        '<Image src={x} alt="A mill" />',
        "{items.map(item => ( <li>{item}</li> ))}",
    ]
    assert skipped(book, SkipReason.ALTERNATIVE_TEXT) == ["A mill"]
    assert titles(read("import A from 'a';\n\n# {1}Title\n")) == [("Title", 1)]


ROLES = {
    "See {ref}`the *mill* <m>`, {doc}`a/my_mill`{cite}`k97` as :numref:`m` and {kbd}`x`.": (
        ["See the *mill*, my mill as and x."],
        ["{ref}the *mill* <m>", "{doc}a/my_mill", "{cite}k97", ":numref:m", "{kbd}"],
    ),
    "I :heart: it (:pencil:) :tada:\n\n- :book: New a:b:c\n\n|a|b|\n|-|-|\n|c|:heavy_x:|": (
        ["I heart it (pencil)", "New a:b:c", "a; b\nc; heavy x"],
        [":tada:", ":book:"],
    ),
    '::note\nText\n::\n\n::card{title="A" icon="b"}\n**b**\n::\n\nstd::x\n::y z': (
        ["Note", "Text", "A", "b", "std::x ::y z"],
        ['::card{title="A" icon="b"}'],
    ),
    "> [!NOTE] If it is\n> so.\n\n> [!tip]- My *title*\n> Text\n\n> [!a] b": (
        ["Note", "If it is so.", "My title", "Text", "[!a] b"],
        [],
    ),
    "- [x] [README.md] is": (["[README.md] is"], []),
    "(a-b)=\nText of [the `mill`] [docs.mill], a[i][b.c], {cite:t}`x` in {cite}`k` {cite}`l`": (
        ["Text of the mill, a[i][b.c], x in k"],
        ["(a-b)=", "[docs.mill]", "{cite:t}", "{cite}", "{cite}l"],
    ),
    "```{note}\n:class: x\nText **b**\n```\n\n```{code-cell}\n:a: b\n```": (
        ["Note", "Text b", ":a: b"],
        [":class: x"],
    ),
    '=== "One *1*"\n\n    Text\n\n        code\n\n=== "Two"\n    b\nc\n\n=== x': (
        ["One 1", "Text", "code", "Two", "b", "c", "=== x"],
        [],
    ),
}


@pytest.mark.parametrize(("text", "expected"), ROLES.items())
def test_roles_icons_and_options(read, text, expected):
    book = read(text)
    assert (texts(book), skipped(book, SkipReason.TEMPLATE)) == expected


def test_only_tags_with_an_end_are_tags(read):
    book = read("Press <Enter> in </> for Vec<T>, {x} and <Foo>bar</Foo>.\n\n<Esc>\n\n    a {b}\n")
    assert texts(book) == ["Press <Enter> in </> for Vec<T>, {x} and bar.", "<Esc>", "a {b}"]


def test_words_in_another_language(read):
    book = read('<p lang="fr">Bonjour.</p>\n\nHello.')
    assert [block.language for block in book.chapters[0].blocks] == ["fr", None]


def test_broken_html_loses_no_words(read):
    book = read("One <b>two\n\n<div>three <p>four\n\n</section> five <br> six &nbsp; & 7 < 8\n")
    assert " ".join(texts(book)).split() == [
        "One",
        "two",
        "three",
        "four",
        "five",
        "six",
        "&",
        "7",
        "<",
        "8",
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_encodings_are_detected(read, encoding):
    book = read("# Café — “naïve”\r\n\r\nÉté.\r\n", encoding=encoding)
    assert texts(book) == ["Café — “naïve”", "Été."]
    assert book.warnings == ()


def test_windows_1252_is_a_warning(read):
    book = read("Café — “naïve”.".encode("cp1252"))
    assert texts(book) == ["Café — “naïve”."]
    assert "windows-1252" in book.warnings[0]


def test_binary_data_is_refused(read):
    with pytest.raises(SourceCorrupt, match=r"“a-book\.md” holds binary data"):
        read(b"# Title\n\0\1\2")


def test_too_much_text_is_refused_but_pictures_are_not_text(read):
    limits = Limits(max_text_chars=100)
    with pytest.raises(SourceTooLarge, match="max_text_chars"):
        read("word " * 30, limits=limits)
    book = read(f"Text. ![x](data:image/png;base64,{'A' * 500})", limits=limits)
    assert texts(book) == ["Text."]
