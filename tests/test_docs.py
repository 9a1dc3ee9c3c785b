"""Every command of the documents is run by a test, and what the README claims is so."""

import json
import re
import shlex
import subprocess
import tomllib
from dataclasses import asdict, fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import pytest
import yaml

from audiomill.flows import console
from audiomill.flows.cli.parser import COMMANDS, build_parser
from audiomill.flows.settings import Settings
from audiomill.inputs.reading.choices import ReadingSettings
from audiomill.outputs.formats.registry import FORMATS
from audiomill.renderers.cosyvoice.options import CosyVoiceServerOptions
from audiomill.renderers.elevenlabs.account import MODELS
from audiomill.renderers.elevenlabs.options import ElevenLabsOptions
from audiomill.renderers.engine.registry import ENGINES
from audiomill.renderers.fish.options import FishOptions
from audiomill.renderers.kokoro.options import KokoroOptions
from audiomill.renderers.kokoro.weights.releases import V1_1_ZH
from audiomill.renderers.openai.options import ServerOptions
from audiomill.renderers.openai.profiles import PROFILES
from audiomill.renderers.piper.options import PiperServerOptions
from support.case_files import each_of
from support.documents import (
    ALL_TEXT,
    DOCUMENTS,
    FENCE,
    SPAN,
    blocks,
    commands,
    lines_of,
    named_by_tests,
    spans,
)
from support.paths import ROOT, SAMPLES
from support.process_data import TIMEOUT_S
from support.spoken_cases import said

README = (ROOT / "README.md").read_text("utf-8")
EXIT_CODES_PAGE = (ROOT / "docs" / "reference" / "exit-codes.md").read_text("utf-8")
READING, KOKORO, SERVERS, SETTINGS, ELEVENLABS, SPEECH, SYSTEMS = (
    (ROOT / "docs" / f"{name}.md").read_text("utf-8")
    for name in ("reading", "kokoro", "servers", "settings", "elevenlabs", "speech", "systems")
)
SERVER_TABLES = {
    "openai": ServerOptions,
    "fish": FishOptions,
    "cosyvoice_server": CosyVoiceServerOptions,
    "piper_server": PiperServerOptions,
}
CONTAINERS = (ROOT / "docs" / "containers.md").read_text("utf-8")
IN_CONTAINERS = [line for block in blocks("sh", CONTAINERS) for line in lines_of(block)]
NAMED = named_by_tests()
pytestmark = pytest.mark.longest  # last of all files by its name, one core would wait for it
# Run here as they stand, unless a test of its own names it: one that never ends, for example.
OURS = [
    line
    for line in dict.fromkeys(line for block in blocks("sh") for line in lines_of(block))
    if line.startswith("audiomill ") and line not in NAMED
]
# What a test cannot run as it stands, and why.
NOT_RUN = {
    "python -m spacy download en_core_web_sm": "it downloads from others than package indexes",
    "prefect flow-run execute": "Prefect's pools start it in containers",
}
ARGUMENTS = {
    "render": ["book.md"],
    "inspect": ["book.md"],
    "bench": [],
    "voices": [],
    "serve": ["show.toml", "--cron", "0 6 * * *"],
    "worker": [],
    "doctor": [],
    "lexicon": ["suggest", "book.md"],
    "listen": ["book.md"],
}


def test_every_command_is_run_by_a_test():
    """A command that is missing here needs a test that takes it by `documented`."""
    dry_run = {line for line in commands() if line.startswith("make ")}
    # Without Docker, test_image.py takes the steps of the image, and runs the program in it.
    in_images = {line for line in IN_CONTAINERS if line.startswith("docker ")}
    run = NAMED | {*OURS, *NOT_RUN} | dry_run | in_images
    assert [line for line in commands() if line not in run] == []
    assert NAMED - {*commands()} == set()
    assert {*NOT_RUN} <= {*commands()}


def test_a_command_that_is_only_named_exists():
    named = re.findall(r"`audiomill (\S+)`", ALL_TEXT)
    assert {*named} <= {*COMMANDS}


