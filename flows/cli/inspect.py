"""`audiomill inspect`: shows what would be spoken, what skipped and why, and for how long."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from audiomill.flows.cli.exit_codes import Failure, exit_code_of, results_of, try_each
from audiomill.flows.console import format_duration, put, put_json, say
from audiomill.flows.option_values import options_of
from audiomill.flows.options import InspectOptions
from audiomill.flows.pipeline.api import inspect
from audiomill.outputs.formats.registry import PLOT

EXCERPT_CHARS = 60
EXAMPLES_PER_REASON = 5
MAX_CHARACTERS = 12


def run(arguments: argparse.Namespace) -> int:
    """Print the content of every source. One that cannot be read does not stop the others."""
    outcomes = try_each(arguments.sources, lambda source: _inspect(arguments, source))
    if arguments.json:
        objects = [{"error": asdict(one)} if isinstance(one, Failure) else one for one in outcomes]
        put_json(objects[0] if len(arguments.sources) == 1 else objects)
    else:
        for book in results_of(outcomes):
            _print_book(book)
            for warning in book["warnings"]:
                say(f"Warning: {warning}")
    return exit_code_of(outcomes)


def _inspect(arguments: argparse.Namespace, source: Path | str) -> dict[str, Any]:
    """The JSON object of one source; with `blocks` if they are asked for."""
    book = inspect(source, **cast("InspectOptions", options_of(arguments, InspectOptions)))
    found = asdict(book)
    return found if arguments.blocks else {key: found[key] for key in found if key != "blocks"}


def _print_book(book: dict[str, Any]) -> None:
    by = f" by {', '.join(book['authors'])}" if book["authors"] else ""
    expected_s = sum(chapter["expected_s"] for chapter in book["chapters"])
    n_words = sum(chapter["words"] for chapter in book["chapters"])
    duration = format_duration(expected_s)
    put(f"{book['title']}{by} ({book['language']})")
    cost = f", {book['expected_cost']:.2f}" if book["expected_cost"] else ""
    size = f"{book['segments']:,} segments, {book['text_length']:,} characters{cost}"
    put(f"{n_words:,} words, {size}, about {duration} of audio\n")
    if "blocks" in book:
        _print_blocks(book["blocks"])
        return
    for chapter in book["chapters"]:
        title = "  " * (chapter["level"] - 1) + chapter["title"]
        numbers = f"{chapter['number'] or '':4}  {format_duration(chapter['expected_s']):>8}"
        put(f"{numbers}  {chapter['words']:>7,} words  {title}")
    _print_metadata(book["metadata"])
    _print_voices(book)
    _print_characters(book["characters"])
    _print_skipped(book["skipped"])
    if book["finished"]:
        _print_finished(book["finished"])


def _print_blocks(blocks: Sequence[dict[str, Any]]) -> None:
    """Print every piece of text under its chapter: spoken or listed, its kind, place and start."""
    for chapter, group in groupby(blocks, key=lambda block: block["chapter"]):
        put(chapter or "Outside the chapters")
        for block in group:
            decision = "spoken" if block["spoken"] else "listed"
            put(f"  {decision}  {block['kind']}  {block['where']}: {_excerpt(block['text'])}")


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT_CHARS else line[: EXCERPT_CHARS - 1] + "…"


def _print_metadata(metadata: dict[str, Sequence[str]]) -> None:
    """Print what is known of the book, by the keys of --set."""
    put("\nMetadata, as --set corrects it:")
    width = max(map(len, metadata))
    for key, values in metadata.items():
        put(f"  {key:{width}}  {_excerpt('; '.join(values))}")


def _print_voices(book: dict[str, Any]) -> None:
    """Print how much each voice reads, if there are several."""
    if len(book["voices"]) > 1:
        put(f"\nVoices{' of ' + book['cast'] if book['cast'] else ''}:")
        for share in book["voices"]:
            put(
                f"{share['words']:8,} words  {share['voice']}  {', '.join(share['parts'])}".rstrip()
            )


def _print_characters(characters: Sequence[dict[str, Any]]) -> None:
    """Print who speaks most, for a casting file."""
    if characters:
        put("\nWho speaks, where the text says so:")
    for character in characters[:MAX_CHARACTERS]:
        voice = f"  {character['voice']}" if character["voice"] else ""
        put(f"{character['speeches']:4}  {character['name']}{voice}")
    if len(characters) > MAX_CHARACTERS:
        put(f"      and {len(characters) - MAX_CHARACTERS} more, which --json lists")


def _print_skipped(skipped: Sequence[dict[str, str]]) -> None:
    """Print the number of skipped texts for each reason, and the first few of each."""
    if skipped:
        put("\nNot spoken:")
    for reason, count in Counter(entry["reason"] for entry in skipped).most_common():
        put(f"{count:4}  {reason}")
        examples = [entry for entry in skipped if entry["reason"] == reason]
        for example in examples[:EXAMPLES_PER_REASON]:
            put(f"        {example['where']}: {_excerpt(example['text'])}")


def _print_finished(finished: dict[str, Any]) -> None:
    """Print what is finished, and what could be made of it without rendering."""
    put(f"\nFinished in {finished['folder']}, read by {finished['voice']} ({finished['engine']}):")
    for title, formats in (
        ("there", finished["formats"]),
        ("without encoding", finished["without_encoding"]),
        ("by one encoding", finished["with_encoding"]),
    ):
        if formats:
            names = ("plot" if name == PLOT else name for name in formats)
            put(f"  {title:16}  {', '.join(names)}")
    put(_rendering(finished["segments_to_render"]))
    if finished["command"]:
        put(f"  {finished['command']}")


def _rendering(n_segments: int | None) -> str:
    """What would be rendered for more formats, in words."""
    if n_segments is None:
        return "Whether anything would be rendered is not known: the store does not answer."
    if n_segments:
        return f"The store lacks {n_segments:,} segments, which would be rendered for more."
    return "Nothing would be rendered."
