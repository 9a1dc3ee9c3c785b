"""`audiomill inspect`: shows what would be spoken, what skipped and why, and for how long."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from audiomill.flows.console import format_duration, put, put_json, say
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.plan import ChapterPlan, make_plan
from audiomill.flows.pipeline.stages import read_manuscript
from audiomill.flows.settings import load_settings
from audiomill.renderers.base import EngineLimits
from audiomill.renderers.planning import estimate_s
from audiomill.renderers.registry import open_renderer

EXCERPT_CHARS = 60
EXAMPLES_PER_REASON = 5


def run(arguments: argparse.Namespace) -> int:
    """Print the content of every source. Writes nothing and renders nothing."""
    books = [_inspect(arguments, source) for source in arguments.sources]
    if arguments.json:
        put_json(books[0] if len(books) == 1 else books)
        return 0
    for book in books:
        _print_book(book)
    return 0


def _inspect(arguments: argparse.Namespace, source: Path) -> dict[str, Any]:
    """The JSON object of one source."""
    job = make_job(
        load_settings(),
        source,
        engine=arguments.engine,
        voice=arguments.voice,
        speed=arguments.speed,
        chapters=arguments.chapters,
    )
    renderer = open_renderer(job.engine, job.options)
    plan = make_plan(read_manuscript(job), job, renderer)
    return {
        "source": str(source),
        "title": plan.book.title,
        "authors": list(plan.book.authors),
        "language": plan.book.language,
        "engine": job.engine,
        "segments": len(plan.segments),
        "chapters": [_chapter_json(chapter, renderer.limits) for chapter in plan.chapters],
        "skipped": [
            {"reason": skipped.reason, "where": skipped.where, "text": skipped.text}
            for skipped in plan.skipped
        ],
        "warnings": [*plan.book.warnings, *job.warnings],
    }


def _chapter_json(chapter: ChapterPlan, limits: EngineLimits) -> dict[str, Any]:
    expected_s = sum(
        estimate_s(part.request, limits) + part.pause_after_s for part in chapter.parts
    )
    return {
        "number": chapter.number,
        "title": chapter.title,
        "level": chapter.level,
        "words": sum(len(part.request.spoken.split()) for part in chapter.parts),
        "expected_s": round(expected_s, 1),
    }


def _print_book(book: dict[str, Any]) -> None:
    by = f" by {', '.join(book['authors'])}" if book["authors"] else ""
    expected_s = sum(chapter["expected_s"] for chapter in book["chapters"])
    n_words = sum(chapter["words"] for chapter in book["chapters"])
    duration = format_duration(expected_s)
    put(f"{book['title']}{by} ({book['language']})")
    put(f"{n_words:,} words, {book['segments']:,} segments, about {duration} of audio\n")
    for chapter in book["chapters"]:
        title = "  " * (chapter["level"] - 1) + chapter["title"]
        numbers = f"{chapter['number']:4}  {format_duration(chapter['expected_s']):>8}"
        put(f"{numbers}  {chapter['words']:>7,} words  {title}")
    _print_skipped(book["skipped"])
    for warning in book["warnings"]:
        say(f"Warning: {warning}")


def _print_skipped(skipped: list[dict[str, str]]) -> None:
    """Print the number of skipped texts for each reason, and the first few of each."""
    if skipped:
        put("\nNot spoken:")
    for reason, count in Counter(entry["reason"] for entry in skipped).most_common():
        put(f"{count:4}  {reason}")
        examples = [entry for entry in skipped if entry["reason"] == reason]
        for example in examples[:EXAMPLES_PER_REASON]:
            text = " ".join(example["text"].split())
            excerpt = text if len(text) <= EXCERPT_CHARS else text[: EXCERPT_CHARS - 1] + "…"
            put(f"        {example['where']}: {excerpt}")
