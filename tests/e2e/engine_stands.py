"""What stands behind each engine in tests of whole books: a stand-in, a real server, or files.

    with serve("fish cloud", home) as stand: …    stand.home renders with it

A stand tells what it was asked to say, and calls a function once it has said so much: with that a
fault begins in the middle of a book, whatever the run does at that moment.
"""

from __future__ import annotations

import atexit
import shutil
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from e2e.lying_proxy import lying_proxy

from audiomill.renderers.piper.server_renderer import TEST_TEXT as PIPER_TEST_TEXT
from audiomill.renderers.takes.seeds import seed_of
from support import elevenlabs_server as elevenlabs
from support import fish_server as fish
from support import speech_server as speech
from support.cosyvoice_server import cosyvoice_server
from support.documents import documented
from support.home import Home
from support.isolated_data import PROGRAM, seeds
from support.kokoro_onnx_files import onnx_folder
from support.llama_stand_in import llama_stand_in, text_of
from support.orpheus_data import tiny_snac
from support.piper_server import add_flat_voice, piper_server
from support.piper_voices import add_voice
from support.speech_server import SpeechServer, speech_server

VOICE = "en_US-random-medium"
# The server lists it without its last letters, and speaks that name with another voice.
MANGLED, LISTED = "en_US-jason", "en_US-ja"
HEARING = "The quick brown fox"  # begins what CosyVoice's voices say before a book
PAGE = b"<!DOCTYPE html><html><title>Sign in</title></html>"

Values = Mapping[str, Any]


@dataclass
class Stand:
    """What stands behind an engine, and a home whose engine it is."""

    home: Home
    # Changes how it behaves from now on, and returns how it did.
    switch: Callable[[Values], Values]
    asked: Callable[[], Sequence[Hashable]]  # what it was asked to say, in order
    # Calls a function once so many more texts were said. None: files, which nobody watches.
    when_spoken: Callable[[int, Callable[[], None]], None] | None = None
    # What a segment is among `asked`, by its key and text.
    asked_as: Callable[[str, str], Hashable] = lambda _key, text: text
    has_own_keys: bool = False  # other keys in each home


class _Countdown(list[Any]):
    """A list that calls a function when it has got so many items."""

    def __init__(
        self, items: list[Any], n: int, act: Callable[[], None], counts: Callable[[Any], bool]
    ) -> None:
        super().__init__(items)
        self._n_left, self._act, self._counts = n, act, counts

    def append(self, item: Any) -> None:
        super().append(item)
        self._n_left -= self._counts(item)
        if self._n_left == 0:
            self._n_left = -1
            self._act()

    def extend(self, items: Any) -> None:
        for item in items:
            self.append(item)


def _count_down(
    owner: Any,
    name: str,
    n: int,
    act: Callable[[], None],
    counts: Callable[[Any], bool] = lambda _item: True,
) -> None:
    setattr(owner, name, _Countdown(getattr(owner, name), n, act, counts))


def _set(owner: Any, values: Values) -> Values:
    before = {name: getattr(owner, name) for name in values}
    for name, value in values.items():
        setattr(owner, name, value)
    return before


def _behave(server: SpeechServer, values: Values) -> Values:
    before = {name: getattr(server.behaviour, name) for name in values}
    server.behave(**values)
    return before


def _with_engine(home: Home, engine: str, table: Values, **variables: object) -> Home:
    # What some stand-ins say is no speech in any take.
    return home.with_engine(engine, **table).with_variables(AUDIOMILL_RETAKES=0, **variables)


@contextmanager
def _openai(profile: str, home: Home, n_at_once: int, latency_s: float) -> Iterator[Stand]:
    with speech_server(profile, latency_s=latency_s) as server:
        table = {"url": server.url, "profile": profile, "most_in_flight": n_at_once}
        model = {"model": "tts-1"} if profile == "openai" else {}
        yield Stand(
            _with_engine(home, "openai", table | model, OPENAI_API_KEY=speech.KEY),
            partial(_behave, server),
            # A kill may have cut a request off, which then has no body.
            lambda: [one.body["input"] for one in server.requests if one.body],
            partial(_count_down, server, "spoken"),
        )


@contextmanager
def _elevenlabs(home: Home, n_at_once: int, latency_s: float) -> Iterator[Stand]:
    with elevenlabs.elevenlabs_server(latency_s=latency_s) as server:
        table = {"url": server.url, "most_in_flight": n_at_once}
        yield Stand(
            _with_engine(home, "elevenlabs", table, ELEVENLABS_API_KEY=elevenlabs.KEY),
            partial(_behave, server),
            lambda: [one.body["text"] for one in server.requests if one.body],
            partial(_count_down, server, "spoken"),
        )


def _of_both(change: Callable[[Values], Values], proxy: Any, values: Values) -> Values:
    """`fault` is one of the proxy, all else is of the server behind it."""
    return _set(proxy, values) if "fault" in values else change(values)


@contextmanager
def _fish(profile: str, home: Home, n_at_once: int, latency_s: float) -> Iterator[Stand]:
    with (
        fish.fish_server(profile, latency_s=latency_s) as server,
        lying_proxy(server.url, "/v1/tts") as proxy,
    ):
        table = {"url": proxy.url, "profile": profile, "most_in_flight": n_at_once}
        yield Stand(
            _with_engine(home, "fish", table, FISH_API_KEY=fish.KEY),
            partial(_of_both, partial(_behave, server), proxy),
            lambda: [one.body["text"] for one in server.requests if one.body],
            partial(_count_down, server, "spoken"),
        )


