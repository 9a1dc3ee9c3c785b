"""Secrets of a podcast: those of its sources, and that of its address.

In the podcast's file stands only where a source's secret is: `{env:NAME}`, in the environment, or
`{block:name}`, a Secret block of Prefect.

An address may have the mark `{token}`: "http://192.168.1.5:8080/{token}/". The token comes from the
environment only. Messages and logs have the mark. The token itself is in the feed, in its pages,
and in the requests of those who have them.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import urlsplit

from audiomill.flows.errors import UsageError
from audiomill.flows.podcast.show_settings import WEB_KINDS, ShowSettings, SourceChoice
from audiomill.flows.prefect_server.access import own_password
from audiomill.flows.prefect_server.settings import prefect_api_url, quiet_prefect
from audiomill.flows.setting_sources import TOKEN_VARIABLE, podcast_token
from audiomill.flows.web_address import own_address
from audiomill.inputs.articles.addresses import PORTS, Endpoint, endpoint_of
from audiomill.inputs.articles.credentials import Credentials, placeholders

_NAMES = {"env": re.compile(r"[A-Za-z_]\w*"), "block": re.compile(r"[a-z0-9-]+")}
_HEADER_NAME = re.compile(r"[!#$%&'*+.^`|~\w-]+", re.ASCII)  # RFC 9110: a token
# What the client says of the request itself: another value breaks it.
_OF_REQUEST = frozenset(
    (
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "accept-encoding",
        "te",
        "upgrade",
    )
)
_SHORTEST = 4  # what is shorter is found in addresses by chance
_BRACES = re.compile(r"[{}]")
TOKEN_MARK = "{token}"  # noqa: S105  it stands for a secret, and is none
_TOKEN = re.compile("[A-Za-z0-9_-]{16,128}")
_LOOPBACK = re.compile(r"localhost|127\..*|::1")
_AN_ADDRESS = "192.168.1.5"  # for a machine in no network


def credentials_of(show: ShowSettings) -> Mapping[Endpoint, Credentials]:
    """The secrets that the servers of the sources ask for. Raises UsageError if one is missing.

    Sources of one server share what they ask for.
    """
    asking = defaultdict[Endpoint, list[SourceChoice]](list)
    for source in show.sources:
        if source.kind in WEB_KINDS and placeholders(_texts(source)):
            asking[_endpoint(source.place)].append(source)
    return {endpoint: _credentials(sources) for endpoint, sources in asking.items()}


def secret_problems(source: SourceChoice) -> Iterator[tuple[str, str]]:
    """(key, what is wrong) of what a source says about secrets. Blocks are not looked up."""
    if source.kind not in WEB_KINDS:
        if source.headers or source.login:
            yield "", f"a {source.kind} needs no headers and no login."
        return
    parts = urlsplit(source.place)
    if "@" in parts.netloc:
        yield source.kind, 'a name and password are written as login = "name:{env:PASSWORD}".'
    elif _BRACES.search(parts.netloc):
        yield source.kind, "the name of a server is no secret: write it out."
    if source.login and (":" not in without_placeholders(source.login) or "{" not in source.login):
        yield "login", 'login: write the password as in "name:{env:PASSWORD}", not in clear.'
    for name, value in source.headers.items():
        yield from (("headers", f"headers: {problem}") for problem in _header_problems(name, value))
    for key, text in _keyed_texts(source):
        yield from ((key, f"{key}: {problem}") for problem in _text_problems(text))


def _header_problems(name: str, value: str) -> Iterator[str]:
    if not _HEADER_NAME.fullmatch(name):
        yield f"“{name}” is no name of a header: it has letters, digits and “-”."
    elif name.lower() in _OF_REQUEST:
        yield f"{name} belongs to each request, and cannot be set."
    if not (value.isascii() and value.isprintable()):
        yield f"{name} has characters that cannot be sent."
    if not placeholders([value]):
        yield f"write what is secret in {name} as {{env:NAME}}."


def _text_problems(text: str) -> Iterator[str]:
    """The problems of the placeholders of a text."""
    if _BRACES.search(without_placeholders(text)):
        yield "a secret is written as {env:NAME} or {block:name}."
    for placeholder, kind, name in placeholders([text]):
        if not _NAMES[kind].fullmatch(name):
            yield f"{placeholder} names no {'variable' if kind == 'env' else 'block'}."
        elif kind == "env":
            try:
                _check_secret(os.environ.get(name), placeholder)
            except UsageError as error:
                yield str(error)


def _credentials(sources: list[SourceChoice]) -> Credentials:
    texts = [text for source in sources for text in _texts(source)]
    headers: dict[str, str] = {}
    logins = {source.login for source in sources if source.login}
    for source in sources:
        for name, value in source.headers.items():
            if headers.setdefault(name.title(), value) != value:
                raise UsageError(f"Two sources of one server send another header {name}.")
    if len(logins) > 1:
        raise UsageError("Two sources of one server have another login.")
    secrets = {one: _secret(one, kind, name) for one, kind, name in placeholders(texts)}
    return Credentials(secrets, headers, "".join(logins))


def _secret(placeholder: str, kind: str, name: str) -> str:
    return _check_secret(os.environ.get(name) if kind == "env" else _of_block(name), placeholder)


def _check_secret(secret: str | None, placeholder: str) -> str:
    """The secret as it is sent. Raises UsageError, whose message does not tell it."""
    if secret is None:
        raise UsageError(f"{placeholder}: there is no such variable in the environment.")
    secret = secret.strip()  # a file's last line ends
    if len(secret) < _SHORTEST:
        raise UsageError(f"{placeholder}: it is empty, or shorter than {_SHORTEST} characters.")
    if not (secret.isascii() and secret.isprintable()):
        raise UsageError(f"{placeholder}: it has characters that cannot be sent.")
    return secret


def _of_block(name: str) -> str:
    """The value of one of Prefect's Secret blocks. Raises UsageError."""
    url = prefect_api_url()
    if url is None:
        raise UsageError(
            f"{{block:{name}}} is kept by Prefect's server: set PREFECT_API_URL,"
            " or write {env:NAME}."
        )
    quiet_prefect(url, own_password(url))
    import httpx
    from prefect.blocks.system import Secret  # which takes seconds to import

    try:
        # Typed for synchronous and asynchronous callers.
        found: object = cast("Secret[Any]", Secret.load(name)).get()
    except (ValueError, httpx.HTTPError) as error:
        raise UsageError(f"{{block:{name}}}: {_why_no_block(error)}.") from error
    if not isinstance(found, str):
        raise UsageError(f"{{block:{name}}}: its value is no text.")
    return found


