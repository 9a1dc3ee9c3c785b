"""Which text each shard of a book is: what a run asks for is then known to be stored, or not."""

from __future__ import annotations

import json
from pathlib import Path

from support.forked_run import run_forked
from support.home import AUDIOMILL, Home

SOURCE = """
import json
import sys
from pathlib import Path
from audiomill.flows.make_job import make_job
from audiomill.flows.pipeline.planning.plan import make_plan
from audiomill.flows.pipeline.planning.manuscript import read_manuscript
from audiomill.flows.settings import load_settings
from audiomill.renderers.engine.registry import open_renderer

job = make_job(load_settings(), Path(sys.argv[1]))
plan = make_plan(read_manuscript(job), job, open_renderer(job.engine, job.options))
requests = (one.request for chapter in plan.chapters for one in chapter.segments)
print(json.dumps({request.key: request.spoken for request in requests}))
sys.exit(0)
"""


def texts_by_key(home: Home, book: Path) -> dict[str, str]:
    """The spoken text of each segment of a book in this home, by the key of its shard."""
    source = SOURCE
    if home.program != AUDIOMILL:  # which adds an engine of its own
        source = home.program[1].replace("sys.exit(main())", SOURCE)
    run = run_forked([str(book)], home.path, home.environment, source)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])
