"""A Prefect server for this user only: `python -m audiomill.flows.prefect.prefect_server PORT`.

It listens on 127.0.0.1, wants the password that PREFECT_SERVER_API_AUTH_STRING of its environment
says, and refuses web pages of other sites. It reads its standard input and exits when its parent
closes it, so it never outlives the run.
"""

from __future__ import annotations

import os
import sys
import threading
from typing import cast

from audiomill.flows.prefect.access import keep_database_private
from audiomill.flows.prefect.own_pages import App, OwnPagesOnly, own_origins
from audiomill.flows.prefect.settings import close_prefect_server


def main() -> None:
    """Serve Prefect's API on 127.0.0.1, at the port given as the argument."""
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    port = int(sys.argv[1])
    close_prefect_server(f"http://127.0.0.1:{port}/api", own_origins(port))
    keep_database_private()
    # Imported here: Prefect reads its environment when it is imported.
    import uvicorn
    from prefect.server.api.server import create_app

    # Of uvicorn's default log only errors are left: it never has a header, so no password.
    uvicorn.run(
        OwnPagesOnly(cast("App", create_app()), port),
        host="127.0.0.1",
        port=port,
        log_level="error",
        proxy_headers=False,
        server_header=False,
    )


def _exit_with_parent() -> None:
    # Not through sys.stdin: this thread would hold its lock when Python ends.
    while os.read(0, 4096):
        pass
    # Without clean-up: SQLite recovers from this, and nothing waits for the server any more.
    os._exit(0)


if __name__ == "__main__":
    main()
