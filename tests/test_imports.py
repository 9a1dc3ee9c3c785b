"""The arrows of the house: who may import whom, and what must not be loaded at start-up."""

import ast
import re
import subprocess
import sys
import sysconfig
import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import NamedTuple

import pytest
from babel import Locale
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from audiomill.outputs.formats.registry import FORMATS
from audiomill.renderers.engine.registry import engine_folders, engine_names
from support.paths import ROOT

pytestmark = pytest.mark.longest  # as in test_docs.py

WORKER_PROGRAM = "renderers/isolated/worker_program.py"
ENGINE_SCRIPTS = "renderers/isolated/engines/"
FOLDERS = ("inputs", "renderers", "outputs", "flows")  # imports point to the left
FILES = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]


def module_of(path: Path) -> str:
    """The name under which `path` is imported."""
    return ".".join(("audiomill", *path.relative_to(ROOT).with_suffix("").parts))


class Source(NamedTuple):
    """What the tests here ask of a file."""

    imported: set[str]  # every module, wherever it is imported
    imported_at_start: set[str]  # only those imported when the file is imported itself
    classes: list[str]
    strings: set[str]  # but for docstrings; and the names


@cache
def source(path: Path) -> Source:
    """What is in `path`, which is parsed once for all tests."""
    tree = ast.parse(path.read_text())
    nodes = [*ast.walk(tree)]
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    return Source(imported_by(nodes), imported_by(tree.body), classes, strings_in(nodes))


def imported_by(nodes: Iterable[ast.AST]) -> set[str]:
    modules = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "a relative import hides its arrow"
            modules.add(node.module)
            modules.update(f"{node.module}.{alias.name}" for alias in node.names)
    return modules


def strings_in(nodes: list[ast.AST]) -> set[str]:
    docs = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    constants = (node for node in nodes if isinstance(node, ast.Constant) and id(node) not in docs)
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {one.value for one in constants if isinstance(one.value, str)}


def importers(package: str) -> set[str]:
    """The files that import `package` or anything in it."""
    return {
        str(path.relative_to(ROOT))
        for path in FILES
        if any(module.split(".")[0] == package for module in source(path).imported)
    }


def test_imports_point_upstream():
    assert {path: against for path in FILES if (against := imported_downstream(path))} == {}


def imported_downstream(path: Path) -> set[str]:
    place = FOLDERS.index(path.relative_to(ROOT).parts[0])
    downstream = tuple(f"audiomill.{name}" for name in FOLDERS[place + 1 :])
    return {module for module in source(path).imported if module.startswith(downstream)}


def test_the_walk_finds_imports():
    found = source(ROOT / "inputs" / "segmentation" / "segments.py").imported
    assert "audiomill.inputs.model.book" in found
    assert {path.relative_to(ROOT).parts[0] for path in FILES} == {*FOLDERS}


def test_the_machine_knows_no_book_and_no_audio():
    for path in (ROOT / "renderers" / "host").glob("*.py"):
        ours = {module for module in source(path).imported if module.startswith("audiomill.")}
        assert all(module.startswith("audiomill.renderers.host") for module in ours), path


def test_no_imports_go_round_in_a_circle():
    """Every file can be imported after those that it imports."""
    waiting = {module_of(path): source(path).imported_at_start for path in FILES}
    while waiting:
        ready = {name for name, needs in waiting.items() if not needs & waiting.keys()}
        assert ready, f"these import each other: {sorted(waiting)}"
        waiting = {name: needs for name, needs in waiting.items() if name not in ready}


def test_no_folders_import_each_other():
    """Each folder can be understood after those that it imports, at the start or in a function."""
    folders = {module_of(path): str(path.relative_to(ROOT).parent) for path in FILES}
    waiting: dict[str, set[str]] = {one: set() for one in folders.values()}
    for path in FILES:
        own = folders[module_of(path)]
        needs = {folders[module] for module in source(path).imported & folders.keys()}
        waiting[own] |= needs - {own}
    while waiting:
        ready = {one for one, needs in waiting.items() if not needs & waiting.keys()}
        assert ready, f"these import each other: {sorted(waiting)}"
        waiting = {one: needs for one, needs in waiting.items() if one not in ready}


