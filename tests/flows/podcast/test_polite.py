"""How servers are treated: pauses, further attempts, and when one is left alone."""

import pytest

from audiomill.flows.podcast.polite_fetcher import AWAY_AFTER, BACK_OFF, PoliteFetcher
from audiomill.flows.podcast.show_settings import FetchChoice
from audiomill.inputs.articles.page import Fetched, NotThere, Unavailable

SITE = "https://quay.example"


class Server:
    """Answers in turn, the last answer again and again. Keeps what was asked and waited for."""

    def __init__(self, *answers: Exception | None) -> None:
        self.answers, self.asked, self.waits_s = list(answers), list[str](), list[float]()

    def fetch(self, url, _types=frozenset(), _seen=None) -> Fetched:
        self.asked.append(url)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer:
            raise answer
        return Fetched(url, b"x", "text/html", "")

    def fetcher(self, *, robots: bool = False) -> PoliteFetcher:
        return PoliteFetcher(self, FetchChoice(wait_s=5, robots=robots), self.waits_s.append)


def test_a_server_that_is_away_for_a_moment_is_asked_again_after_longer_and_longer_pauses():
    server = Server(Unavailable("away"), Unavailable("away"), None)
    assert server.fetcher().fetch(f"{SITE}/a").content == b"x"
    assert server.waits_s == [pytest.approx(5 * pauses, rel=0.1) for pauses in BACK_OFF]


def test_the_pause_is_at_least_what_the_server_asks_for():
    server = Server(Unavailable("later", 50), None)
    server.fetcher().fetch(f"{SITE}/a")
    assert server.waits_s == [pytest.approx(50, rel=0.1)]


def test_a_server_that_asks_for_an_hour_is_left_alone():
    server = Server(Unavailable("429", 3600))
    fetcher = server.fetcher()
    for page in "abc":
        with pytest.raises(Unavailable, match="429"):
            fetcher.fetch(f"{SITE}/{page}")
    assert server.asked == [f"{SITE}/a"]
    with pytest.raises(Unavailable):
        fetcher.fetch("https://mill.example/a")
    assert server.asked[1:] == ["https://mill.example/a"]


def test_a_server_that_stays_away_is_left_alone():
    server = Server(Unavailable("away"))
    fetcher = server.fetcher()
    for number in range(9):
        with pytest.raises(Unavailable, match="away"):
            fetcher.fetch(f"{SITE}/{number}")
    assert len(server.asked) == len(BACK_OFF) + AWAY_AFTER


def test_a_page_that_is_not_there_is_no_reason_to_leave_a_server():
    gone, away = NotThere("404"), Unavailable("away")
    server = Server(away, away, away, away, gone, away, away, away, None)
    fetcher = server.fetcher()
    for number in range(4):
        with pytest.raises((NotThere, Unavailable)):
            fetcher.fetch(f"{SITE}/{number}")
    assert fetcher.fetch(f"{SITE}/last").content == b"x"


def test_without_its_robots_txt_a_server_is_not_asked():
    server = Server(Unavailable("503"))
    fetcher = server.fetcher(robots=True)
    for page in "ab":
        with pytest.raises(Unavailable, match=r"robots\.txt cannot be read now"):
            fetcher.fetch(f"{SITE}/{page}")
    assert set(server.asked) == {f"{SITE}/robots.txt"}
