"""A process that publishes a show in forks, each of which is killed before some operation on files.

`python -m support.killed_publishing FOLDER` reads numbers, one in a line. For each it copies FOLDER
to FOLDER.copy, publishes there until before the operation of that number, and writes "killed" or,
if there were fewer, "done".
"""

import os
import shutil
import signal
import sys
from pathlib import Path

from audiomill.outputs.podcast.publishing import publish
from audiomill.outputs.podcast.show import Episode
from support.no_power_cuts import wait_for_no_disk
from support.podcast_data import SHOW, local, numbered

# Of Python's audit events: all that change a file or a folder.
_CHANGES = frozenset(("os.rename", "os.remove", "os.mkdir", "os.utime", "os.truncate", "os.link"))
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def coming() -> list[Episode]:
    """What is published: of the two episodes before it one is gone, and one has a new title."""
    return [numbered(3, title="New"), numbered(4)]


def _changes_a_file(event: str, arguments: tuple) -> bool:
    return event in _CHANGES or (event == "open" and bool(int(arguments[2] or 0) & _WRITES))


def _publish_until(number: int, folder: Path) -> None:
    n_seen = 0

    def kill(event: str, arguments: tuple) -> None:
        nonlocal n_seen
        if _changes_a_file(event, arguments) and str(folder) in str(arguments[0]):
            n_seen += 1
            if n_seen == number:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(kill)
    publish(local(folder), SHOW, coming())
    os._exit(0)


def main() -> None:
    wait_for_no_disk()
    before = Path(sys.argv[1])
    folder = before.with_suffix(".copy")
    for line in sys.stdin:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(before, folder)
        fork = os.fork()
        if not fork:
            _publish_until(int(line), folder)
        _, status = os.waitpid(fork, 0)
        code = os.waitstatus_to_exitcode(status)
        assert code in (0, -signal.SIGKILL), code
        sys.stdout.write("killed\n" if code else "done\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
