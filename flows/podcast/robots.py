"""What a site lets programs fetch: its robots.txt, by RFC 9309. The library protego matches paths.

Knows no network: it takes the bytes, or the error, of a fetch of /robots.txt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from protego import Protego

from audiomill.inputs.articles.fetching import AGENT
from audiomill.inputs.articles.page import FetchError, Unavailable

MAX_BYTES = 500 << 10  # RFC 9309, 2.5; what follows is not read
MAX_DELAY_S = 60.0
_OWN_NAME = AGENT.partition("/")[0]
_USER_AGENT = re.compile(r"\s*user[- ]?agent\s*:?\s*(.*)", re.IGNORECASE)
_OTHERS = "others"  # the name that stands for all programs but this one


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of a site for this program."""

    rules: Protego

    def allows(self, url: str) -> bool:
        """Whether the site lets this program fetch an address of it."""
        try:
            return self.rules.can_fetch(url, _OWN_NAME)
        except ValueError:  # it is no address
            return False

    @property
    def delay_s(self) -> float:
        """Seconds to wait between two fetches, as the site asks; 0 if it does not."""
        return min(self.rules.crawl_delay(_OWN_NAME) or 0.0, MAX_DELAY_S)


ALL_ALLOWED = Robots(Protego.parse(""))
NOTHING_ALLOWED = Robots(Protego.parse("User-agent: *\nDisallow: /"))


def robots_address(url: str) -> str:
    """The address of the robots.txt that holds for a URL (RFC 9309, 2.3)."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/robots.txt"


def parse_robots(content: bytes) -> Robots:
    """The rules in a robots.txt. Any bytes are one: lines that say nothing are passed over."""
    head, is_cut = content[:MAX_BYTES], len(content) > MAX_BYTES
    lines = head.decode("utf-8-sig", "replace").splitlines()
    # Half a line may forbid more than the whole.
    whole = lines[:-1] if is_cut else lines
    return Robots(Protego.parse("\n".join(map(_with_known_name, whole))))


def robots_without(error: FetchError) -> Robots:
    """What holds if robots.txt was not fetched (RFC 9309, 2.3.1.3 and 2.3.1.4).

    Without such a file all is allowed. While the server is away nothing is, for now.
    """
    return NOTHING_ALLOWED if isinstance(error, Unavailable) else ALL_ALLOWED


def _with_known_name(line: str) -> str:
    """A line in which each program but this one has the same name.

    protego would give each of thousands of names each of thousands of rules, and takes the
    beginning of a name for the name.
    """
    found = _USER_AGENT.match(line.partition("#")[0])
    if not found:
        return line
    name = found[1].partition("/")[0].strip().lower()
    return f"User-agent: {name if name in {'*', _OWN_NAME} else _OTHERS}"
