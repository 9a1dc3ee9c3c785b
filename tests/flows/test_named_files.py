"""What is named as a file and is none, or has no end, is refused at once and in one line."""

import os
import re
import shlex
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from audiomill.flows import option_values as values
from audiomill.flows.bench import command
from audiomill.flows.cli import lexicon, say
from audiomill.flows.cli.engines import isolated_state
from audiomill.flows.cli.main import _run_reporting_errors
from audiomill.flows.cli.parser import build_parser
from audiomill.flows.console import EXIT_OUTPUT
from audiomill.renderers.engine.errors import EngineMissing, RenderError
from audiomill.renderers.isolated.catalogue import isolated_specs
from audiomill.renderers.isolated.environment import environment_of
from audiomill.renderers.isolated.options import IsolatedOptions
from audiomill.renderers.kokoro.model.config import read_config
from audiomill.renderers.kokoro.weights.files import config_in, packs_in, weights_in
from audiomill.renderers.orpheus.snac_files import read_snac_config
from audiomill.renderers.piper.voice_files import read_voice_file
from support.case_files import rows_of

CASE_FILE = Path(__file__).with_name("cases") / "named_files.txt"
BOOK = ("inspect", "book.md")
PODCAST = ("podcast", "run")
VOICES = ("voices", "--check")
CLONED = {
    "audiomill.toml": 'engine = "tone"\ncloned_voices = "."\n',
    "ann/voice.toml": 'name = "ann"\nlanguage = "en"\nconsent = "hers"\n',
    "ann/reference.wav": "RIFF",
}
SHOW = 'title = "T"\naddress = "http://127.0.0.1:1/"\nfolder = "out"\n'
SOURCE = '[[sources]]\npage = "http://127.0.0.1:1/"\n'
# The words of a command with each option that names a file to be read, by command and option.
OPTIONS = {
    (command, option): tuple(shlex.split(words))
    for command, option, words in rows_of(CASE_FILE, "options")
}
# Files that are found by their names, or named in another: (where, a command, other files).
FOUND = (
    ("book.voices.toml", BOOK, {}),
    ("book.metadata.toml", BOOK, {}),
    ("book.reading.toml", BOOK, {}),
    ("book.lexicon.toml", ("lexicon", "suggest", "book.md"), {}),
    ("book.lexicon.csv", ("lexicon", "suggest", "book.md"), {}),
    ("book.lexicon.pls", ("lexicon", "suggest", "book.md"), {}),
    ("bad.toml", BOOK, {"audiomill.toml": 'lexicons = ["bad.toml"]\n'}),
    ("bad.png", (*BOOK, "--set", "cover=bad.png"), {}),
    ("bad.png", BOOK, {"book.metadata.toml": 'cover = "bad.png"\n'}),
    ("audiomill.toml", BOOK, {}),
    ("config/audiomill/config.toml", BOOK, {}),
    ("config/audiomill/lexicon.toml", ("lexicon", "suggest", "book.md"), {}),
    ("bad.mp3", PODCAST, {"show.toml": f'{SHOW}[music]\nintro = "bad.mp3"\n{SOURCE}'}),
    ("bad.mp3", PODCAST, {"show.toml": f'{SHOW}[music]\nsting = "bad.mp3"\n{SOURCE}'}),
    ("bad.png", PODCAST, {"show.toml": f'image = "bad.png"\n{SHOW}{SOURCE}'}),
    ("bad.mbox", PODCAST, {"show.toml": f'{SHOW}[[sources]]\nmailbox = "bad.mbox"\n'}),
    *((f"ann/{name}", VOICES, CLONED) for name in ("voice.toml", "reference.txt", "reference.wav")),
)


def named(words):
    """The file that the words of a command name."""
    return next(Path(word) for word in words if word.startswith("bad"))


def large(path):
    path.touch()
    os.truncate(path, 3 << 30)


# How each kind is made, and what is said of it.
KINDS = (
    (partial(os.symlink, "/dev/zero"), "a device"),
    (os.mkfifo, "a pipe|or a pipe"),
    (os.mkdir, "is a (folder|directory)"),
    (large, "larger than|the limit is|over max_"),
)
CASES = [
    *((named(words), words, {}) for words in OPTIONS.values()),
    *((Path(where), words, files) for where, words, files in FOUND),
]
IDS = [f"{where} {words[0]}" for where, words, _ in CASES]
FITTING = {  # finished audio may be that large, and a folder of it is a set of files
    ("plot", large),
    ("check", large),
    ("check", os.mkdir),
    ("bench", os.mkdir),  # of a result
}


def test_each_option_that_names_a_file_is_tried():
    """A new one is missed here, until it is."""
    kinds = (values.path, values.source)
    options = {
        (name, option.dest)
        for name, command in build_parser().commands.items()
        for option in command.actions
        if option.type in kinds and option.dest != "out"
    }
    assert options == set(OPTIONS)


@pytest.fixture
def book(home, monkeypatch):
    """A book in the folder of a user, in which this process is."""
    for name, value in home.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(home.path)
    Path("book.md").write_text("# One\n\nText.\n")


