"""Playlists and cue sheets."""

import re

from hypothesis import given
from hypothesis import strategies as st

from audiomill.outputs.formats.lists import PlaylistEntry, cue_sheet_text, index, playlist_text
from audiomill.outputs.metadata.chapters import Mark
from audiomill.outputs.metadata.tags import Tags
from support.signals_data import RATE

TAGS = Tags(title='The "Mill"', album="x", authors=("Ann Author",))


def test_a_playlist_names_files_titles_and_whole_seconds():
    entries = [
        PlaylistEntry("01 - Sea.mp3", "Sea\nand “more” 本", 59.6),
        PlaylistEntry("02 - #Hill.mp3", "#Hill", 0.4),
    ]
    assert playlist_text(entries, "The Mill", "Ann Author").splitlines() == [
        "#EXTM3U",
        "#PLAYLIST:The Mill",
        "#EXTALB:The Mill",
        "#EXTART:Ann Author",
        "#EXTINF:60,Ann Author - Sea and “more” 本",
        "01 - Sea.mp3",
        "#EXTINF:0,Ann Author - #Hill",
        "02 - #Hill.mp3",
    ]
    assert "#EXTART" not in playlist_text(entries, "The Mill")


def tracks(sheet: str) -> list[tuple[int, str, str]]:
    pattern = r'  TRACK (\d+) AUDIO\n    TITLE "(.*)"\n(?:    PERFORMER .*\n)?    INDEX 01 (\S+)'
    return [(int(number), title, at) for number, title, at in re.findall(pattern, sheet)]


def test_a_cue_sheet_has_a_track_for_each_chapter_and_no_quotes_in_titles():
    marks = [Mark('Say "yes"', 0, RATE), Mark("B", RATE, 5 * RATE)]
    sheet = cue_sheet_text("a.mp3", "mp3", TAGS, marks, RATE)
    assert sheet.splitlines()[:3] == [
        'PERFORMER "Ann Author"',
        "TITLE \"The 'Mill'\"",
        'FILE "a.mp3" MP3',
    ]
    assert tracks(sheet) == [(1, "Say 'yes'", "00:00:00"), (2, "B", "00:01:00")]
    assert 'FILE "a.m4b" WAVE' in cue_sheet_text("a.m4b", "m4b", TAGS, marks, RATE)


@given(st.integers(0, 1 << 40), st.sampled_from([22050, 24000, 44100]))
def test_an_index_is_the_nearest_frame(n_samples, sample_rate):
    minutes, seconds, frames = map(int, index(n_samples, sample_rate).split(":"))
    assert seconds < 60
    assert frames < 75
    at = ((minutes * 60 + seconds) * 75 + frames) * sample_rate
    assert abs(at - n_samples * 75) * 2 <= sample_rate


def test_a_sheet_of_more_than_99_tracks_has_all_of_them():
    marks = [Mark(f"C{n}", n * RATE, (n + 1) * RATE) for n in range(714)]
    found = tracks(cue_sheet_text("a.flac", "flac", TAGS, marks, RATE))
    assert [number for number, *_ in found] == [*range(1, 715)]
    assert found[713][2] == "11:53:00"
