"""`--credits` and `--no-credits`, through the command line."""

from support.epub_data import three_chapters


def test_credits_are_chosen_on_the_command_line(home):
    book = three_chapters().write(home.path)
    numbers = {(): [0, 1, 2, 3, 0], ("--no-credits",): [1, 2, 3]}
    for options, expected in numbers.items():
        chapters = home.json("inspect", book, "--engine", "tone", *options)["chapters"]
        assert [one["number"] for one in chapters] == expected
    (file,) = home.render(book, "--engine", "tone", "--no-credits", "--speed", "4")["files"]
    assert file["chapters"] == 3


def test_an_article_has_credits_if_asked_for(home):
    (home.path / "article.md").write_text("---\nauthor: Maud Tern\n---\n# Reeds\n\nThey bend.\n")
    inspected = home.json("inspect", "article.md", "--engine", "tone", "--credits")
    titles = [one["title"] for one in inspected["chapters"]]
    assert titles == ["Opening credits", "Reeds", "Closing credits"]
    assert [one["text"] for one in inspected["skipped"]] == ["Reeds"]
