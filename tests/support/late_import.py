"""Packages that take long to import, for the files of tests whose worker runs them.

    openai = LateModule("openai")     imported when an attribute of it is asked for

Each worker of `make prove` collects all files, and would import what only one of them uses.
"""

from importlib import import_module
from typing import Any


class LateModule:
    """Stands for a module, which is imported with its first use. To patch it, write its name."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # pytest asks all objects of a file for some
            raise AttributeError(name)
        return getattr(import_module(self._name), name)
