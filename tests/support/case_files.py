"""Files of cases: rows for a test, or what is given and what comes of it.

    ;; test_a_short_line_is_a_heading       a line is a row, its cells are what the test takes
    CHAPTER ONE | 1                         a text as it stands, or a Python literal

    ;; A line of asterisks is a scene break.
    It rained.

    * * *
    => paragraph: It rained.
    => scene break: * * *

A title, `;; …`, holds until the next one. `@ name=value` above what is given sets options. In both
parts, and in rows, `{9 × word }` is nine times what stands behind the sign; in both parts only,
`{U+00A0}` is that character.
"""

import ast
import inspect
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

_CHARACTER = re.compile(r"\{U\+([0-9A-F]{4,6})\}")
_REPEATED = re.compile(r"\{(\d+) × ([^{}]*)\}")
_LITERAL = re.compile(r"[\[({'\"\d+-]|b['\"]|(?:True|False|None)$")
_ANSWER = re.compile("=>(?: |$)")


@dataclass(frozen=True, slots=True)
class Case:
    """What is given, with its options, and the lines that shall come of it."""

    title: str
    given: str
    options: dict[str, Any]
    expected: tuple[str, ...]


def read_cases(path: Path) -> Iterator[Case]:
    """All cases of a file, in order. Raises ValueError for one without an answer at the end."""
    title = ""
    lines = path.read_text(encoding="utf-8").split("\n")
    parts = [(key, [*part]) for key, part in groupby(lines, lambda one: bool(_ANSWER.match(one)))]
    if len(parts) % 2 and any(parts[-1][1]):
        raise ValueError(f"{path.name} ends with a case that has no answer")
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
    return _CHARACTER.sub(lambda found: chr(int(found[1], 16)), _repeated(text))


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


def each_row(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test for each row of its section in the module's file of cases; show all that fail.

    The file of `test_robots.py` is `cases/robots.txt` beside it. The rows' cells are the last
    parameters of the test; those before them are fixtures, which all rows share.
    """
    return each_of(_of_test(test)[0])(test)


def each_of(rows: Sequence[tuple[Any, ...]]) -> Callable[..., Callable[..., None]]:
    """As `each_row`, for rows that a test makes itself: one item in place of hundreds."""

    def in_one(test: Callable[..., None]) -> Callable[..., None]:
        parameters = [*inspect.signature(test).parameters.values()]
        fixtures = parameters[: len(parameters) - len(rows[0])]

        @wraps(test)
        def run(**given: Any) -> None:
            wrong = [failure for row in rows if (failure := _failure(test, given, row))]
            assert not wrong, "\n".join([f"{len(wrong)} of {len(rows)} rows fail:", *wrong])

        run.__signature__ = inspect.Signature(fixtures)  # type: ignore[attr-defined]
        return run

    return in_one


def each_row_apart(test: Callable[..., None]) -> Callable[..., None]:
    """As `each_row`, but each row is a test of its own, with fixtures of its own."""
    rows, parameters = _of_test(test)
    names = [one.name for one in parameters[len(parameters) - len(rows[0]) :]]
    return pytest.mark.parametrize(names, rows)(test)


def _of_test(test: Callable[..., None]) -> tuple[list[tuple[Any, ...]], list[inspect.Parameter]]:
    """The rows and the parameters of a test."""
    module = Path(inspect.getfile(test))
    path = module.with_name("cases") / f"{module.stem.removeprefix('test_')}.txt"
    return rows_of(path, test.__name__), [*inspect.signature(test).parameters.values()]


def _failure(test: Callable[..., None], given: dict[str, Any], row: tuple[Any, ...]) -> str:
    """What is wrong with a row; "" if nothing is."""
    try:
        test(*given.values(), *row)
    except (AssertionError, pytest.fail.Exception) as error:
        return f"{row}\n{error}\n"
    except Exception as error:
        error.add_note(f"of the row {row}")
        raise
    return ""


def rows_of(path: Path, section: str) -> list[tuple[Any, ...]]:
    """The rows below `;; section` in a file of cases. Raises ValueError if there are none."""
    lines = path.read_text(encoding="utf-8").splitlines()
    start = lines.index(f";; {section}") + 1
    rows: list[tuple[Any, ...]] = []
    for line in lines[start:]:
        if line.startswith(";; "):
            break
        if line and not line.startswith("# "):
            rows.append(tuple(map(_cell, line.split(" | "))))
    if not rows:
        raise ValueError(f"{path.name} has no rows below {section}")
    return rows


def _cell(text: str) -> Any:
    is_literal, text = _LITERAL.match(text), _repeated(text)
    return ast.literal_eval(text) if is_literal else text


def _repeated(text: str) -> str:
    return _REPEATED.sub(lambda found: found[2] * int(found[1]), text)
