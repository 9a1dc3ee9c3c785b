"""A headless Firefox that opens pages, driven by WebDriver BiDi over a WebSocket.

Source: w3c.github.io/webdriver-bidi. Firefox says on stderr where it listens.
"""

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from support.process_data import TIMEOUT_S, wait_until
from support.webdriver_actions import clicking, pressing

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
QUIET = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    # What nobody looks at here takes a fifth of its start.
    "browser.aboutwelcome.enabled": False,
    "browser.newtab.preload": False,
    "browser.startup.page": 0,
    "dom.ipc.processPrelaunch.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}


class FirefoxTab:
    """The one tab of a browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._last_id = socket, 0
        self.send("session.new", capabilities={})
        self._tab = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method: str, **parameters: object) -> dict[str, Any]:
        """The result of a command."""
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": parameters}
        self._socket.send(json.dumps(message))
        while (answer := json.loads(self._socket.recv(TIMEOUT_S))).get("id") != self._last_id:
            pass  # an event
        assert answer["type"] == "success", answer
        return answer["result"]

    def open(self, url: str) -> None:
        """Load a page whole."""
        self.send("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def reload(self) -> None:
        """Load the page anew, as a reader does who presses F5."""
        self.send("browsingContext.reload", context=self._tab, wait="complete")

    def press(self, key: str, *held: str) -> None:
        self.send("input.performActions", context=self._tab, actions=pressing(key, *held))

    def click(self, x: float, y: float) -> None:
        self.send("input.performActions", context=self._tab, actions=clicking(x, y))

    def value(self, expression: str) -> Any:
        """The value of an expression of JavaScript; that of a promise, once it is there."""
        result = self.send(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression}) ?? null))()",
            target={"context": self._tab},
            awaitPromise=True,
            userActivation=True,
        )
        assert result["type"] == "success", result
        return json.loads(result["result"]["value"])


@contextmanager
def browsing_with_firefox(folder: Path, *local_names: str) -> Iterator[FirefoxTab]:
    """A tab of a browser with a new profile, for which these names are of this machine."""
    assert FIREFOX is not None
    profile = folder / "firefox"
    profile.mkdir()
    settings = QUIET | {"network.dns.localDomains": ",".join(local_names)}
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(one)});" for name, one in settings.items())
    (profile / "user.js").write_text("\n".join(lines))
    words = ("--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0")
    log = folder / "firefox.log"
    with log.open("w") as told:
        process = subprocess.Popen(
            [FIREFOX, *map(str, words)],
            stdout=told,
            stderr=told,
            env={**os.environ, "HOME": str(profile)},
            start_new_session=True,
        )
    try:
        address = wait_until(lambda: LISTENS.search(log.read_text()), process)[1]
        with connect(f"{address}/session", max_size=None) as socket:
            yield FirefoxTab(socket)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # with the processes of its pages
        process.wait()
