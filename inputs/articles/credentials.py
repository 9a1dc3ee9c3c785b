"""Secrets that a server asks for: put into a request as it is sent, taken out of its answer.

    https://example.org/feed?key={env:FEED_KEY}     what all of audiomill sees, keeps and shows
    GET /feed?key=7d1f…                             what that server gets, and no other

A placeholder names where the secret is: `{env:NAME}` or `{block:name}`. One that a page makes up is
sent as it stands: each server gets only what belongs to its own address.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

PLACEHOLDER = re.compile(r"\{(env|block):([^{}]*)\}")
# As it stands, or as URLs have it.
_IN_URL = re.compile(r"(?:\{|%7B)(?:env|block):[^{}%]*(?:\}|%7D)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Credentials:
    """What one server asks for, with placeholders, and the secrets for them."""

    secrets: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    login: str = ""  # "name:password", sent as RFC 7617 says

    def sent_headers(self) -> dict[str, str]:
        """The headers with their secrets."""
        sent = {name: self._filled(value) for name, value in self.headers.items()}
        if self.login:
            login = base64.b64encode(self._filled(self.login).encode()).decode()
            sent["Authorization"] = f"Basic {login}"
        return sent

    def sent_secrets(self) -> tuple[str, ...]:
        """What no message may have: the secrets, and the login with its name."""
        login = (self._filled(self.login),) if self.login else ()
        return (*self.secrets.values(), *login)

    def sent_path(self, path: bytes) -> bytes:
        """A path and query as a URL has them, with their secrets."""
        for placeholder, secret in self.secrets.items():
            value = quote(secret, safe="").encode()
            for form in _forms(placeholder):
                path = path.replace(form.encode(), value)
        return path

    def masked(self, content: bytes) -> bytes:
        """The content with placeholders again where an address in it holds a secret."""
        for placeholder, secret in self.secrets.items():
            values = {secret, quote(secret, safe=""), quote(secret)}
            either = "|".join(re.escape(one) for one in sorted(values, key=len, reverse=True))
            # Only as a part of an address: a password may be a word, which is read out.
            part = rf"(?<=[=/:])(?:{either})(?!\w)|(?<=%3D)(?:{either})(?!\w)"
            content = re.sub(part.encode(), placeholder.encode(), content, flags=re.IGNORECASE)
        return content

    def _filled(self, text: str) -> str:
        return PLACEHOLDER.sub(lambda found: self.secrets.get(found[0], found[0]), text)


NONE = Credentials()


def placeholders(texts: Sequence[str]) -> list[tuple[str, str, str]]:
    """(placeholder, where its secret is, name) of each placeholder, once."""
    found = [(one[0], one[1], one[2]) for text in texts for one in PLACEHOLDER.finditer(text)]
    return list(dict.fromkeys(found))


def public_address(url: str) -> str:
    """The URL without the parts of its query that need a secret; "" if its path needs one."""
    if not _IN_URL.search(url):
        return url
    parts = urlsplit(url)
    if _IN_URL.search(parts.netloc + parts.path):
        return ""
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    kept = [pair for pair in pairs if not _IN_URL.search("=".join(pair))]
    return parts._replace(query=urlencode(kept)).geturl()


def _forms(placeholder: str) -> tuple[str, ...]:
    """The placeholder as a URL may have it."""
    within = placeholder[1:-1]
    return (placeholder, f"%7B{within}%7D", quote(placeholder, safe=""), f"%7b{within}%7d")
