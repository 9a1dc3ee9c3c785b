"""The recipes in docs/cluster: their files are valid, and their commands render a book.

Without Docker, Kubernetes and Slurm, the commands run as processes of this machine.
"""

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from pathlib import Path
from subprocess import Popen

import pytest
from e2e.recipes import (
    RECIPES,
    Start,
    compose_problems,
    compose_starts,
    interpolated,
    kubernetes_problems,
    load_compose,
    load_manifests,
    pods,
    start_problems,
    with_operator,
)

from audiomill.flows.cli.worker import GRACE_S
from support.case_files import each_row, each_row_apart
from support.documents import documented
from support.home import Home
from support.paths import ROOT
from support.process_data import TIMEOUT_S, outlived, wait_until
from support.s3_server import BUCKET, client_variables, serving_s3

PROGRAMS = Path(sys.executable).parent
CREDENTIALS = {
    "S3_ACCESS_KEY": "mill",
    "S3_SECRET_KEY": "a long secret",
    "PREFECT_PASSWORD": "another secret",
}
COMPOSE = [("compose.yaml",), ("compose.yaml", "compose.gpu.yaml")]
FIXED, ON_DEMAND = "kubernetes.yaml", "kubernetes-autoscaling.yaml"
SCRIPTS = sorted(RECIPES.glob("slurm*.sh"))
# The options of #SBATCH that we use; sbatch refuses what it does not know.
SBATCH = "array cpus-per-task gres job-name nodes ntasks ntasks-per-node output partition"
SBATCH += " requeue signal time"
LOOPBACK = ("--host", "127.0.0.1")
BOOK = "# The Weir\n\n" + "The water was low, and the wheel stood still.\n\n" * 3


# What docs/cluster.md names of these files, and the tests below stand for.
DOCUMENTED = [
    documented("docker compose -f docs/cluster/compose.yaml up --detach --wait"),
    documented("docker compose -f docs/cluster/compose.yaml run --rm render book.epub"),
    documented("kubectl apply -f docs/cluster/kubernetes.yaml"),
    documented("kubectl apply -f docs/cluster/kubernetes-autoscaling.yaml"),
    documented("sbatch docs/cluster/slurm.sh book.epub"),
    documented("sbatch --array=1-8 docs/cluster/slurm-worker.sh"),
]


def test_the_documents_name_files_that_exist():
    files = {word for words in DOCUMENTED for word in words if word.startswith("docs/")}
    assert all((ROOT / name).is_file() for name in files)
    assert {ROOT / name for name in files} | {RECIPES / "compose.gpu.yaml"} == {*RECIPES.iterdir()}


def filled(*names: str) -> dict:
    return interpolated(load_compose(*names), CREDENTIALS)


@pytest.mark.parametrize("names", COMPOSE, ids=" ".join)
def test_the_compose_files_are_valid(names):
    assert compose_problems(filled(*names)) == []


@pytest.mark.prove
@each_row
def test_a_mistake_in_a_compose_file_is_found(path, value, said):
    spoiled = filled("compose.yaml")
    *parents, key = path.split(".")
    reduce(dict.__getitem__, parents, spoiled)[key] = value
    assert said in "\n".join(compose_problems(spoiled))


def test_credentials_must_be_chosen():
    with pytest.raises(AssertionError, match="S3_SECRET_KEY: choose"):
        interpolated(load_compose("compose.yaml"), {"S3_ACCESS_KEY": "mill"})


def test_compose_runs_one_image_and_waits_until_a_worker_has_left():
    for names, image in zip(COMPOSE, ("audiomill:cpu", "audiomill:cuda"), strict=True):
        services = filled(*names)["services"]
        assert {one["image"] for name, one in services.items() if name != "s3"} == {image}
        assert f"--tag {image} ." in (ROOT / "Makefile").read_text()
        assert int(services["worker"]["stop_grace_period"].rstrip("s")) > GRACE_S
    assert services["worker"]["deploy"]["replicas"] == 1


@pytest.mark.parametrize("name", [FIXED, ON_DEMAND])
def test_the_manifests_are_valid(name):
    assert kubernetes_problems(load_manifests(name)) == []


@pytest.mark.prove
@pytest.mark.parametrize("name", [FIXED, ON_DEMAND])
@each_row_apart
def test_a_mistake_in_a_manifest_is_found(name, old, new, said):
    text = json.dumps(list(with_operator(load_manifests(name))))
    assert old in text
    assert said in "\n".join(kubernetes_problems(json.loads(text.replace(old, new))))


