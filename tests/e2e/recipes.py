"""The recipes for clusters in docs/cluster: what they start, and what is wrong with it.

    compose.yaml ─┐
    kubernetes… ──┼─▶ Start(command, variables) ─▶ problems(): "there is no option --sheduler"
    slurm*.sh ────┘

Files are checked by the schemas of Compose and Kubernetes, commands by the parsers of their
programs. Checks take data, so that a test can spoil it first.
"""

import os
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, field
from functools import reduce
from io import StringIO
from typing import Any
from unittest.mock import patch

import click
import jsonschema
import kubernetes_validate
import yaml
from check_jsonschema import builtin_schemas
from dask import config as dask_config
from distributed.cli import dask_scheduler
from prefect import settings as prefect_settings

from audiomill.flows.cli.parser import build_parser
from audiomill.flows.cluster.choice import scheduler_address
from audiomill.flows.errors import UsageError
from audiomill.flows.settings import load_settings
from support.paths import ROOT

RECIPES = ROOT / "docs" / "cluster"
# What a client of S3 reads, and Prefect.
OTHER_VARIABLES = {
    *("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_ENDPOINT_URL", "AWS_DEFAULT_REGION"),
    "DO_NOT_TRACK",
}
KUBERNETES = "1.30"  # what our manifests need is in all later versions, too
_VARIABLE = re.compile(r"\$\{(\w+)(?::([-?])((?:[^{}]|\{[^{}]*\})*))?\}")
_URL = re.compile(r"(?:tcp|http)://([\w.-]+):(\d+)")


@dataclass(frozen=True)
class Start:
    """A program that a recipe starts."""

    name: str  # of the service, container or script
    words: list[str]
    variables: Mapping[str, str] = field(default_factory=dict)


def interpolated(value: Any, variables: Mapping[str, str]) -> Any:
    """A part of a Compose file with its variables filled in. Fails if a required one is missing."""
    if isinstance(value, dict):
        return {key: interpolated(one, variables) for key, one in value.items()}
    if isinstance(value, list):
        return [interpolated(one, variables) for one in value]
    if not isinstance(value, str):
        return value
    return _VARIABLE.sub(lambda found: _value_of(found, variables), value)


def _value_of(found: re.Match[str], variables: Mapping[str, str]) -> str:
    name, kind, rest = found.groups()
    if value := variables.get(name):
        return value
    assert kind != "?", f"{name}: {rest}"
    return interpolated(rest or "", variables)


def merged(base: Any, more: Any) -> Any:
    """A Compose file and one that overrides it, as `docker compose -f base -f more` sees them."""
    if isinstance(base, dict) and isinstance(more, dict):
        return base | {name: merged(base.get(name), one) for name, one in more.items()}
    if isinstance(base, list) and isinstance(more, list):
        return base + more
    return deepcopy(more)


def load_compose(*names: str) -> dict[str, Any]:
    """The Compose files of docs/cluster, merged; variables as they are written."""
    return reduce(merged, (yaml.safe_load((RECIPES / name).read_text()) for name in names))


def compose_starts(compose: Mapping[str, Any]) -> Iterator[Start]:
    """What each service starts, and its check of health. Variables are filled in before."""
    for name, service in compose["services"].items():
        variables = service.get("environment", {})
        words = [*service.get("entrypoint", ()), *service.get("command", ())]
        yield Start(name, words, variables)
        if test := service.get("healthcheck", {}).get("test"):
            assert test[0] == "CMD", f"{name}: a check of health that needs a shell"
            yield Start(f"{name}'s health", test[1:], variables)


def compose_problems(compose: Mapping[str, Any]) -> list[str]:
    """What is wrong in a Compose file: by Compose's schema, in what it names and starts."""
    schema = jsonschema.Draft202012Validator(
        builtin_schemas.get_builtin_schema("vendor.compose-spec")
    )
    invalid = [error.message for error in schema.iter_errors(compose)]
    if invalid:
        return invalid
    starts = list(compose_starts(compose))
    return [
        *_wrong_names(compose),
        *(one for start in starts for one in start_problems(start)),
        *(
            f"{start.name}: nobody listens at {host}:{port}"
            for start in starts
            for host, port in addresses(start)
            if not _listens(compose, start, host, port)
        ),
    ]


