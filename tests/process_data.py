"""The processes that a test has started and that still run."""

import psutil


def children() -> list[psutil.Process]:
    """Of this process and of its children, but for Python's own helper, which outlives a test."""
    return [
        child
        for child in psutil.Process().children(recursive=True)
        if not any("resource_tracker" in word for word in child.cmdline())
    ]
