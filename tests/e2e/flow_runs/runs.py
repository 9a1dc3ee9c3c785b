"""Shared by the tests of flow runs: a short text, how it is rendered, and what that leaves."""

import psutil

from support.home import files_below
from support.prefect_api import runs_of

TEXT = """---
title: A *book*
---
# One

A short text. It has two sentences.

# {Two}

And another chapter.
"""
# For books whose sound does not matter: a quarter of it, in a format that is quickly encoded.
BRIEF = ("--engine", "tone", "--speed", "4", "--format", "flac")


def started_by_hand(server: str) -> dict:
    """The newest run that is of no deployment."""
    return next(run for run in runs_of(server) if not run["deployment_id"])


def relatives(marker: str) -> list[psutil.Process]:
    """Every process on this machine whose environment or command line names `marker`."""
    found = []
    for process in psutil.process_iter():
        try:
            if marker in " ".join(process.cmdline()) or marker in process.environ().get("HOME", ""):
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
            continue
    return found


def n_shards(home) -> int:
    return len(files_below(home.store, ".shard"))