def test_there_are_no_blocks_of_another_kind():
    """Only these are looked at, here and in test_python_interface.py."""
    kinds = [line for line in map(str.strip, ALL_TEXT.splitlines()) if line[:3] in ("```", "~~~")]
    assert {*kinds} == {"```", "```sh", "```python", "```toml", "```yaml"}
    assert len(kinds) == 2 * sum(len(blocks(kind)) for kind in ("", "sh", "python", "toml", "yaml"))
    assert len(blocks("")) == 1  # the tree of folders


@each_of([(span,) for span in spans() if span.startswith("--")])
def test_an_option_is_understood(capsys, span):
    """With its value, if the text has one, by a command that it may belong to."""
    words = shlex.split(span)
    if len(words) == 1:
        assert re.search(rf"{span}(?![\w-])", all_help())
    else:
        assert any(is_parsed([name, *rest, *words]) for name, rest in ARGUMENTS.items())


@cache
def parser():
    return build_parser()


@cache
def all_help():
    """The help of all commands."""
    actions = (one for one in parser()._actions if isinstance(one.choices, dict))
    parsers = (parser for action in actions for parser in action.choices.values())
    return "\n".join(parser.format_help() for parser in parsers)


def is_parsed(words):
    try:
        parser().parse_args(words)
    except SystemExit:
        return False
    return True


@pytest.mark.parametrize(
    "line", [pytest.param(line, marks=[pytest.mark.prove] * (" bench " in line)) for line in OURS]
)
def test_a_command_of_the_documents_works(home, line):
    """What it says is said fast: most of its time would go to the sound of a whole book."""
    home = home.with_variables(AUDIOMILL_SPEED=2.5)
    start = home.run_program if " bench " in line else home.run
    run = start(*shlex.split(line)[1:], cwd=ROOT)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()


MADE = [line for line in commands() if line.startswith("make ")]
HELPED = re.findall(r'@echo "(make [a-z-]+) ', (ROOT / "Makefile").read_text())


@pytest.mark.parametrize("line", sorted({*MADE, *HELPED}))
def test_make_knows_the_target_and_its_tests_are_there(line):
    """What they do is to install, or it is what runs this test."""
    words = ["make", "--dry-run", *shlex.split(line)[1:]]
    run = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT_S)
    assert run.returncode == 0, run.stderr
    tests = [word for word in run.stdout.split() if word.startswith("tests/")]
    assert [one for one in tests if not (ROOT / one).exists()] == []


def test_the_deployment_of_the_documents_is_one_of_ours():
    (block,) = blocks("yaml")
    (shown,) = yaml.safe_load(block)["deployments"]
    ours, _ = yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]
    (shown_schedule,), (our_schedule,) = shown.pop("schedules"), ours.pop("schedules")
    assert shown.items() <= ours.items()
    assert shown_schedule.items() <= our_schedule.items()


def test_no_command_is_missing_from_the_documents():
    for command in COMMANDS:
        assert re.search(rf"audiomill {command}\b", ALL_TEXT), command


def test_the_readme_has_two_screens_and_leads_to_the_site():
    assert len(README.splitlines()) < 65
    assert "(docs/index.md)" in README


def test_the_files_that_documents_name_are_there():
    notes = (page.read_text("utf-8") for page in (ROOT / "docs" / "design").glob("*.md"))
    text = "\n".join((ALL_TEXT, *notes))
    named = re.findall(r"`((?:inputs|renderers|outputs|flows|tests|docs)/[a-z0-9_./]+)`", text)
    assert len(named) > 100
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_exit_codes_of_the_documents_are_those_of_the_program():
    table = EXIT_CODES_PAGE.partition("| code | meaning |")[2].partition("\n\n")[0]
    told = {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)}
    ours = {value for name, value in vars(console).items() if name.startswith("EXIT_")}
    assert told == {0, 1, *ours}


@each_of([(page,) for page in {*DOCUMENTS, *(ROOT / "docs").rglob("*.md")}])
def test_links_lead_to_files_and_headings(page):
    text = SPAN.sub("", FENCE.sub("", page.read_text("utf-8")))
    for link in re.findall(r"\]\(([^)]+)\)", text):
        if not link.startswith("http"):
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            assert target.exists(), link
            assert not anchor or anchor in anchors_of(target), link


