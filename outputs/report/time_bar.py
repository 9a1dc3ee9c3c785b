"""A bar of the stages of a run, each as wide as it took. Drawn without styles of its own."""

from __future__ import annotations

from collections.abc import Sequence

from audiomill.inputs.markup.parser import Element
from audiomill.outputs.plot.svg import node

_WIDTH, _HEIGHT = 1000.0, 28
_LEAST = 0.5  # narrower stages are not seen


def time_bar(stages: Sequence[tuple[str, float]]) -> Element:
    """The bar. The table below it has the same as text, so it is hidden from screen readers."""
    total_s = sum(seconds for _, seconds in stages) or 1.0
    x, parts = 0.0, list[Element]()
    for number, (words, seconds) in enumerate(stages):
        width = seconds / total_s * _WIDTH
        if width >= _LEAST:
            about = node("title", f"{words}: {seconds:.1f} s")
            rect = node("rect", about, x=x, y=0, width=width, height=_HEIGHT)
            rect.set("class", f"stage-{number}")
            parts.append(rect)
        x += width
    return node(
        "svg",
        *parts,
        class_="times",
        view_box=f"0 0 {_WIDTH:g} {_HEIGHT}",
        aria_hidden="true",
        preserveAspectRatio="none",
    )
