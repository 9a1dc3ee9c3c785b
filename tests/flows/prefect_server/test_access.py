"""Who can read the password of our Prefect servers, and to which server it is sent."""

import os
import stat
from pathlib import Path

import pytest

from audiomill.flows.errors import UsageError
from audiomill.flows.prefect_server.access import (
    announced,
    is_open,
    keep_database_private,
    make_password,
    open_server_of_earlier_version,
    own_password,
    password_file,
    served_url,
    wants_another_password,
)
from audiomill.flows.prefect_server.settings import close_prefect_server
from support.web_server import Page, serving_site

JSON = {"Content-Type": "application/json"}


@pytest.fixture(autouse=True)
def prefect(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "prefect"))
    return tmp_path / "prefect"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_password_is_random_kept_and_read_by_its_user_only(prefect):
    password = make_password()
    assert len(password) >= 40
    assert make_password() == password
    assert (mode(prefect), mode(password_file())) == (0o700, 0o600)
    password_file().unlink()
    assert make_password() != password
    assert [path.name for path in prefect.iterdir()] == ["audiomill-server.password"]


def test_what_an_earlier_version_left_open_is_closed(prefect):
    prefect.mkdir(mode=0o755)
    files = [prefect / name for name in ("prefect.db", "prefect.db-wal", password_file().name)]
    for path in files:
        path.write_text("old")
        path.chmod(0o644)
    umask = os.umask(0o022)
    try:
        keep_database_private()
        (prefect / "new").touch()
    finally:
        os.umask(umask)
    assert make_password() == "old"
    assert {mode(path) for path in [*files, prefect / "new"]} == {0o600}
    assert mode(prefect) == 0o700


def test_an_empty_file_is_no_password(prefect):
    prefect.mkdir()
    password_file().write_text("\n")
    assert len(make_password()) >= 40


def test_the_password_goes_only_to_the_server_whose_announcer_lives(prefect):
    password = make_password()
    with serving_site() as site:
        site.pages["/api/health"] = Page(b"true", headers=JSON)
        url = f"{site.url}/api"
        with announced(url):
            assert served_url() == url
            assert own_password(url) == own_password(f"{url}/") == password
            assert own_password(url.replace("127.0.0.1", "localhost")) == password
            assert own_password("http://127.0.0.1:1/api") is None
        assert (served_url(), own_password(url)) == (None, None)
        # As after a power cut: whoever listens there now is a stranger.
        (prefect / "audiomill-server.url").write_text(url)
        assert (served_url(), own_password(url)) == (None, None)


def test_a_server_of_an_earlier_version_is_known_by_being_open(prefect):
    prefect.mkdir()
    with serving_site() as site:
        url = f"{site.url}/api"
        (prefect / "audiomill-server.url").write_text(url)
        assert open_server_of_earlier_version() is None
        site.pages["/api/admin/version"] = Page(b'"3"', headers=JSON)
        assert not is_open(url)
        site.pages["/api/admin/version"] = Page(
            b'"3"', headers=JSON | {"Access-Control-Allow-Origin": "*"}
        )
        assert is_open(url)
        assert open_server_of_earlier_version() == url
        site.pages["/api/admin/version"] = Page(b"", 401, JSON)
        assert not is_open(url)
        assert wants_another_password(url, None)
        assert wants_another_password(url, "wrong")


def test_a_server_without_a_password_does_not_start(monkeypatch):
    monkeypatch.delenv("PREFECT_SERVER_API_AUTH_STRING", raising=False)
    with pytest.raises(UsageError, match="open to all"):
        close_prefect_server("http://127.0.0.1:1/api", [])
