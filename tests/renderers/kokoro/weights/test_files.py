"""Kokoro's files: found in a folder or at the Hub, and refused if they are wrong."""

import errno
import hashlib
import io
import json
import os
import subprocess
import sys
import zipfile
from dataclasses import asdict, replace
from pathlib import Path

import huggingface_hub
import huggingface_hub.constants as hub_constants
import pytest

from audiomill.renderers.engine.errors import EngineMissing, RenderError, WeightsUnfit
from audiomill.renderers.kokoro.g2p.languages import language_of
from audiomill.renderers.kokoro.weights import files, hub
from audiomill.renderers.kokoro.weights.files import check_available, find_files, is_offline_ready
from audiomill.renderers.kokoro.weights.releases import (
    DEFAULT_VOICES,
    RELEASES,
    V1_0,
    V1_1_ZH,
    Release,
)
from support.case_files import each_row_apart
from support.hub_server import Fault, serving, sha256
from support.paths import ROOT


def archive(seed: int) -> bytes:
    """A file that looks as if `torch.save` wrote it, except to torch."""
    noise = b"".join(hashlib.sha256(b"%d" % n).digest() for n in range(3000))
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as file:
        for name, body in (("data/0", noise), ("version", b"%d\n" % seed)):
            # `ZipInfo` without a time says 1980, so the bytes are always the same.
            file.writestr(zipfile.ZipInfo(f"kokoro/{name}"), body)
    return written.getvalue()


CONFIG, WEIGHTS, PACK = b'{"n_token": 178}\n', archive(1), archive(2)
PUBLISHED = {"config.json": CONFIG, "kokoro-mill.pth": WEIGHTS, "voices/af_heart.pt": PACK}
RELEASE = Release(
    name="mill",
    repo="mill/kokoro",
    revision="a" * 40,
    setting="kokoro.weights",
    weights_file="kokoro-mill.pth",
    weights_sha256=sha256(WEIGHTS),
    config_sha256=sha256(CONFIG),
    voices={"af_heart": sha256(PACK)},
)


@pytest.fixture
def server(monkeypatch, tmp_path):
    with serving(monkeypatch, tmp_path) as running:
        running.publish(RELEASE.repo, RELEASE.revision, PUBLISHED)
        yield running


@pytest.fixture
def folder(tmp_path):
    filled = tmp_path / "kokoro"
    for name, body in PUBLISHED.items():
        (filled / name).parent.mkdir(parents=True, exist_ok=True)
        (filled / name).write_bytes(body)
    return filled


# Releases


def test_releases_are_complete():
    assert len(V1_0.voices) == 54
    assert len(V1_1_ZH.voices) == 103
    assert sum(name.startswith("zm_") for name in V1_1_ZH.voices) == 45
    assert all(V1_0.voices.values())
    for release in RELEASES.values():
        assert len(release.revision) == 40
        digests = {release.weights_sha256, release.config_sha256, *release.voices.values()} - {""}
        assert all(len(digest) == 64 and int(digest, 16) for digest in digests)
        assert all(language_of(name) for name in release.voices)


def test_default_voices_belong_to_a_release():
    assert set(DEFAULT_VOICES) <= {*V1_0.voices, *V1_1_ZH.voices}


# At the Hub


def test_missing_files_are_downloaded_once(server):
    assert not is_offline_ready(None, RELEASE)
    found = find_files(None, RELEASE)
    assert (found.config.read_bytes(), found.weights.read_bytes()) == (CONFIG, WEIGHTS)
    assert found.release == RELEASE
    assert found.is_official
    server.seen.clear()
    assert find_files(None, RELEASE) == found
    assert server.seen == []


def test_files_are_complete_only_with_a_voice(server):
    find_files(None, RELEASE)
    assert not is_offline_ready(None, RELEASE)
    hub.fetch(RELEASE, "voices/af_heart.pt")
    server.seen.clear()
    assert is_offline_ready(None, RELEASE)
    check_available(None, RELEASE)
    assert server.seen == []


def test_availability_is_checked_with_one_request(server):
    check_available(None, RELEASE)
    assert [seen.method for seen in server.seen if "/resolve/" in seen.path] == ["HEAD"]
    assert hub.cached_path(RELEASE, "config.json") is None


@each_row_apart
@pytest.mark.parametrize("ask", [find_files, check_available])
def test_refusals_of_the_hub_are_explained_with_a_remedy(server, ask, status, code, advice):
    server.faults = [Fault(status, code)]
    with pytest.raises(EngineMissing) as raised:
        ask(None, RELEASE)
    message = str(raised.value)
    assert advice in message
    assert "\n" not in message
    assert "hf download mill/kokoro --revision aaaa" in message
    assert "kokoro.weights (the variable AUDIOMILL_KOKORO__WEIGHTS)" in message


