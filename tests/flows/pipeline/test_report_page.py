"""The page of a run: beside its report file, of the same data, with the times that are heard."""

import json
import re
from pathlib import Path

import pytest
from lxml import html

from audiomill.flows.job import Job
from audiomill.renderers.engine import registry
from audiomill.renderers.engine.declaration import Engine
from audiomill.renderers.engine.protocol import Batch, Remark, Rendered
from audiomill.renderers.host.waiting import UNATTENDED, Waiter
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import book_job, rendered
from support.changed_book import ChangedBook

ODD = "xyzzy"
BOOK = f"""# The Mill & 1 < 2

## One

The mill turned all night.

{ODD} was what nobody said to it. It was late.

## Two

The owl heard it.

Then somebody called {ODD} again, but the village slept on.
"""


class RemarkingTone(ToneRenderer):
    """The tone engine, which cannot speak one word as it is written."""

    def render(self, batch: Batch, waiter: Waiter = UNATTENDED) -> list[Rendered]:
        return [
            Rendered(one.samples, one.timings, tuple(_remarks(request.spoken)))
            for request, one in zip(batch.requests, super().render(batch, waiter), strict=True)
        ]


def _remarks(spoken: str) -> list[Remark]:
    return [Remark(*found.span(), "spelled out") for found in re.finditer(ODD, spoken)]


@pytest.fixture(autouse=True)
def engine(monkeypatch):
    monkeypatch.setitem(
        registry.ENGINES, "remarking", Engine("remarking", lambda _options: RemarkingTone())
    )


def job_for(folder: Path, **choices) -> Job:
    return book_job(folder, BOOK, **{"engine": "remarking", "formats": ["mp3"]} | choices)


def cues_in(transcript: Path) -> list[tuple[float, float]]:
    """Start and end of each cue in which the odd word is."""
    found = []
    for block in transcript.read_text().split("\n\n"):
        times = [
            3600 * int(hours) + 60 * int(minutes) + float(seconds)
            for hours, minutes, seconds in re.findall(r"(\d+):(\d\d):(\d\d\.\d{3})", block)
        ]
        if ODD in block and times:
            found.append((times[0], times[1]))
    return found


@pytest.mark.parametrize("split", [False, True])
def test_the_times_of_remarks_are_those_of_their_cues(tmp_path, split):
    """Also where the opening credits are in the same file, before the first chapter."""
    report = rendered(job_for(tmp_path, split=split, credits=True, transcripts=["vtt"]))
    remarks = json.loads(report.path.read_text())["remarks"]
    assert [one["text"] for one in remarks] == [ODD, ODD]
    transcripts = {one.path.stem: one.path for one in report.files if one.format == "vtt"}
    rows = re.findall(r"<tr>(?:(?!</tr>).)*?\.vtt.*?</tr>", report.page_path.read_text(), re.DOTALL)
    assert rows and not any(">0<" in row for row in rows)
    cues = [cue for path in transcripts.values() for cue in cues_in(path)]
    first, second = [one["at_s"] for one in remarks]
    # The word begins one sentence, and is in the middle of another.
    assert first == pytest.approx(cues[0][0], abs=0.002)
    assert cues[1][0] + 1 < second < cues[1][1] - 1
    assert first > 3  # the credits
    names = [one["recording"] for one in remarks]
    assert names == (["01 - One", "02 - Two"] if split else ["The Mill & 1 ( 2"] * 2)
    links = tree_of(report).xpath("//*[@id='remarks']//a/@href")
    assert [link.partition("#t=")[2] for link in links] == [f"{one['at_s']:.3f}" for one in remarks]


def tree_of(report) -> html.HtmlElement:
    return html.document_fromstring(report.page_path.read_bytes().decode())


def test_the_page_lies_beside_the_report_and_says_the_same(tmp_path):
    report = rendered(job_for(tmp_path, engine="tone"))
    assert report.summary()["page"] == str(report.path.with_suffix(".html"))
    full, tree = json.loads(report.path.read_text()), tree_of(report)
    assert tree.findtext(".//h1/bdi") == full["title"] == "The Mill & 1 < 2"
    chapters = full["work"]["chapters"]
    assert sum(one["words"] for one in chapters) == sum(one["words"] for one in full["voices"])
    assert [one["at_s"] for one in chapters] == [one["start_s"] for one in chapters]
    assert len(tree.xpath("//*[@id='chapters']//tbody/tr")) == 2
    assert len(tree.xpath("//*[@id='sound']//*[local-name()='svg']")) == 1
    assert not tree.xpath("//*[@id='sound']//*[@class='wave']")  # nothing was decoded for it
    assert "as it was encoded" in tree.xpath("string(//*[@id='sound']//figcaption)")
    some = rendered(job_for(tmp_path, engine="tone", chapters="2"))
    assert some.page_path.name == "report (chapter 2).html"
    assert report.page_path.is_file()
    assert len(tree_of(some).xpath("//*[@id='chapters']//tbody/tr")) == 1
    # A run that adds a transcript has measured the voice, and encodes nothing.
    later = tree_of(rendered(job_for(tmp_path, engine="tone", transcripts=["vtt"])))
    assert "before the" in later.xpath("string(//*[@id='sound']//figcaption)")
    drawn = tree_of(rendered(job_for(tmp_path, engine="tone", plot=True)))
    assert len(drawn.xpath("//*[@id='sound']//*[@class='wave']")) == 1


def test_the_cover_is_in_the_page(tmp_path):
    report = rendered(ChangedBook(has_cover=True).job(tmp_path, formats=["flac"]))
    (shown,) = tree_of(report).xpath("//img/@src")
    assert shown.startswith("data:image/")
