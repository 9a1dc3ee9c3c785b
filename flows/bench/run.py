"""A whole benchmark: from an order to a result.

order ─▶ text, weights, devices ─▶ variants ─▶ warm up ─▶ passes, taking turns ─▶ result
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from flows.bench.figures import figures_of
from flows.bench.machine import Machine, commit, load, this_machine, versions
from flows.bench.options import Order
from flows.bench.preparing import prepared, with_ceilings
from flows.bench.result import Result, Row
from flows.bench.rounds import Rounds
from flows.bench.share import share_of
from flows.bench.sources import subject_for
from flows.bench.stands import Stands
from flows.bench.subject import Subject
from flows.bench.telling import Teller
from flows.bench.variants import Device, Mode, Variant, reference, variants_of
from inputs.book import SourceEmpty

ROOT = Path(__file__).parent.parent.parent


def bench(order: Order, teller: Teller) -> Result:
    """Measure what `order` asks for, in a folder that is gone afterwards.

    Raises WrongOrder, SourceError, RenderError. What cannot be compared here is passed over, with
    the reason in the result.
    """
    machine = this_machine()
    with tempfile.TemporaryDirectory(prefix="audiomill-bench-") as made:
        folder = Path(made)
        options, devices = prepared(order, folder, teller)
        subject = subject_for(order, options, min(order.n_words(device.name) for device in devices))
        if not all(map(subject.lines, order.chunkings)):
            raise SourceEmpty(f"There is nothing to speak in “{subject.title}”.")
        if order.engine == "kokoro":
            devices = with_ceilings(devices, folder, teller)
        names = ", ".join(device.name for device in devices)
        teller.say(f"{subject.title}: {subject.n_words:,} words, on {names}")
        with Stands(order, options, subject, folder) as stands:
            rounds = Rounds(stands, order.repeat, teller)
            rounds.run(variants_of(order, devices), devices)
    return _result(order, machine, devices, subject, rounds)


def _result(
    order: Order,
    machine: Machine,
    devices: Sequence[Device],
    subject: Subject,
    rounds: Rounds,
) -> Result:
    ceilings = {one.name: one.ceilings for one in devices}
    medians_s = {one: median(each.wall_s for each in rounds.passes[one]) for one in rounds.passes}
    references = {mode: one for mode in Mode if (one := reference(medians_s, mode))}
    return Result(
        mark=order.mark,
        subject=subject,
        machine=machine,
        devices={
            name: {**facts, "ceilings": dict(ceilings[name])}
            for name, facts in rounds.facts.items()
        },
        versions=versions(),
        commit=commit(ROOT),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        load_after=load(),
        weights=_weights(order, rounds.facts),
        repeat=order.repeat,
        rows=tuple(
            _row(
                subject,
                rounds,
                one,
                medians_s[references[one.mode]] / medians_s[one],
                ceilings[one.device],
            )
            for one in medians_s
        ),
        references=references,
        passed=tuple(rounds.passed),
    )


def _row(
    subject: Subject,
    rounds: Rounds,
    variant: Variant,
    ratio: float,
    ceilings: Mapping[str, float],
) -> Row:
    lines = subject.lines(variant.chunking)
    n_chars = sum(line.n_chars for line in lines)
    figures = figures_of(rounds.passes[variant], n_chars, rounds.cancellation_s.get(variant))
    share = share_of(figures.speed, variant, rounds.facts.get(variant.device, {}), ceilings)
    return Row(variant, figures, rounds.stages.get(variant), len(lines), n_chars, ratio, share)


def _weights(order: Order, facts: Mapping[str, Mapping[str, object]]) -> str:
    if order.random_weights:
        return "random"
    digests = (one.get("weights_sha256", "") for one in facts.values())
    return str(next(digests, ""))
