"""Kills processes that a command of a test home has started."""

import psutil


def kill_a_card(home):
    """One of the processes that have PyTorch, which those for phonemes have not."""
    for process in psutil.process_iter():
        try:
            if process.environ().get("HOME") != str(home) or "host.child_process" not in str(
                process.cmdline()
            ):
                continue
            if any("libtorch_cpu" in one.path for one in process.memory_maps()):
                process.kill()
                return True
        except psutil.Error:
            continue
    return False
