"""Cases of spoken form: a line each, `as written | as spoken`."""

from audiomill.inputs.spoken.grammars import spoken_line


def cases(table: str) -> list[tuple[str, str]]:
    """The rows of a table. An empty line or one that begins with `#` is left out."""
    rows = [line for line in table.splitlines() if line.strip() and not line.startswith("# ")]
    return [tuple(part.strip() for part in row.split(" | ")) for row in rows]


def said(written: str, language: str) -> str:
    """What is said for a whole line."""
    return spoken_line(written, language).between(0, len(written))
