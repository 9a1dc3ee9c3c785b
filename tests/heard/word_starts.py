"""`make prove-word-starts`: whether printed words start when they are heard, in real speech.

    texts/printed.en.md ─▶ FLAC and transcript of words ─▶ printed_words.py ─▶ a table

Exit code 0; 1 if a voice is off by more than is allowed. Where the models cannot be had, one line
says so.
"""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from heard.models import Models, available_models
from heard.printed_words import WordStart, WordStarts, aligner_errors_s, word_starts
from heard.rendering import Case, render
from heard.results import markdown_table

TEXT = Path(__file__).with_name("texts") / "printed.en.md"
VOICES = (("kokoro", "af_heart"), ("espeak", "en-us"))
# With these the aligner's own error is not measured, which takes many minutes.
MORE_VOICES = (("kokoro", "am_michael"), ("kokoro", "bf_emma"))
LIMITS_MS = (40, 120)  # of the median, and of what 95 % do not exceed
HEADINGS = (
    *("engine", "voice", "words", "off, ms", "95 % within, ms"),
    *("of several spoken", "off, ms", "95 % within, ms"),
    *("left out", "aligner's own, ms", "95 % within, ms"),
)


def main(words: Sequence[str]) -> int:
    options = _parser().parse_args(words)
    out = options.out.resolve()
    models = available_models(out / "models")
    if models is None:
        return 0
    rows: list[list[str]] = []
    is_far_off = False
    for engine, voice in VOICES + MORE_VOICES:
        case = Case(options.text, engine, voice)
        found, own_s = measured(case, models, out)
        rows.append(row(case, found, own_s))
        is_far_off |= exceeds(found.words) or exceeds(several_spoken(found.words))
        for one in sorted(found.words, key=lambda one: -abs(one.late_s))[: options.show]:
            print(f"{voice} at {one.at_s:.2f} s: “{one.printed}” {1000 * one.late_s:+.0f} ms")
    print(markdown_table(HEADINGS, rows))
    return int(is_far_off)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make prove-word-starts")
    parser.add_argument("--out", type=Path, default=Path("build/heard"))
    parser.add_argument("--text", type=Path, default=TEXT)
    parser.add_argument("--show", type=int, default=5, help="so many words that are furthest off")
    return parser


def measured(case: Case, models: Models, out: Path) -> tuple[WordStarts, list[float]]:
    """The starts of printed words, and how far off the aligner is by itself, where it is asked."""
    rendering = render(case, models, out)
    is_judged = (case.engine, case.voice) in VOICES
    return word_starts(rendering), aligner_errors_s(rendering, models, out) if is_judged else []


def row(case: Case, found: WordStarts, own_s: Sequence[float]) -> list[str]:
    """The cells under HEADINGS."""
    several = several_spoken(found.words)
    return [
        *(case.engine, case.voice, str(len(found.words)), *_off(_late(found.words))),
        *(str(len(several)), *_off(_late(several))),
        *(str(found.n_left_out), *_off(own_s)),
    ]


def several_spoken(words: Iterable[WordStart]) -> list[WordStart]:
    return [one for one in words if one.n_spoken > 1]


def exceeds(words: Sequence[WordStart]) -> bool:
    """Whether a median, or what 95 % do not exceed, is over its limit; or there are no words."""
    if not words:
        return True
    off_ms = _quantiles_ms(_late(words))
    return any(one > limit for one, limit in zip(off_ms, LIMITS_MS, strict=True))


def _late(words: Iterable[WordStart]) -> list[float]:
    return [one.late_s for one in words]


def _off(late_s: Sequence[float]) -> list[str]:
    return [f"{one:.0f}" for one in _quantiles_ms(late_s)] if late_s else ["", ""]


def _quantiles_ms(late_s: Sequence[float]) -> list[float]:
    return [1000 * float(one) for one in np.quantile(np.abs(late_s), (0.5, 0.95))]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
