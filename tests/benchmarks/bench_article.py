"""What an article costs beyond its synthesis: `python tests/benchmarks/bench_article.py [WORDS]`.

A show on a web server on loopback gets one article of WORDS (1000) after the other, which reads as
six minutes of tones. A run is measured from its start to the published feed: fetching, reading,
rendering without what the engine itself takes, mastering, encoding as MP3, transcripts, pages. The
first run, in which all is imported, does not count. Prints one JSON object:

    wall_s, cpu_s     of each round: the clock, and processor time with that of child processes
    nothing_new       the same for a run that finds nothing new

Not a test: nothing passes or fails. On a busy machine, cpu_s is what can be compared.
"""

import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.podcast.run import run_show
from audiomill.flows.settings.settings import ArticleSettings, Settings
from audiomill.renderers.tone.renderer import ToneRenderer

sys.path.insert(0, str(Path(__file__).parents[1]))  # for `support`

from support.benchmark_arguments import arguments
from support.book_data import WORDS
from support.show_data import publish_articles, show_file
from support.web_server import Site, serving_site

N_ROUNDS = 5
SENTENCE_WORDS, PARAGRAPH_SENTENCES = 14, 5


def main() -> None:
    (n_words,) = arguments(__doc__, n_words=1000)
    with tempfile.TemporaryDirectory() as temporary, serving_site() as site:
        folder = Path(temporary)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        path = show_file(folder, f'[[sources]]\nfeed = "{site.url}/feed"')
        titles = list[str]()
        rounds = [measured(path, site, titles, n_words) for _ in range(1 + N_ROUNDS)]
        nothing = timed_run(path)
    result = {
        "cores": os.cpu_count(),
        "words": n_words,
        "wall_s": [one["wall_s"] for one in rounds[1:]],
        "cpu_s": [one["cpu_s"] for one in rounds[1:]],
        "nothing_new": nothing,
    }
    print(json.dumps(result, indent=1))


def measured(path: Path, site: Site, titles: list[str], n_words: int) -> dict[str, float]:
    """A run that has one new article to make."""
    titles.append(f"boat-{len(titles)}")
    rng = random.Random(len(titles))
    n_paragraphs = round(n_words / SENTENCE_WORDS / PARAGRAPH_SENTENCES)
    text = tuple(paragraph(rng) for _ in range(n_paragraphs))
    known = dict(site.pages)
    publish_articles(site, titles, text)
    site.pages |= {name: page for name, page in known.items() if name != "/feed"}
    return timed_run(path)


def paragraph(rng: random.Random) -> str:
    sentences = (
        " ".join(rng.choices(WORDS, k=SENTENCE_WORDS)).capitalize() + "."
        for _ in range(PARAGRAPH_SENTENCES)
    )
    return " ".join(sentences)


def timed_run(path: Path) -> dict[str, float]:
    """The times of a run, less those of the engine."""
    settings = Settings(store=str(path.parent / "store"), articles=ArticleSettings(("127.0.0.1",)))
    engine_s, render = 0.0, ToneRenderer.render

    def timed(self, batch):
        nonlocal engine_s
        started = time.thread_time()
        try:
            return render(self, batch)
        finally:
            engine_s += time.thread_time() - started

    ToneRenderer.render = timed
    wall_s, cpu_s = time.perf_counter(), processor_s()
    with ThreadExecutor() as executor:
        run_show(path, settings, executor, RunContext())
    ToneRenderer.render = render
    return {
        "wall_s": round(time.perf_counter() - wall_s - engine_s, 2),
        "cpu_s": round(processor_s() - cpu_s - engine_s, 2),
    }


def processor_s() -> float:
    now = os.times()
    return now.user + now.system + now.children_user + now.children_system


if __name__ == "__main__":
    main()
