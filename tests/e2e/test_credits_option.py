"""`--credits` and `--no-credits`, through the command line."""

import json

import pytest

from support.epub_data import three_chapters


@pytest.mark.parametrize(("options", "n_marks"), [([], 5), (["--no-credits"], 3)])
def test_credits_are_chosen_on_the_command_line(home, options, n_marks):
    book = three_chapters().write(home.path)
    arguments = (book, "--engine", "tone", "--json", *options)
    (file,) = json.loads(home.run("render", *arguments).stdout)["files"]
    assert file["chapters"] == n_marks
    chapters = json.loads(home.run("inspect", *arguments).stdout)["chapters"]
    assert [one["number"] for one in chapters if one["number"]] == [1, 2, 3]
    assert len(chapters) == n_marks


def test_an_article_has_credits_if_asked_for(home):
    (home.path / "article.md").write_text("---\nauthor: Maud Tern\n---\n# Reeds\n\nThey bend.\n")
    run = home.run("inspect", "article.md", "--engine", "tone", "--credits", "--json")
    inspected = json.loads(run.stdout)
    titles = [one["title"] for one in inspected["chapters"]]
    assert titles == ["Opening credits", "Reeds", "Closing credits"]
    assert [one["text"] for one in inspected["skipped"]] == ["Reeds"]