def test_no_class_name_means_two_things():
    names = Counter(name for path in FILES for name in source(path).classes)
    assert [name for name, n in names.items() if n > 1] == []


# A library of Italy, whose books name no language.
NAME_A_LANGUAGE = {"inputs/gutenberg/liber_liber.py": {"it"}}
# Engines say themselves what they speak; “it” and “pt” are words of English.
MAY_NAME_LANGUAGES = ("renderers/", "inputs/languages/")


def test_a_language_is_named_in_its_folder_only():
    """The list above may only become shorter."""
    homes = {one.parent.name for one in (ROOT / "inputs/languages").glob("*/declaration.py")}
    titles = {tag: Locale("en").languages[tag] for tag in homes - {"en"}}
    named = dict[str, set[str]]()
    for path in FILES:
        place = str(path.relative_to(ROOT))
        texts = set[str]() if place.startswith(MAY_NAME_LANGUAGES) else source(path).strings
        for tag, title in titles.items():
            if any(text.split("-")[0] == tag or title in text for text in texts):
                named.setdefault(place, set()).add(tag)
    assert named == NAME_A_LANGUAGE


# Where an engine is named outside its folder, and why. The list may only become shorter.
NAME_AN_ENGINE = {
    "renderers/host/installation.py": "the extra of the image for GPUs",
    "renderers/kokoro/g2p/english.py": "says the words that misaki does not know",
    "renderers/piper/renderer.py": "gives the phonemes of its voices",
    "renderers/piper/server_renderer.py": "gives the phonemes of its voices",
    "renderers/piper/voice_files.py": "gives the phonemes of its voices",
}


def test_an_engine_is_named_in_its_folder_only():
    """But for those whose names are words of languages: a day, an animal, a sound.

    A folder may declare several.
    """
    names = {*engine_names()} - {"dia", "fish", "tone"}
    declared = {
        folder: {one.name for one in import_module(f"audiomill.renderers.{folder}.engine").ENGINES}
        for folder in engine_folders(ROOT / "renderers")
    }
    name = re.compile(rf"(?<![\w-])(?:{'|'.join(sorted(names, key=len, reverse=True))})(?![\w-])")
    named = set[str]()
    for path in FILES:
        place = path.relative_to(ROOT)
        own = {part.removesuffix(".py").replace("_", "-") for part in place.parts}
        own |= set().union(*(declared.get(part, set()) for part in place.parts))
        found = {one for text in source(path).strings for one in name.findall(text)}
        if found - own:
            named.add(str(place))
    assert named == NAME_AN_ENGINE.keys()


# The same of an output format. In inputs, words of English are among them.
NAME_A_FORMAT = {
    "flows/podcast/show_template.py": "examples of music that a show may have",
    "renderers/isolated/engines/xtts.py": "a key of what its package returns",
    "renderers/reference_voices/voice.py": "recordings that are read, none of ours",
    "renderers/store/shard_header.py": "a payload of shards, which are no files for people",
    "renderers/speech/wav.py": "sound that is exchanged, whose home it is",
}


def test_a_format_is_named_in_its_file_only():
    name = re.compile(rf"\b(?:{'|'.join(FORMATS)})\b")
    homes = ("inputs/", "outputs/formats/")
    places = {str(path.relative_to(ROOT)): path for path in FILES}
    texts = {one: source(path).strings for one, path in places.items() if not one.startswith(homes)}
    assert {one for one, all_of in texts.items() if any(map(name.search, all_of))} == {
        *NAME_A_FORMAT
    }


def test_every_folder_is_in_the_package():
    """In a checkout all are found; an installed copy has only those with an `__init__.py`."""
    held = [*FILES, ROOT / "inputs" / "samples" / "bench-corpus.md"]
    folders = {folder for path in held for folder in path.relative_to(ROOT).parents}
    assert {str(one) for one in folders if not (ROOT / one / "__init__.py").is_file()} == set()


def test_only_flows_knows_prefect():
    assert {path.split("/")[0] for path in importers("prefect")} == {"flows"}


