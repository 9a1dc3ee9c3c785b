"""A folder of short articles, and a podcast's file that puts them into digests."""

import os
from pathlib import Path

from support.feed_reading import published
from support.show_data import show_file

NEWEST_S = 1_772_000_000  # February 2026
FOLDER = '[[sources]]\nfolder = "to-read"\n'
DIGEST = '[digest]\ntitle = "{show} of the day"\nintro = "{count} articles."\n'


def put_articles(folder: Path, **texts: str) -> None:
    """Articles in the folder to read, by their names; the first is the newest."""
    (folder / "to-read").mkdir(exist_ok=True)
    for age_s, (name, text) in enumerate(texts.items()):
        path = folder / "to-read" / f"{name}.md"
        path.write_text(f"# The {name}\n\n{text}\n")
        os.utime(path, (NEWEST_S - age_s, NEWEST_S - age_s))


def digest_show(folder: Path, more: str = "", sources: str = FOLDER) -> Path:
    (folder / "to-read").mkdir(exist_ok=True)
    return show_file(folder, sources, DIGEST + more)


def by_title(path: Path) -> dict[str, dict]:
    """The feed's entries by their title, all of which are whole."""
    return {entry.title: entry for entry in published(path.parent / "out").values()}


def file_of(path: Path, entry: dict, suffix: str) -> Path:
    """The file of an episode with this suffix."""
    audio = entry.enclosures[0].href.rpartition("/")[2]
    return (path.parent / "out" / audio).with_suffix(suffix)