def _wrong_names(compose: Mapping[str, Any]) -> Iterator[str]:
    services, named = compose["services"], set()
    for name, service in services.items():
        for mount in service.get("volumes", ()):
            source = mount.partition(":")[0]
            named |= set() if source.startswith((".", "/")) else {source}
        for other, needed in service.get("depends_on", {}).items():
            if other not in services:
                yield f"{name} needs {other}, which is no service"
            elif needed["condition"] == "service_healthy" and not services[other].get(
                "healthcheck"
            ):
                yield f"{name} waits for the health of {other}, which is not checked"
        for port in service.get("ports", ()):
            if not port.startswith("127.0.0.1:"):
                yield f"{name} opens {port} to other machines"
    if differing := named ^ compose.get("volumes", {}).keys():
        yield f"volumes are named in one place only: {sorted(differing)}"


def addresses(start: Start) -> list[tuple[str, str]]:
    """The hosts and ports that a command or its variables name."""
    return _URL.findall("\n".join([*start.words, *start.variables.values()]))


def _listens(compose: Mapping[str, Any], start: Start, host: str, port: str) -> bool:
    """Whether the host is a service whose command names the port; this machine's is its own."""
    own = start.name.removesuffix("'s health")
    service = compose["services"].get(own if host == "127.0.0.1" else host, {})
    return port in re.findall(r"\d+", " ".join(service.get("command", ())))


def start_problems(start: Start) -> list[str]:
    """What is wrong with a command, or with what is in its environment."""
    found = [*command_problems(start.words), *variable_problems(start.variables)]
    return [f"{start.name}: {one}" for one in found]


def command_problems(words: list[str]) -> list[str]:
    """What the program's own parser says of a command."""
    match words:
        case ["audiomill", *rest]:
            return _parsed(rest)
        case ["dask", "scheduler", *rest]:
            return _parsed_by_click(rest)
        case ["python", "-c", text]:
            compile(text, "recipe", "exec")
            return []
        case ["prefect", "server", "start", "--host", _, "--port", port] if port.isdecimal():
            return []
        case ["server" | "wget", *_]:  # of the image of the S3 server
            return []
        case _:
            return [f"no recipe starts {shlex.join(words)}"]


def _parsed(words: list[str]) -> list[str]:
    said = StringIO()
    try:
        with redirect_stderr(said), redirect_stdout(StringIO()):
            arguments = build_parser().parse_args(words)
        if arguments.command == "worker" and arguments.scheduler:
            scheduler_address(arguments.scheduler)
    except (SystemExit, UsageError) as error:
        is_wrong = isinstance(error, UsageError) or error.code != 0
        return [said.getvalue() or str(error)] if is_wrong else []
    return []


def _parsed_by_click(words: list[str]) -> list[str]:
    try:
        dask_scheduler.main.make_context("dask scheduler", words)
    except click.ClickException as error:
        return [error.format_message()]
    return []


def variable_problems(variables: Mapping[str, str]) -> list[str]:
    """The variables that nobody reads, and what our settings say of the others."""
    unknown = [f"nobody reads {name}" for name in variables if not _is_known(name)]
    own = {name: value for name, value in variables.items() if name.startswith("AUDIOMILL_")}
    kept = {name: one for name, one in os.environ.items() if not name.startswith("AUDIOMILL_")}
    try:
        with patch.dict(os.environ, kept | own, clear=True):
            settings = load_settings()
        if settings.dask_scheduler:
            scheduler_address(settings.dask_scheduler)
    except UsageError as error:
        return [*unknown, str(error)]
    return unknown