def test_only_kokoro_and_the_codec_of_orpheus_know_torch():
    """And what counts GPUs, and scripts that run in environments of other engines."""
    known = (
        *("renderers/kokoro/", "renderers/orpheus/snac.py", "renderers/host/devices.py"),
        ENGINE_SCRIPTS,
    )
    assert all(path.startswith(known) for path in importers("torch"))


def test_what_runs_in_other_environments_imports_nothing_of_ours():
    """Nor does anything of ours import it: it needs packages that are not here."""
    program = ROOT / WORKER_PROGRAM
    theirs = [program, *(ROOT / ENGINE_SCRIPTS).glob("[a-z]*.py")]
    assert len(theirs) > 10
    assert importers("audiomill") & {str(path.relative_to(ROOT)) for path in theirs} == set()
    ours = {module for path in FILES for module in source(path).imported}
    assert not ours & {module_of(path) for path in theirs}
    for path in theirs:
        ast.parse(path.read_text(), feature_version=(3, 9))  # the oldest Python that runs them
    own = {module.split(".")[0] for module in source(program).imported}
    # Two are imported once they are asked for: to download a model, and to read a recording.
    assert own - {"huggingface_hub", "soundfile"} <= sys.stdlib_module_names


def test_only_the_cluster_knows_dask():
    known = importers("distributed") | importers("dask")
    assert known
    assert all(path.startswith("flows/cluster/") for path in known)


def test_only_two_files_start_ffmpeg():
    """One finds it and asks what it can do, one has it work."""
    assert importers("imageio_ffmpeg") == {"outputs/ffmpeg/find_ffmpeg.py"}
    # One starts a player of sound, one Prefect's server, one our own processes, one those of other
    # interpreters; one ends them; one only knows the error of a compiler that Triton has started.
    others = {
        "flows/local_player.py",
        "flows/prefect_server/api.py",
        "renderers/host/child_process.py",
        "renderers/host/foreign_process.py",
        "renderers/host/pipes.py",
        "renderers/kokoro/gpu/self_test.py",
    }
    files = {"outputs/ffmpeg/ffmpeg.py", "outputs/ffmpeg/find_ffmpeg.py"}
    assert importers("subprocess") - others == files


def test_only_settings_reads_the_environment():
    readers = {
        str(path.relative_to(ROOT))
        for path in FILES
        if any(word in path.read_text() for word in ("os.environ", "os.getenv", "environ["))
    }
    # Two read nothing there: they pass all on to a process of ours, or of another interpreter. Two
    # read secrets that a file names, and one is such another process itself.
    others = {
        "renderers/host/child_process.py",
        "renderers/host/foreign_process.py",
        "flows/podcast/secrets.py",
        "renderers/servers/calls.py",
        WORKER_PROGRAM,
    }
    assert readers - others == {
        "flows/setting_sources.py",
        "flows/variables.py",
        "flows/prefect_server/settings.py",
    }


def test_packages_are_empty_inside():
    assert [path for path in FILES if path.name == "__init__.py" and path.read_text()] == []


def loaded_by(code: str) -> set[str]:
    """The packages that a fresh interpreter has loaded after `code`."""
    return {name.split(".")[0] for name in modules_loaded_by(code)}


def modules_loaded_by(code: str) -> list[str]:
    """The modules that a fresh interpreter has loaded after `code`."""
    program = f"import sys\n{code}\nprint(*sys.modules, file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return run.stderr.splitlines()[-1].split()


def test_help_loads_no_package_but_our_own_and_no_openssl():
    code = (
        "from audiomill.flows.cli.main import main\n"
        "sys.argv = ['audiomill', '--help']\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as leaving:\n"
        "    assert not leaving.code"
    )
    at_start = loaded_by("")  # what the environment loads into each interpreter
    loaded = loaded_by(code) - at_start
    assert loaded - sys.stdlib_module_names == {"audiomill"}
    assert "_hashlib" not in loaded


