"""Shows and episodes for tests, with the files that they name."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

from audiomill.outputs.podcast.episode_page import episode_assets
from audiomill.outputs.podcast.show import (
    Enclosure,
    Episode,
    EpisodeChapter,
    FailedArticle,
    Funding,
    Person,
    PersonRole,
    Show,
    TranscriptFile,
)
from audiomill.outputs.podcast.show_folder import LocalPlace, ShowFolder
from support.picture_data import halves, saved

SHOW = Show(
    title="The Morning Mill",
    description="What I meant to read last night, read to me before breakfast.",
    feed_url="https://pods.example/mill/feed.xml",
    language="en-GB",
    link="https://mill.example/",
    author="R. Aldous",
    owner_name="Ruth Aldous",
    owner_email="ruth@mill.example",
    categories=("News > Tech News", "Society & Culture"),
    image="cover.jpg",
    copyright="The authors of the articles",
    persons=(Person("Ruth Aldous", PersonRole.HOST),),
    funding=(Funding("https://mill.example/give", "Buy us flour"),),
)
VTT = Path(__file__).with_name("mill.vtt").read_text("utf-8")


def numbered(n: int, **changes: object) -> Episode:
    """An episode whose data follow from `n`; the greater, the newer."""
    name = f"audio/episode-{n}.mp3"
    episode = Episode(
        guid=f"urn:mill:{n}",
        title=f"Article {n}",
        published=datetime(2026, 11, 1, 6, 30, tzinfo=UTC) + timedelta(days=n),
        duration_s=100.0 + n,
        enclosure=Enclosure(name, 1000 + n, "audio/mpeg"),
        summary=f"What article {n} says.",
        show_notes_html=f"<p>Notes <em>of</em> {n}.</p>",
        link=f"https://news.example/{n}",
        chapters=(
            EpisodeChapter(0.0, "Beginning"),
            EpisodeChapter(1.25, "Middle", "https://news.example/#middle"),
        ),
        transcripts=(
            TranscriptFile(f"audio/episode-{n}.vtt", "text/vtt"),
            TranscriptFile(f"audio/episode-{n}.srt", "application/x-subrip"),
        ),
        persons=(Person("Ida Brook"), Person("Tom Weir", PersonRole.NARRATOR)),
    )
    return replace(episode, **changes)


# Of the two episodes before, 2 is gone, and 3 has a new title.
COMING = [numbered(3, title="New"), numbered(4)]


def names_of_show(*numbers: int) -> set[str]:
    """Of all files of a show that has these episodes."""
    kinds = ("chapters.json", "html", "mp3", "srt", "vtt")
    own = {f"audio/episode-{number}.{kind}" for number in numbers for kind in kinds}
    reader = {one.name for one in episode_assets() if numbers}
    return own | reader | {".podcast.json", "cover.jpg", "feed.xml", "index.html"}


def local(folder: Path) -> ShowFolder:
    """The folder of a show on this machine."""
    return ShowFolder(LocalPlace(folder))


def put_files(folder: Path, show: Show, episodes: list[Episode]) -> None:
    """Write what the flow makes before it publishes: audio, transcripts and pictures."""
    for episode in episodes:
        audio = folder / episode.enclosure.name
        audio.parent.mkdir(parents=True, exist_ok=True)
        audio.write_bytes(b"\0" * episode.enclosure.n_bytes)
        for transcript in episode.transcripts:
            (folder / transcript.name).write_text(VTT)
    if show.image:
        (folder / show.image).write_bytes(saved(halves(), "JPEG"))


FAILED = FailedArticle(
    "https://news.example/wall", "Behind a wall", "Only the beginning is free to read.", 3
)
TOKYO = timezone(timedelta(hours=9))
