"""The script of an engine for tests, which `worker_program.py` loads: tones, and faults on demand.

Runs in another process, without audiomill and without NumPy. A text that has one of these words is
spoken with a fault. With `settings["once"]` it has one only as long as that file exists, which the
fault deletes. If the file `settings["faulty"]` has "WORD N", all texts have the fault of
WORD from the Nth call on.
"""

import math
import os
import resource
import signal
import sys
import threading
import time
import wave
import zlib
from pathlib import Path

RATE = 8000
CHAR_S = 0.01
LIMIT_BYTES = 256 << 20


class Engine:
    sample_rate = RATE
    voices = (
        {"name": "sine", "language": "en"},
        {"name": "low", "language": "en", "description": "an octave lower"},
    )
    languages = ("en", "de")
    clones = True

    def __init__(self, settings):
        self.settings = settings
        self.rows_per_call = settings.get("rows_per_call", 1)
        if settings.get("voiceless"):
            self.voices = ()

    def speak(self, rows):
        self.note(rows)
        if len(rows) > self.settings.get("most_rows", len(rows)):
            raise RuntimeError("CUDA out of memory. Tried to allocate 2.00 GiB")
        spoken = [self.tone(row) for row in rows]
        for row in rows:
            self.fault(row, spoken)
        return spoken

    def note(self, rows):
        self.write("\t".join(f"{row.seed}:{row.text}" for row in rows))

    def write(self, words):
        if log := self.settings.get("log"):
            with open(log, "ab", buffering=0) as file:
                file.write(f"{os.getpid()} {words}\n".encode())

    def tone(self, row):
        period = 20 + (heard(row) % 4000 / 100 if row.audio else row.seed % 4000 / 100)
        length = int(len(row.text) * CHAR_S * RATE / row.speed)
        level = 0.1 if row.voice == "low" else 0.3
        return [level * math.sin(2 * math.pi * n / period) for n in range(length)]

    def fault(self, row, spoken):
        word = self.fault_of_all() or row.text.split()[0]
        if word.istitle():  # how a book's reading leaves a word in capitals
            word = word.upper()
        faults = Faults(self, spoken)
        fault = getattr(faults, word.lower(), None) if word.isupper() else None
        if word == "UNLUCKY" and row.seed % 2:
            fault = faults.raises
        if fault and self.is_due():
            fault()

    def is_due(self):
        """Whether a fault is to come. One that comes once deletes its file."""
        if not self.settings.get("once"):
            return True
        once = Path(self.settings["once"])
        is_left = once.exists()
        once.unlink(missing_ok=True)
        return is_left

    def fault_of_all(self):
        faulty = Path(self.settings.get("faulty") or os.devnull)
        word, _, first = faulty.read_text().partition(" ") if faulty.exists() else ("", "", "0")
        n_calls = len(Path(self.settings["log"]).read_text().splitlines()) if word else 0
        return word if n_calls >= int(first or 0) else ""


def heard(row):
    """A number for the voice of a recording: another one for other samples, words or settings."""
    with wave.open(row.audio) as file:
        form = (file.getnchannels(), file.getsampwidth(), file.getframerate())
        samples = file.readframes(file.getnframes())
    if form != (1, 2, RATE):
        raise ValueError(f"the recording has the form {form}")
    return zlib.crc32(samples + repr((row.audio_text, sorted(row.settings.items()))).encode())


class Faults:
    """What befalls a call. A text asks for it by its name in capitals."""

    def __init__(self, engine, spoken):
        self._engine, self._spoken = engine, spoken

    def killed(self):
        print("the engine says goodbye", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)

    def crashes(self):
        print("segfault soon", file=sys.stderr, flush=True)
        os.abort()

    def prints(self):
        print('{"op": "row", "id": 1, "index": 0}')
        os.write(1, b'{"op": "done"}\n\x00\xff rubbish')
        os.system("echo and a program of its own says something")

    def rubbish(self):
        """Straight into the private descriptor, as a bug in worker_program.py might."""
        os.write(replies(), b"no JSON at all\n")

    def endless(self):
        os.write(replies(), b"x" * (1 << 21))

    def hangs(self):
        self._engine.write("HANGING")
        threading.Event().wait()

    def silent(self):
        """As native code does that holds the interpreter's lock: no sign of life."""
        self._engine.write("HANGING")
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(600)

    def memory(self):
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
        self._spoken.append(bytearray(4 * LIMIT_BYTES))

    def cuda(self):
        raise RuntimeError("CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0)")

    def raises(self):
        raise ValueError("this text has no phonemes.\nNeither has the next line.")

    def exits(self):
        sys.exit(3)

    def few(self):
        self._spoken.pop()

    def rate(self):
        self._engine.sample_rate = RATE + 1

    def nan(self):
        self._spoken[0][1] = math.nan

    def loud(self):
        self._spoken[0][1] = 1e9

    def empty(self):
        self._spoken[0] = []

    def child(self):
        os.system("sleep 600 &")

    def slow(self):
        time.sleep(0.02)


def replies():
    """The descriptor that worker_program.py writes to: its second number."""
    return int(sys.argv[-2])


def load(model, device, settings):
    if fault := settings.get("load_fault"):
        LOAD_FAULTS[fault]()
    return Engine(settings)


def is_missing():
    import a_package_that_nobody_has  # noqa: F401


def has_no_weights():
    raise FileNotFoundError(2, "No such file or directory", "model.safetensors")


def runs_code():
    import torch

    torch.load(os.environ["AUDIOMILL_TEST_MODEL"], weights_only=False)


LOAD_FAULTS = {
    "code": runs_code,
    "missing": is_missing,
    "weights": has_no_weights,
    "dies": lambda: os.abort(),
    "hangs": lambda: threading.Event().wait(),
}
