"""The parts of a book: which chapters they have, and that sorting by them keeps the order."""

from hypothesis import given
from hypothesis import strategies as st

from audiomill.inputs.model.book import Chapter
from audiomill.outputs.metadata.chapters import parts_of


def chapters(*paths: str) -> list[Chapter]:
    """A chapter for each path, such as "Part One/The Sea"."""
    return [
        Chapter(names[-1], (), len(names), tuple(names[:-1]))
        for names in (path.split("/") for path in paths)
    ]


def told(book: list[Chapter], spoken=None) -> list[tuple[int, int, str]]:
    found = parts_of(book, range(len(book)) if spoken is None else spoken)
    return [(part.number, part.total, part.title) for _, part in sorted(found.items())]


def test_chapters_below_titles_are_parts_and_what_is_beside_goes_with_its_neighbour():
    book = chapters("Preface", "One", "One/A", "One/B", "Two/C", "Two/D", "Afterword")
    one, two = (1, 2, "One"), (2, 2, "Two")
    assert told(book) == [(1, 2, ""), one, one, one, two, two, (2, 2, "")]


def test_a_title_above_all_is_no_part():
    book = chapters("Novel/One/A", "Novel/One/B", "Novel/Two/C")
    assert told(book) == [(1, 2, "One"), (1, 2, "One"), (2, 2, "Two")]
    assert told(chapters("Novel", "Novel/A", "Novel/B")) == []


def test_a_book_without_levels_has_no_parts():
    assert told(chapters("A", "B", "C")) == told([]) == []


def test_a_part_of_which_nothing_is_spoken_does_not_count():
    book = chapters("One/A", "Two/B", "Three/C")
    assert told(book, [0, 2]) == [(1, 2, "One"), (2, 2, "Three")]


@given(
    st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join), max_size=12),
    st.data(),
)
def test_sorting_by_part_then_track_is_the_order_of_the_book(paths, data):
    book = chapters(*paths)
    spoken = data.draw(st.sets(st.integers(0, max(len(book) - 1, 0)))) if book else set()
    found = parts_of(book, spoken)
    numbers = [found[index].number for index in sorted(found)]
    assert found.keys() in (set(), spoken)
    assert numbers == sorted(numbers)
    if numbers:  # no gaps, as Audiobookshelf wants
        assert {*numbers} == {*range(1, found[min(found)].total + 1)}
        assert len({*numbers}) > 1
