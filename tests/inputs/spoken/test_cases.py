"""Each file of cases, `as written | as spoken`, is said as it tells: cases/en-GB/times.txt, …"""

from pathlib import Path

import pytest

from support.spoken_cases import assert_said

CASES = Path(__file__).with_name("cases")
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
