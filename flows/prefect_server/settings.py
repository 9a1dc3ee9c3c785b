"""Prefect's own settings: what we read of them, and set before Prefect is imported.

Prefect reads its environment when it is imported, which takes seconds; nothing here imports it.
"""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from audiomill.flows.errors import UsageError
from audiomill.flows.web_address import is_web_address
from audiomill.renderers.host.folders import expanded

RUN_VARIABLE = "PREFECT__FLOW_RUN_ID"
LEASE_STORAGE = "prefect.server.concurrency.lease_storage"
PREFECT_DEFAULTS = {
    "DO_NOT_TRACK": "1",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    # The command line prints each error once, as one line. The server keeps states and logs.
    "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
    "PREFECT_INTERNAL_LOGGING_LEVEL": "CRITICAL",
    # A flow run's page shows our warnings too.
    "PREFECT_LOGGING_EXTRA_LOGGERS": "audiomill",
    "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
    # Prefect tries again after 2, 4, 8 and 16 s: half a minute if the server has died.
    "PREFECT_CLIENT_MAX_RETRIES": "4",
    # A lease in the server's memory would end with the server, and with it the run that holds it.
    "PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE": f"{LEASE_STORAGE}.filesystem",
}


def prefect_api_url() -> str | None:
    """The Prefect API URL of the environment or the active profile. Does not import Prefect.

    In the order of Prefect's own settings; the profiles file is `$PREFECT_HOME/profiles.toml`.
    Raises UsageError for what is no URL, and for a home of nobody.
    """
    url = _setting("PREFECT_API_URL")
    if url is not None and not is_web_address(url):
        raise UsageError(f"PREFECT_API_URL is {url}: write it like http://127.0.0.1:4200/api.")
    return url


def prefect_home() -> Path:
    """Prefect's folder. Raises UsageError for a home of nobody."""
    try:
        return expanded(Path(os.environ.get("PREFECT_HOME", "~/.prefect")))
    except ValueError as error:
        raise UsageError(f"PREFECT_HOME: {error}.") from error


def prefect_api_password() -> str | None:
    """The user and password for the Prefect API, in one text, that the user has configured."""
    return _setting("PREFECT_API_AUTH_STRING")


def has_prefect_api_key() -> bool:
    """Whether the user has configured a key of Prefect Cloud's."""
    return _setting("PREFECT_API_KEY") is not None


def run_of_this_process() -> str:
    """The id of the flow run for which Prefect has started this process; "" if it has not."""
    return os.environ.get(RUN_VARIABLE, "")


def _setting(name: str) -> str | None:
    return os.environ.get(name) or _of_profile(name)


def _of_profile(name: str) -> str | None:
    path = Path(os.environ.get("PREFECT_PROFILES_PATH", prefect_home() / "profiles.toml"))
    try:
        profiles = tomllib.loads(path.read_text("utf-8"))
        active = os.environ.get("PREFECT_PROFILE", profiles.get("active", ""))
        return str(profiles["profiles"][active][name])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None  # no profile, nothing of that name in it, or an unreadable file


def server_environment(password: str) -> dict[str, str]:
    """The environment of a Prefect server that answers those who have the password.

    Not an argument of its command: those are shown to every user of the machine.
    """
    return {**os.environ, "PREFECT_SERVER_API_AUTH_STRING": password}


def close_prefect_server(api_url: str, origins: Sequence[str]) -> None:
    """Let the server in this process answer only its own pages, at `origins`, and a password.

    Raises UsageError without a password.
    """
    if not os.environ.get("PREFECT_SERVER_API_AUTH_STRING"):
        raise UsageError("Without PREFECT_SERVER_API_AUTH_STRING, the server would be open to all.")
    # Of the names that Prefect has for each of these, the one that it reads first.
    os.environ["PREFECT_SERVER_API_CORS_ALLOWED_ORIGINS"] = ",".join(origins)
    os.environ["PREFECT_SERVER_API_CSRF_PROTECTION_ENABLED"] = "true"
    os.environ["PREFECT_SERVER_UI_API_URL"] = api_url


def outlast_prefect_outages() -> None:
    """Let Prefect and the runs that it starts wait eight minutes for a server that is away."""
    os.environ.setdefault("PREFECT_CLIENT_MAX_RETRIES", "8")  # after 2, 4, 8, … 256 s


def quiet_prefect(api_url: str | None = None, password: str | None = None) -> None:
    """Set Prefect's environment: no telemetry, a quiet terminal, this API.

    Prefect reads its settings from the environment when it is imported; here, it reads them again.
    """
    for name, value in PREFECT_DEFAULTS.items():
        os.environ.setdefault(name, value)
    if api_url:
        os.environ["PREFECT_API_URL"] = api_url
    if password:
        os.environ["PREFECT_API_AUTH_STRING"] = password
    if "prefect.context" in sys.modules:
        from prefect.context import refresh_global_settings_context

        refresh_global_settings_context()
