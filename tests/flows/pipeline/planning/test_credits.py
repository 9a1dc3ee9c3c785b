"""Credits in finished files: spoken, marked, and apart from the text of the source."""

import json
from collections.abc import Iterator
from pathlib import Path

import mutagen.id3
import numpy as np
import pytest
from mutagen.mp4 import MP4

from audiomill.flows.job import Job
from audiomill.flows.pipeline.api import inspect_source
from audiomill.flows.pipeline.report import Report
from audiomill.inputs.metadata.credits import Credits
from audiomill.inputs.model.book import SkipReason, SourceEmpty
from audiomill.outputs.ffmpeg.decoding import decode
from audiomill.renderers.tone.renderer import ToneRenderer
from support.book_data import book_job, rendered, source_job
from support.encoded_files import chapter_spans
from support.epub_data import Epub, chapter, line, nav, page, three_chapters

RATE = ToneRenderer.sample_rate
METADATA = (
    "<dc:title>The Mill</dc:title><dc:creator>Maud Tern</dc:creator><dc:language>en</dc:language>"
)
OPENING, CLOSING = "The Mill, by Maud Tern.", "The end of The Mill, by Maud Tern."


def job_for(folder: Path, epub: Epub | None = None, **choices) -> Job:
    source = (epub or three_chapters(metadata=METADATA)).write(folder)
    settings = {"credits": choices.pop("settings", Credits())}
    return source_job(source, settings=settings, **{"speed": 4.0} | choices)


def work(report: Report) -> dict:
    return json.loads(report.path.read_text())["work"]


def n_words(samples: np.ndarray) -> int:
    """The number of tones, one for each word. Silence separates them."""
    loud = np.flatnonzero(np.abs(samples) > 0.002)
    return int(np.count_nonzero(np.diff(loud) > 300)) + 1


def spoken_words(path: Path) -> Iterator[int]:
    """The number of words in each chapter of a finished file."""
    samples = np.concatenate(list(decode(path)))
    for _, start, end in chapter_spans(path):
        yield n_words(samples[round(start * RATE) : round(end * RATE)])


def test_credits_have_marks_of_their_own(tmp_path):
    report = rendered(job_for(tmp_path, formats=["m4b", "mp3", "opus"]))
    titles = ["Opening credits", "The Sea", "The Hill", "The Mill", "Closing credits"]
    reported = work(report)["chapters"]
    assert [one["is_credits"] for one in reported] == [True, False, False, False, True]
    for file in report.files:
        read = chapter_spans(file.path)
        assert [title for title, _, _ in read] == titles
        starts = [start for _, start, _ in read]
        assert starts == sorted({*starts})
        assert starts == pytest.approx([one["start_s"] for one in reported], abs=0.002)
    m4b, mp3, _ = report.files
    frames = mutagen.id3.ID3(mp3.path).getall("CHAP")
    frames.sort(key=lambda frame: frame.start_time)
    assert [frame.sub_frames["TIT2"].text[0] for frame in frames] == titles
    assert [one.title for one in MP4(m4b.path).chapters] == titles


def test_credits_are_spoken_once_and_the_rest_stays_as_it_is(place, first_run):
    (file,) = first_run(job_for(place)).files
    with_credits = list(spoken_words(file.path))
    without = rendered(job_for(place, credits=False))
    (file,) = without.files
    opening, *source, closing = with_credits
    assert (opening, closing) == (len(OPENING.split()), len(CLOSING.split()))
    assert source == list(spoken_words(file.path))
    # The text of the source was in the store already.
    assert without.rendered == 0


def test_a_rerun_renders_nothing_and_other_credits_only_themselves(place, first_run):
    first_run(job_for(place))
    assert rendered(job_for(place)).result is None
    named = rendered(job_for(place, settings=Credits(narrator="Anna Weber")))
    assert named.rendered == 1  # “Read by Anna Weber.” is said twice
    assert named.files[0].chapters == 5


def test_the_narrator_of_the_settings_is_in_the_tags(tmp_path):
    job = job_for(tmp_path, formats=["mp3"], settings=Credits(enabled=False, narrator="Anna Weber"))
    (file,) = rendered(job).files
    assert mutagen.id3.ID3(file.path)["TCOM"].text == ["Anna Weber"]


