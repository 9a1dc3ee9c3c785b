"""Options that are checked before anything runs: chapter ranges, formats, engines."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.errors import UsageError
from audiomill.flows.job import describe_chapters, parse_chapters
from audiomill.flows.make_job import choose_engine, make_job
from audiomill.flows.settings import Settings
from audiomill.renderers.engine.errors import UnknownEngine
from audiomill.renderers.engine.options import EngineOptions
from audiomill.renderers.kokoro.options import KokoroOnnxOptions, KokoroOptions
from support.case_files import each_row_apart


@pytest.mark.parametrize(
    ("text", "indices"),
    [("1", (0,)), ("1-3,7", (0, 1, 2, 6)), ("7, 2 - 2", (1, 6)), ("1-9", tuple(range(9)))],
)
def test_ranges_count_from_one(text, indices):
    assert parse_chapters(text, 9) == indices


@pytest.mark.parametrize(
    "text", ["0", "10", "1-", "-3", "a", "1;2", "1,,2", " ", "1.5", "9" * 5000]
)
def test_an_invalid_range_is_refused_with_what_would_be_right(text):
    with pytest.raises(UsageError, match=r"1 to 9|like 1-3,7"):
        parse_chapters(text, 9)


def test_no_range_means_all_chapters():
    assert parse_chapters("", 3) == (0, 1, 2)


def test_a_repeated_format_counts_once_and_an_unknown_one_is_refused():
    settings = Settings()
    assert make_job(settings, "b.md", formats=["mp3", "m4b", "mp3"]).formats == ("mp3", "m4b")
    with pytest.raises(UsageError, match=r"Unknown format wma\. Known: m4b"):
        make_job(settings, "b.md", formats=["wma"])


def test_formats_may_be_one_text():
    assert make_job(Settings(), "b.md", formats="mp3, m4b").formats == ("mp3", "m4b")


def test_an_unknown_engine_is_refused():
    with pytest.raises(UnknownEngine, match="Known: auto, kokoro, kokoro-onnx, espeak, orpheus"):
        make_job(Settings(), "b.md", engine="parrot")


def test_only_auto_may_fall_back_and_warn():
    assert make_job(Settings(), "b.md", engine="auto").engine in ("espeak", "kokoro", "kokoro-onnx")
    assert make_job(Settings(), "b.md", engine="espeak").warnings == ()


def test_no_hub_is_asked_for_a_book_that_cannot_be_read(tmp_path):
    """Missing, a folder, empty, or of another format."""
    settings = Settings(kokoro=KokoroOptions(weights=tmp_path / "absent"))
    book, empty, pdf = (tmp_path / name for name in ("book.md", "empty.md", "a.pdf"))
    empty.touch()
    pdf.write_text("%PDF-1.7")
    for unreadable in (book, tmp_path, empty, pdf):
        assert make_job(settings, unreadable, engine="auto").warnings == ()
    book.write_text("One.")
    assert "absent" in make_job(settings, book, engine="auto").warnings[0]


@each_row_apart
def test_auto_is_kokoro_onnx_where_only_its_files_are_here(tmp_path, files, engine):
    for name in files:
        (tmp_path / name).touch()
    absent = KokoroOptions(weights=tmp_path / "absent")
    options = EngineOptions((absent, KokoroOnnxOptions(model=tmp_path)))
    chosen, warnings = choose_engine("auto", options)
    assert (chosen, len(warnings)) == (engine, engine == "espeak")


@given(st.sets(st.integers(1, 60), min_size=1, max_size=20))
def test_a_description_parses_to_the_same_chapters(numbers):
    written = describe_chapters(sorted(numbers)).split(" ")[1]
    assert parse_chapters(written, 60) == tuple(number - 1 for number in sorted(numbers))
    assert describe_chapters([1, 2, 3, 7]) == "chapters 1-3,7"
    assert describe_chapters([4]) == "chapter 4"


def test_long_lists_of_chapters_have_short_names_of_their_own():
    odd, even = describe_chapters(range(1, 300, 2)), describe_chapters(range(2, 301, 2))
    assert odd.startswith("150 chapters of 1-299, ")
    assert len({odd, even, describe_chapters([*range(1, 298, 2), 300])}) == 3
    assert max(map(len, (odd, even))) < 60


def test_a_reversed_range_is_refused_with_the_right_one():
    with pytest.raises(UsageError, match="1-3"):
        parse_chapters("3-1", 8)


@pytest.mark.parametrize("source", ["https://example.org/a", Path("https://example.org/a")])
def test_an_address_keeps_both_its_slashes(source):
    job = make_job(Settings(), source, engine="tone")
    assert job.address == "https://example.org/a"
    assert job.source.suffix == ".article"


@pytest.mark.parametrize("source", ["http://[::1", "https://exa\N{FULLWIDTH SOLIDUS}mple.org/a"])
def test_an_address_that_cannot_be_one_is_refused(source):
    with pytest.raises(UsageError, match="is no address of a web page"):
        make_job(Settings(), source, engine="tone")
