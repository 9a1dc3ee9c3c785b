"""`make prove-following`: the lit word of a read-along page beside its sound, for ten minutes.

    random sentences, spoken by espeak ─▶ the page, in a browser ─▶ marks and frames ─▶ a table

Exit code 0; 1 if a word was marked over LIMIT_MS late although frames were drawn, or never, or
while another one sounded. On a busy machine frames are late; what comes of that is told apart.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from heard.results import markdown_table

from following.measures import Following, Record, following
from support.book_data import book_job, rendered, write_book
from support.browsers import BROWSERS, UserTab
from support.readalong_data import word_starts
from support.readalong_pages import NEEDS_NO_SOUND_CARD, VOICE

LIMIT_MS = 100
MINUTE_S = 60
SPEEDS = (0.75, 1, 1.25, 1.5, 2, 3)  # for which the page has buttons
RECORDER = Path(__file__).with_name("recorder.js").read_text(encoding="utf-8")
HEADINGS = (
    *("browser", "speed", "minutes", "words", "late, ms: median", "95 %", "worst"),
    *("in steady frames: 95 %", "99 %", "own: worst", "skipped", "dropped", "wrong"),
    *("frame, ms: median", "95 %", "longest", "sound stood still, s"),
)


def main(words: Sequence[str]) -> int:
    options = _parser().parse_args(words)
    page = _page(options.out.resolve(), options.minutes * max(options.speeds))
    starts = word_starts(page)
    rows: list[list[str]] = []
    is_off = False
    for browser, speed in _runs(options):
        record = heard(browser, page, speed, options.minutes * MINUTE_S)
        found = following(record, starts, speed)
        rows.append([browser, f"{speed:g}", f"{options.minutes:g}", *row(found)])
        print(" | ".join(rows[-1]), flush=True)
        is_off |= max(found.own_ms) > LIMIT_MS or found.n_dropped + found.n_wrong > 0
    print(markdown_table(HEADINGS, rows))
    return int(is_off)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make prove-following")
    parser.add_argument("--browsers", nargs="+", choices=BROWSERS, default=[*BROWSERS])
    parser.add_argument("--speeds", nargs="+", type=float, choices=SPEEDS, default=[1, 1.5, 3])
    parser.add_argument("--minutes", type=float, default=10.0, help="of listening, for each")
    parser.add_argument("--out", type=Path, default=Path("build/following"))
    return parser


def _runs(options: argparse.Namespace) -> Iterator[tuple[str, float]]:
    return ((browser, speed) for browser in options.browsers for speed in options.speeds)


def _page(folder: Path, sound_minutes: float) -> Path:
    """The folder of the page of a book that is long enough, made if it is not there."""
    folder = folder / f"{sound_minutes:g}"
    if not (pages := list(folder.glob("library/*/**/index.html"))):
        folder.mkdir(parents=True, exist_ok=True)
        # A sentence takes some five seconds, a chapter five minutes.
        text = write_book(folder / "text.md", 1 + int(sound_minutes / 4), 60).read_text()
        job = book_job(folder, text, engine="espeak", formats=["html"])
        pages = [one.path for one in rendered(job).files if one.format == "html"]
    return pages[0].parent


def heard(browser: str, page: Path, speed: float, listened_s: float) -> Record:
    """What a page does while it is heard at a speed."""
    with tempfile.TemporaryDirectory() as folder, BROWSERS[browser](Path(folder)) as tab:
        tab.open(f"{page.as_uri()}/index.html")
        tab.value(RECORDER)
        tab.value(NEEDS_NO_SOUND_CARD)
        _click(tab, f"[data-rate='{speed:g}']")
        _click(tab, "[data-does=play]")
        end_s = time.monotonic() + listened_s
        while time.monotonic() < end_s:
            time.sleep(min(5.0, max(end_s - time.monotonic(), 0)))
            assert not tab.value(f"{VOICE}.error?.message ?? ''")
        seen = tab.value("seen")
    return Record(seen["files"], seen["frames"], seen["marks"])


def _click(tab: UserTab, selector: str) -> None:
    tab.value(f'(document.querySelector("{selector}").click(), 1)')


def row(found: Following) -> list[str]:
    """The cells under HEADINGS, without those of the run."""
    late, frame = found.late_ms, found.frame_ms
    return [
        *(str(len(late)), *_spread(late)),
        *(f"{np.percentile(found.steady_ms, part):.0f}" for part in (95, 99)),
        f"{max(found.own_ms):.0f}",
        *map(str, (found.n_skipped, found.n_dropped, found.n_wrong)),
        *(*_spread(frame), f"{found.stalled_ms / 1000:.1f}"),
    ]


def _spread(values: Sequence[float]) -> tuple[str, str, str]:
    """Median, what 95 % do not exceed, and the largest."""
    return f"{np.median(values):.0f}", f"{np.percentile(values, 95):.0f}", f"{max(values):.0f}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
