"""`audiomill bench`: how fast this machine speaks, and what others do on it."""

from __future__ import annotations

import argparse
from dataclasses import replace

from flows.bench.command import carry_out, compare_files
from flows.bench.measured import NotComparable
from flows.bench.options import WrongOrder, order_of
from flows.job import UsageError
from flows.settings import load_settings
from outputs.chapter import OutputUnwritable


def run(arguments: argparse.Namespace) -> int:
    """Measure, print the table or the JSON object, and write files where they were asked for."""
    try:
        if arguments.compare:
            compare_files(*arguments.compare, as_json=arguments.json)
            return 0
        order = order_of(arguments)
        if not order.random_weights:
            kokoro = load_settings().kokoro
            order = replace(order, weights=kokoro.weights, release=kokoro.release)
        carry_out(order, as_json=arguments.json)
    except (WrongOrder, NotComparable) as error:
        raise UsageError(str(error)) from error
    except OSError as error:
        raise OutputUnwritable(f"The result cannot be kept: {error}.") from error
    return 0
