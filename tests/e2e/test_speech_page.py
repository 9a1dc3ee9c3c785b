"""The page of the server of speech in real browsers: it plays while the text is still rendered."""

import pytest

from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.settings import Settings
from audiomill.flows.speech.server import SpeechLimits, speech_app
from audiomill.flows.speech.speaking import TextSpeaker
from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.flows.web_server.listening import serving
from support import patient_http
from support.browsers import BROWSERS
from support.chromium import BROWSER, LEAST_CONTRAST, browsing
from support.process_data import wait_until

pytestmark = pytest.mark.prove
KEY = "a-key-that-nobody-guesses"
LONG = "Nobody heard the mill go by the water that night. " * 60
needs_chromium = pytest.mark.skipif(BROWSER is None, reason="no Chromium")
FORMATS = ("mp3", "opus", "aac", "flac", "wav")


@pytest.fixture
def key(request):
    return request.param


@pytest.fixture
def url(tmp_path, key):
    settings = Settings(engine="tone", store=str(tmp_path / "store"), library=tmp_path / "library")
    limits = SpeechLimits()
    with (
        TextSpeaker(settings, RunContext(), limits.n_at_once) as speaker,
        serving(
            speech_app(speaker, key, limits), "127.0.0.1", 0, ConnectionLimits(stalled_s=60)
        ) as port,
    ):
        yield f"http://127.0.0.1:{port}/"


def until(tab, expression):
    wait_until(lambda: tab.value(f"Boolean({expression})"))


def set_value(tab, name, value):
    tab.value(
        f"(byId('{name}').value = {value!r}, byId('{name}').dispatchEvent(new Event('change')), 1)"
    )


def hear_each_format_and_stop(tab, url, key):
    """What a user does, in one visit."""
    tab.open(url)
    # Firefox plays nothing on a machine without a sound card; but into a stream it does.
    tab.value("Boolean(sound.mozCaptureStream?.())")
    if key:
        set_value(tab, "key", key)
    until(tab, "byId('voice').options.length > 2")
    set_value(tab, "text", "The mill stood. " * 2)
    for form in FORMATS:
        set_value(tab, "format", form)
        tab.value("(byId('say').click(), 1)")
        until(tab, "sound.ended || byId('problem').textContent")
        assert tab.value("byId('problem').textContent") == "", form
        assert tab.value("sound.currentTime") > 1.5, form
    set_value(tab, "text", LONG)
    set_value(tab, "format", "mp3")
    tab.value("(byId('say').click(), 1)")
    until(tab, "sound.currentTime > 0.3 && !byId('stop').disabled")
    tab.value("(byId('stop').click(), 1)")
    assert tab.value("sound.paused && byId('stop').disabled")
    wait_until(lambda: patient_http.get(f"{url}health").json()["texts"] == 0)
    set_value(tab, "text", "…")
    tab.value("(byId('say').click(), 1)")
    until(tab, "byId('problem').textContent.includes('no words')")


# Each sends its key. That none is wanted makes no difference to how it plays.
VISITS = [(one, KEY) for one in BROWSERS] + [(one, "") for one in BROWSERS if one == "chromium"]


@pytest.mark.parametrize(("browser", "key"), VISITS, indirect=["key"])
def test_each_browser_plays_what_comes(url, key, tmp_path, browser):
    with BROWSERS[browser](tmp_path) as tab:
        hear_each_format_and_stop(tab, url, key)
        has_sources = tab.value("Boolean(self.MediaSource?.isTypeSupported('audio/mpeg'))")
    # Chromium gets MP3 in pieces, Firefox as a plain stream.
    assert has_sources == {"chromium": True, "firefox": False}.get(browser, has_sources)


@needs_chromium
@pytest.mark.parametrize("key", [""], indirect=True)
@pytest.mark.parametrize(
    "stuck",
    [
        # WebKitGTK does both now and then: no sound comes, or it pauses without a word of it.
        "sayByAddress = () => playFrom(URL.createObjectURL(new MediaSource()), (begin) => begin())",
        "sound.addEventListener('playing', () => HTMLMediaElement.prototype.pause.call(sound),"
        " {once: true}), Object.defineProperty(sound, 'paused', {get: () => false})",
    ],
    ids=["silent", "asleep"],
)
def test_a_browser_that_stands_still_is_woken(tmp_path, url, stuck):
    with browsing(tmp_path / "profile") as tab:
        tab.open(url)
        until(tab, "byId('voice').options.length > 2")
        tab.value(f"({stuck}, 1)")
        set_value(tab, "format", "wav")  # not in parts
        set_value(tab, "text", "The mill stood. " * 2)
        tab.value("(byId('say').click(), 1)")
        until(tab, "sound.ended || byId('problem').textContent")
        assert tab.value("byId('problem').textContent") == ""
        assert tab.value("sound.currentTime") > 1.5


@needs_chromium
@pytest.mark.parametrize("key", [KEY], indirect=True)
def test_a_wrong_key_is_told(tmp_path, url):
    with browsing(tmp_path / "profile") as tab:
        tab.open(url)
        set_value(tab, "key", "wrong")
        until(tab, "byId('problem').textContent.includes('key is missing or wrong')")
        assert (
            tab.value("localStorage.length + sessionStorage.length + document.cookie.length") == 0
        )


@needs_chromium
@pytest.mark.parametrize("key", [KEY], indirect=True)
def test_the_page_fits_its_screen_and_can_be_read(tmp_path, url):
    with browsing(tmp_path / "profile") as tab:
        for width, is_dark in ((390, False), (390, True), (1280, False), (1280, True)):
            tab.set_screen(width, 800, dark=is_dark)
            tab.open(url)
            assert tab.value("document.documentElement.scrollWidth") <= width
            assert tab.value(LEAST_CONTRAST) >= 4.5  # WCAG 2.2, 1.4.3
            assert tab.complaints == []
            own = {one.split("/")[2] for one in tab.requested if one.startswith("http")}
            assert own == {url.split("/")[2]}
