"""Whatever is mistyped, the one line that refuses it names what was probably meant."""

import pytest

from audiomill.flows.cli.parser import build_parser
from support.case_files import each_row_apart


@each_row_apart
def test_a_mistyped_name_is_refused_with_what_was_meant(home, arguments, code, told):
    (home.path / "book.md").write_text("One.")
    words = home.refused_in_a_line(code, "render", *arguments)
    assert told in words
    assert "fr-be" not in words


@pytest.fixture
def refused(capsys):
    """What the parser writes of words that it must refuse."""

    def told(*words: str) -> str:
        with pytest.raises(SystemExit) as end:
            build_parser().parse_command(words)
        assert end.value.code == 2
        return capsys.readouterr().err

    return told


def test_an_unknown_option_is_refused_with_the_usage_of_its_command(refused):
    words = refused("plot", "a.mp3", "--fro", "acx")
    assert words.startswith("usage: audiomill plot [-h]")
    assert "unrecognized arguments: --fro acx. Did you mean --for?" in words


def test_a_name_that_only_has_the_same_ending_is_not_meant(home):
    (home.path / "big.epub").write_text("One.")
    assert "Did you mean" not in home.refused(3, "inspect", "gone.epub", "--engine", "tone")


def test_kokoro_says_of_an_espeak_voice_whose_it_is(home):
    (home.path / "book.md").write_text("One.")
    assert "no voice 'en-gb', but espeak has: add --engine espeak." in home.refused(
        4, "render", "book.md", "--engine", "kokoro", "--voice", "en-gb"
    )
    run = home.run("render", "book.md", "--engine", "kokoro", "--voice", "xx-yy")
    assert "no voice 'xx-yy'" in run.stderr


@each_row_apart
def test_a_mistyped_setting_is_refused_with_what_was_meant(home, toml, meant):
    (home.path / "book.md").write_text("One.")
    (home.path / "audiomill.toml").write_text(toml)
    words = home.refused_in_a_line(2, "render", "book.md", "--engine", "tone")
    assert f"Did you mean {meant}" in words
    assert "?." not in words


def test_a_mistyped_release_is_refused_with_what_was_meant(home):
    (home.path / "book.md").write_text("One.")
    mistyped = home.with_variables(AUDIOMILL_KOKORO__RELEASE="v1.1zh")
    run = mistyped.run("render", "book.md", "--engine", "kokoro")
    assert "Did you mean v1.1-zh?" in run.stderr


@each_row_apart
def test_what_was_meant_is_a_word_of_the_command(refused, words, meant):
    assert meant in refused(*words)


def test_an_option_before_its_command_is_told_where_it_belongs(refused):
    told = "--split. It is an option of render, and is written after the command."
    assert told in refused("--split", "render", "book.md")


@each_row_apart
def test_an_empty_value_is_refused(refused, arguments):
    assert "it is empty; give it a value, or leave it out" in refused(*arguments)


@pytest.mark.parametrize("port", ["0", "-5", "99999", "http"])
def test_a_port_that_none_can_be_is_refused(refused, port):
    assert "--port" in refused("serve", "--port", port)
