"""Piper's own HTTP server, started on loopback with voices that have random weights.

with piper_server(folder, "en_US-random-medium") as url: …
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from support import patient_http
from support.documents import process_of
from support.piper_voices import add_voice
from support.prefect_api import free_port
from support.process_data import wait_until


def add_flat_voice(folder: Path, name: str, **config) -> Path:
    """A voice right in `folder`, where the server looks for it."""
    folder.mkdir(exist_ok=True)
    model = add_voice(folder, name, **config)
    flat = folder / model.name
    model.with_name(f"{model.name}.json").rename(flat.with_name(f"{flat.name}.json"))
    return model.rename(flat)


@contextmanager
def piper_server(words: list[str], folder: Path, default: str) -> Iterator[str]:
    """The url of the server that `words` start. `default`: the voice that it is started with."""
    port = free_port()
    model = str(folder / f"{default}.onnx")
    options = ["--host", "127.0.0.1", "--port", str(port), "--model", model]
    options += ["--data-dir", str(folder)]
    log = (folder / "server.log").open("wb")
    command = [*process_of(words), *options]
    with log, subprocess.Popen(command, cwd=folder, stdout=log, stderr=log) as process:
        url = f"http://127.0.0.1:{port}"
        try:
            wait_until(lambda: _answers(url), process, 0.1)
            yield url
        finally:
            process.kill()


def _answers(url: str) -> bool:
    try:
        return patient_http.get(f"{url}/info", trust_env=False).is_success
    except httpx.ConnectError:
        return False
