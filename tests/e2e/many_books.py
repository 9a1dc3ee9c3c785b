"""Twenty books at once on one server that takes five requests: programs, and what must be true."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from support.book_data import write_book
from support.home import Home
from support.speech_server import SpeechServer

N_BOOKS, N_SLOTS = 20, 5
LATENCY_S = 0.5  # much more than a busy machine takes from an answer to the next request
TIMEOUT_S = 10.0  # instead of a minute and more: a server that hangs is given up then

# `audiomill …`, less patient.
IMPATIENT = f"""
import sys
from audiomill.renderers.servers import client
client.BASE_TIMEOUT_S, client.CHAR_TIMEOUT_S = {TIMEOUT_S}, 0.0
from audiomill.flows.cli.main import main
sys.exit(main())
"""
# Books at once in threads of one process, which share a client.
IN_ONE_PROCESS = f"""
import json, sys
from concurrent.futures import ThreadPoolExecutor
import audiomill
from audiomill.renderers.servers import client
client.BASE_TIMEOUT_S, client.CHAR_TIMEOUT_S = {TIMEOUT_S}, 0.0

def rendered(book):
    report = audiomill.render(book, out=book.removesuffix(".md"), formats=["flac"])
    return {{"segments": report.segments, "repeated": report.repeated, "report": str(report.path)}}

with ThreadPoolExecutor({N_BOOKS}) as pool:
    print(json.dumps([*pool.map(rendered, sys.argv[1:])]))
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the runs of all books told."""

    n_distinct: int  # segments
    n_billed: int  # characters


def own_books(folder: Path, n_sentences: int) -> list[Path]:
    """Books of which no two share a segment."""
    books = [write_book(folder / f"Book{n}.md", 2, n_sentences, seed=n) for n in range(N_BOOKS)]
    for n, book in enumerate(books):
        book.write_text(book.read_text().replace("# ", f"# Volume {n}, "))
    return books


def in_twenty_processes(home: Home, books: Sequence[Path]) -> Outcome:
    """Render each book by a process of its own, all at once."""
    home = _with_program(home, IMPATIENT)
    runs = [home.start("render", book, "--out", book.with_suffix(""), "--json") for book in books]
    told = [run.communicate() for run in runs]
    assert [run.returncode for run in runs] == [0] * N_BOOKS, told
    return _outcome([json.loads(out) for out, _ in told])


def in_one_process(home: Home, books: Sequence[Path]) -> Outcome:
    """Render all books at once by one process."""
    run = _with_program(home, IN_ONE_PROCESS).run_program(*books)
    assert run.returncode == 0, run.stderr
    return _outcome(json.loads(run.stdout))


def _with_program(home: Home, source: str) -> Home:
    return Home(home.path, home.variables, ("-c", source))


def _outcome(summaries: Sequence[Mapping[str, Any]]) -> Outcome:
    assert len(summaries) == N_BOOKS
    return Outcome(
        sum(one["segments"] - one["repeated"] for one in summaries), sum(map(billed_in, summaries))
    )


def billed_in(summary: Mapping[str, Any]) -> int:
    """The characters that the report of a run counts as billed."""
    return json.loads(Path(summary["report"]).read_text())["characters_billed"]


def assert_each_segment_is_bought_once(server: SpeechServer, found: Outcome) -> None:
    """But for answers that were lost, which are counted."""
    assert sorted(server.spoken) == sorted({*server.spoken})
    assert len(server.spoken) == found.n_distinct
    lost = [one.body["input"] for one in server.requests if one.status == 0]
    met = server.faults_met
    assert len(lost) == met["cut"] + met["hang"]  # each of which the server bills
    n_chars = sum(map(len, server.spoken)) + sum(map(len, lost))
    assert n_chars == server.billed_characters == found.n_billed


def assert_faults_were_met(server: SpeechServer) -> None:
    """Each kind of fault that the server was told to have."""
    assert {*server.faults_met} == {*server.behaviour.faults}


def assert_the_server_is_kept_busy_and_not_pestered(
    server: SpeechServer, most_refusals: float
) -> None:
    """After the first quarter, it mostly has as many requests as it takes, or one more or less.

    `most_refusals`: for want of a slot, for each answer. Other 429s are not counted.
    """
    usual = median(server.in_flight[len(server.in_flight) // 4 :])
    assert N_SLOTS - 1 <= usual <= N_SLOTS + 1
    n_refused = Counter(one.status for one in server.requests)[429]
    n_full = n_refused - server.faults_met["429"]
    assert n_full <= most_refusals * len(server.spoken)
