"""A WebKitGTK that opens pages, driven by WebDriver on a screen that nobody sees.

Source: w3.org/TR/webdriver2. Debian has it as `webkit2gtk-driver`, with the small browser of
`libwebkit2gtk`; the screen is `Xvfb`. Sound needs GStreamer's plugins "good" and "libav"; without a
sound card it plays by the clock.
"""

import os
import shutil
import signal
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

from support.prefect_api import free_port
from support.process_data import TIMEOUT_S, wait_until
from support.webdriver_actions import clicking, pressing

_DRIVER, _SCREEN = shutil.which("WebKitWebDriver"), shutil.which("Xvfb")
_BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-*/MiniBrowser"), None)
WEBKIT = _DRIVER and _SCREEN and _BROWSER


class WebKitTab:
    """The one tab of a browser. `client` keeps its connection, as the driver never closes one."""

    def __init__(self, client: httpx.Client, session: str) -> None:
        self._client, self._path = client, f"/session/{session}"
        self.send("timeouts", script=int(TIMEOUT_S * 1000), pageLoad=int(TIMEOUT_S * 1000))

    def send(self, command: str, **parameters: object) -> Any:
        """The result of a command."""
        return _result(self._client.post(f"{self._path}/{command}", json=parameters))

    def open(self, url: str) -> None:
        """Load a page whole."""
        self.send("url", url=url)

    def reload(self) -> None:
        """Load the page anew, as a reader does who presses F5."""
        self.send("refresh")

    def value(self, expression: str) -> Any:
        """The value of an expression of JavaScript; that of a promise, once it is there."""
        script = f"return (async () => await ({expression}))()"
        return self.send("execute/sync", script=script, args=[])

    def press(self, key: str, *held: str) -> None:
        self.send("actions", actions=pressing(key, *held))

    def click(self, x: float, y: float) -> None:
        self.send("actions", actions=clicking(x, y))

    def picture(self) -> bytes:
        """What is seen of the page, as PNG."""
        return b64decode(_result(self._client.get(f"{self._path}/screenshot")))

    def set_screen(self, width: int, height: int) -> None:
        """Make the window so large that the page has this size, in CSS pixels."""
        bars = self.value("[outerWidth - innerWidth, outerHeight - innerHeight]")
        self.send("window/rect", width=width + bars[0], height=height + bars[1])


def _result(response: httpx.Response) -> Any:
    assert response.status_code == 200, response.text
    return response.json()["value"]


@contextmanager
def browsing_with_webkit(folder: Path) -> Iterator[WebKitTab]:
    """A tab of a new browser, which keeps nothing."""
    home, port = folder / "webkit", free_port()
    home.mkdir()
    # Layers are put together in software here, which takes five times what drawing them takes.
    variables = {"WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
    variables |= {"HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
    words = [str(_DRIVER), f"--port={port}"]
    with (
        _screen() as display,
        _running(words, subprocess.DEVNULL, {**variables, "DISPLAY": display}) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=TIMEOUT_S) as client,
    ):
        wait_until(lambda: _is_ready(client), process)
        yield WebKitTab(client, _new_session(client))


def _is_ready(client: httpx.Client) -> bool:
    try:
        return client.get("/status").status_code == 200
    except httpx.TransportError:
        return False


def _new_session(client: httpx.Client) -> str:
    options = {"binary": str(_BROWSER), "args": ["--automation", "--autoplay-policy=allow"]}
    wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
    answer = client.post("/session", json={"capabilities": wanted})
    return _result(answer)["sessionId"]


@contextmanager
def _screen() -> Iterator[str]:
    """A new screen, by the number that it takes: ":7"."""
    words = [str(_SCREEN), "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    with _running(words, subprocess.PIPE, {}) as process:
        assert process.stdout is not None
        yield f":{process.stdout.readline().decode().strip()}"


@contextmanager
def _running(
    words: list[str], output: int, variables: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """A process until the end of the block, and those that it starts."""
    process = subprocess.Popen(
        words,
        stdout=output,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **variables},
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
