"""`audiomill serve`: runs a podcast, or what prefect.yaml lists, on its schedule until stopped.

It can serve the podcast's feed, too, and do only that. Or it says texts for other programs.

Where no Prefect API is configured, it brings a server, whose pages show every run.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, cast

import yaml

from audiomill.flows.console import say
from audiomill.flows.errors import UsageError
from audiomill.flows.execution.run_context import RunContext
from audiomill.flows.execution.signals import stop_on_signals
from audiomill.flows.file_lock import held_alone
from audiomill.flows.key_file import read_key
from audiomill.flows.podcast.secrets import address_warnings, filled_address, require_secrecy
from audiomill.flows.podcast.show_file import read_show
from audiomill.flows.podcast.show_settings import FEED_NAME, ShowSettings
from audiomill.flows.prefect_server.access import own_password, password_file
from audiomill.flows.prefect_server.api import lasting_prefect_api
from audiomill.flows.prefect_server.settings import (
    outlast_prefect_outages,
    prefect_api_url,
    quiet_prefect,
)
from audiomill.flows.settings import load_settings
from audiomill.flows.web_address import in_url, is_this_machine
from audiomill.inputs.files import read_regular
from audiomill.outputs.podcast.show_folder import local_path
from audiomill.renderers.host.folders import cache_folder

# The processes of runs are given some seconds to report their end.
GRACE_S = 60.0
# Where other servers of this protocol for Kokoro listen, so that their clients find it.
SPEECH_ADDRESS = ("127.0.0.1", 8880)
MIN_KEY_CHARS = 16
STALLED_S = 3600.0  # an answer may wait for its turn; a client that takes nothing is dropped before
ALREADY_RUNNING = "audiomill serve is already running. Stop that one first."


def run(arguments: argparse.Namespace) -> int:
    """Serve until Ctrl-C or SIGTERM, which is not an error."""
    if arguments.speech:
        return _serve_speech(arguments)
    if arguments.executor:
        raise UsageError("--executor is for --speech: runs have that of the settings.")
    show = _checked_show(arguments)
    entries = [] if show else read_entries(arguments.file)
    with ExitStack() as stack:
        context = stack.enter_context(stop_on_signals(RunContext(), GRACE_S))
        if arguments.cron or not show:
            _check_schedules(arguments, entries)
        if show and arguments.listen:
            stack.enter_context(_serving_feed(show, *arguments.listen))
        if arguments.cron or not show:
            _serve_runs(arguments, entries, context)
        else:
            context.stop.wait()
    return 0


def _serve_speech(arguments: argparse.Namespace) -> int:
    """Say texts for other programs.

    Raises UsageError, RenderError, StoreError, EncoderMissing, ExecutorError.
    """
    from audiomill.flows.cli.parser import parse_command
    from audiomill.flows.cluster.choice import chosen_cluster, place_of_rows
    from audiomill.flows.listen.reader_server import ReaderServer
    from audiomill.flows.listen.reader_tasks import reading_tasks
    from audiomill.flows.speech.server import SpeechLimits, speech_app
    from audiomill.flows.speech.speaking import TextSpeaker
    from audiomill.flows.web_server.connections import ConnectionLimits
    from audiomill.flows.web_server.listening import serving

    if arguments.show or arguments.cron or arguments.timezone:
        raise UsageError(
            "--speech needs no podcast and no schedule. Serve those by another command."
        )
    host, port = arguments.listen or SPEECH_ADDRESS
    key = _speech_key(arguments, host)
    limits, settings = SpeechLimits(), load_settings()
    with (
        stop_on_signals(RunContext(), GRACE_S) as context,
        place_of_rows(chosen_cluster(settings, arguments.executor)) as place,
    ):
        speaker = TextSpeaker(settings, context, limits.n_at_once, place)
        app = speech_app(speaker, key, limits)
        with speaker, serving(app, host, port, ConnectionLimits(stalled_s=STALLED_S)) as found:
            for warning in speaker.planner.warnings:
                say(f"Warning: {warning}")
            say(
                f"Serving speech by {speaker.planner.engine} at http://{in_url(host)}:{found}/v1."
                " Ctrl-C ends it."
            )
            with ReaderServer(reading_tasks(parse_command)).running():
                context.stop.wait()
    return 0


def _speech_key(arguments: argparse.Namespace, host: str) -> str:
    """The key of the file; "" for none, which only this machine may use. Raises UsageError."""
    if arguments.key_file is None:
        if not is_this_machine(host):
            raise UsageError(
                f"--listen {host}: other machines may use --speech with a key only. Write a long"
                " one into a file, and name it with --key-file."
            )
        return ""
    key = read_key(arguments.key_file, "--key-file")
    if len(key) < MIN_KEY_CHARS:
        raise UsageError(
            f"--key-file {arguments.key_file}: a key has {MIN_KEY_CHARS} characters or more."
        )
    return key


def _check_schedules(arguments: argparse.Namespace, entries: list[Any]) -> None:
    """Raise UsageError for a schedule that Prefect would not take, before anything is started."""
    outlast_prefect_outages()
    quiet_prefect()
    # Imported here: Prefect reads its environment when it is imported, for seconds.
    from audiomill.flows.prefect.deployments import check_entries, show_schedule

    if arguments.show:
        show_schedule(arguments.cron, arguments.timezone)
    else:
        check_entries(arguments.file, entries)


def _serve_runs(arguments: argparse.Namespace, entries: list[Any], context: RunContext) -> None:
    with (
        # Another one of this user would render the same.
        held_alone(cache_folder() / "serve.lock", ALREADY_RUNNING),
        lasting_prefect_api(prefect_api_url(), arguments.port, context) as url,
    ):
        from audiomill.flows.prefect.deployments import (
            listed_deployments,
            show_deployment,
            show_schedule,
        )
        from audiomill.flows.prefect.serving import serve

        if arguments.show:
            schedule = show_schedule(arguments.cron, arguments.timezone)
            deployments = [show_deployment(arguments.show, schedule)]
        else:
            deployments = listed_deployments(arguments.file, entries)
        serve(deployments, context.stop, lambda names: _announce(url, names))


def _checked_show(arguments: argparse.Namespace) -> ShowSettings | None:
    """The podcast, if one is named. Raises UsageError for what cannot be served, at once."""
    if arguments.show:
        if not (arguments.cron or arguments.listen):
            raise UsageError(
                'Say when the podcast is made, for example --cron "0 6 * * *", or where its feed is'
                " served, for example --listen 0.0.0.0:8080. To make it now:"
                f" audiomill podcast run {arguments.show}"
            )
        if arguments.timezone and not arguments.cron:
            raise UsageError("--timezone is that of --cron: say when the podcast is made, too.")
        show = read_show(arguments.show)
        filled_address(show.address)
        return show
    if arguments.cron or arguments.timezone or arguments.listen or arguments.key_file:
        raise UsageError(
            "--cron, --timezone and --listen need a podcast's file, and --key-file needs --speech;"
            " prefect.yaml has its own times."
        )
    return None


@contextmanager
def _serving_feed(show: ShowSettings, host: str, port: int) -> Generator[None]:
    """Serve the feed of a show in the block, and say where. Raises UsageError."""
    from audiomill.flows.podcast.feed_server import serving_feed  # takes a while to import

    folder = local_path(show.folder)
    if folder is None:
        raise UsageError(f"--listen serves a folder of this machine; {show.folder} is elsewhere.")
    require_secrecy(show.address)
    with serving_feed(folder, filled_address(show.address), host, port):
        say(f"Serving the feed {show.address}{FEED_NAME} at {host}:{port}. Ctrl-C ends it.")
        for warning in address_warnings(show.address, host, port):
            say(f"Warning: {warning}")
        yield


def _announce(url: str, names: list[str]) -> None:
    """Say where the pages are, where their password is, and how to start a run now."""
    say(f"Serving {', '.join(names)}. Pages: {url.removesuffix('/api')}. Ctrl-C ends it.")
    access = f"PREFECT_API_URL={url}"
    if own_password(url):
        say(f"The pages ask for a password. It is in {password_file()}.")
        access += f" PREFECT_API_AUTH_STRING=$(cat {shlex.quote(str(password_file()))})"
    say(f"A run now, in another shell: {access} prefect deployment run {names[0]}")


def read_entries(path: Path) -> list[Any]:
    """The entries of the list `deployments`. Raises UsageError."""
    try:
        content = yaml.safe_load(read_regular(path))
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        reason = "is not here" if missing else f"cannot be read: {error.strerror or error}"
        raise UsageError(
            f"{path} {reason}. It lists what to render, and when: docs/schedules.md shows one."
        ) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UsageError(f"{path} is not valid YAML: {' '.join(str(error).split())}.") from error
    entries = cast("object", content.get("deployments")) if isinstance(content, dict) else None
    if not entries or not isinstance(entries, list):
        raise UsageError(f"{path} has no list of deployments.")
    return cast("list[Any]", entries)
