"""Files of cases: what is given, and what comes of it, told in lines that begin with `=> `.

    ;; A line of asterisks is a scene break.
    It rained.

    * * *
    => paragraph: It rained.
    => scene break: * * *

A title, `;; …`, holds until the next one. `@ name=value` above what is given sets options. In both
parts `{U+00A0}` is that character, and `{9 × word }` is nine times what stands behind the sign.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

_CHARACTER = re.compile(r"\{U\+([0-9A-F]{4,6})\}")
_REPEATED = re.compile(r"\{(\d+) × ([^{}]*)\}")
_ANSWER = re.compile("=>(?: |$)")


@dataclass(frozen=True, slots=True)
class Case:
    """What is given, with its options, and the lines that shall come of it."""

    title: str
    given: str
    options: dict[str, Any]
    expected: tuple[str, ...]


def read_cases(path: Path) -> Iterator[Case]:
    """All cases of a file, in order."""
    title = ""
    lines = path.read_text(encoding="utf-8").split("\n")
    parts = [(key, [*part]) for key, part in groupby(lines, lambda one: bool(_ANSWER.match(one)))]
    for (_, above), (_, answers) in zip(parts[::2], parts[1::2], strict=False):
        given, options = _trimmed(above), {}
        while given and given[0].startswith((";; ", "@ ")):
            mark, _, told = given[0].partition(" ")
            if mark == "@":
                name, _, value = told.partition("=")
                options[name] = json.loads(value)
            else:
                title = told
            given = _trimmed(given[1:])
        expected = tuple(written_out(line[3:]) for line in answers)
        yield Case(title, written_out("\n".join(given)), options, tuple(filter(None, expected)))


def _trimmed(lines: list[str]) -> list[str]:
    first = next((at for at, line in enumerate(lines) if line), len(lines))
    return lines[first:]


def written_out(text: str) -> str:
    """The text without the signs of files of cases."""
    text = _REPEATED.sub(lambda found: found[2] * int(found[1]), text)
    return _CHARACTER.sub(lambda found: chr(int(found[1], 16)), text)


def assert_cases(path: Path, answer: Callable[..., list[str]]) -> None:
    """Fail unless `answer(given, **options)` has the lines of each case; show all that have not."""
    wrong: list[str] = []
    cases = [*read_cases(path)]
    for case in cases:
        told = answer(case.given, **case.options)
        if told != [*case.expected]:
            told_lines, expected = (
                "\n".join(f"=> {line}" for line in lines) for lines in (told, case.expected)
            )
            wrong.append(
                f";; {case.title}\n{case.given}\n{told_lines}\nbut should be\n{expected}\n"
            )
    assert not wrong, "\n".join([f"{len(wrong)} of {len(cases)} cases in {path.name}:", *wrong])