@contextmanager
def _cosyvoice(home: Home, n_at_once: int, latency_s: float) -> Iterator[Stand]:
    with (
        cosyvoice_server(latency_s=latency_s) as server,
        lying_proxy(server.url, "/inference_sft") as proxy,
    ):
        table = {"url": proxy.url, "version": 1, "most_in_flight": n_at_once}

        def is_of_book(text: str) -> bool:
            return not text.startswith(HEARING)

        yield Stand(
            _with_engine(home, "cosyvoice-server", table),
            partial(_of_both, partial(_set, server), proxy),
            lambda: list(filter(is_of_book, (one["tts_text"] for one in server.forms))),
            lambda n, act: _count_down(server, "spoken", n, act, is_of_book),
        )


@cache
def _piper_url() -> str:
    """Piper's own server, which runs until this process ends. Its voices have no noise."""
    stack, folder = ExitStack(), Path(mkdtemp(prefix="piper-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(stack.close)
    scales = {"noise_scale": 0.0, "length_scale": 3, "noise_w": 0.0}
    add_flat_voice(folder, VOICE, inference=scales)
    for ending in (".onnx", ".onnx.json"):
        shutil.copy(folder / f"{VOICE}{ending}", folder / f"{MANGLED}{ending}")
    server = piper_server(documented("python -m piper.http_server"), folder, VOICE)
    return stack.enter_context(server)


@contextmanager
def _piper_server(home: Home, _n_at_once: int, _latency_s: float) -> Iterator[Stand]:
    with lying_proxy(_piper_url(), "/synthesize") as proxy:

        def is_of_book(body: Values) -> bool:
            return body["text"] != PIPER_TEST_TEXT

        yield Stand(
            _with_engine(home, "piper-server", {"url": proxy.url}, AUDIOMILL_VOICE=VOICE),
            partial(_set, proxy),
            lambda: [one["text"] for one in proxy.asked if is_of_book(one)],
            lambda n, act: _count_down(proxy, "spoken", n, act, is_of_book),
        )


@contextmanager
def _orpheus(home: Home, n_at_once: int, latency_s: float) -> Iterator[Stand]:
    with llama_stand_in(n_slots=n_at_once, token_delay_s=latency_s / 50) as (server, url):
        table = {"url": url, "snac": tiny_snac(home.path / "snac")}
        yield Stand(
            _with_engine(home, "orpheus", table),
            partial(_set, server),
            lambda: [text_of(one["prompt"]) for one in server.completions()],
            lambda n, act: _count_down(
                server, "requests", n, act, lambda one: one[0] == "/completion"
            ),
        )


def _rewrite(path: Path, values: Values) -> Values:
    """Replace a file by its first half, or by a page; or give it back its content."""
    content = path.read_bytes()
    told = values["content"]
    path.write_bytes({"half": content[: len(content) // 2], "page": PAGE}.get(told, told))
    return {"content": content}


@contextmanager
def _piper(home: Home, _n_at_once: int, _latency_s: float) -> Iterator[Stand]:
    model = add_voice(home.path / "piper", VOICE)
    table = {"voices": home.path / "piper"}
    yield Stand(_with_engine(home, "piper", table), partial(_rewrite, model), list)


@contextmanager
def _kokoro_onnx(home: Home, _n_at_once: int, _latency_s: float) -> Iterator[Stand]:
    folder = home.path / "onnx"
    folder.mkdir()
    for name in ("kokoro-v1.0.onnx", "voices-v1.0.bin"):
        shutil.copy(onnx_folder() / name, folder)
    # Tests run in parallel processes: several threads each would be slower than one.
    table = {"model": folder, "workers": 0, "threads": 1}
    switch = partial(_rewrite, folder / "kokoro-v1.0.onnx")
    yield Stand(_with_engine(home, "kokoro-onnx", table), switch, list)


@contextmanager
def _isolated(home: Home, _n_at_once: int, latency_s: float) -> Iterator[Stand]:
    folder = home.path / "tones"
    log, faulty, first = folder / "log", folder / "faulty", [0]
    program = ("-c", PROGRAM.replace("sys.argv.pop(1)", repr(str(folder))))

    def switch(values: Values) -> Values:
        word = values["word"]
        faulty.write_text(f"{word} {first[0]}") if word else faulty.unlink(missing_ok=True)
        return {"word": ""}

    def when_spoken(n: int, act: Callable[[], None]) -> None:
        first[0] = len(seeds(log)) + n
        act()  # the engine itself counts its calls

    using = replace(home, program=program, imports=())
    folder.mkdir()
    if latency_s:
        switch({"word": "SLOW"})
    yield Stand(
        using.with_variables(AUDIOMILL_ENGINE="tones", AUDIOMILL_RETAKES=0),
        switch,
        lambda: seeds(log),
        when_spoken,
        lambda key, _text: seed_of(key),
        has_own_keys=True,
    )


STANDS: Mapping[str, Callable[[Home, int, float], Any]] = {
    "openai": partial(_openai, "openai"),
    "kokoro-fastapi": partial(_openai, "kokoro-fastapi"),
    "vllm-omni": partial(_openai, "vllm-omni"),
    "fish cloud": partial(_fish, "cloud"),
    "fish local": partial(_fish, "local"),
    "cosyvoice-server": _cosyvoice,
    "piper-server": _piper_server,
    "orpheus": _orpheus,
    "elevenlabs": _elevenlabs,
    "piper": _piper,
    "kokoro-onnx": _kokoro_onnx,
    "isolated": _isolated,
}


@contextmanager
def serve(name: str, home: Home, *, n_at_once: int = 1, latency_s: float = 0.0) -> Iterator[Stand]:
    """What stands behind the engine, so many texts of which are under way at a time."""
    with STANDS[name](home, n_at_once, latency_s) as stand:
        yield stand
