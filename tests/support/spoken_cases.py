"""Cases of spoken form: a line each, `as written | as spoken`."""

from pathlib import Path

from audiomill.inputs.languages.grammars import spoken_line

CASES = Path(__file__).parent.parent / "inputs" / "spoken" / "cases"

_SIGNS = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC")),
    *((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)


def cases(table: str) -> list[tuple[str, str]]:
    """The rows of a table. An empty line or one that begins with `#` is left out."""
    rows = [line for line in table.splitlines() if line.strip() and not line.startswith("# ")]
    return [tuple(part.strip() for part in row.split(" | ")) for row in rows]


def said(written: str, language: str) -> str:
    """What is said for a whole line."""
    return spoken_line(written, language).between(0, len(written))


def assert_said(table: str, language: str) -> None:
    """Fail unless each row of the table is said as it tells; name all that are not."""
    rows = [(written, spoken, said(written, language)) for written, spoken in cases(table)]
    wrong = [f"{row[0]}\n  wanted: {row[1]}\n  said: {row[2]}" for row in rows if row[1] != row[2]]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(rows)} rows are said otherwise:", *wrong])


def to_roman(number: int) -> str:
    """The numeral of a number, by the rules: 4 is IV."""
    numeral = ""
    for worth, sign in _SIGNS:
        while number >= worth:
            numeral, number = numeral + sign, number - worth
    return numeral
