"""A paragraph in each of many languages, of the same old mill."""

from pathlib import Path

from support.case_files import rows_of

PARAGRAPHS = dict(rows_of(Path(__file__).with_suffix(".txt"), "PARAGRAPHS"))
