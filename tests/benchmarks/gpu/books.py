"""`audiomill render` of an EPUB to M4B with Kokoro on the card: text, sound, store, encoding.

On a dry run the engine is `tone`.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from ebooklib import epub

from benchmarks.gpu.models import weights_folder
from benchmarks.gpu.stages import StageRun

N_CHAPTERS, WORDS_A_CHAPTER = 30, 2_000
DRY_CHAPTERS, DRY_WORDS = 2, 30
SENTENCES = (
    "The miller kept an old wheel above the river.",
    "Nobody in the village remembered when it was built, but every child knew its slow voice.",
    "Through the fog flour ran into sacks of grey linen, while {n} carts waited in the yard.",
    "“There are {n} of them,” said the smith, “and not one has paid.”",
    "It was late when the last of the {n} lanterns went out.",
)


def measure(run: StageRun) -> None:
    """Implement `StageModule.measure`: twice, as the first run fills caches of compiled kernels."""
    book = _book(run)
    for name in ("cold", "again"):
        with run.step(name):
            run.keep(name, _rendered(run, book, name))


def _rendered(run: StageRun, book: Path, name: str) -> dict[str, object]:
    folder = run.work / f"{name}-{time.time_ns()}"
    variables = (
        {
            "AUDIOMILL_KOKORO__WEIGHTS": str(weights_folder(run)),
            "AUDIOMILL_KOKORO__DEVICE": run.device,
        }
        if run.is_gpu
        else {}
    )
    command = [
        *(sys.executable, "-m", "audiomill", "render", str(book), "--no-prefect"),
        *("--engine", "kokoro" if run.is_gpu else "tone", "--format", "m4b"),
        *("--store", str(folder / "store"), "--out", str(folder / "library")),
    ]
    begun_s = time.perf_counter()
    code = subprocess.run(command, env={**os.environ, **variables}, check=False).returncode
    wall_s = time.perf_counter() - begun_s
    figures: dict[str, object] = {"wall_s": wall_s, "exit": code}
    for path in (folder / "library").rglob("report.json"):
        report = json.loads(path.read_text("utf-8"))
        (run.out / f"report-{name}.json").write_text(json.dumps(report), "utf-8")
        figures |= _of_report(report, wall_s)
    return figures


def _of_report(report: Any, wall_s: float) -> dict[str, object]:
    audio_s, work = report["audio_s"], report["work"]
    return {
        "audio_s": audio_s,
        "x_real_time": audio_s / wall_s,
        "engine_busy_share": work["engine_busy_share"],
        **work["spent"],
    }


def _book(run: StageRun) -> Path:
    """A novel of 60,000 words as an EPUB, the same every time."""
    generator = random.Random(1)
    n_chapters, n_words = (N_CHAPTERS, WORDS_A_CHAPTER) if run.is_gpu else (DRY_CHAPTERS, DRY_WORDS)
    book = epub.EpubBook()
    book.set_identifier("urn:audiomill:gpu")
    book.set_title("The Wheel")
    book.set_language("en")
    chapters = [_chapter(number, n_words, generator) for number in range(1, n_chapters + 1)]
    for chapter in chapters:
        book.add_item(chapter)
    book.toc = chapters
    book.spine = ["nav", *chapters]
    book.add_item(epub.EpubNcx())
    book.add_item(epub.EpubNav())
    path = run.work / "novel.epub"
    epub.write_epub(str(path), book)
    return path


def _chapter(number: int, n_words: int, generator: random.Random) -> epub.EpubHtml:
    title = f"Chapter {number}"
    sentences: list[str] = []
    while sum(len(one.split()) for one in sentences) < n_words:
        sentences.append(generator.choice(SENTENCES).format(n=generator.randrange(2, 10_000)))
    paragraphs = "".join(
        f"<p>{' '.join(sentences[first : first + 5])}</p>" for first in range(0, len(sentences), 5)
    )
    item = epub.EpubHtml(title=title, file_name=f"c{number}.xhtml", lang="en")
    item.content = f"<h1>{title}</h1>{paragraphs}"
    return item