def test_what_plays_a_book_by_a_server_loads_nothing_that_encodes_or_reads_pages():
    names = ("job", "beginning_writer", "playback", "server_rows")
    code = ", ".join(f"audiomill.flows.listen.{name}" for name in names)
    loaded = set(modules_loaded_by(f"import {code}"))
    assert {"audiomill.outputs.audio.joining", "audiomill.inputs.readers.sources"} <= loaded
    later = (
        *("outputs.formats.encoder", "outputs.ffmpeg.decoding", "outputs.transcripts.cues"),
        *("inputs.metadata.descriptions", "inputs.chapters.arrangement", "inputs.gutenberg.text"),
        *("renderers.reference_voices.clones", "flows.speech.text_plan"),
    )
    assert loaded & {f"audiomill.{name}" for name in later} == set()


def modules_of_extras() -> set[str]:
    """What the packages are imported as that only extras need: engines, clients, clusters."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    def names(requirements: list[str]) -> set[str]:
        found = {Requirement(one).name for one in requirements} - {"audiomill"}
        return {canonicalize_name(name) for name in found}

    extras = (names(one) for one in project["optional-dependencies"].values())
    only_extras = set().union(*extras) - names(project["dependencies"])
    return {
        module
        for module, owners in packages_distributions().items()
        if only_extras & {canonicalize_name(owner) for owner in owners}
    }


# The file of each module that any process executes is noted, one a line. An audit of imports would
# miss `import_module`, and one of searches would take a question for a package for its use.
NOTING = """
import os, sys

def note(event, arguments):
    if event == "exec" and getattr(arguments[0], "co_name", "") == "<module>":
        os.write(notes, f"{arguments[0].co_filename}\\n".encode())

notes = os.open(os.environ["NOTED_MODULES"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
sys.addaudithook(note)
"""


@pytest.mark.prove
def test_a_book_by_espeak_loads_no_package_of_another_engine(home):
    """In none of its processes; nor Prefect, if it is not asked for, with the packages it brings.

    A run under Prefect has HTTPX, which that is built on.
    """
    notes = home.path / "modules"
    (home.path / "sitecustomize.py").write_text(NOTING)
    (home.path / "b.md").write_text("# The Mill\n\nThe mill stands by the sea.\n")
    noted = {"PYTHONPATH": home.path, "NOTED_MODULES": notes}
    command = ("render", "b.md", "--engine", "espeak", "--no-prefect")
    run = home.with_variables(**noted).run_program(*command)
    assert run.returncode == 0, run.stderr
    packages = f"{sysconfig.get_path('purelib')}/"
    paths = [path for path in notes.read_text().splitlines() if path.startswith(packages)]
    loaded = {re.split(r"[/.]", path.removeprefix(packages))[0] for path in paths}
    assert {"espeakng_loader", "numpy", "soundfile"} <= loaded
    others = modules_of_extras() | {"prefect", "httpx", "transformers"}
    assert {"torch", "kokoro", "onnxruntime", "piper", "snac", "openai", "elevenlabs"} <= others
    assert loaded & others == set()


@pytest.mark.prove
def test_rendering_loads_nothing_that_it_does_not_need():
    speech = "import audiomill.flows.speech.server\nwith place_of_rows(None):\n    pass"
    render = "import audiomill.flows.cli.render"
    choice = "from audiomill.flows.cluster.choice import place_of_rows"
    assert not loaded_by("\n".join((render, choice, speech))) & {
        "torch",
        "prefect",
        "distributed",
        "dask",
        "spacy",
        "kokoro",
    }


@pytest.mark.prove
def test_a_text_in_english_loads_no_other_language():
    modules = modules_loaded_by(
        "import audiomill.flows.cli.render\n"
        "from audiomill.inputs.languages.grammars import spoken_line\n"
        "assert spoken_line('It cost 5 cents.', 'en').edits"
    )
    inside = [one.split(".")[3:] for one in modules if ".inputs.languages." in one]
    assert {one[0] for one in inside if one[1:]} == {"en"}


@pytest.mark.prove
def test_a_model_is_made_without_pytorchs_compiler():
    """It takes a second and a half to load; SymPy comes with it."""
    code = (
        "import torch\n"
        "from audiomill.renderers.kokoro.model.config import parse_config\n"
        "from audiomill.renderers.kokoro.model.model import Kokoro\n"
        "from audiomill.renderers.kokoro.model.config import OFFICIAL\n"
        "with torch.device('meta'):\n"
        "    Kokoro(parse_config(OFFICIAL))"
    )
    assert "sympy" not in loaded_by(code)
