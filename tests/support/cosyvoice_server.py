"""A stand-in for CosyVoice's own server: the same framework, routes, forms and faults.

    with cosyvoice_server(version=2) as server: …    server.url, server.spoken

An unknown speaker is noticed when the reply has begun, so that it ends there; so is a recording
that is too long, or one of too low a rate. Servers of 2025-12 and later end every reply for a
recording (`loads_twice`). Sources: CosyVoice of 2026-03, `runtime/python/fastapi/server.py` and
`cli/frontend.py`; github.com/QwenAudio/CosyVoice/issues/1794.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from time import sleep
from typing import Any

import numpy as np
import soundfile
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response, StreamingResponse

from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.flows.web_server.listening import serving
from support.speech_audio import pcm16, spoken_samples

SFT = ("中文女", "中文男", "日语男", "粤语女", "英文女", "英文男", "韩语女")
END = "<|endofprompt|>"
RATES, FRAMES = {1: 22_050, 2: 24_000, 3: 24_000}, {1: 256, 2: 480, 3: 480}

FILE = "prompt_wav"
FIELDS = {
    "sft": ("tts_text", "spk_id"),
    "zero_shot": ("tts_text", "prompt_text", FILE),
    "cross_lingual": ("tts_text", FILE),
    "instruct": ("tts_text", "spk_id", "instruct_text"),
    "instruct2": ("tts_text", "instruct_text", FILE),
}


@dataclass
class CosyVoiceStandIn:
    version: int
    speakers: tuple[str, ...] = SFT
    loads_twice: bool = False
    lie: str = ""  # page, short, other rate, cut off (whole replies of half of the samples)
    cut_off: str = ""  # a text that is cut off in each reply
    latency_s: float = 0.0
    cuts: int = 0  # replies that are cut
    url: str = ""
    forms: list[dict[str, str]] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)

    def speak(self, text: str, voice: str) -> Iterator[bytes]:
        """The pieces of a reply, whole frames of the model's samples."""
        sleep(self.latency_s)
        rate = {"other rate": 8_000}.get(self.lie, RATES[self.version])
        samples = spoken_samples(text, voice, sample_rate=rate)
        if self.lie == "short":
            samples = samples[: samples.size // 8]
        whole = samples[: samples.size // FRAMES[self.version] * FRAMES[self.version]]
        content = pcm16(whole)
        if self.cuts:
            self.cuts -= 1
            yield content[: len(content) // 2]
            raise ConnectionError("cut")
        if self.lie == "cut off" or text == self.cut_off:
            yield content[: len(content) // 4 * 2 + 2]  # whole samples, but no whole frames
            return
        yield content
        self.spoken.append(text)

    def speaker(self, text: str, spk_id: str) -> Iterator[bytes]:
        if spk_id not in self.speakers:
            raise KeyError(spk_id)
        yield from self.speak(text, spk_id)

    def like(self, text: str, recording: bytes) -> Iterator[bytes]:
        with io.BytesIO(recording) as file:
            samples, rate = soundfile.read(file)
        assert rate >= 16_000, f"wav sample rate {rate} must be greater than 16000"
        assert len(samples) / rate <= 30, "do not support extract speech token for longer than 30s"
        if self.loads_twice:
            raise TypeError("Invalid file: tensor")
        yield from self.speak(text.rpartition(END)[2], voice_of(recording))

    def reply(self, route: str, told: dict[str, str], recording: bytes) -> Response:
        self.forms.append({"route": route} | told)
        if self.lie == "page":
            return HTMLResponse("<!doctype html><title>Proxy</title>")
        if route == "instruct" and self.version != 1:
            return StreamingResponse(self.speaker(told["tts_text"], "only version 1"))
        if "spk_id" in told:
            return StreamingResponse(self.speaker(told["tts_text"], told["spk_id"]))
        return StreamingResponse(self.like(told["tts_text"], recording))

    async def answer(self, route: str, request: Request) -> Response:
        async with request.form() as form:
            if lacking := [name for name in FIELDS[route] if name not in form]:
                return JSONResponse({"detail": [{"loc": ["body", lacking[0]]}]}, 422)
            told = {name: str(form[name]) for name in FIELDS[route] if name != FILE}
            return self.reply(route, told, await form[FILE].read() if FILE in form else b"")

    def app(self) -> FastAPI:
        app = FastAPI()
        for route in FIELDS:
            app.add_api_route(f"/inference_{route}", partial(self.answer, route), methods=["POST"])
        return app


def voice_of(recording: bytes) -> str:
    """The voice of a recording that is sent."""
    return f"clone of {len(recording)} bytes"


def recording(duration_s: float = 2.0, rate: int = 16_000) -> bytes:
    """A WAV file of silence."""
    with io.BytesIO() as file:
        soundfile.write(file, np.zeros(round(duration_s * rate), np.float32), rate, format="WAV")
        return file.getvalue()


@contextmanager
def cosyvoice_server(**behaviour: Any) -> Iterator[CosyVoiceStandIn]:
    server = CosyVoiceStandIn(**{"version": 1, **behaviour})
    with serving(server.app(), "127.0.0.1", 0, ConnectionLimits()) as port:
        server.url = f"http://127.0.0.1:{port}"
        yield server