def test_some_chapters_have_no_credits_and_the_same_numbers(tmp_path):
    inspected = inspect_source(job_for(tmp_path)).chapters
    assert [(one.number, one.title) for one in inspected] == [
        *((0, "Opening credits"), (1, "The Sea"), (2, "The Hill")),
        *((3, "The Mill"), (0, "Closing credits")),
    ]
    (chosen,) = inspect_source(job_for(tmp_path, chapters="3")).chapters
    assert chosen == inspected[3]
    report = rendered(job_for(tmp_path, chapters="1-3"))
    assert [one["is_credits"] for one in work(report)["chapters"]] == [False] * 3


def test_split_files_have_credits_in_the_first_and_the_last(tmp_path):
    files = rendered(job_for(tmp_path, formats=["mp3"], split=True)).files
    assert [file.path.stem for file in files] == ["01 - The Sea", "02 - The Hill", "03 - The Mill"]
    assert [[title for title, _, _ in chapter_spans(file.path)] for file in files] == [
        ["Opening credits", "The Sea"],
        ["The Hill"],
        ["The Mill", "Closing credits"],
    ]
    assert mutagen.id3.ID3(files[0].path)["TRCK"].text == ["1/3"]


def test_the_report_tells_credits_from_the_source(tmp_path):
    title_page = page("<h1>The Mill</h1><p>by Maud Tern</p>")
    epub = Epub({"t.xhtml": title_page, "a.xhtml": chapter(1, "The Sea")}, metadata=METADATA)
    epub.nav = nav(line("The Mill", "t.xhtml") + line("The Sea", "a.xhtml"))
    report = rendered(job_for(tmp_path, epub))
    assert report.full()["credits"] == [
        {"title": "Opening credits", "text": OPENING, "spoken": OPENING},
        {"title": "Closing credits", "text": CLOSING, "spoken": CLOSING},
    ]
    said = [one.text for one in report.skipped if one.reason is SkipReason.SAID_IN_CREDITS]
    assert said == ["The Mill", "by Maud Tern"]
    assert [title for title, _, _ in chapter_spans(report.files[0].path)][1] == "The Sea"
    # Without credits, the page is read.
    words = {True: [5, 9, 8], False: [14]}
    for is_on, expected in words.items():
        (file,) = rendered(job_for(tmp_path, epub, credits=is_on)).files
        assert list(spoken_words(file.path)) == expected


def test_a_source_that_cannot_be_spoken_gets_no_credits(tmp_path):
    epub = Epub({"a.xhtml": page("<pre>code = 1</pre>")}, metadata=METADATA)
    with pytest.raises(SourceEmpty, match="Nothing in"):
        rendered(job_for(tmp_path, epub))


@pytest.mark.prove
def test_credits_have_files_of_their_own_where_those_they_are_for_ask_so(tmp_path: Path) -> None:
    job = job_for(tmp_path, formats=["mp3"], profile="acx")
    files = [one.path.name for one in rendered(job).files if one.path.suffix == ".mp3"]
    first, *_, last = files
    assert (first, last) == ("00 - Opening credits.mp3", "04 - Closing credits.mp3")
    assert len(files) == 3 + 2
    folder = next((tmp_path / "library").rglob(first)).parent
    tracks = [mutagen.id3.ID3(folder / name).get("TRCK") for name in files]
    assert [one and one.text[0] for one in tracks] == [None, "1/4", "2/4", "3/4", "4/4"]
    whole = rendered(job_for(tmp_path, formats=["mp3"], profile="acx", split=False))
    assert [one.path.suffix for one in whole.files].count(".mp3") == 1


@pytest.mark.prove
def test_such_credits_are_said_for_any_source_unless_the_user_does_not_want_them(
    tmp_path: Path,
) -> None:
    text = "# One\n\nA text.\n\n# Two\n\nAnother.\n"

    def names(**choices: object) -> list[str]:
        job = book_job(tmp_path, text, formats=["mp3"], split=True, speed=4.0, **choices)
        return [one.path.name for one in rendered(job).files if one.path.suffix == ".mp3"]

    assert names() == ["01 - One.mp3", "02 - Two.mp3"]
    assert names(profile="acx", credits=False) == ["01 - One.mp3", "02 - Two.mp3"]
    assert names(profile="acx")[0] == "00 - Opening credits.mp3"


def test_what_the_book_itself_lacks_is_told(tmp_path: Path) -> None:
    told = "\n".join(rendered(job_for(tmp_path, profile="acx")).warnings)
    assert "The book has no cover, which acx asks for beside its files: --set cover=FILE" in told
    assert "The credits name no narrator, which acx asks for: name one with --set narr" in told
    quiet = "\n".join(rendered(job_for(tmp_path)).warnings)
    assert "cover" not in quiet
