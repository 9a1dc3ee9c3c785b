"""A Prefect server that cannot outlive whoever started it.

It serves on loopback until its standard input ends. The kernel closes that pipe however the other
end dies, SIGKILL included, so no orphan is left (Prefect's own ephemeral server leaves one).

    python -m flows.guarded_server PORT
"""

from __future__ import annotations

import os
import sys
import threading


def _exit_with_parent() -> None:
    # Not through sys.stdin, whose lock a thread that waits would hold when Python ends.
    while os.read(0, 4096):
        pass
    # No clean-up: SQLite recovers from this, and a parent that is gone waits for nobody.
    os._exit(0)


def main() -> None:
    """Serve Prefect's API on 127.0.0.1 at the port given."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    import uvicorn
    from prefect.server.api.server import create_app

    uvicorn.run(create_app(), host="127.0.0.1", port=int(sys.argv[1]), log_level="error")


if __name__ == "__main__":
    main()
