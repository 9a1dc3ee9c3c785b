"""docs/benchmark.md explains every figure of the JSON and of the table."""

import re
from dataclasses import fields

from audiomill.flows.bench.statistics import Figures, Stages
from audiomill.flows.bench.table import COLUMNS, MEMORY, RATIO, STAGES
from support.paths import ROOT

DOCS = (ROOT / "docs" / "benchmark.md").read_text("utf-8")
EXPLAINED = set(re.findall(r"`([a-z0-9_]+)`", DOCS))


def test_every_figure_of_the_json_is_explained():
    without_own_entry = {"audio_s", "synthesis_share", "store_share", "encode_share"}
    figures = {field.name for kind in (Figures, Stages) for field in fields(kind)}
    assert figures - without_own_entry <= EXPLAINED


def test_every_column_is_explained():
    titles = [column.title for column in (*COLUMNS, *MEMORY, *STAGES, RATIO)]
    explained = " ".join(re.findall(r"^\| ([^|]*) \|", DOCS, re.MULTILINE))
    for title in titles:
        assert title in explained, title
