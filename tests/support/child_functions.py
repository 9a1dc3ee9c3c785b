"""Functions for a child process, in a module that it can import."""

import ctypes
import os
import signal
import sys
import time


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
