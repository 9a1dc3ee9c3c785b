"""Serves one speech engine to audiomill, in the environment of the engine.

    requests  ── JSON lines ─▶ reading thread ─▶ main thread ─▶ the engine's script
    replies   ◀─ JSON lines, each followed by as many bytes of audio as its "n_bytes" says
    printed   ◀─ all that the engine prints: standard output is standard error here

    request                                   replies
    {"op": "load", model, device, settings,   hello, or failed
     safe_torch}
    {"op": "render", id, rows}                row for each, in order, as soon as it is done; done
    {"op": "cancel", id}                      cancelled, instead of the next row
                                              alive, every second, whatever the engine does

Runs with Python 3.9 and later, and starts with nothing but the standard library and the engine's
script, so that it can be read on its own. The other side is `renderers/isolated/`.
"""

from __future__ import annotations

import array
import importlib.metadata
import importlib.util
import json
import os
import pickle
import queue
import random
import signal
import sys
import threading
import time
import traceback
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROTOCOL = 1
ALIVE_EVERY_S = 1.0
# Words of PyTorch, CUDA's libraries and allocators for "no memory is left".
NO_MEMORY = (
    "out of memory",
    "can't allocate memory",
    "cannot allocate memory",
    "not enough memory",
    "alloc_failed",
    "bad_alloc",
)


