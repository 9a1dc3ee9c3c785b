"""Which article goes into which digest, over any sequence of runs, kills and failures."""

import sqlite3
import tempfile
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audiomill.flows.errors import UsageError
from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.podcast import maker
from audiomill.flows.podcast.article import Article
from audiomill.flows.podcast.collecting import Collected
from audiomill.flows.podcast.digests import DigestCandidate, new_digests
from audiomill.flows.podcast.due_episodes import due_tasks
from audiomill.flows.podcast.episode_task import Planner
from audiomill.flows.podcast.episodes import loaded
from audiomill.flows.podcast.maker import Maker
from audiomill.flows.podcast.run_log import RunLog
from audiomill.flows.podcast.show_settings import (
    DigestChoice,
    EpisodeChoice,
    ShowSettings,
    SourceChoice,
    SpeechChoice,
)
from audiomill.flows.podcast.state import ArticleRecord, ShowState
from audiomill.flows.settings import Settings
from audiomill.inputs.articles.digest import load
from audiomill.outputs.podcast.show import Enclosure, Episode
from audiomill.outputs.podcast.show_folder import ShowFolder, open_place
from audiomill.outputs.types import OutputUnwritable
from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.host.waiting import RunWaiter
from support.examples import few_examples
from support.killed_runs import Killed

BEGAN = datetime(2026, 3, 2, tzinfo=UTC)
CHOICE = DigestChoice(max_words=20, min_articles=2, max_articles=3)
UNSAYABLE = "Nobody can say this."

ids = st.lists(st.integers(0, 99).map(str), unique=True, max_size=40)


@given(ids, st.data(), st.integers(1, 9), st.integers(0, 9))
def test_each_short_article_is_in_at_most_one_digest_of_its_engine(names, data, least, more):
    choice = replace(CHOICE, min_articles=least, max_articles=least + more)
    of_candidate = st.tuples(
        st.sampled_from([None, 0, 1, 20, 21]), st.sampled_from("ab"), st.sampled_from([1.0, 1.5])
    )
    candidates = {name: DigestCandidate(name, *data.draw(of_candidate)) for name in names}
    found = list(new_digests(list(candidates.values()), choice))
    assert len({key for key, _ in found}) == len(found)
    assert max(Counter(name for _, group in found for name in group).values(), default=1) == 1
    for _, group in found:
        assert least <= len(group) <= least + more
        assert len({(candidates[one].engine, candidates[one].speed) for one in group}) == 1
        assert all(1 <= (candidates[one].n_words or 0) <= 20 for one in group)
        assert list(group) == sorted(group, key=names.index)


@given(st.integers(0, 40))
def test_all_articles_that_are_enough_for_a_digest_are_in_one(n_articles):
    candidates = [DigestCandidate(str(number), 5, "tone", 1.0) for number in range(n_articles)]
    found = list(new_digests(candidates, replace(CHOICE, min_articles=2, max_articles=4)))
    assert sum(len(group) for _, group in found) == (n_articles if n_articles != 1 else 0)
    sizes = [len(group) for _, group in found]
    assert not sizes or max(sizes) - min(sizes) <= 1


@dataclass(frozen=True)
class OneRun:
    """What a run finds, and after which number of writes it is killed."""

    n_new: int
    long: frozenset[int]  # among the new ones
    unsayable: frozenset[int]  # among all articles
    away: frozenset[int]  # their server does not answer
    unlisted: frozenset[int]
    kill_after: int | None


few = st.frozensets(st.integers(0, 11), max_size=3)
runs = st.lists(
    st.builds(
        OneRun, st.integers(0, 4), few, few, few, few, st.one_of(st.none(), st.integers(0, 12))
    ),
    min_size=1,
    max_size=4,
)