def _why_no_block(error: Exception) -> str:
    answer = getattr(error, "response", None)
    if getattr(answer, "status_code", None) == HTTPStatus.UNAUTHORIZED:
        return "Prefect's server wants a password: set PREFECT_API_AUTH_STRING"
    return "Prefect's server has no Secret block of that name"


def _texts(source: SourceChoice) -> list[str]:
    return [text for _, text in _keyed_texts(source)]


def _keyed_texts(source: SourceChoice) -> list[tuple[str, str]]:
    """(key, text) of each text of a source that may have placeholders."""
    headers = [("headers", value) for value in source.headers.values()]
    return [(source.kind, source.place), ("login", source.login), *headers]


def without_placeholders(text: str) -> str:
    """The text with a letter for each placeholder of a secret."""
    for placeholder, _, _ in placeholders([text]):
        text = text.replace(placeholder, "x")
    return text


def _endpoint(url: str) -> Endpoint:
    """The server of a source. Raises Refused."""
    import httpx

    parsed = httpx.URL(url)
    return endpoint_of(parsed.scheme, parsed.host, parsed.port, parsed.userinfo)


def filled_address(address: str) -> str:
    """The address with the token of the environment. Raises UsageError if that is unfit."""
    token = podcast_token()
    if TOKEN_MARK not in address:
        return address
    if not _TOKEN.fullmatch(token):
        problem = "is too short, or has other characters" if token else "is not set"
        raise UsageError(
            f"The address of the podcast has {TOKEN_MARK}, and {TOKEN_VARIABLE} {problem}. Set it"
            " to 16 or more letters, digits, “-” and “_” that nobody can guess."
        )
    return address.replace(TOKEN_MARK, token)


def require_secrecy(address: str) -> None:
    """Raise UsageError if a token is set that the address has no place for."""
    if podcast_token() and TOKEN_MARK not in address:
        raise UsageError(
            f"{TOKEN_VARIABLE} is set, and the podcast's address has no place for it. Write"
            f' address = "{address}{TOKEN_MARK}/", or unset it to serve everybody.'
        )


def address_warnings(address: str, host: str, port: int) -> list[str]:
    """Reasons why players may not reach a show of this address, served at host and port."""
    parts = urlsplit(address)
    warnings: list[str] = []
    if _LOOPBACK.fullmatch(parts.hostname or "") and not _LOOPBACK.fullmatch(host):
        better = f"{parts.scheme}://{own_address() or _AN_ADDRESS}:{port}{parts.path}"
        warnings.append(
            f"Other devices cannot reach {address}, with which each URL of the feed begins. Write"
            f' address = "{better}" in the podcast\'s file.'
        )
    if (parts.port or PORTS.get(parts.scheme)) != port:
        warnings.append(
            f"Each URL of the feed begins with {address}, and the feed is served at port {port}."
            " That is right only behind a proxy."
        )
    return warnings
