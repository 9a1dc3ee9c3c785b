"""What `--set KEY=VALUE` says of a book, for `render` and `inspect`."""

from __future__ import annotations

import argparse


def named_metadata(arguments: argparse.Namespace) -> dict[str, list[str]] | None:
    """The values by key, in the order of the command line; None without any."""
    values = dict[str, list[str]]()
    for key, value in arguments.metadata or ():
        values.setdefault(key, []).append(value)
    return values or None
