"""What people really hand over: each is refused in a line or two, and leaves nothing behind."""

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from mutagen.id3 import ID3

from support.case_files import each_row, each_row_apart
from support.process_data import TIMEOUT_S

TEXT = "# One\n\nA short text that is read aloud.\n"


def refused(home, code, *arguments):
    """Run `render`, which must fail politely; its words."""
    words = home.refused(code, "render", *arguments, "--engine", "tone")
    assert 1 <= len([line for line in words.splitlines() if line]) <= 2, words
    assert finished(home) == []
    return words


def finished(home):
    """Everything in the library that a person would see."""
    if not home.library.is_dir():
        return []
    return [path for path in home.library.iterdir() if not path.name.startswith(".")]


def write(path, content: bytes):
    path.write_bytes(content)
    return path


@pytest.fixture
def source(home):
    """A book of a few words."""
    return write(home.path / "b.md", TEXT.encode())


@each_row_apart
def test_a_source_that_cannot_be_read_is_one_error(home, name, content, says):
    """What may be wrong with a source is told by the tests of its reader."""
    if content is not None:
        write(home.path / name, content)
    assert says in refused(home.with_variables(AUDIOMILL_LIMITS__MAX_TEXT_CHARS=100), 3, name)


def test_titles_that_climb_out_of_the_library(home):
    source = write(home.path / "b.md", b"---\ntitle: ../../../../climbed\n---\nHello.\n")
    home.render(source, "--engine", "tone")
    (made,) = home.path.rglob("*.m4b")
    assert home.library in made.parents
    assert "climbed" in made.name


@each_row_apart
def test_wrong_usage(home, source, arguments, says):
    engine = [] if "--engine" in arguments else ["--engine", "tone"]
    sources = [source] if arguments else []
    assert says in home.refused(2, "render", *sources, *engine, *arguments)
    assert finished(home) == []


def test_a_voice_that_the_engine_lacks_is_no_wrong_usage(home, source):
    """Which voices there are is for the engine to say, or for a server, and may change."""
    assert "tone has no voice 'nobody'" in refused(home, 4, source, "--voice", "nobody")


@pytest.mark.parametrize(("option", "says"), [("--out", "another place"), ("--store", "/file")])
def test_a_place_that_cannot_be_written(home, source, option, says):
    taken = write(home.path / "file", b"in the way")
    assert says in refused(home, 5, source, option, taken / "folder")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_output_folder_without_permission(home, source):
    closed = home.path / "closed"
    closed.mkdir(mode=stat.S_IRUSR | stat.S_IXUSR)
    refused(home, 5, source, "--out", closed)


FILES_OF_64_KIB = """
import resource, signal, sys
from audiomill.flows.cli.main import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 10, 64 << 10))
sys.exit(main())
"""


def test_a_full_disk(home):
    """/dev/full stands in the way of nothing here: a file size limit is what a quota looks like."""
    source = write(home.path / "b.md", (TEXT + "Some more of it. " * 20).encode())
    full = replace(home, program=("-c", FILES_OF_64_KIB), imports=())
    full.refused(5, "render", source, "--engine", "tone", "--format", "flac")
    assert list(home.path.rglob("*.part")) == []
    assert finished_audio(home) == []
    again = home.render(source, "--engine", "tone", "--format", "flac")
    assert again["cached"] > 0


def finished_audio(home):
    return [path for kind in ("m4b", "mp3", "flac") for path in home.path.rglob(f"*.{kind}")]


def test_an_ffmpeg_that_is_named_and_not_there(home, source):
    nowhere = home.with_variables(IMAGEIO_FFMPEG_EXE=home.path / "nothing")
    words = refused(nowhere, 2, source)
    assert f"{home.path / 'nothing'} does not run" in words
    assert "IMAGEIO_FFMPEG_EXE" in words
    run = nowhere.run("doctor")
    assert run.returncode == 2
    assert "MISSING  ffmpeg" in run.stdout


def test_doctor_says_that_nothing_can_be_written_to_the_library(home):
    file = write(home.path / "library", b"no folder")
    run = home.with_variables(AUDIOMILL_LIBRARY=file / "books").run("doctor")
    assert run.returncode == 5
    assert f"MISSING  library     {file} cannot be written: Not a directory" in run.stdout


def test_a_benchmark_of_a_file_that_is_not_there_says_so_first(home):
    words = home.refused(3, "bench", "gone.epub")
    assert "gone.epub" in words
    assert "weights" not in words


def test_one_bad_source_does_not_keep_the_others_from_being_rendered(home, source):
    home.refused(3, "render", home.path / "gone.epub", source, "--engine", "tone")
    assert len(finished_audio(home)) == 1