def _is_known(name: str) -> bool:
    if name.startswith("DASK_"):
        key = name.removeprefix("DASK_").lower().replace("__", ".")
        found = dask_config.get(dask_config.canonical_name(key, dask_config.config), default=name)
        return found != name
    if name.startswith("PREFECT_"):
        return hasattr(prefect_settings, name)
    return name.startswith("AUDIOMILL_") or name in OTHER_VARIABLES


def load_manifests(name: str) -> list[dict[str, Any]]:
    """The documents of a file for Kubernetes."""
    return list(yaml.safe_load_all((RECIPES / name).read_text()))


def with_operator(manifests: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The documents, and what Dask's operator makes of those that are for it."""
    for manifest in manifests:
        if manifest["kind"] != "DaskCluster":
            yield manifest
            continue
        name, parts = manifest["metadata"]["name"], manifest["spec"]
        yield _made("v1", "Service", f"{name}-scheduler", parts["scheduler"]["service"])
        for part, made in {"scheduler": "scheduler", "worker": "default-worker-1"}.items():
            labels = {"dask.org/cluster-name": name, "dask.org/component": part}
            spec = _deployment(labels, parts[part]["spec"])
            yield _made("apps/v1", "Deployment", f"{name}-{made}", spec)


def _deployment(labels: dict[str, str], pod: Any) -> dict[str, Any]:
    template = {"metadata": {"labels": labels}, "spec": pod}
    return {"replicas": 1, "selector": {"matchLabels": labels}, "template": template}


def _made(version: str, kind: str, name: str, spec: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec}


def pods(manifests: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The templates of all pods, by the name of what makes them."""
    makers = [one for one in with_operator(manifests) if "template" in one.get("spec", {})]
    return {maker["metadata"]["name"]: maker["spec"]["template"] for maker in makers}


def kubernetes_starts(manifests: list[dict[str, Any]]) -> Iterator[Start]:
    """What each container starts, and its probes."""
    sources = {
        one["metadata"]["name"]: one.get("data") or one["stringData"]
        for one in manifests
        if one["kind"] in ("ConfigMap", "Secret")
    }
    for pod, template in pods(manifests).items():
        spec = template["spec"]
        for container in (*spec.get("initContainers", ()), *spec["containers"]):
            names = [ref["name"] for source in container["envFrom"] for ref in source.values()]
            variables = {key: one for name in names for key, one in sources[name].items()}
            yield Start(f"{pod}/{container['name']}", container["command"], variables)
            for probe in ("readinessProbe", "livenessProbe"):
                if words := container.get(probe, {}).get("exec", {}).get("command"):
                    yield Start(f"{pod}/{container['name']}'s {probe}", words, variables)


def kubernetes_problems(manifests: list[dict[str, Any]]) -> list[str]:
    """What is wrong in documents for Kubernetes: by its schemas, in what they start and name."""
    made = list(with_operator(manifests))
    if invalid := [one for manifest in made for one in _schema_problems(manifest)]:
        return invalid
    services = {one["metadata"]["name"]: one["spec"] for one in made if one["kind"] == "Service"}
    known = {(name, str(port["port"])) for name in services for port in services[name]["ports"]}
    starts = list(kubernetes_starts(manifests))
    named = [(start.name, found) for start in starts for found in addresses(start)]
    return [
        *(one for start in starts for one in start_problems(start)),
        *(f"{name}: nobody listens at {':'.join(at)}" for name, at in named if at not in known),
    ]


def _schema_problems(manifest: Mapping[str, Any]) -> list[str]:
    if manifest["kind"] == "DaskAutoscaler":  # all that its definition allows
        keys = manifest["spec"].keys() ^ {"cluster", "minimum", "maximum"}
        return [f"DaskAutoscaler: {sorted(keys)}"] if keys else []
    try:
        kubernetes_validate.validate(dict(manifest), KUBERNETES, strict=True)
    except kubernetes_validate.ValidationError as error:
        return [f"{manifest['kind']}: {error.message}"]
    return []
