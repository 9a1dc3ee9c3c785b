"""`--json` prints one JSON object on stdout whatever happens; errors are in it."""

import json

from support.case_files import each_row_apart


def error_of(run) -> dict:
    """The error object of a run, which agrees with its exit code and its line on stderr."""
    (line,) = run.stdout.splitlines()
    error = json.loads(line)["error"]
    assert set(error) == {"message", "exit_code", "source"}
    assert error["exit_code"] == run.returncode
    assert error["message"] in run.stderr
    return error


@each_row_apart
def test_an_error_is_a_json_object(home, words, code, source):
    (home.path / "good.md").write_text("One.")
    error = error_of(home.run(*words, "--json"))
    assert (error["exit_code"], error["source"]) == (code, source)


def test_of_several_sources_the_results_and_the_errors_are_there(home):
    (home.path / "good.md").write_text("One.")
    (home.path / "empty.md").write_text("")
    sources = ("gone.md", "good.md", "empty.md")
    run = home.run("render", *sources, "--engine", "tone", "--json")
    assert run.returncode == 3
    summary = json.loads(run.stdout)
    assert [error["source"] for error in summary["errors"]] == ["gone.md", "empty.md"]
    assert len(summary["books"]) == len(summary["files"]) == 1
    both = home.run("render", "gone.md", "empty.md", "--engine", "tone", "--json")
    assert len(json.loads(both.stdout)["errors"]) == 2
    run = home.run("inspect", *sources, "--engine", "tone", "--json")
    assert (run.returncode, "gone.md" in run.stderr) == (3, True)
    assert ["error" in one for one in json.loads(run.stdout)] == [True, False, True]
    assert "good (en)" in home.run("inspect", *sources, "--engine", "tone").stdout


def test_without_errors_the_list_of_them_is_empty(home):
    for name in ("a.md", "b.md"):
        (home.path / name).write_text(f"{name}.")
    run = home.run("render", "a.md", "b.md", "--engine", "tone", "--json")
    assert json.loads(run.stdout)["errors"] == []


def test_a_setting_that_is_wrong_is_a_json_object(home):
    (home.path / "good.md").write_text("One.")
    wrong = home.with_variables(AUDIOMILL_SPEED="fast")
    assert error_of(wrong.run("render", "good.md", "--json"))["exit_code"] == 2
