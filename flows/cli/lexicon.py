"""`audiomill lexicon suggest`: words of a book that a lexicon may have to correct."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from audiomill.flows.console import put, put_json
from audiomill.flows.job import UsageError
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.planning.lexicon_suggestions import as_toml, suggest_words
from audiomill.flows.settings import load_settings
from audiomill.outputs.files import require_new, write_new


def run(arguments: argparse.Namespace) -> int:
    """Print the words as TOML or JSON, or write them to a file."""
    if arguments.most < 1:
        raise UsageError(f"--most {arguments.most}: write a number from 1 on.")
    if arguments.out:
        require_new(arguments.out)
    job = make_job(
        load_settings(), arguments.source, engine=arguments.engine, voice=arguments.voice
    )
    suggestions = suggest_words(job, arguments.most)
    if arguments.out:
        write_new(arguments.out, as_toml(suggestions).encode())
    if arguments.json:
        path = str(arguments.out) if arguments.out else None
        put_json(asdict(suggestions) | {"path": path})
    elif arguments.out:
        put(str(arguments.out))
    else:
        for line in as_toml(suggestions).splitlines():
            put(line)
    return 0
