"""What is said of a page that is on time, late, asleep or wrong."""

from following.measures import Record, following

FILE = "a.m4a"
PLACES = (("s0", 0), ("s0", 4), ("s0", 9), ("s1", 0))
STARTS = {(FILE, *place): 300.0 * number for number, place in enumerate(PLACES)}
FRAME_MS = 20.0


def frames(first_ms: float, last_ms: float, speed: float = 1.0) -> list[tuple[float, int, float]]:
    n_frames = int((last_ms - first_ms) / FRAME_MS) + 1
    return [
        (at_ms, 0, at_ms * speed)
        for at_ms in (first_ms + FRAME_MS * number for number in range(n_frames))
    ]


def test_a_page_that_is_on_time():
    marks = [(start, 0, start, *place) for (_, *place), start in STARTS.items()]
    found = following(Record([FILE], frames(0, 1000), marks), STARTS, 1)
    assert (found.late_ms, found.own_ms) == ([0] * 4, [0] * 4)
    assert (found.n_skipped, found.n_dropped, found.n_wrong) == (0, 0, 0)
    assert set(found.frame_ms) == {FRAME_MS}
    assert found.stalled_ms == 0


def test_a_word_is_late_by_the_listeners_time():
    found = following(Record([FILE], frames(0, 340, 3), [(200.0, 0, 630.0, "s0", 9)]), STARTS, 3)
    assert found.late_ms == [10]


def test_what_a_late_frame_costs_is_not_the_pages_own():
    drawn = [*frames(0, 280), *frames(380, 1000)]
    found = following(Record([FILE], drawn, [(380.0, 0, 380.0, "s0", 4)]), STARTS, 1)
    assert (found.late_ms, found.own_ms, found.steady_ms) == ([80], [0], [])
    found = following(Record([FILE], frames(0, 1000), [(380.0, 0, 380.0, "s0", 4)]), STARTS, 1)
    assert (found.late_ms, found.own_ms, found.steady_ms) == ([80], [60], [80])


def test_words_without_a_mark_were_skipped_or_dropped():
    marks = [(0.0, 0, 0.0, "s0", 0), (900.0, 0, 900.0, "s1", 0)]
    found = following(Record([FILE], [*frames(0, 280), *frames(620, 1000)], marks), STARTS, 1)
    assert (found.n_skipped, found.n_dropped) == (1, 1)


def test_a_mark_while_another_word_sounds_is_wrong():
    found = following(Record([FILE], frames(0, 1000), [(620.0, 0, 620.0, "s0", 4)]), STARTS, 1)
    assert found.n_wrong == 1


def test_sound_that_stands_still_is_told():
    drawn = [*frames(0, 200), *((at, 0, 200.0) for at in (220.0, 240.0))]
    assert following(Record([FILE], drawn, []), STARTS, 1).stalled_ms == 40