def test_a_missing_repository_revision_or_file_is_explained(server):
    for other in (
        replace(RELEASE, repo="mill/other"),
        replace(RELEASE, revision="b" * 40),
        replace(RELEASE, weights_file="kokoro-other.pth"),
    ):
        with pytest.raises(EngineMissing, match=r"does not have it|wants a log-in"):
            find_files(None, other)


def test_temporary_errors_are_retried(server):
    server.faults = [Fault(503, times=2), Fault(429, times=1, headers={"Retry-After": "1"})]
    assert find_files(None, RELEASE).is_official


def test_a_broken_transfer_is_resumed(server, monkeypatch):
    monkeypatch.setattr(hub_constants, "DOWNLOAD_CHUNK_SIZE", 500)  # the client keeps whole chunks
    server.faults = [Fault(method="GET", cut_at=len(CONFIG), times=1)]
    server.faults += [Fault(method="GET", cut_at=1000, times=2)]
    assert find_files(None, RELEASE).weights.read_bytes() == WEIGHTS
    assert {"bytes=1000-", "bytes=2000-"} <= {seen.range for seen in server.seen}


def test_a_transfer_that_always_breaks_leaves_no_partial_file(server):
    server.faults = [Fault(method="GET", cut_at=0)]
    with pytest.raises(EngineMissing, match=r"config\.json .* asking it failed"):
        find_files(None, RELEASE)
    server.faults = []
    assert find_files(None, RELEASE).is_official


def test_a_missing_network_is_explained(server, monkeypatch):
    monkeypatch.setattr(hub_constants, "ENDPOINT", "http://127.0.0.1:1")
    template = "http://127.0.0.1:1/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(hub_constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    for ask in (find_files, check_available):
        with pytest.raises(EngineMissing, match=r"127\.0\.0\.1:1 .* failed \(.*refused"):
            ask(None, RELEASE)


def test_offline_mode_sends_no_request(server, monkeypatch):
    find_files(None, RELEASE)
    server.seen.clear()
    monkeypatch.setattr(hub_constants, "HF_HUB_OFFLINE", True)
    assert find_files(None, RELEASE).is_official
    for ask in (find_files, check_available):
        with pytest.raises(EngineMissing, match="HF_HUB_OFFLINE"):
            ask(None, replace(RELEASE, revision="b" * 40))
    assert server.seen == []


@pytest.mark.parametrize(
    ("number", "expected"),
    [(errno.ENOSPC, "disk is full"), (errno.EROFS, "cannot be written")],
)
def test_an_unwritable_cache_is_explained(server, monkeypatch, number, expected):
    def refuse(*_args, **_options):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", refuse)
    with pytest.raises(EngineMissing, match=rf"{expected}.*HF_HOME"):
        find_files(None, RELEASE)


def test_a_flipped_bit_in_the_cache_is_detected_and_the_remedy_works(server):
    weights = find_files(None, RELEASE).weights
    weights.write_bytes(WEIGHTS[:5000] + bytes([WEIGHTS[5000] ^ 1]) + WEIGHTS[5001:])
    with pytest.raises(WeightsUnfit, match=sha256(WEIGHTS)) as raised:
        find_files(None, RELEASE)
    damaged = str(raised.value).split("Delete ")[1].split(" and run again")[0]
    Path(damaged).unlink()
    assert find_files(None, RELEASE).weights.read_bytes() == WEIGHTS


def test_a_file_that_was_published_later_is_refused(server):
    server.publish(RELEASE.repo, RELEASE.revision, {"kokoro-mill.pth": archive(3)})
    with pytest.raises(WeightsUnfit, match="is damaged"):
        find_files(None, RELEASE)


def test_the_clients_environment_variables_work(server, tmp_path):
    """HF_ENDPOINT, HF_HOME and HF_TOKEN are respected; a complete cache needs no network."""
    program = (
        "import json, sys\n"
        "from audiomill.renderers.kokoro.weights.releases import Release\n"
        "from audiomill.renderers.kokoro.weights.files import check_available, find_files\n"
        "release = Release(**json.loads(sys.argv[1]))\n"
        "print(find_files(None, release).weights)\n"
        "assert not {'torch', 'transformers', 'requests'} & set(sys.modules)\n"
    )

    def run(**variables: str) -> subprocess.CompletedProcess:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        return subprocess.run(
            [sys.executable, "-c", program, json.dumps(asdict(RELEASE))],
            env=kept | {"HF_HOME": str(tmp_path / "home"), "HF_ENDPOINT": server.url} | variables,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )

    first = run(HF_TOKEN="hf_mill")  # noqa: S106
    assert first.returncode == 0, first.stderr
    assert Path(first.stdout.strip()).is_relative_to(tmp_path / "home" / "hub")
    tokens = {seen.token for seen in server.seen if "/resolve/" in seen.path}
    assert tokens == {"Bearer hf_mill"}
    assert {seen.token for seen in server.seen if "/cdn/" in seen.path} == {None}
    server.seen.clear()
    assert run().stdout == first.stdout
    assert run(HF_ENDPOINT="http://127.0.0.1:1").stdout == first.stdout
    assert run(HF_HUB_OFFLINE="1").stdout == first.stdout
    assert server.seen == []
    assert "does not start" in run(HF_ENDPOINT="http://[").stderr


