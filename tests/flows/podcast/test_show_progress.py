"""The progress of a run over several articles: one way from 0 to 100 %, over all of them."""

from pathlib import Path

import pytest

from audiomill.flows.execution.executor import ThreadExecutor
from audiomill.flows.execution.progress import ProgressUpdate
from audiomill.flows.execution.run_context import PODCAST_STEPS, RunContext, Step
from audiomill.flows.podcast.run import run_show
from audiomill.flows.podcast.run_log import one_episode
from audiomill.flows.settings import Settings
from support.book_data import Recorder
from support.show_data import show_file

N_ARTICLES = 3


class InOrder(Recorder):
    def advance(self, step: Step, done: float) -> None:
        assert step == [*self.totals][-1]
        super().advance(step, done)


def run(folder: Path) -> Recorder:
    recorder = InOrder()
    settings = Settings(store=str(folder / "store"))
    path = show_file(folder, '[[sources]]\nfolder = "texts"')
    with ThreadExecutor() as executor:
        run_show(path, settings, executor, RunContext(recorder))
    return recorder


def test_each_step_goes_once_over_all_articles(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "texts").mkdir()
    for number in range(N_ARTICLES):
        text = f"# Tale {number}\n\nThe tide was high that night."
        (tmp_path / "texts" / f"{number}.md").write_text(text)
    (tmp_path / "texts" / "empty.md").write_text("")
    recorder = run(tmp_path)
    assert tuple(recorder.totals) == PODCAST_STEPS
    assert recorder.totals[Step.LIST] == 1
    assert recorder.totals[Step.FINISH] == N_ARTICLES + 1  # the empty one fails
    for step in PODCAST_STEPS:
        assert recorder.done[step] == pytest.approx(recorder.totals[step])


def test_an_episode_is_one_of_its_step_however_far_it_comes():
    recorder = InOrder()
    recorder.begin(Step.FINISH, 2)
    context = RunContext(recorder)
    with one_episode(context) as own:
        own.progress.begin(Step.RENDER, 9)
        own.progress.advance(Step.RENDER, 9)
        own.progress.begin(Step.ENCODE, 8)
        own.progress.advance(Step.ENCODE, 2)
        assert recorder.done[Step.FINISH] == pytest.approx(0.25)
    with pytest.raises(OSError, match="full"), one_episode(context):
        raise OSError("full")
    assert recorder.done[Step.FINISH] == pytest.approx(2)


def test_a_line_tells_real_time_only_of_audio():
    assert str(ProgressUpdate(Step.FETCH, 0.5, 2.0, 3.0)) == "fetching articles 50%, about 3 s left"
    assert str(ProgressUpdate(Step.RENDER, 1.0, 40.0, 0.0)) == "rendering 100%, 40x real time"
