"""`audiomill bench --serve URL`: the options, the table and the JSON of servers of speech."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any
from urllib.parse import urlsplit

from audiomill.flows.bench.command import FILES, ROOT, write_result
from audiomill.flows.bench.options import WrongOptions, parse_in_flight
from audiomill.flows.bench.serve.speech_bench import (
    CANCELLING_S,
    ServeBench,
    ServePlan,
    run_bench_of_servers,
)
from audiomill.flows.bench.serve.speech_client import SpeechServer
from audiomill.flows.bench.serve.speech_figures import LevelFigures
from audiomill.flows.bench.table import NONE, align_columns
from audiomill.flows.console import EXIT_INTERRUPTED, EXIT_RENDER, put, put_json, say
from audiomill.flows.execution.run_context import Interrupted, RunContext
from audiomill.flows.execution.signals import stop_on_signals
from audiomill.flows.key_file import read_key
from audiomill.outputs.files import require_new
from audiomill.renderers.host.hardware import commit

SCHEMA = 1  # raised when a field of the JSON changes its meaning, or is removed
IN_FLIGHT = (1, 4, 16, 64)
STOP_S = 10.0  # after Ctrl-C, to close the connections
STOPPING = "Stopping. What is measured is shown."
_TITLES = ("TTFA p50", "p95", "p99", "stood still", "x real time", "stored", "errors")


def run_serve_bench(arguments: argparse.Namespace) -> int:
    """Measure, print, then write; the exit code. After Ctrl-C, what is measured is kept.

    Raises WrongOptions, UsageError, OSError; Interrupted if nothing is measured by then.
    """
    servers = _servers(arguments)
    levels = parse_in_flight(arguments.in_flight) or IN_FLIGHT
    if arguments.out:
        for name in FILES:
            require_new(arguments.out / name)
    plan = ServePlan(levels, secrets.randbits(32), arguments.within)
    with stop_on_signals(RunContext(), STOP_S, stopping=STOPPING) as context:
        found = run_bench_of_servers(servers, plan, say, context.stop)
    if not any(one.levels for one in found.servers):
        raise Interrupted
    text, document = "\n".join(_lines(found)), _document(found, plan)
    if arguments.json:
        put_json(document)
    else:
        for line in text.splitlines():
            put(line)
    if arguments.out:
        write_result(arguments.out, "", text, document)
        say(f"written to {arguments.out}")
    if found.is_interrupted:
        return EXIT_INTERRUPTED
    said = any(one.first_p50_s is not None for server in found.servers for one in server.levels)
    return 0 if said else EXIT_RENDER


def _servers(arguments: argparse.Namespace) -> tuple[SpeechServer, ...]:
    if arguments.source or arguments.engines or arguments.end_to_end:
        raise WrongOptions("--serve measures servers, with texts of its own: leave out the others.")
    key_files = arguments.key_file or [None] * len(arguments.serve)
    if len(key_files) != len(arguments.serve):
        raise WrongOptions("--key-file: name one for each --serve, in their order, or none.")
    return tuple(
        SpeechServer(
            _base(url),
            arguments.model,
            arguments.voice,
            read_key(path, "--key-file") if path else "",
        )
        for url, path in zip(arguments.serve, key_files, strict=True)
    )


def _base(url: str) -> str:
    """The address before `/audio/speech`. Raises WrongOptions."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise WrongOptions(f"--serve {url}: write an address like http://127.0.0.1:8880/v1.")
    return url.rstrip("/") if parts.path.strip("/") else f"{url.rstrip('/')}/v1"


def _lines(found: ServeBench) -> Iterator[str]:
    if found.is_interrupted:
        yield "Interrupted: the last figures of a server may be of fewer texts than the others."
    by_number = [
        (f"{level.in_flight} in flight, {server.url}", level)
        for levels in zip_longest(*(one.levels for one in found.servers))
        for server, level in zip(found.servers, levels, strict=True)
        if level
    ]
    again = [(f"the same again, {one.url}", one.again) for one in found.servers if one.again]
    rows = by_number + again
    names = ["seconds", *(name for name, _ in rows)]
    yield from align_columns(names, [_TITLES, *(_cells(level) for _, level in rows)])
    yield ""
    for one in found.servers:
        if one.cancelled_s is not None:
            yield (
                f"A cancelled text keeps the next one waiting for {one.cancelled_s:.2f} s,"
                f" {one.url}"
            )
        elif not found.is_interrupted:
            bound = f"{CANCELLING_S:.0f} s"
            yield f"What a cancelled text costs was not to be measured in {bound}, {one.url}"
    for name, level in rows:
        for error, n_texts in level.errors.items():
            yield f"{name}: {n_texts} × {error}"


def _cells(level: LevelFigures) -> tuple[str, ...]:
    firsts_s = (level.first_p50_s, level.first_p95_s, level.first_p99_s)
    return (
        *(NONE if one is None else f"{one:.3f}" for one in firsts_s),
        f"{level.still_s:.2f}",
        f"{level.speed:.2f}",
        f"{level.hits.n_stored} of {level.hits.n_sentences}" if level.hits else NONE,
        f"{level.n_errors} of {level.n_texts}",
    )


def _document(found: ServeBench, plan: ServePlan) -> dict[str, Any]:
    return {
        "benchmark": "audiomill bench --serve",
        "schema": SCHEMA,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": commit(ROOT),
        "seed": plan.seed,
        "within_s": plan.within_s,
        "interrupted": found.is_interrupted,
        "servers": [asdict(one) for one in found.servers],
    }
