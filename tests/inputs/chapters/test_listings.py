"""Lists that nobody listens to end where their entries end: no prose is lost with them."""

from pathlib import Path

from audiomill.inputs.chapters.listings import list_spans, title_counts
from audiomill.inputs.chapters.reference_lists import untitled_spans
from support.case_files import assert_cases

PROSE = "miller walked along the river until evening, and thought about the long road. " * 4
STORY = "\n".join(f"{word} {PROSE}" for word in ("When the", "At noon the", "So one", "Here a") * 4)


def told_spans(text: str, find: str = "", also: str = "") -> list[str]:
    """From which text to which each list reaches. `also` is a title elsewhere in the book.

    A line is a text, “# ” begins a heading, “⏎” breaks a line in it, and STORY is a long story.
    """
    lines = text.replace("STORY", STORY).split("\n")
    texts = [one.removeprefix("# ").replace("⏎", "\n") for one in lines]
    if find == "untitled":
        spans = [(*span, "a list without a title") for span in untitled_spans(texts)]
    else:
        is_heading = [one.startswith("# ") for one in lines]
        spans = [*list_spans(texts, is_heading, title_counts([*texts, also]))]
    shown = [one.replace("\n", "⏎") for one in texts]
    return [
        f"{why}, {end - start} texts: {shown[start]} … {shown[end - 1]}"
        for start, end, why in spans
    ] or ["no list"]


def test_lists_end_where_their_case_tells():
    assert_cases(Path(__file__).with_name("cases") / "listings.txt", told_spans)
