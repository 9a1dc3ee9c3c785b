"""Draw the picture of the README: `python docs/draw_sample.py BOOK.m4b > docs/sample.svg`.

The waveform and the chapters are read back from the finished file.
"""

import sys
from html import escape
from pathlib import Path

import av
import numpy as np

from audiomill.outputs.encoding.ffmpeg import decode

WIDTH, HEIGHT, TOP, FOOT = 960, 260, 84, 30
COLUMN = 2  # pixels a bar
INK, QUIET, PAPER, MARK = "#2b2140", "#8a7f9c", "#fdf6ec", "#c8403a"


def main() -> None:
    path = Path(sys.argv[1])
    samples = np.concatenate(list(decode(path)))
    with av.open(str(path)) as file:
        duration_s = file.duration / av.time_base
        chapters = [
            (chapter["metadata"]["title"], float(chapter["start"] * chapter["time_base"]))
            for chapter in file.chapters()
        ]
    print(drawn(samples, chapters, duration_s))


def drawn(samples: np.ndarray, chapters: list[tuple[str, float]], duration_s: float) -> str:
    middle = TOP + (HEIGHT - TOP - FOOT) / 2
    columns = np.array_split(np.abs(samples), WIDTH // COLUMN)
    heights = np.array([np.sqrt(np.mean(np.square(column))) for column in columns])
    heights *= (HEIGHT - TOP - FOOT) / 2 / heights.max()
    bars = "".join(
        f"M{n * COLUMN + 1} {middle - h:.1f}V{middle + h:.1f}" for n, h in enumerate(heights)
    )
    places = [start_s / duration_s * WIDTH + 1 for _, start_s in chapters]
    lines = "".join(f"M{x:.1f} {level(n) - 10}V{HEIGHT - FOOT}" for n, x in enumerate(places))
    titles = "".join(
        f'<text x="{x + 4:.1f}" y="{level(n)}">{escape(title)}</text>'
        for n, (x, (title, _)) in enumerate(zip(places, chapters, strict=True))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="system-ui, sans-serif" font-size="13">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{PAPER}"/>'
        f'<path d="{bars}" stroke="{INK}" stroke-width="1.2"/>'
        f'<path d="{lines}" stroke="{MARK}"/>'
        # A rim of paper keeps a title readable where another chapter's line crosses it.
        f'<g fill="{MARK}" stroke="{PAPER}" stroke-width="4" paint-order="stroke">{titles}</g>'
        f'<text x="8" y="{HEIGHT - 10}" fill="{QUIET}">0:00</text>'
        f'<text x="{WIDTH - 8}" y="{HEIGHT - 10}" text-anchor="end" fill="{QUIET}">'
        f"{int(duration_s // 60)}:{int(duration_s % 60):02d}</text></svg>"
    )


def level(number: int) -> int:
    """The height of a chapter's title: four levels, so that neighbours do not collide."""
    return 18 + number % 4 * 18


if __name__ == "__main__":
    main()
