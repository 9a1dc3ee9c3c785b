"""docs/benchmark.md explains every figure and names only existing options."""

import argparse
import re
import shlex
from dataclasses import fields

from audiomill.flows.bench.options import add_bench_options
from audiomill.flows.bench.statistics import Figures, Stages
from audiomill.flows.bench.table import COLUMNS, RATIO, STAGES
from audiomill.flows.cli.parser import build_parser
from support.home import ROOT

DOCS = (ROOT / "docs" / "benchmark.md").read_text("utf-8")
EXPLAINED = set(re.findall(r"`([a-z0-9_]+)`", DOCS))


def test_every_option_in_the_docs_exists():
    parser = argparse.ArgumentParser()
    add_bench_options(parser)
    # `--json` is an option of every command, `--no-deps` one of pip.
    known = set(parser._option_string_actions) | {"--json", "--no-deps"}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", DOCS)) <= known


def test_every_command_in_the_docs_is_understood():
    """The tests of the command line run these options, with smaller texts and models."""
    lines = re.findall(r"^audiomill (bench[^#\n]*)", DOCS, re.MULTILINE)
    assert len(lines) > 5
    for line in lines:
        build_parser().parse_args(shlex.split(line))


def test_every_figure_of_the_json_is_explained():
    without_own_entry = {"audio_s", "synthesis_share", "store_share", "encode_share"}
    figures = {field.name for kind in (Figures, Stages) for field in fields(kind)}
    assert figures - without_own_entry <= EXPLAINED


def test_every_column_is_explained():
    titles = [column.title for column in (*COLUMNS, *STAGES, RATIO)]
    explained = " ".join(re.findall(r"^\| ([^|]*) \|", DOCS, re.MULTILINE))
    for title in titles:
        assert title in explained, title