class TextRow:
    """One text to speak. A script reads these attributes, and no others."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self.text: str = fields["text"]
        self.voice: str = fields["voice"]  # one that the engine has listed; "" with a reference
        self.language: str = fields["language"]  # BCP 47; "" if the voice knows
        self.speed: float = fields["speed"]
        self.seed: int = fields["seed"]  # 0 to 2**32 - 1
        reference: dict[str, Any] = fields.get("reference") or {}
        self.audio: str = reference.get("audio", "")  # the path of a WAV file to clone, or ""
        self.audio_text: str = reference.get("text", "")  # what is said in it
        self.settings: dict[str, Any] = fields.get("settings") or {}


class Replies:
    """The private descriptor. Any thread may write; a message is never mixed with another."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def send(self, op: str, payload: bytes = b"", **content: Any) -> None:
        if payload:
            content["n_bytes"] = len(payload)
        line = json.dumps({"op": op, **content}).encode("ascii") + b"\n"
        with self._lock:
            self._write(line)
            self._write(payload)

    def _write(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            left = left[os.write(self._descriptor, left) :]


class Requests(threading.Thread):
    """Reads requests ahead, so that a cancellation arrives while the engine works."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(daemon=True)
        self.waiting: queue.Queue[dict[str, Any]] = queue.Queue()
        self.cancelled: set[int] = set()
        self._lines = os.fdopen(descriptor, "rb")

    def run(self) -> None:
        for line in self._lines:
            request = json.loads(line)
            if request["op"] == "cancel":
                self.cancelled.add(request["id"])
            else:
                self.waiting.put(request)
        end_all()


def serve(script: str, requests: Requests, replies: Replies) -> None:
    """Answer requests, one after the other, for ever."""
    engine: Any = None
    while True:
        request = requests.waiting.get()
        try:
            if request["op"] == "load":
                engine = load(script, request)
                replies.send("hello", **hello(engine))
            elif request["op"] == "fetch":
                replies.send("fetched", path=fetch(**request["what"]))
            else:
                render(engine, request, requests.cancelled, replies)
        except (Exception, SystemExit) as error:  # whatever a package raises
            traceback.print_exc()
            replies.send("failed", id=request.get("id"), **failure(error))


def load(script: str, request: dict[str, Any]) -> Any:
    """The engine: what `load` of the script returns."""
    show_one_gpu(request["device"])
    refuse_code(tuple(request["safe_torch"]))
    spec = importlib.util.spec_from_file_location("audiomill_engine", script)
    if spec is None or spec.loader is None:
        raise ImportError(f"{script} is no script")
    module = importlib.util.module_from_spec(spec)
    sys.modules["audiomill_engine"] = module
    spec.loader.exec_module(module)
    device = request["device"].partition(":")[0]
    seed_all(0)
    return module.load(request["model"], device, request["settings"])


def show_one_gpu(device: str) -> None:
    """Have "cuda:1" be the only GPU that libraries see: some take no other than the first."""
    kind, _, number = device.partition(":")
    if kind == "cuda" and number:
        visible = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
        is_listed = any(visible) and int(number) < len(visible)
        os.environ["CUDA_VISIBLE_DEVICES"] = visible[int(number)] if is_listed else number
    elif kind == "cpu":
        os.environ["CUDA_VISIBLE_DEVICES"] = ""


def refuse_code(safe_torch: tuple[int, ...]) -> None:
    """Have `torch.load` take tensors only, even for a package that asks for more.

    PyTorch before `safe_torch` stays as it is: checkpoints of its time may hold more than tensors.
    """
    try:
        major, minor = importlib.metadata.version("torch").split(".")[:2]
    except importlib.metadata.PackageNotFoundError:
        return
    if (int(major), int(minor)) >= safe_torch:
        os.environ["TORCH_FORCE_WEIGHTS_ONLY_LOAD"] = "1"


def hello(engine: Any) -> dict[str, Any]:
    """What the engine is and can do, as far as only the loaded model knows."""
    return {
        "protocol": PROTOCOL,
        "python": ".".join(map(str, sys.version_info[:3])),
        "sample_rate": int(engine.sample_rate),
        "voices": list(engine.voices),
        "languages": list(getattr(engine, "languages", ())),
        "clones": bool(getattr(engine, "clones", False)),
        "rows_per_call": int(getattr(engine, "rows_per_call", 1)),
    }


def fetch(repository: str, revision: str) -> str:
    """The folder of a model of the Hugging Face hub, downloaded if it is not there."""
    from huggingface_hub import snapshot_download

    folder = Path(snapshot_download(repository, revision=revision or None))
    main = folder.parents[1] / "refs" / "main"
    if revision and not main.exists():  # or a package that asks for it by name finds none
        main.parent.mkdir(exist_ok=True)
        main.write_text(revision)
    return str(folder)


def render(engine: Any, request: dict[str, Any], cancelled: set[int], replies: Replies) -> None:
    """Send the audio of each row, in order."""
    rows = [TextRow(row) for row in request["rows"]]
    size = min(request["rows_per_call"], int(getattr(engine, "rows_per_call", 1)))
    first = 0
    while first < len(rows):
        if request["id"] in cancelled:
            cancelled.discard(request["id"])
            replies.send("cancelled", id=request["id"])
            return
        call = alike(rows[first : first + size])
        spoken = speak(engine, call)
        if len(spoken) != len(call):
            raise ValueError(f"the engine returned {len(spoken)} rows for {len(call)}")
        for number, samples in enumerate(spoken, first):
            replies.send(
                "row",
                to_bytes(samples),
                id=request["id"],
                index=number,
                sample_rate=int(engine.sample_rate),
                format="f32le",
            )
        first += len(call)
    replies.send("done", id=request["id"])


def alike(rows: Sequence[TextRow]) -> Sequence[TextRow]:
    """The first rows, as far as they have the same settings: a call of an engine has only one."""
    others = (number for number, row in enumerate(rows) if row.settings != rows[0].settings)
    return rows[: next(others, len(rows))]


def speak(engine: Any, call: Sequence[TextRow]) -> list[Any]:
    """The samples of each row of one call of the engine.

    All that draws numbers begins with the seed of the row. An engine that takes several rows at a
    time draws for each row from its own seed: see `own_noise` of its script.
    """
    seed_all(call[0].seed)
    return list(engine.speak(call))


def seed_all(seed: int) -> None:
    """Seed every source of random numbers that is loaded."""
    random.seed(seed)
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "random"):
        numpy.random.seed(seed)
    torch: Any = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "manual_seed"):
        torch.manual_seed(seed)


@contextmanager
def own_noise(rows: Sequence[TextRow]) -> Generator[None, None, None]:
    """Have PyTorch draw tokens for each row from the row's own seed, however many rows there are.

    Inside, `torch.multinomial` expects as many distributions for each row as for any other, those
    of the first row first. So a row's tokens do not depend on its batch, except for rounding.
    """
    torch: Any = sys.modules["torch"]
    draw = torch.multinomial
    generators: list[Any] = []

    def draw_by_row(distributions: Any, num_samples: int, **_: Any) -> Any:
        if not generators:
            for row in rows:
                generators.append(torch.Generator(distributions.device).manual_seed(row.seed))
        parts = distributions.chunk(len(rows))
        if len(parts) != len(rows) or len(distributions) % len(rows):
            raise RuntimeError(f"{len(distributions)} distributions for {len(rows)} rows")
        drawn = [
            draw(part, num_samples, generator=generator)
            for part, generator in zip(parts, generators)
        ]
        return torch.cat(drawn)

    torch.multinomial = draw_by_row
    try:
        yield
    finally:
        torch.multinomial = draw


def load_wav(path: Any, **_: Any) -> tuple[Any, int]:
    """A recording as (n_channels, n_samples), and its rate in Hz, for scripts.

    It stands in for `torchaudio.load`, which newer versions do with FFmpeg's libraries.
    """
    import soundfile

    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    return sys.modules["torch"].from_numpy(samples.T.copy()), rate


def to_bytes(samples: Any) -> bytes:
    """Samples as little-endian float32: of a tensor, of an array of any number, or of a list."""
    if hasattr(samples, "detach"):
        samples = samples.detach().cpu().float().numpy()
    if hasattr(samples, "reshape"):
        if samples.dtype.kind == "i":
            samples = samples.astype("<f8") / (1 << (8 * samples.dtype.itemsize - 1))
        return bytes(samples.reshape(-1).astype("<f4").tobytes())
    packed = array.array("f", samples)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def failure(error: BaseException) -> dict[str, Any]:
    """The kind of an error, and its first line."""
    lines = str(error).strip().splitlines() or [""]
    name = type(error).__name__
    reason = f"{name}: {lines[0]}" if lines[0] else name
    is_memory = isinstance(error, MemoryError) or any(
        words in reason.lower() or words in str(error).lower() for words in NO_MEMORY
    )
    if is_memory or name == "OutOfMemoryError":
        return {"kind": "memory", "reason": reason}
    if isinstance(error, ImportError):
        return {"kind": "missing", "reason": reason}
    if isinstance(error, (FileNotFoundError, pickle.UnpicklingError)):
        return {"kind": "weights", "reason": reason}
    return {"kind": "error", "reason": reason}


def send_alive(replies: Replies) -> None:
    while True:
        time.sleep(ALIVE_EVERY_S)
        replies.send("alive")


def end_with_host(hang_up: int) -> None:
    """End when audiomill does: nothing is ever written to this pipe, it only closes."""
    os.read(hang_up, 1)
    end_all()


def end_all() -> None:
    """End this process and all that the engine has started. The kernel does it at once."""
    os.killpg(0, signal.SIGKILL)


def main(arguments: Iterable[str] | None = None) -> None:
    """SCRIPT REQUESTS REPLIES HANG_UP: the engine's script, and three descriptors."""
    script, *descriptors = list(arguments or sys.argv[1:])
    requests, replies, hang_up = map(int, descriptors)
    for descriptor in (requests, replies, hang_up):
        os.set_inheritable(descriptor, False)  # noqa: FBT003 - a program that the engine starts has none of them
    os.dup2(2, 1)  # also what C libraries print goes there
    sys.stdout = sys.stderr
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # audiomill decides what an interrupt means
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sys.modules["audiomill_worker"] = sys.modules[__name__]  # what scripts import it by
    sender = Replies(replies)
    reader = Requests(requests)
    reader.start()
    threading.Thread(target=end_with_host, args=(hang_up,), daemon=True).start()
    threading.Thread(target=send_alive, args=(sender,), daemon=True).start()
    serve(script, reader, sender)


if __name__ == "__main__":
    main()