def anchors_of(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub and the site name them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}


def test_each_page_of_the_site_is_in_a_list():
    pages = {*(ROOT / "docs").rglob("*.md")}
    listed = {ROOT / "docs" / "index.md"}
    for page in pages:
        for block in re.findall(r"^:+\{toctree\}\n(.*?)^:+$", page.read_text("utf-8"), re.M | re.S):
            names = re.findall(r"^(?!:)(?:.*<)?([\w/-]+)>?$", block, re.MULTILINE)
            listed |= {page.parent / f"{name}.md" for name in names}
    assert listed == pages


def test_the_reference_is_that_of_the_code(monkeypatch):
    """The pages of it that the site has."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    reference_pages = import_module("reference_pages")
    page = {}
    for name in reference_pages.GENERATED:
        text = [(ROOT / "docs" / f"{name}.md").read_text("utf-8")]
        reference_pages.with_generated(None, name, text)
        (page[name],) = text
    command_line = page["reference/command-line"]
    parsers = build_parser().commands
    for action in (action for name in COMMANDS for action in parsers[name].actions):
        assert all(one in command_line for one in action.option_strings if one != "-h")
    assert all(entry.media_type in page["reference/formats"] for entry in FORMATS.values())
    assert all(name in page["reference/engines"] for name in ENGINES)
    assert "Raises UsageError, SourceError" in page["reference/python-names"]


def test_the_examples_of_settings_load(home):
    (server,), (settings,) = blocks("toml", SYSTEMS), blocks("toml", SETTINGS)
    (home.path / "audiomill.toml").write_text(server)
    assert "as Kokoro-FastAPI says" in home.run("engines").stdout
    (beside,) = blocks("toml", READING)
    (home.path / "audiomill.toml").write_text(settings)
    (home.path / "b.reading.toml").write_text(beside)
    (home.path / "b.md").write_text("# The Sea\n\nText.\n\nSign up for more.\n")
    run = home.run("inspect", "b.md")
    assert run.returncode == 0, run.stderr
    assert "left out by the file beside the book" in run.stdout


def test_the_example_of_a_cast_is_understood(home):
    """Its chapter by title is of another book; all else is in the sample."""
    (example,) = blocks("toml", (ROOT / "docs" / "casting.md").read_text("utf-8"))
    sample = home.path / "mill.epub"
    sample.write_bytes((SAMPLES / "the-lighthouse-mill.epub").read_bytes())
    (home.path / "mill.voices.toml").write_text(example)
    run = home.run("inspect", sample, "--engine", "espeak", "--json")
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    assert {share["voice"] for share in seen["voices"]} >= {*re.findall('= "(.*?)"', example)} - {
        "en-gb+f5"
    }
    (warning,) = (one for one in seen["warnings"] if "voices.toml" in one)
    assert "there is no chapter “Anna”" in warning


def test_the_lexicon_example_is_one(home):
    (example,) = blocks("toml", (ROOT / "docs" / "lexicons.md").read_text("utf-8"))
    (home.path / "b.lexicon.toml").write_text(example)
    (home.path / "b.md").write_text("# T\n\nNguyen saw St. Ives, Worcester and 49-ers.\n")
    run = home.run("lexicon", "suggest", "b.md", "--engine", "tone")
    assert run.returncode == 0, run.stderr
    assert tomllib.loads(run.stdout) == {"words": {}}  # it has something for each name


def test_every_setting_of_kokoro_is_in_the_docs():
    named = re.findall(r"\| `AUDIOMILL_KOKORO__(\w+)` \|", KOKORO)
    assert sorted(named) == sorted(one.name.upper() for one in fields(KokoroOptions))


def test_every_setting_is_in_the_docs_with_its_default(home, monkeypatch):
    """Those of [reading], [credits], [kokoro] and of servers are in tables elsewhere."""
    elsewhere = ("reading", "credits", "kokoro", *SERVER_TABLES, "elevenlabs")
    monkeypatch.setenv("HOME", str(home.path))
    defaults = {}
    for name in Settings.model_fields:
        value = getattr(Settings(), name)
        inner = asdict(value) if is_dataclass(value) else {}
        if name not in elsewhere:
            defaults |= {f"{name}.{key}": one for key, one in inner.items()} or {name: value}
    rows = dict(re.findall(r"^\| `([\w.]+)` \| (.+?) \|", SETTINGS, re.MULTILINE))
    assert rows.keys() == defaults.keys()
    for name, default in defaults.items():
        if isinstance(default, bool):
            assert rows[name] == str(default).lower()
        elif isinstance(default, int | float):
            assert float(rows[name]) == default, name
        elif name in ("engine", "foreign", "library"):
            assert rows[name] == f"`{default}`"


def test_every_setting_and_profile_of_servers_is_in_the_docs():
    for table, options in SERVER_TABLES.items():
        named = re.findall(rf"^\| `{table}\.(\w+)` \|", SERVERS, re.MULTILINE)
        assert sorted(named) == sorted(one.name for one in fields(options))
    rows = re.findall(r"^\| `([\w-]+)` \| [^|]* \| `(http[^`|]*)` \|", SERVERS, re.MULTILINE)
    assert rows == [(one.name, one.url) for one in PROFILES.values()]


def test_every_setting_and_price_of_elevenlabs_is_in_the_docs():
    rows = re.findall(r"^\| `elevenlabs\.(\w+)` \| (.+?) \|", ELEVENLABS, re.MULTILINE)
    defaults = {
        one.name: getattr(ElevenLabsOptions(), one.name) for one in fields(ElevenLabsOptions)
    }
    assert sorted(name for name, _ in rows) == sorted(defaults)
    shown = {None: "none", True: "true"}
    for name, told in rows:
        value = defaults[name]
        if isinstance(value, str) or value in (None, True):
            assert told.strip("`") == shown.get(value, value)
        else:
            assert float(told) == value
    prices = re.findall(r"^\| `(eleven_\w+)` \| [^|]* \| (\d+) \| (yes|no) \|", ELEVENLABS, re.M)
    assert len(prices) > 3
    for name, price, takes_phonemes in prices:
        assert MODELS[name].price == float(price)
        assert MODELS[name].takes_phonemes == (takes_phonemes == "yes")


def test_every_setting_of_reading_is_in_the_docs():
    table = READING.partition("| `[reading]` in the settings |")[2].partition("\n\n")[0]
    values = {name for row in table.splitlines()[2:] for name in re.findall(r"`(\w+)`", row)}
    hints = get_type_hints(ReadingSettings)
    allowed = {value for hint in hints.values() for value in re.findall(r"'(\w+)'", str(hint))}
    assert values == {*hints, *allowed}


def test_the_docs_tell_which_voices_are_not_verified():
    voices = V1_1_ZH.voices
    known = [name for name, digest in voices.items() if digest]
    assert f"only\n{' and '.join(f'`{name}`' for name in known)} are checked" in KOKORO
    assert f"the hashes of the other {len(voices) - len(known)} are not known" in KOKORO


def test_what_the_page_of_speech_shows_is_said():
    table = SPEECH.partition("| as written | as spoken |")[2].partition("\n\n")[0]
    rows = [row.strip("| ").split(" | ") for row in table.strip().splitlines()[1:]]
    assert len(rows) > 5
    for written, spoken in rows:
        assert said(written, "en-US") == spoken


def test_the_tree_of_the_code_names_the_folders_that_are_there():
    (tree,) = blocks("")
    parts = re.split(r"^(\w+)/ ", tree, flags=re.MULTILINE)[1:]
    names = parts[::2]
    assert names == ["inputs", "renderers", "outputs", "flows", "tests"]
    for name, text in zip(names, parts[1::2], strict=True):
        with_files = {one.parent.name for one in (ROOT / name).glob("*/*") if one.suffix}
        folders = {one for one in with_files if not one.startswith("_")}
        # Those of `tests` are mostly the others again.
        expected = folders - {*names} if name == "tests" else folders
        assert {*re.findall(r"(\w+)/", text)} == expected, name
