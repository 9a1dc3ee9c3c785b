"""Each option of `render` is declared once; the command line, Python, the flow and docs have it."""

import re
import runpy
from dataclasses import fields

import pytest

from audiomill.flows.cli.parser import build_parser
from audiomill.flows.errors import UsageError
from audiomill.flows.make_job import make_job
from audiomill.flows.options import InspectOptions, PassedOn, RenderOptions, declared
from audiomill.flows.pipeline.api import inspect
from audiomill.flows.prefect import audiobook
from audiomill.flows.settings import Settings
from support.paths import ROOT

OPTIONS = declared(RenderOptions)
ONLY_ON_THE_COMMAND_LINE = {"help", "debug", "json", "sources", "prefect", "blocks"}


@pytest.mark.parametrize(
    ("command", "group"), [("render", RenderOptions), ("inspect", InspectOptions)]
)
def test_the_command_line_has_the_declared_options(command: str, group: type) -> None:
    actions = {one.dest: one for one in build_parser().commands[command].actions}
    assert actions.keys() - ONLY_ON_THE_COMMAND_LINE == declared(group).keys()
    for name, one in declared(group).items():
        assert one.option.flag_of(name) in actions[name].option_strings
        assert (actions[name].help or "").startswith(one.option.meaning)


def test_the_flow_has_the_declared_options_with_their_meaning() -> None:
    properties = audiobook.render_audiobook.parameters.properties
    assert list(properties) == ["source", *OPTIONS]
    for name, one in OPTIONS.items():
        assert properties[name]["description"] == one.option.sentence
    assert audiobook.render_audiobook.parameters.required == ["source", "engine"]


def test_the_page_about_python_has_the_declared_options() -> None:
    rows = [
        f"| `{name}` | `{one.option.flag_of(name)}` | {one.option.meaning} | {one.option.default} |"
        for name, one in OPTIONS.items()
    ]
    page = [(ROOT / "docs" / "python.md").read_text("utf-8")]
    pages = runpy.run_path(str(ROOT / "docs" / "reference_pages.py"))
    pages["with_generated"](None, "python", page)
    assert "\n".join(rows) in page[0]


def test_the_table_about_rendering_names_each_option() -> None:
    page = (ROOT / "docs" / "rendering.md").read_text("utf-8")
    table = page.partition("| for | add |")[2].partition("\n\n")[0]
    named = set(re.findall(r"--[a-z][a-z-]+", table))
    assert named - {"--json"} == {one.option.flag_of(name) for name, one in OPTIONS.items()}


def test_a_job_has_what_is_passed_on_to_it() -> None:
    assert {field.name for field in fields(PassedOn)} <= OPTIONS.keys()
    assert make_job(Settings(), "b.md", engine="tone", chapters="2-3", plot=True).chapters == "2-3"


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"voise": "reed"}, TypeError, "no option voise; there are engine, voice,"),
        ({"executor": "dask"}, TypeError, "no option executor"),  # who renders is no job's matter
        ({"read": "al"}, UsageError, "--read al: choose one of essential, everything"),
        ({"profile": "acs"}, UsageError, "--for acs: choose one of .* Did you mean acx"),
    ],
)
def test_what_is_no_option_or_no_choice_is_refused(options, error, words) -> None:
    with pytest.raises(error, match=words):
        make_job(Settings(), "b.md", **{"engine": "tone"} | options)


def test_inspect_refuses_what_only_render_has() -> None:
    with pytest.raises(TypeError, match="no option plot; there are engine, voice, speed, cast"):
        inspect("b.md", plot=True)
