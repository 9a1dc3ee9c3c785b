"""The commands that the documents name. A test that runs one takes it from here.

    documents ─▶ commands() ─▶ documented("audiomill doctor") in a test ─▶ named_by_tests()

`tests/test_docs.py` compares both ends, so that a command without a test turns it red.
"""

import ast
import re
import shlex
import sys
from collections.abc import Iterator

import pytest

from support.paths import ROOT

PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
# Commands in design notes are records of what was measured.
IN_SITE = sorted(
    page for page in (ROOT / "docs").rglob("*.md") if page.parent != ROOT / "docs" / "design"
)
DOCUMENTS = (*(ROOT / name for name in PAGES), *IN_SITE)
ALL_TEXT = "\n".join(path.read_text("utf-8") for path in DOCUMENTS)
# A span of code that begins with one of these, and has more words, is a command; but not
# `audiomill render`, which only names one.
PROGRAMS = ("audiomill", "dask", "docker", "make", "pip", "pipx", "prefect", "python", "sh", "uv")
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")
COMMENT = re.compile(r"(^|\s)#.*")
VARIABLE = re.compile(r"[A-Z_]+=")
# The functions below, by which a test names what it runs.
NAMERS = ("documented", "each_documented")


def blocks(kind: str, text: str = ALL_TEXT) -> list[str]:
    """The content of all blocks of code of that kind, for example "sh"."""
    return [content for found, content in FENCE.findall(text) if found == kind]


def spans() -> list[str]:
    """All spans of code outside of blocks, each once, on one line."""
    found = (" ".join(span.split()) for span in SPAN.findall(FENCE.sub("", ALL_TEXT)))
    return list(dict.fromkeys(found))


def lines_of(block: str) -> list[str]:
    """The commands of a block, without comments."""
    commands = (COMMENT.sub("", line).strip() for line in block.splitlines())
    return [line for line in commands if line]


def commands() -> list[str]:
    """All commands of the documents, each once."""
    in_blocks = (line for block in blocks("sh") for line in lines_of(block))
    return list(dict.fromkeys((*in_blocks, *filter(_is_command, spans()))))


def documented(line: str) -> list[str]:
    """The words of a command that a document names. The test that calls this runs it."""
    assert line in commands(), f"no document names this command: {line}"
    return shlex.split(line)


def each_documented(*lines: str) -> pytest.MarkDecorator:
    """A test with a parameter `words` that runs each of these commands."""
    return pytest.mark.parametrize("words", [*map(documented, lines)], ids=lines)


def process_of(words: list[str]) -> list[str]:
    """The command as a process of this interpreter; variables before it are set by `env`."""
    started = [sys.executable if word == "python" else word for word in words]
    return ["env", *started] if VARIABLE.match(started[0]) else started


def named_by_tests() -> set[str]:
    """The commands that tests name by the functions above."""
    texts = (path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    # To parse all tests takes longer than to run those that name a command.
    naming = [text for text in texts if any(f"{namer}(" in text for namer in NAMERS)]
    return {line for text in naming for line in _named(ast.parse(text))}


def _named(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from map(ast.literal_eval, node.args if node.func.id in NAMERS else ())


def _is_command(span: str) -> bool:
    program, *rest = [word for word in span.split() if not VARIABLE.match(word)] or [""]
    return program in PROGRAMS and len(rest) > (program == "audiomill")