def code_of(words):
    """The exit code of a command in this process."""
    arguments = build_parser().parse_command(words)
    return _run_reporting_errors(
        import_module(f"audiomill.flows.cli.{arguments.command}").run, arguments
    )


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize(("where", "words", "files"), CASES, ids=IDS)
def test_it_is_refused_in_one_line(where, words, files, capsys):
    where.parent.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        Path(name).write_text(content)
    for make, meaning in KINDS:
        if (words[0], make) in FITTING:
            continue
        where.unlink(missing_ok=True)
        make(where)
        assert code_of(words) in (2, 3, 4)
        shown = "".join(capsys.readouterr())
        assert where.name in shown
        assert re.search(meaning, shown), shown
        if where.is_dir():
            where.rmdir()


LONG = "a" * 300  # of which a file system can say nothing, as of a folder that is closed
TOO_LONG = (
    *(tuple(f"{LONG}.md" if word.startswith("bad") else word for word in words)
      for words in OPTIONS.values()),
    ("plot", "sound.wav", "--out", f"{LONG}.svg"),
    ("lexicon", "suggest", "book.md", "--out", LONG),
    ("voices", "--engine", "piper"),
    ("voices", "--engine", "kokoro-onnx"),
)  # fmt: skip


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize("words", TOO_LONG, ids=" ".join)
def test_a_name_that_cannot_be_looked_up_is_told(words, monkeypatch, capsys):
    monkeypatch.setenv("AUDIOMILL_PIPER__VOICES", LONG)
    monkeypatch.setenv("AUDIOMILL_KOKORO_ONNX__MODEL", LONG)
    assert code_of(words) in (2, 3, 4, 5)
    assert "ile name too long" in "".join(capsys.readouterr())


# Each command with --out: its words, the file of the person, and a function of its work.
WRITERS = (
    (("lexicon", "suggest", "book.md", "--engine", "tone", "--out", "a.toml"), "a.toml",
     (lexicon, "suggest_words")),
    (("say", "One.", "--engine", "tone", "--out", "a.wav"), "a.wav", (say, "run_pipeline")),
    (("voices", "--engine", "tone", "--play", "reed", "--out", "a.wav"), "a.wav",
     (say, "run_pipeline")),
    *((("bench", "book.md", "--engine", "tone", "--repeat", "1", "--out", "."), name,
       (command, "bench")) for name in command.FILES),
)  # fmt: skip


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize(
    ("words", "name", "work"), WRITERS[:4], ids=[one[0][0] for one in WRITERS[:4]]
)
def test_a_place_where_no_file_can_be_is_told_before_the_work(
    words, name, work, monkeypatch, capsys
):
    monkeypatch.setattr(*work, None)
    assert code_of((*words[:-1], f"book.md/{words[-1]}")) == EXIT_OUTPUT
    assert "book.md is no folder. Move it away" in capsys.readouterr().err


@pytest.fixture(scope="module")
def measured():
    """What `bench` has measured: the same for each of the files that it then writes."""
    return []


@pytest.mark.usefixtures("book")
@pytest.mark.parametrize("comes", ["before", "meanwhile"])
@pytest.mark.parametrize(
    ("words", "name", "work"), WRITERS, ids=[f"{words[0]}-{name}" for words, name, _ in WRITERS]
)
def test_a_file_of_a_person_stays(words, name, work, comes, measured, monkeypatch, capsys):
    do = getattr(*work)

    def do_late(*arguments):
        assert comes == "meanwhile"  # else the work is not begun
        Path(name).write_text("mine")
        if words[0] != "bench":
            return do(*arguments)
        measured.extend([] if measured else [do(*arguments)])
        return measured[0]

    monkeypatch.setattr(*work, do_late)
    if comes == "before":
        Path(name).write_text("mine")
    assert code_of(words) == EXIT_OUTPUT
    assert Path(name).read_text() == "mine"
    shown = capsys.readouterr()
    assert f"{name} " in shown.err
    assert ("tone, cpu" in shown.out) == (words[0] == "bench" and comes == "meanwhile")


def test_an_environment_that_cannot_be_looked_up_is_not_installed(tmp_path):
    spec = isolated_specs()["vits"]
    environment = environment_of(spec, tmp_path / LONG)
    state, lack = isolated_state(spec, IsolatedOptions("vits"), environment)
    assert (state, "audiomill engines install vits" in lack) == ("not installed", True)


@pytest.mark.parametrize("look", [config_in, weights_in, packs_in])
def test_a_folder_of_weights_that_cannot_be_looked_up_is_told(look, tmp_path):
    with pytest.raises(EngineMissing, match="cannot be read"):
        look(tmp_path / LONG)


@pytest.mark.parametrize("read", [read_config, read_snac_config, read_voice_file])
def test_so_is_the_configuration_of_weights(read, tmp_path):
    for number, (make, meaning) in enumerate(KINDS):
        graph = tmp_path / f"{number}.onnx"
        file = graph.with_name(f"{graph.name}.json")
        make(file)
        with pytest.raises(RenderError, match=meaning) as refused:
            read(graph if read is read_voice_file else file)
        assert file.name in str(refused.value)
