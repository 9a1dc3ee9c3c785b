"""An ASGI application on loopback, for stand-ins of servers that are ASGI applications too."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn


@contextmanager
def asgi_server(app: Any) -> Iterator[str]:
    """The url of the application, without a slash at its end."""
    config = uvicorn.Config(
        app, "127.0.0.1", 0, log_level="critical", lifespan="off", ws="none", backlog=256
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
