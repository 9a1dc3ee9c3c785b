"""Functions for a child process, in a module that it can import."""

import ctypes
import os
import signal
import sys
import time

from audiomill.renderers.engine import text_child
from audiomill.renderers.engine.errors import EngineFailed


def echo(pipe, *arguments):
    """Send the arguments, then every message that comes."""
    pipe.send(arguments)
    while True:
        pipe.send(pipe.recv())


def describe(pipe):
    """Send the process group, the main module's file and an environment variable."""
    pipe.send((os.getpgid(0), getattr(sys.modules["__main__"], "__file__", None)))
    pipe.send(os.environ.get("OMP_NUM_THREADS"))


def print_and_send(pipe):
    sys.stdout.write("printed by a child")
    sys.stdout.flush()
    os.write(1, b"written by a child")
    pipe.send("done")


def exit_with(_pipe, code):
    os._exit(code)


def kill_itself(_pipe):
    os.kill(os.getpid(), signal.SIGKILL)


def sleep(pipe):
    pipe.send(os.getpid())
    time.sleep(600)


def sleep_after_sigint(pipe):
    """Send itself what Ctrl-C sends, then go on."""
    os.kill(os.getpid(), signal.SIGINT)
    pipe.send("still here")
    time.sleep(600)


def never_end(pipe):
    """Ignore the signal that asks a child to end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    pipe.send(os.getpid())
    while True:
        time.sleep(1)


def wait_in_native_code(pipe):
    """Wait for ever in C, with Python's lock held: no other thread of this process can run."""
    pipe.send(os.getpid())
    ctypes.PyDLL(None).pause()


DEADLY, ENDLESS, REFUSED = "☠", "∞", "✗"  # a text with one of these kills, never ends, is an error


def shout(pipe, limit_s=30.0):
    """Answer each text in capitals, or die of it."""
    text_child.LIMIT_S = limit_s
    text_child.serve_texts(pipe, lambda _tasks: None, answer)


def shout_and_keep(pipe, max_growth_bytes):
    """Answer each text in capitals, and lose a mebibyte for each."""
    lost = []

    def lose(setting, text):
        lost.append(os.urandom(1 << 20))
        return answer(setting, text)

    text_child.serve_texts(pipe, lambda _tasks: None, lose, max_growth_bytes)


def answer(setting, text):
    if DEADLY in text:
        os.kill(os.getpid(), signal.SIGKILL)
    if ENDLESS in text:
        pow(3, 10**9)  # one operation of Python, so no Python code can interrupt it
    if REFUSED in text:
        raise EngineFailed(f"{text}: refused")
    return setting + text.upper()


def never_ready(pipe, *_):
    """Die before any text."""
    pipe.recv()
    os._exit(3)
