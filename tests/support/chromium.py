"""A headless Chromium that opens pages, driven by the DevTools protocol over pipes.

Source: chromedevtools.github.io/devtools-protocol; `--remote-debugging-pipe` reads commands from
descriptor 3 and writes answers to descriptor 4, each a JSON text that ends with a zero byte.
"""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

BROWSER = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chrome")
_OPTIONS = (
    *("--headless", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu"),
    *("--no-first-run", "--disable-background-networking", "--disable-extensions"),
    *("--autoplay-policy=no-user-gesture-required", "--disable-dev-shm-usage", "--mute-audio"),
)
# What a browser, a dialog or a button acts on is known to it by these codes.
_ACTING_KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, "Home": 36}

# Of all text, with the background of the nearest element that has one.
LEAST_CONTRAST = Path(__file__).with_name("least_contrast.js").read_text(encoding="utf-8")


class Tab:
    """A page of the browser, and all that it has reported."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, os.fdopen(answers, "rb")
        self._buffer = b""
        self._target, self._session = "", ""
        self._last_id = 0
        self._screen: list[tuple[str, dict[str, Any]]] = []
        self.events: list[dict[str, Any]] = []

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The answer to a command."""
        self._last_id += 1
        message = {"id": self._last_id, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while (answer := self._read()).get("id") != self._last_id:
            self._keep(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, url: str) -> None:
        """Load a page whole, in a new tab: the last page may not be done with its requests."""
        last, self._session = self._target, ""
        self._target = self.send("Target.createTarget", url="about:blank")["targetId"]
        attached = self.send("Target.attachToTarget", targetId=self._target, flatten=True)
        if last:
            self.send("Target.closeTarget", targetId=last)
        self._session = attached["sessionId"]
        self.events.clear()
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.send(f"{domain}.enable")
        for method, parameters in self._screen:
            self.send(method, **parameters)
        failure = self.send("Page.navigate", url=url).get("errorText")
        assert not failure, failure
        self.wait_for(lambda event: event["method"] == "Page.loadEventFired")

    def reload(self) -> None:
        """Load the page anew, as a reader does who presses F5."""
        self.events.clear()
        self.send("Page.reload")
        self.wait_for(lambda event: event["method"] == "Page.loadEventFired")

    def press(self, key: str, *held: str) -> None:
        """A key by its name in DOM, or a character; of those that are held only Shift is known."""
        text = key if len(key) == 1 else {"Enter": "\r"}.get(key, "")
        pressed = {"key": key, "modifiers": 8 * ("Shift" in held)}
        pressed |= {"windowsVirtualKeyCode": _ACTING_KEYS[key]} if key in _ACTING_KEYS else {}
        self.send("Input.dispatchKeyEvent", type="keyDown", **pressed, text=text)
        self.send("Input.dispatchKeyEvent", type="keyUp", **pressed)

    def click(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            at = {"x": x, "y": y, "button": "left", "clickCount": 1}
            self.send("Input.dispatchMouseEvent", type=kind, **at)

    def close(self) -> None:
        """Close the pipe, which nobody writes to any more."""
        self._answers.close()

    def wait_for(self, is_it: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first event of a kind, which may have come already."""
        for event in self.events:
            if is_it(event):
                return event
        while True:
            event = self._read()
            if self._keep(event) and is_it(event):
                return event

    def value(self, expression: str) -> Any:
        """The value of an expression of JavaScript; that of a promise, once it is there."""
        result = self.send(
            "Runtime.evaluate",
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def set_screen(self, width: int, height: int, *, dark: bool = False) -> None:
        """Show the pages that are opened from now on as on a screen of this size."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._screen = [
            ("Emulation.setDeviceMetricsOverride", metrics),
            ("Emulation.setEmulatedMedia", {"features": [scheme]}),
        ]

    @property
    def requested(self) -> list[str]:
        """The URLs of all requests since the page was opened."""
        return [
            event["params"]["request"]["url"]
            for event in self.events
            if event["method"] == "Network.requestWillBeSent"
        ]

    @property
    def complaints(self) -> list[str]:
        """What the console would show: errors, warnings and refusals."""
        kinds = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
        return [json.dumps(event["params"]) for event in self.events if event["method"] in kinds]

    def _keep(self, event: dict[str, Any]) -> bool:
        """Whether a message is an event of this page, and so is kept."""
        is_ours = "method" in event and event.get("sessionId") == self._session
        if is_ours:
            self.events.append(event)
        return is_ours

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            chunk = self._answers.read1(1 << 16)
            assert chunk, "the browser has ended"
            self._buffer += chunk
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)


@contextmanager
def browsing(profile: Path, *options: str) -> Iterator[Tab]:
    """A new browser with a profile of its own, and more options. It ends with the block."""
    read_commands, commands = os.pipe()
    answers, write_answers = os.pipe()
    words = [str(BROWSER), *_OPTIONS, *options, f"--user-data-dir={profile}", "about:blank"]
    # Python cannot give a child certain descriptors by number; a shell can.
    shell = ["bash", "-c", f'exec "$0" "$@" 3<&{read_commands} 4>&{write_answers}', *words]
    process = subprocess.Popen(
        shell,
        pass_fds=(read_commands, write_answers),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(profile)},
        start_new_session=True,
    )
    os.close(read_commands)
    os.close(write_answers)
    tab = None
    try:
        tab = Tab(commands, answers)
        yield tab
    finally:
        # Its processes are a group of their own, and one may outlive the first.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(commands)
        if tab:
            tab.close()
