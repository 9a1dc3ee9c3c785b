"""`make prove-heard`: renders fixed texts with real weights, listens, and writes what it heard.

    models.py ─▶ rendering.py ─┬─▶ listening.py ──▶ words that are heard otherwise ───┐
                               ├─▶ word_times.py ─▶ words beside a forced aligner’s ──┼─▶ index.html
                               ├─▶ breaks.py ─────▶ cuts and pauses ──────────────────┤
                               ├─▶ faults.py ─────▶ planted faults that are suspected ┤
                               └─▶ recognition.py ▶ those that --check-speech hears ──┘

Exit code 0; 1 if a break is cut in sound. Where the models cannot be had, one line says so.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import soundfile

from audiomill.renderers.speech.transcript_comparison import words_of
from heard.breaks import heard_breaks
from heard.faults import faults_by_voice
from heard.listening import Difference, differences, listener_in
from heard.models import Models, available_models
from heard.page import write_page
from heard.recognition import recognised, recogniser_of
from heard.rendering import Case, render, render_upstream
from heard.results import Result, recognised_table, tables
from heard.word_times import timed_words

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
    models = available_models(out / "models")
    if models is None:
        return 0
    results: list[Result] = []
    for case in _cases(options):
        results.append(heard(case, models, out))
        (out / "table.md").write_text(tables(results, ()))
    faults = [*faults_by_voice([one.rendering for one in results])]
    recogniser = recogniser_of(listener_in(out, models.whisper))
    heard_faults = [recognised(one.rendering, recogniser, out) for one in results]
    told = f"{tables(results, faults)}\n{recognised_table(heard_faults)}"
    (out / "table.md").write_text(told)
    print(told)
    print(f"Players, pictures and differences: {write_page(results, faults, out)}")
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


def heard(case: Case, models: Models, out: Path) -> Result:
    """What is heard of a case."""
    print(f"Rendering {case.name}", flush=True)
    ours = render(case, models, out)
    theirs = render_upstream(ours, models, out) if case.engine == "kokoro" else None
    listener, expected = listener_in(out, models.whisper), words_of(ours.spoken, case.language)

    def heard_otherwise(audio: Path) -> tuple[Difference, ...]:
        return tuple(differences(expected, listener.words(audio, case.language)))

    breaks = (each for _, clip in ours.segments for each in heard_breaks(clip, ours.sample_rate))
    return Result(
        ours,
        soundfile.info(ours.audio).duration,
        len(expected),
        heard_otherwise(ours.audio),
        tuple(timed_words(ours)),
        tuple(breaks),
        None if theirs is None else heard_otherwise(theirs),
        theirs,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
