"""The pages in a real browser: they play, ask no other server, and have nothing to complain of."""

import json
import wave
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

from audiomill.outputs.podcast.publishing import publish
from audiomill.outputs.podcast.show import Enclosure
from support.chromium import BROWSER, LEAST_CONTRAST, Tab, browsing
from support.podcast_data import FAILED, SHOW, local, numbered, put_files
from support.web_server import Page, serving_site

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
RATE = 8000
DURATION_S = 3.0
WORDS = "audio/two.words.json"
SAID = [
    {"startTime": at, "body": body}
    for at, body in ((1.8, "Then"), (1.9, "somebody"), (2.05, "did"), (2.2, "wrote"), (2.3, "it"))
]
EVIL = "<script>fetch('https://spy.example/')</script><img src=https://spy.example/x onerror=y>"
TYPES = {".html": "text/html", ".jpg": "image/jpeg", ".wav": "audio/wav"}


@pytest.fixture(scope="module")
def tab(tmp_path_factory) -> Iterator[Tab]:
    with browsing(tmp_path_factory.mktemp("profile")) as tab:
        yield tab


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A show of one episode with three seconds of sound, whose texts try to run something."""
    folder = tmp_path_factory.mktemp("show")
    audio = folder / "audio" / "one.wav"
    audio.parent.mkdir()
    with wave.open(str(audio), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        sine = np.sin(np.arange(int(DURATION_S * RATE)) / 5) * 9000
        file.writeframes(sine.astype("<i2").tobytes())
    episode = numbered(
        1, summary=EVIL, show_notes_html=f"<p>Notes{EVIL}</p>", duration_s=DURATION_S
    )
    sound = Enclosure("audio/one.wav", audio.stat().st_size, "audio/wav")
    spoken = numbered(2, chapters=(), words=WORDS)
    put_files(folder, SHOW, [episode, spoken])
    (folder / WORDS).write_text(json.dumps({"segments": SAID}))
    other = audio.with_name("two.wav")
    other.write_bytes(audio.read_bytes())
    show = replace(SHOW, title=f"Mill{EVIL}", description=EVIL)
    publish(
        local(folder),
        show,
        [
            replace(episode, enclosure=sound),
            replace(spoken, enclosure=replace(sound, name="audio/two.wav")),
        ],
        [replace(FAILED, reason=EVIL)],
    )
    return folder


def answer(path: Path, request: BaseHTTPRequestHandler) -> None:
    """A file as podcast clients demand it: with byte ranges, without which no browser can seek."""
    content = path.read_bytes()
    first, _, last = request.headers.get("Range", "").removeprefix("bytes=").partition("-")
    start, end = int(first or 0), min(int(last or len(content)), len(content) - 1)
    headers = {"Content-Type": TYPES.get(path.suffix, "text/plain"), "Accept-Ranges": "bytes"}
    if first:
        headers["Content-Range"] = f"bytes {start}-{end}/{len(content)}"
    Page(content[start : end + 1], 206 if first else 200, headers)(request)


@pytest.fixture(params=["from a disk", pytest.param("from a server", marks=pytest.mark.prove)])
def address(request, folder) -> Iterator[str]:
    if request.param == "from a disk":
        yield folder.as_uri()
        return
    with serving_site() as site:
        for path in folder.rglob("*.*"):
            name = f"/{path.relative_to(folder)}"
            if path.is_file():
                site.pages[name] = partial(answer, path)
        yield site.url


def assert_is_quiet(tab: Tab, address: str) -> None:
    """Nothing was asked of others, and the console is empty."""
    ours = urlsplit(address)
    for url in map(urlsplit, tab.requested):
        assert url.scheme == "data" or (url.scheme, url.netloc) == (ours.scheme, ours.netloc)
    assert tab.complaints == []


def event_of_audio(kind: str) -> str:
    return f"new Promise(done => document.querySelector('audio').addEventListener('{kind}', done))"


def test_the_page_of_a_show_plays(tab, address):
    tab.open(f"{address}/index.html")
    assert tab.value("document.querySelector('h1').innerText") == f"Mill{EVIL}"
    assert tab.value("document.querySelector('img.cover').naturalWidth") > 0
    assert tab.value("document.querySelector('audio').readyState") == 0  # nothing loaded so far
    tab.value(
        f"(() => {{ const ended = {event_of_audio('ended')};"
        "return document.querySelector('audio').play().then(() => ended).then(() => 1) })()"
    )
    assert abs(tab.value("document.querySelector('audio').duration") - DURATION_S) < 0.01
    assert_is_quiet(tab, address)


def test_the_page_of_an_episode_jumps_to_its_chapters(tab, address):
    tab.open(f"{address}/audio/one.html")
    sought = tab.value(
        f"(() => {{ const sought = {event_of_audio('timeupdate')};"
        "document.querySelectorAll('.chapters a')[1].click();"
        "return sought.then(() => document.querySelector('audio').currentTime) })()"
    )
    assert 1.25 <= sought < DURATION_S
    assert tab.value("location.hash") == ""
    # The chapter and the words that are being said are marked, until the end.
    tab.value(f"{event_of_audio('ended')}.then(() => 1)")
    marked = "[...document.querySelectorAll('[aria-current]')].map(one => one.innerText)"
    chapter, words = tab.value(marked)
    assert chapter.split() == ["0:01", "Middle"]
    assert words == "Then somebody did & wrote it down."
    assert_is_quiet(tab, address)


def test_words_of_the_transcript_are_places_to_play_from(tab, address):
    tab.open(f"{address}/audio/one.html")
    start = tab.value(
        f"(() => {{ const sought = {event_of_audio('timeupdate')};"
        "document.querySelectorAll('.transcript span[data-at]')[2].click();"
        "return sought.then(() => document.querySelector('audio').currentTime) })()"
    )
    assert 1.8 <= start < DURATION_S
    assert_is_quiet(tab, address)


def test_the_word_that_sounds_is_marked_and_each_is_a_place_to_play_from(tab, address):
    tab.open(f"{address}/audio/two.html")
    seen = tab.value(
        """new Promise(done => {
            const audio = document.querySelector('audio'), seen = [];
            const words = [...document.querySelectorAll('.transcript [data-at] > [data-at]')];
            new MutationObserver(() => {
                const marked = words.filter(one => one.hasAttribute('aria-current'));
                if (marked.length) seen.push([marked.map(one => one.innerText), audio.currentTime]);
            }).observe(document.querySelector('.transcript'), {subtree: true, attributes: true});
            audio.addEventListener('ended', () => done(seen));
            words[1].click();
        })"""
    )
    starts = {one["body"]: one["startTime"] for one in SAID}
    marked = [word for words, _ in seen for word in words]
    assert list(dict.fromkeys(marked)) == ["somebody", "did", "wrote", "it"]
    assert all(len(words) == 1 and at >= starts[words[0]] - 0.02 for words, at in seen)
    assert_is_quiet(tab, address)


def test_the_address_of_the_feed_is_there_to_copy(tab, address):
    tab.open(f"{address}/index.html")
    tab.value(
        "new Promise(done => { new MutationObserver(done).observe("
        "document.querySelector('[role=status]'), {childList: true});"
        "document.querySelector('button').click() }).then(() => 1)"
    )
    assert tab.value("String(getSelection())") == SHOW.feed_url
    assert_is_quiet(tab, address)


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 800)])
@pytest.mark.parametrize("dark", [False, True])
def test_pages_fit_their_screen_and_can_be_read(tab, folder, width, height, dark):
    tab.set_screen(width, height, dark=dark)
    for page in ("index.html", "audio/one.html"):
        tab.open(f"{folder.as_uri()}/{page}")
        assert tab.value("document.documentElement.scrollWidth") <= width
        assert tab.value(LEAST_CONTRAST) >= 4.5  # WCAG 2.2, 1.4.3


def test_every_control_is_reached_by_keyboard_in_the_order_of_the_page(tab, folder):
    tab.open(f"{folder.as_uri()}/audio/one.html")
    reached = []
    for _ in range(6):
        for kind in ("rawKeyDown", "keyUp"):
            tab.send(
                "Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9
            )
        reached.append(tab.value("document.activeElement.tagName"))
    assert reached[:3] == ["A", "A", "AUDIO"]
