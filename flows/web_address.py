"""Tells addresses of the web that people write from what is none, before a server is asked."""

from __future__ import annotations

from urllib.parse import urlsplit


def is_web_address(text: str) -> bool:
    """Whether a text is a URL of http or https, with a host and a port that there can be."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is no number, or the host no address
        return False