@pytest.mark.parametrize("name", [FIXED, ON_DEMAND])
def test_the_pods_find_what_they_name(name):
    manifests = list(with_operator(load_manifests(name)))
    for template in pods(manifests).values():
        spec = template["spec"]
        containers = [*spec.get("initContainers", ()), *spec["containers"]]
        mounts = {mount["name"] for one in containers for mount in one.get("volumeMounts", ())}
        assert mounts == {volume["name"] for volume in spec.get("volumes", ())}
        # Kubernetes' variables for a Service could be taken for settings, which are refused.
        assert spec["enableServiceLinks"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
    (service,) = (one["spec"] for one in manifests if one["kind"] == "Service")
    scheduler = next(one for key, one in pods(manifests).items() if key.endswith("scheduler"))
    assert service["selector"].items() <= scheduler["metadata"]["labels"].items()
    (container,) = scheduler["spec"]["containers"]
    ports = {one["name"]: one["containerPort"] for one in container["ports"]}
    assert {one["targetPort"]: one["port"] for one in service["ports"]} == ports
    assert all(str(port) in str(container["command"]) for port in ports.values())


@pytest.mark.prove
def test_both_manifests_render_a_book_alike():
    """Nodes for GPUs differ, and who asks the scheduler; the rest must not drift apart."""
    fixed, on_demand = (load_manifests(name) for name in (FIXED, ON_DEMAND))
    kinds = ("Namespace", "Secret", "Job")
    assert [one for one in fixed if one["kind"] in kinds] == [
        one for one in on_demand if one["kind"] in kinds
    ]
    workers = [pods(fixed)["worker"]["spec"], pods(on_demand)["dask-default-worker-1"]["spec"]]
    for spec in workers:
        assert spec["terminationGracePeriodSeconds"] > GRACE_S
        assert spec["tolerations"][0]["key"] == "nvidia.com/gpu"
        assert spec.keys() == workers[0].keys()


def test_the_operator_finds_workers_by_their_names():
    """It ends the Deployment that has the worker's name, so nothing may be added to the name."""
    manifests = load_manifests(ON_DEMAND)
    (container,) = pods(manifests)["dask-default-worker-1"]["spec"]["containers"]
    assert container["command"][:4] == ["audiomill", "worker", "--name", "$(DASK_WORKER_NAME)"]
    assert "--processes" not in container["command"]
    assert container["resources"]["limits"]["nvidia.com/gpu"] == "1"  # its schema wants a text
    kinds = {one["kind"]: one for one in manifests}
    cluster, scaler = kinds["DaskCluster"], kinds["DaskAutoscaler"]["spec"]
    assert scaler["cluster"] == cluster["metadata"]["name"]
    assert scaler["minimum"] == cluster["spec"]["worker"]["replicas"] == 0
    assert cluster["spec"].keys() == {"scheduler", "worker"}
    scaler["minimun"] = scaler.pop("minimum")
    assert "minimun" in kubernetes_problems(manifests)[0]


def slurm_starts(text: str) -> list[Start]:
    """The commands of ours in a script for Slurm; what its variables hold is made up."""
    lines = re.sub(r"\\\n\s*", "", re.sub(r"^#.*$", "", text, flags=re.MULTILINE)).splitlines()
    command = re.compile(r"\b((?:audiomill (?:worker|render)|dask scheduler) [^&']+)")
    found = (
        match[1].replace('"$@"', "a.epub") for line in lines for match in command.finditer(line)
    )
    addressed = (re.sub(r'"\$(address|1)"', "tcp://127.0.0.1:8786", line) for line in found)
    return [Start(line, shlex.split(line)) for line in addressed]


def slurm_problems(script: Path) -> list[str]:
    """What bash, ShellCheck, the options of sbatch, and our program say."""
    checks = (["bash", "-n"], [str(PROGRAMS / "shellcheck")])
    runs = [subprocess.run([*one, script], capture_output=True, text=True) for one in checks]
    options = set(re.findall(r"^#SBATCH (?:--([a-z-]+)|.*)", script.read_text(), re.MULTILINE))
    return [
        *(run.stdout + run.stderr for run in runs if run.returncode),
        *(f"sbatch does not know {option}" for option in options - {*SBATCH.split()}),
        *(one for start in slurm_starts(script.read_text()) for one in start_problems(start)),
    ]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_the_scripts_for_slurm_are_valid(script):
    assert slurm_problems(script) == []
    assert slurm_starts(script.read_text())


@pytest.mark.prove
@each_row_apart
def test_a_mistake_in_a_script_is_found(tmp_path, old, new, said):
    script = tmp_path / "slurm-worker.sh"
    script.write_text((RECIPES / script.name).read_text().replace(old, new))
    assert said in "\n".join(slurm_problems(script))


def on_loopback(compose: dict, s3_url: str) -> dict:
    """The Compose file with its services on this machine, and the bucket of our server for S3."""
    with (
        socket.create_server(("127.0.0.1", 0)) as one,
        socket.create_server(("127.0.0.1", 0)) as two,
    ):
        ports = {"8786": str(one.getsockname()[1]), "8787": str(two.getsockname()[1])}
    text = re.sub("8786|8787", lambda found: ports[found[0]], json.dumps(compose))
    text = text.replace("http://s3:8333", s3_url).replace("scheduler:", "127.0.0.1:")
    return json.loads(text.replace("s3://audiomill/", f"s3://{BUCKET}/"))


@contextmanager
def running(home: Home, words: list[str], variables: dict, **more: str) -> Iterator[Popen]:
    """A program of a recipe, without settings of the tests, until the block ends."""
    kept = {key: one for key, one in home.environment.items() if not key.startswith("AUDIOMILL_")}
    words = [str(PROGRAMS / words[0]), *words[1:]]
    with (home.path / "log").open("a") as log:
        process = Popen(words, cwd=home.path, env=kept | variables | more, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


@pytest.mark.prove
def test_the_services_of_the_compose_file_render_a_book(home):
    (home.path / "book.md").write_text(BOOK)
    with serving_s3() as s3:
        compose = on_loopback(filled("compose.yaml"), s3.url)
        words = {start.name: start.words for start in compose_starts(compose)}
        variables = client_variables(s3, home.path) | compose["services"]["worker"]["environment"]
        variables |= compose["services"]["scheduler"]["environment"]

        def ends_well(name: str, *more: str) -> bool:
            with running(home, [*words[name], *more], variables) as process:
                return process.wait(TIMEOUT_S) == 0

        assert ends_well("bucket")
        assert s3.created == ["audiomill"]
        assert not ends_well("scheduler's health")
        with running(home, [*words["scheduler"], *LOOPBACK], variables) as scheduler:
            wait_until(lambda: ends_well("scheduler's health"), scheduler)
            assert not ends_well("worker's health")
            named = [*words["worker"], "--name", f"{socket.gethostname()}-1"]
            with running(home, named, variables) as worker:
                wait_until(lambda: ends_well("worker's health"), worker)
                words["render"].remove("--help")
                assert ends_well("render", "book.md"), (home.path / "log").read_text()
                url = re.search(r"http://127.0.0.1:\d+/", words["worker's health"][2])[0]
                # As the operator of kubernetes-autoscaling.yaml asks.
                with urllib.request.urlopen(f"{url}api/v1/adaptive_target") as answer:
                    assert json.load(answer).keys() == {"workers"}
            assert worker.returncode == 0
    assert [*home.path.glob("library/**/*.m4b")]
    assert any(path.startswith(f"/{BUCKET}/shards/") for path in s3.objects)


@pytest.mark.prove
@pytest.mark.parametrize("where", ["its own node", "a node of slurm-worker.sh"])
def test_a_job_of_slurm_renders_a_book(home, where):
    """`srun` stands for Slurm's, which starts the worker here, or finds no node for it."""
    (home.path / "book.md").write_text(BOOK)
    srun = 'shift; exec "$@"' if where == "its own node" else "true"
    dask = f'exec {PROGRAMS}/dask "$@" {shlex.join(LOOPBACK)}'
    for name, text in {"srun": srun, "dask": dask}.items():
        (home.path / name).write_text(f"#!/bin/bash\n{text}\n")
        (home.path / name).chmod(0o755)
    variables = {"AUDIOMILL_ENGINE": "espeak", "SLURMD_NODENAME": "n1", "POLL_S": "0.1"}
    variables["PATH"] = f"{home.path}:{PROGRAMS}:{os.environ['PATH']}"
    job, more = ([str(RECIPES / name)] for name in ("slurm.sh", "slurm-worker.sh"))
    with running(home, more, variables, SLURM_JOB_ID="1") as early:
        assert early.wait(TIMEOUT_S) == 1
    assert "submit slurm.sh here first" in (home.path / "log").read_text()
    with running(home, [*job, "book.md"], variables, SLURM_JOB_ID="2") as render:
        wait_until((home.path / "scheduler.address").exists, render)
        if where != "its own node":
            with running(home, more, variables, SLURM_JOB_ID="3") as worker:
                assert worker.wait(TIMEOUT_S) == 0
        assert render.wait(TIMEOUT_S) == 0, (home.path / "log").read_text()
    assert [*home.path.glob("library/**/*.m4b")]
    assert not [*home.path.glob("scheduler*")]
    assert outlived(home.path) == []
