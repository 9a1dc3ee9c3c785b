"""A module whose import is stopped, and which hides by what, as the C code of numpy does."""

import os
import signal

try:
    os.kill(os.getpid(), signal.SIGTERM)
except BaseException as interrupt:
    raise ImportError("something is missing") from interrupt
