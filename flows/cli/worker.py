"""`audiomill worker`: renders windows for a Dask cluster until it is stopped."""

from __future__ import annotations

import argparse
import logging
import socket

from audiomill.flows.cluster.choice import require_dask, scheduler_address
from audiomill.flows.cluster.worker_slots import worker_slots
from audiomill.flows.console import say, silence_dask
from audiomill.flows.engine_settings import choose_engine
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.signals import stop_on_signals, uninterrupted_children
from audiomill.flows.setting_sources import visible_gpus
from audiomill.flows.settings import load_settings
from audiomill.renderers.engine.registry import engine_named, open_renderer
from audiomill.renderers.host.cores import usable_cores

# Windows under way go to other workers meanwhile.
GRACE_S = 30.0
MOST_ENCODERS = 16  # of each process, unless more are asked for: one has some 100 MB
STOPPING = "Stopping. Batches under way are ended; other workers take their windows."


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM, which is not an error."""
    settings = load_settings()
    address = scheduler_address(arguments.scheduler or settings.dask_scheduler)
    require_dask()
    options = settings.engine_options()
    engine, messages = choose_engine(arguments.engine or settings.engine, options)
    for words in messages:
        say(f"Warning: {words}")
    # Imported here: it takes half a second, and needs the extra.
    from audiomill.flows.cluster.worker import WorkerService

    _log_to_stderr()
    open_renderer(engine, options)  # an engine that is not installed ends it here
    devices_of = engine_named(engine).devices
    devices = devices_of(options) if devices_of else ("cpu",)
    name = arguments.name or socket.gethostname()
    slots = worker_slots(name, options, devices, arguments.processes, visible_gpus())
    n_encoders = arguments.encoders
    if n_encoders is None:  # a core of each process is for the engine
        n_encoders = min(MOST_ENCODERS, max(1, usable_cores() // len(slots) - 1))
    service = WorkerService(address, engine, slots, n_encoders, settings.stalled_after_s)
    with stop_on_signals(RunContext(), GRACE_S, STOPPING) as context, uninterrupted_children():
        service.run(context.stop.is_set)
    return 0


def _log_to_stderr() -> None:
    """Print our own lines, and none of Dask's: what fails is told."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    silence_dask()
