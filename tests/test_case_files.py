"""Files of cases are run whole: a row or a case that does not hold is told, none is forgotten."""

import re
from pathlib import Path

import pytest

from support.case_files import assert_cases, each_row, rows_of

TESTS = Path(__file__).parent


@each_row
def test_a_row_is_a_literal_or_text(cell, kind):
    assert type(cell).__name__ == kind


def test_what_does_not_hold_is_told(tmp_path):
    def shorter(text, length):
        assert len(text) < length

    shorter.__name__ = "some_rows"
    with pytest.raises(AssertionError, match=r"2 of 3 rows fail:\n\('four', 4\)"):
        each_row(shorter)()
    file = tmp_path / "some.txt"
    file.write_text(";; A case.\none\n=> one\n\n{2 × two}{U+0021}\n=> twotwo!\n")
    assert_cases(file, lambda text: [text])
    with pytest.raises(AssertionError, match=r"1 of 2 cases in some.txt:\n;; A case.\ntwotwo!"):
        assert_cases(file, lambda text: [text.replace("two", "2")])
    file.write_text(";; A case.\none\n=> one\n\ntwo\n")
    with pytest.raises(ValueError, match=r"some.txt ends with a case that has no answer"):
        assert_cases(file, lambda text: [text])


def test_each_section_has_its_test():
    for file in TESTS.rglob("cases/*.txt"):
        names = re.findall(r"^;; (test_\w+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
        module = file.parent.parent / f"test_{file.stem}.py"
        for name in names:
            test = rf"@each_row(_apart)?\n([@ )].*\n)*def {name}\("
            assert re.search(test, module.read_text(encoding="utf-8")), name
            assert rows_of(file, name)
