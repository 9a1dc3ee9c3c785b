"""A child that answers texts, and that some of them kill."""

import os
import signal

from audiomill.renderers.engine import text_child
from audiomill.renderers.engine.errors import EngineFailed

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