# In a folder


def test_a_folder_of_official_files_is_official(folder):
    found = find_files(folder, RELEASE)
    assert found.release == RELEASE
    assert found.config == folder / "config.json"
    assert is_offline_ready(str(folder))
    check_available(folder)


def test_unofficial_weights_are_used_as_they_are(folder):
    official = find_files(folder, RELEASE)
    (folder / "kokoro-mill.pth").rename(folder / "kokoro_finetuned.pth")
    assert find_files(folder, RELEASE).is_official  # only the bytes matter
    (folder / "kokoro_finetuned.pth").write_bytes(archive(3))
    own = find_files(folder, RELEASE)
    assert not own.is_official
    assert own.fingerprint != official.fingerprint


def test_another_configuration_changes_the_fingerprint(folder):
    official = find_files(folder, RELEASE)
    (folder / "config.json").write_bytes(CONFIG + b"\n")
    assert not find_files(folder, RELEASE).is_official
    assert find_files(folder, RELEASE).fingerprint != official.fingerprint


@pytest.mark.parametrize("same", ["config_sha256", "weights_sha256"])
def test_files_of_another_release_are_refused(monkeypatch, folder, same):
    digest = getattr(RELEASE, same)
    monkeypatch.setattr(files, "RELEASES", {"v9": replace(V1_0, name="v9", **{same: digest})})
    with pytest.raises(WeightsUnfit, match=r"Set kokoro\.release to v9"):
        find_files(folder, RELEASE)


def spoil(folder: Path, name: str, body: bytes | None) -> None:
    if body is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(body)


FLIPPED = WEIGHTS[:5000] + bytes([WEIGHTS[5000] ^ 1]) + WEIGHTS[5001:]
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:496d\nsize 327212226\n"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"config.json": None}, "has no config.json"),
        ({"kokoro-mill.pth": None}, "has no kokoro*.pth"),
        ({"kokoro-other.pth": b"PK"}, "kokoro-mill.pth, kokoro-other.pth"),
        ({"kokoro-mill.pth": None, "kokoro-mill.pth.part": b"PK"}, "not fetched to the end"),
        ({"kokoro-mill.pth": b""}, "is empty"),
        ({"kokoro-mill.pth": WEIGHTS[:-1]}, "is cut short"),
        ({"kokoro-mill.pth": WEIGHTS[:1000]}, "at 1,000 bytes"),
        ({"kokoro-mill.pth": FLIPPED}, "is damaged"),
        ({"kokoro-mill.pth": POINTER}, "git lfs pull"),
    ],
    ids=range(9),
)
def test_unusable_folders_are_refused_with_the_reason(folder, changes, expected):
    for name, body in changes.items():
        spoil(folder, name, body)
    with pytest.raises(RenderError) as raised:
        find_files(folder, RELEASE)
    assert expected in str(raised.value)
    assert str(folder) in str(raised.value)


def test_an_unfinished_download_in_a_folder_is_explained(folder):
    (folder / "kokoro-mill.pth").unlink()
    left = folder / ".cache" / "huggingface" / "download" / "x.incomplete"
    left.parent.mkdir(parents=True)
    left.touch()
    with pytest.raises(WeightsUnfit, match="not fetched to the end"):
        find_files(folder)


def test_a_path_that_is_no_folder_is_refused(folder, tmp_path):
    for place in (tmp_path / "none", folder / "kokoro-mill.pth"):
        with pytest.raises(EngineMissing, match=r"is no folder.*kokoro\.weights"):
            find_files(place)
        assert not is_offline_ready(place)


def test_a_folder_without_voices_is_not_available(folder):
    (folder / "voices" / "af_heart.pt").unlink()
    assert not is_offline_ready(folder)
    with pytest.raises(EngineMissing, match=r"has no voices/\*\.pt"):
        check_available(folder)


def test_without_torch_kokoro_is_not_available(folder, monkeypatch):
    monkeypatch.setattr(files, "find_spec", lambda _name: None)
    with pytest.raises(EngineMissing, match="PyTorch"):
        check_available(folder)


def test_without_the_hubs_client_a_folder_still_works(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    assert find_files(folder, RELEASE).is_official
    assert not is_offline_ready(None, RELEASE)
    with pytest.raises(EngineMissing, match="huggingface_hub does not start"):
        find_files(None, RELEASE)