class SilentShow:
    """A show whose runs make no sound: their decisions and what they remember are the real ones."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        show = ShowSettings(
            title="Morning",
            address="https://pod.example.org/",
            folder=str(folder / "out"),
            speech=SpeechChoice("tone"),
            episodes=EpisodeChoice(keep=1000, attempts=1000),
            digest=CHOICE,
        )
        self.planner = Planner(
            show,
            Settings(store=str(folder / "store")),
            folder / "library",
            ShowFolder(open_place(show.folder, RunWaiter(lambda: None, print))),
        )
        self.articles: list[Article] = []
        self.n_runs = 0

    def add(self, n_new: int, long: frozenset[int]) -> None:
        for number in range(n_new):
            path = self.folder / f"{len(self.articles)}.md"
            words = 30 if number in long else 5
            path.write_text(f"Article {len(self.articles)}.\n\n{'The tide rose again. ' * words}")
            date = BEGAN + timedelta(hours=len(self.articles))
            source = SourceChoice(folder=str(self.folder))
            article = Article(f"file:{path}", "", source, path, path.stem, date)
            self.articles.append(article)

    def spoil(self, unsayable: frozenset[int]) -> None:
        """Make these articles such that no engine can say them, and the others well again."""
        for number, article in enumerate(self.articles):
            text = article.path.read_text().replace(UNSAYABLE, "")
            article.path.write_text(text + (UNSAYABLE if number in unsayable else ""))

    def run(self, one: OneRun, executor: ThreadExecutor) -> list[Episode]:
        self.n_runs += 1
        listed = tuple(
            replace(article, problem="The server is away." if number in one.away else "")
            for number, article in enumerate(self.articles)
            if number not in one.unlisted
        )
        now = BEGAN + timedelta(days=self.n_runs)
        with ShowState(self.folder / "state") as state, killing(state, one.kill_after):
            ids = frozenset(one.id for one in listed)
            collected, log = Collected(listed, (), (), ids, is_complete=True), RunLog()
            work = due_tasks(collected, self.planner, state, now, log)
            maker = Maker(self.planner, state, executor, RunContext(), log)
            return [episode for item in work for episode in maker.make(item)]

    def episodes(self) -> dict[str, list[str]]:
        """The articles of each episode that is made."""
        with ShowState(self.folder / "state") as state:
            members = state.members()
            return {
                record.id: [one.id for one in members.get(record.id, ())] or [record.id]
                for record in state.records().values()
                if loaded(record.episode)
            }


@contextmanager
def killing(state: ShowState, after: int | None):
    """Kill a run before one of its writes."""
    write, left = state._write, after

    def killed(how: str, values) -> None:
        nonlocal left
        if left is not None:
            left -= 1
            if left < 0:
                raise Killed
        write(how, values)

    state._write = killed
    yield


def texts_of(job) -> list[str]:
    """The texts of an article, or of the articles of a digest."""
    is_list = job.source.suffix == ".digest"
    paths = [one.path for one in load(job.source).articles] if is_list else [job.source]
    return [path.read_text() for path in paths]


@pytest.fixture
def soundless(monkeypatch):
    """Rendering makes no sound, and fails for some texts."""

    def failure_of(job, *_):
        return EngineFailed("no") if any(UNSAYABLE in text for text in texts_of(job)) else None

    def run_pipeline(job, *_):
        if error := failure_of(job):
            raise error
        return SimpleNamespace(title="x", warnings=(), files=(), changed=())

    def episode(article, *more):
        name = f"{article.id.rpartition('/')[2].replace(':', '-')}.mp3"
        return Episode(article.id, article.title or "x", more[-1], 1.0, Enclosure(name, 1, "a"))

    def place_files(_, folder, made):
        folder.write(made.enclosure.name, b"x")

    monkeypatch.setattr(maker, "failure_of", failure_of)
    monkeypatch.setattr(maker, "run_pipeline", run_pipeline)
    monkeypatch.setattr(maker, "make_episode", episode)
    monkeypatch.setattr(maker, "make_digest_episode", episode)
    monkeypatch.setattr(maker, "place_files", place_files)


@pytest.mark.usefixtures("soundless")
def test_over_all_runs_each_article_is_made_once_and_stays(monkeypatch):
    @few_examples(15)
    @given(runs)
    def check(planned: list[OneRun]) -> None:
        with tempfile.TemporaryDirectory() as folder, ThreadExecutor() as executor:
            monkeypatch.setenv("XDG_CACHE_HOME", folder)
            show, before = SilentShow(Path(folder)), dict[str, list[str]]()
            for one in planned:
                show.add(one.n_new, one.long)
                show.spoil(one.unsayable)
                with suppress(Killed):
                    show.run(one, executor)
                made = show.episodes()
                assert {key: made[key] for key in before} == before  # none changes its articles
                before = made
                once = Counter(article for group in made.values() for article in group)
                assert max(once.values(), default=1) == 1
            nothing = frozenset[int]()
            well = OneRun(0, nothing, nothing, nothing, nothing, None)
            show.spoil(nothing)
            show.run(well, executor)
            made = [article for group in show.episodes().values() for article in group]
            assert sorted(made) == sorted(one.id for one in show.articles)
            assert show.run(well, executor) == []

    check()


def test_an_article_cannot_be_remembered_in_two_digests(tmp_path):
    from audiomill.flows.podcast.state import MemberRecord

    member = MemberRecord("a", "digest:1", 0, "", "A", "", "/a", "", "")
    with ShowState(tmp_path / "state") as state:
        state.save_digest(ArticleRecord("digest:1", "", "One"), [member])
        with pytest.raises(UsageError):
            state.save_digest(
                ArticleRecord("digest:2", "", "Two"), [replace(member, digest="digest:2")]
            )
        assert list(state.records()) == ["digest:1"]  # nothing of the second


def test_a_full_disk_is_named_and_nothing_of_a_digest_is_kept(tmp_path):
    with ShowState(tmp_path / "state") as state:
        (n_pages,) = state._database.execute("PRAGMA page_count").fetchone()
        state._database.execute(f"PRAGMA max_page_count = {n_pages}")
        with pytest.raises(OutputUnwritable, match="database or disk is full"):
            state.save_digest(ArticleRecord("digest:1", "", "One" * 10_000), [])
        assert state.records() == {}


def test_a_file_of_the_version_without_digests_is_read_on(tmp_path):
    record = ArticleRecord("a", "https://quay.example/a", "A", first_seen=BEGAN.isoformat())
    with ShowState(tmp_path / "state") as state:
        state.save(record)
    with sqlite3.connect(tmp_path / "state") as database:
        for column in ("canonical", "is_temporary"):
            database.execute(f"ALTER TABLE articles DROP COLUMN {column}")
        database.execute("DROP TABLE members")
        database.execute("CREATE TABLE files (name TEXT PRIMARY KEY)")
        database.execute("PRAGMA user_version = 1")
    with ShowState(tmp_path / "state") as state:
        assert (state.records(), state.members()) == ({"a": record}, {})