@pytest.mark.prove
@pytest.mark.parametrize("redirect", ["2>&-", "2>&1 | true"])
def test_a_dead_stderr_hides_no_failure(home, redirect):
    command = f"{sys.executable} -m audiomill render missing.md {redirect}; exit ${{PIPESTATUS[0]}}"
    buffered = home.with_variables(PYTHONUNBUFFERED="")  # as it is unless somebody sets it
    run = subprocess.run(
        ["/bin/bash", "-c", command],
        cwd=home.path, env=buffered.environment, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert run.returncode == 3


@pytest.mark.prove
def test_too_little_memory_is_said(home, source):
    """Of so little, numpy's OpenBLAS gets no threads. It sends SIGINT then, as Ctrl-C does."""
    run = home.run_program("inspect", source, "--engine", "tone", preexec_fn=_no_150_mb)
    assert run.returncode == 4, run.stderr
    assert run.stderr.splitlines()[-1].startswith("audiomill: There is not enough memory")
    assert "Traceback" not in run.stderr


def _no_150_mb():
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (150 << 20, 150 << 20))


@pytest.mark.prove
def test_a_reader_who_has_seen_enough_is_no_error(home):
    command = (
        f"{sys.executable} -m audiomill voices --engine espeak | head -1; exit ${{PIPESTATUS[0]}}"
    )
    run = subprocess.run(
        ["/bin/bash", "-c", command], cwd=home.path, capture_output=True, text=True,
        env=home.environment, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert run.returncode == 0
    assert "Traceback" not in run.stderr


def test_a_file_name_that_is_no_text(home):
    source = home.path / os.fsdecode(b"bad\xffname.md")
    write(source, b"Hello there.")
    report = home.render(source, "--engine", "tone")
    assert json.loads(Path(report["report"]).read_bytes())["segments"] == report["segments"]


def test_a_title_that_commands_a_terminal_reaches_none(home):
    source = write(home.path / "b.md", b'---\ntitle: "a\\e[31mb"\n---\nHello.\n')
    run = home.run("inspect", source, "--engine", "tone")
    assert "\x1b" not in run.stdout + run.stderr


CURLY = "# “Käthe’s” Mill\n\nIt turned.\n"
# Python then takes ASCII for the terminal and for file names.
ASCII_ONLY = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


@pytest.mark.prove
def test_a_title_that_the_locale_lacks_has_a_file(home):
    source = write(home.path / "b.md", CURLY.encode())
    report = home.with_variables(**ASCII_ONLY).render(source, "--engine", "tone", "--format", "mp3")
    (file,) = report["files"]
    assert Path(file["path"]).name == "_K_the_s_ Mill.mp3"
    assert ID3(file["path"])["TIT2"].text == ["“Käthe’s” Mill"]


IN_ASCII = """
import sys
from audiomill.flows.cli.main import main
sys.stdout.reconfigure(encoding="ascii")
sys.exit(main())
"""


@pytest.mark.prove
def test_json_is_valid_where_the_terminal_lacks_its_characters(home):
    source = write(home.path / "b.md", CURLY.encode())
    terminal = replace(home, program=("-c", IN_ASCII), imports=())
    run = terminal.run("inspect", source, "--engine", "tone", "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["title"] == "“Käthe’s” Mill"


def test_a_mistyped_variable_is_refused_with_what_was_meant(home):
    mistyped = home.with_variables(AUDIOMILL_SPEEED=2)
    assert mistyped.refused(2, "voices", "--engine", "tone") == (
        "audiomill: Wrong setting: there is no setting AUDIOMILL_SPEEED."
        " Did you mean AUDIOMILL_SPEED?\n"
    )


def test_without_words_the_program_shows_its_help(home):
    run = home.run()
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == home.run("--help").stdout


@each_row
def test_a_store_that_cannot_be_used_is_one_line_that_names_it(home, source, url):
    arguments = ("render", source, "--engine", "tone", "--store", url)
    assert url in home.refused_in_a_line(5, *arguments)


LEFT = """
import os, sys
os.rmdir(os.getcwd())
from audiomill.flows.cli.main import main
sys.exit(main())
"""


def test_a_deleted_folder_is_named(home):
    deleted = home.path / "deleted"
    deleted.mkdir()
    run = replace(home, program=("-c", LEFT), imports=()).run("doctor", cwd=deleted)
    assert (run.returncode, run.stderr.count("\n")) == (2, 1), run.stderr
    assert "deleted" in run.stderr
