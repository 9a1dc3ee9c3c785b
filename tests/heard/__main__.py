"""`make prove-heard`: renders fixed texts with real weights, listens, and writes what it heard.

    models.py ─▶ rendering.py ─┬─▶ listening.py ─▶ words that are heard otherwise ────┐
                               ├─▶ breaks.py ────▶ cuts and pauses ───────────────────┼─▶ index.html
                               └─▶ faults.py ────▶ planted faults that are suspected ─┘

Exit code 0; 1 if a break is cut in sound. Where the models cannot be had, one line says so.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import soundfile

from heard.breaks import heard_breaks
from heard.faults import detections, false_alarms
from heard.listening import differences, heard_words, listener_python, words_of
from heard.models import Models, ModelsMissing, fetched_models
from heard.page import write_page
from heard.rendering import Case, Rendering, render, render_upstream
from heard.results import Result, table

TEXTS = Path(__file__).with_name("texts")
# Which voices read a text by themselves; the engines that have one voice read ENGINES_READ.
VOICES = {
    "dialogue.en": ("af_heart", "am_michael", "bf_emma"),
    "play.en": ("am_michael",),
    "technical.en": ("bf_emma",),
    "numbers.en": ("af_heart",),
    "novel.fr": ("ff_siwis",),
    "novel.es": ("ef_dora",),
    "novel.it": ("if_sara",),
    "novel.pt": ("pf_dora",),
}
ENGINES_READ = "dialogue.en"
OTHERS = (("kokoro-onnx", "af_heart"), ("piper", "en_US-joe-medium"), ("espeak", "en-us"))


def main(words: Sequence[str]) -> int:
    options = _parser().parse_args(words)
    out = options.out.resolve()
    try:
        models = fetched_models(out / "models")
    except ModelsMissing as error:
        print(f"Skipped: the models cannot be had here ({error}).")
        return 0
    results = [*heard(_cases(options), models, out)]
    (out / "table.md").write_text(table(results))
    print(table(results))
    print(f"Players, pictures and differences: {write_page(results, out)}")
    return int(any(one.loud for one in results))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make prove-heard", description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("build/heard"))
    parser.add_argument("--texts", type=Path, nargs="+", help="NAME.LANGUAGE.md; all in texts/")
    parser.add_argument("--voices", nargs="+", help="of Kokoro, for all texts")
    parser.add_argument("--speeds", type=float, nargs="+", default=[1.0])
    parser.add_argument("--only-kokoro", action="store_true")
    return parser


def _cases(options: argparse.Namespace) -> list[Case]:
    texts = options.texts or [TEXTS / f"{name}.md" for name in VOICES]
    cases = [
        Case(text, "kokoro", voice, speed)
        for text in texts
        for voice in options.voices or VOICES.get(text.stem, ("af_heart",))
        for speed in options.speeds
    ]
    others = () if options.only_kokoro else OTHERS
    return cases + [Case(TEXTS / f"{ENGINES_READ}.md", *other) for other in others]


def heard(cases: Sequence[Case], models: Models, out: Path) -> Iterator[Result]:
    """What is heard of each case."""
    renderings = []
    for case in cases:
        print(f"Rendering {case.name}", flush=True)
        renderings.append(render(case, models, out))
    upstream = {
        one: render_upstream(one, models, out) for one in renderings if one.case.engine == "kokoro"
    }
    files = [(path, one.case.language) for one in renderings for path in _files(one, upstream)]
    print(f"Listening to {len(files)} files", flush=True)
    found = heard_words(listener_python(out / "listener"), models.whisper, files)
    by_file = dict(zip((path for path, _ in files), found, strict=True))
    for one in renderings:
        expected = words_of(one.spoken, one.case.language)
        ours, *theirs = (
            tuple(differences(expected, by_file[path])) for path in _files(one, upstream)
        )
        breaks = (each for _, clip in one.segments for each in heard_breaks(clip, one.sample_rate))
        yield Result(
            one,
            soundfile.info(one.audio).duration,
            len(expected),
            ours,
            tuple(breaks),
            false_alarms(one),
            tuple(detections(one)),
            theirs[0] if theirs else None,
            upstream.get(one),
        )


def _files(rendering: Rendering, upstream: dict[Rendering, Path]) -> list[Path]:
    """Ours, and upstream's if there is one."""
    return [rendering.audio, *(path for one, path in upstream.items() if one is rendering)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
