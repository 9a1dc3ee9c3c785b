"""Each file of cases, `as written | as spoken`, is said as it tells: cases/en-GB/times.txt, …"""

import pytest

from audiomill.inputs.languages.grammars import spoken_line
from support.case_files import each_row
from support.spoken_cases import CASES, assert_said

# Others, which are named after a test, hold its rows.
FILES = sorted(
    file.relative_to(CASES).as_posix()
    for file in CASES.rglob("*.txt")
    if "-" in file.relative_to(CASES).parts[0]
)


@pytest.mark.parametrize("name", FILES)
def test_each_line_is_said_as_it_tells(name):
    language = name.partition("/")[0].removesuffix(".txt")
    assert_said((CASES / name).read_text(encoding="utf-8"), language)


@each_row
def test_what_only_looks_alike_is_left(kinds, written):
    assert {edit.kind for edit in spoken_line(written, "en-US").edits}.isdisjoint(kinds.split())
