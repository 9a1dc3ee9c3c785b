"""`audiomill inspect`: what would be read, what skipped and why, and how long it would be."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from audiomill.flows.console import clock, put, put_json, say
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.plan import Plan, make_plan
from audiomill.flows.pipeline.stages import read_manuscript
from audiomill.flows.settings import load_settings
from audiomill.renderers.base import EngineLimits
from audiomill.renderers.planning import estimate_s
from audiomill.renderers.registry import open_renderer

EXCERPT_CHARS = 60
SHOWN_OF_A_REASON = 5


def run(arguments: argparse.Namespace) -> int:
    """Print what is in every source. Writes nothing and renders nothing."""
    inspected = [_inspect(arguments, source) for source in arguments.sources]
    if arguments.json:
        put_json(inspected[0] if len(inspected) == 1 else inspected)
        return 0
    for book in inspected:
        _show(book)
    return 0


def _inspect(arguments: argparse.Namespace, source: Path) -> dict[str, Any]:
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
        "chapters": _chapters(plan, renderer.limits),
        "skipped": [
            {"reason": one.reason, "where": one.where, "text": one.text} for one in plan.skipped
        ],
        "warnings": [*plan.book.warnings, *job.warnings],
    }


def _chapters(plan: Plan, limits: EngineLimits) -> list[dict[str, Any]]:
    return [
        {
            "number": chapter.number,
            "title": chapter.title,
            "level": chapter.level,
            "words": sum(len(part.request.spoken.split()) for part in chapter.parts),
            "expected_s": round(
                sum(
                    estimate_s(part.request, limits) + part.pause_after_s for part in chapter.parts
                ),
                1,
            ),
        }
        for chapter in plan.chapters
    ]


def _show(book: dict[str, Any]) -> None:
    by = f" by {', '.join(book['authors'])}" if book["authors"] else ""
    expected_s = sum(chapter["expected_s"] for chapter in book["chapters"])
    n_words = sum(chapter["words"] for chapter in book["chapters"])
    put(f"{book['title']}{by} ({book['language']})")
    put(f"{n_words:,} words, {book['segments']:,} segments, about {clock(expected_s)} of audio\n")
    for chapter in book["chapters"]:
        title = "  " * (chapter["level"] - 1) + chapter["title"]
        numbers = f"{chapter['number']:4}  {clock(chapter['expected_s']):>8}"
        put(f"{numbers}  {chapter['words']:>7,} words  {title}")
    _show_skipped(book["skipped"])
    for warning in book["warnings"]:
        say(f"Warning: {warning}")


def _show_skipped(skipped: list[dict[str, str]]) -> None:
    """What will not be spoken: the count of each reason, and the first few of each."""
    if skipped:
        put("\nNot spoken:")
    for reason, count in Counter(one["reason"] for one in skipped).most_common():
        put(f"{count:4}  {reason}")
        for one in [one for one in skipped if one["reason"] == reason][:SHOWN_OF_A_REASON]:
            text = " ".join(one["text"].split())
            excerpt = text if len(text) <= EXCERPT_CHARS else text[: EXCERPT_CHARS - 1] + "…"
            put(f"        {one['where']}: {excerpt}")
