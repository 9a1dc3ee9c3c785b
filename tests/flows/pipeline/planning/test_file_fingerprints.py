"""With a level for each file, a file depends on its own chapters alone: others stay as they are."""

from dataclasses import replace
from pathlib import Path

import pytest

from audiomill.flows.job import Job
from audiomill.flows.pipeline import encode_book
from audiomill.flows.pipeline.planning import voices
from audiomill.flows.pipeline.report import Report
from audiomill.outputs.audio.music import Music
from audiomill.outputs.targets import Mastering
from support.book_data import book_job, contents, rendered
from support.music_data import write_piece

# So loud that the limiter works, and its loss is measured.
MASTERING = Mastering(target_lufs=-9.0, ceiling_dbtp=-6.0, per_file=True)
SENTENCES = (
    "The mill stood still. Nobody came by that day, or on the next one.",
    "It rained on the hill and on the sea. The boats stayed where they were.",
    "In the morning somebody knocked. The miller did not open the door at once.",
)
CHANGED = (SENTENCES[0], "It snowed on the hill. The boats were gone in the night.", SENTENCES[2])
FILES = [f"0{number} - {title}" for number, title in enumerate(("One", "Two", "Three"), 1)]


def text_of(sentences: tuple[str, ...], titles: tuple[str, ...] = ("One", "Two", "Three")) -> str:
    chapters = zip(titles, sentences, strict=True)
    return "# The Mill\n\n" + "\n\n".join(f"## {title}\n\n{text}" for title, text in chapters)


def job_for(folder: Path, text: str, mastering: Mastering = MASTERING, **choices) -> Job:
    chosen = {"transcripts": ["vtt"], "speed": 4.0, "split": True, "name": "mill.md"} | choices
    return replace(book_job(folder, text, **chosen), mastering=mastering)


def encoded(report: Report) -> list[str]:
    return [spec.name for spec in report.result.files] if report.result else []


def test_a_changed_sentence_encodes_only_the_file_that_holds_it(tmp_path: Path) -> None:
    before = contents(rendered(job_for(tmp_path, text_of(SENTENCES), plot=True)))
    after = rendered(job_for(tmp_path, text_of(CHANGED), plot=True))
    assert encoded(after) == [f"{FILES[1]}.flac", f"{FILES[1]}.vtt"]
    assert after.rendered == 2
    fresh = contents(rendered(job_for(tmp_path / "fresh", text_of(CHANGED), plot=True)))
    assert contents(after) == fresh
    changed = {name for name, content in fresh.items() if before[name] != content}
    assert changed == {f"{FILES[1]}{suffix}" for suffix in (".flac", ".vtt", ".svg")}


@pytest.mark.prove
def test_with_one_gain_for_the_book_all_files_are_encoded(tmp_path: Path) -> None:
    together = replace(MASTERING, per_file=False)
    rendered(job_for(tmp_path, text_of(SENTENCES), together, transcripts=[]))
    after = rendered(job_for(tmp_path, text_of(CHANGED), together, transcripts=[]))
    assert encoded(after) == [f"{name}.flac" for name in FILES]


@pytest.mark.prove
def test_a_new_chapter_only_renumbers_those_after_it(tmp_path: Path) -> None:
    rendered(job_for(tmp_path, text_of(SENTENCES)))
    longer = text_of(
        (SENTENCES[0], "Nobody had asked.", *SENTENCES[1:]), ("One", "New", "Two", "Three")
    )
    after = rendered(job_for(tmp_path, longer))
    assert encoded(after) == ["02 - New.flac", "02 - New.vtt"]
    assert contents(after) == contents(rendered(job_for(tmp_path / "fresh", longer)))


@pytest.mark.prove
def test_music_follows_the_voice_of_its_own_file(tmp_path: Path) -> None:
    theme = write_piece(tmp_path / "theme.flac", 4, 44100, level=0.02)
    music = Music(intro=theme, intro_alone_s=1, intro_under_voice_s=2)
    before = replace(job_for(tmp_path, text_of(SENTENCES)), music=music)
    rendered(before)
    after = rendered(replace(job_for(tmp_path, text_of(CHANGED)), music=music))
    assert encoded(after) == [f"{FILES[1]}.flac", f"{FILES[1]}.vtt"]
    fresh = replace(job_for(tmp_path / "fresh", text_of(CHANGED)), music=music)
    assert contents(after) == contents(rendered(fresh))


def test_what_the_limiter_takes_is_measured_of_missing_files_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered(job_for(tmp_path, text_of(SENTENCES), transcripts=[]))
    measure, read = encode_book.measure_limiter_loss, list[str]()

    def seen(job, store, sample, *others):
        read.extend(
            one.request.spoken
            for region in sample
            for part in region.ranges
            for one in part.segments
        )
        return measure(job, store, sample, *others)

    monkeypatch.setattr(encode_book, "measure_limiter_loss", seen)
    rendered(job_for(tmp_path, text_of(CHANGED), transcripts=[]))
    words = " ".join(read)
    assert "It snowed" in words
    assert not any(other in words for other in ("The mill", "In the morning"))


def spoken_text(first: str, last: str) -> str:
    """Both voices say more than they are measured by, and the last words come after that."""
    said = "“Nobody has rowed across the bay in such a wind,” said Ruth, and shut the door."
    many = " ".join([said] * 2)
    return text_of((f"{first} {many}", many, f"{many} {last}"))


@pytest.mark.prove
@pytest.mark.parametrize(
    ("first", "last", "made"),
    [
        ("“Come in,” said Ruth.", "It was night.", FILES[2:]),
        ("“Go away,” said Ruth.", "It was late.", FILES),
    ],
)
def test_what_a_voice_is_measured_by_counts_in_all_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, last: str, made: list[str]
) -> None:
    monkeypatch.setattr(voices, "SAMPLE_S", 3.5)

    def job(folder: Path, text: str) -> Job:
        folder.mkdir(exist_ok=True)
        (folder / "mill.voices.toml").write_text('narrator = "sine"\ndialogue = "reed"\n')
        return job_for(folder, text, transcripts=[], speed=2.0)

    rendered(job(tmp_path, spoken_text("“Come in,” said Ruth.", "It was late.")))
    after = rendered(job(tmp_path, spoken_text(first, last)))
    assert encoded(after) == [f"{name}.flac" for name in made]
