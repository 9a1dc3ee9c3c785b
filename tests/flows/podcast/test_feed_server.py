"""A show's folder over HTTP: what may be read, by whom, and how players ask for it."""

import re
import select
import socket
import subprocess
from contextlib import ExitStack, suppress
from pathlib import Path

import feedparser
import httpx
import pytest

from audiomill.flows.errors import UsageError
from audiomill.flows.podcast.feed_server import serving_feed
from audiomill.flows.podcast.secrets import address_warnings, filled_address, require_secrecy
from audiomill.flows.settings import load_settings
from audiomill.flows.web_server.connections import ConnectionLimits
from audiomill.outputs.ffmpeg.find_ffmpeg import find_ffmpeg
from audiomill.outputs.podcast.publishing import publish_show
from support import patient_http
from support.case_files import each_row, each_row_apart, written_out
from support.podcast_data import SHOW, local, numbered, put_files
from support.prefect_api import free_port

TOKEN = "a-token-that-nobody-guesses"  # noqa: S105
NAME = "audio/episode-1.mp3"
LARGE = 8 << 20  # more than sockets hold


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("show")
    put_files(folder, SHOW, [numbered(1)])
    local(folder).add_names(["cover.jpg"])
    (folder / NAME).write_bytes(bytes(number % 251 for number in range(1001)))
    publish_show(local(folder), SHOW, [numbered(1)])
    local(folder).add_names(["large-0123456789ab.mp3"])
    (folder / "large-0123456789ab.mp3").write_bytes(b"\2" * LARGE)
    (folder / "mine.txt").write_text("mine")
    (folder.parent / "secret.txt").write_text("secret")
    return folder


@pytest.fixture(scope="module")
def url(folder) -> str:
    """The address of the folder while it is served."""
    port = free_port()
    with serving_feed(folder, f"http://127.0.0.1:{port}/m/{TOKEN}/", "127.0.0.1", port):
        yield f"http://127.0.0.1:{port}/m/{TOKEN}/"


@each_row_apart
def test_each_file_of_the_show_is_served_with_its_type(url, folder, name, media_type):
    if name.startswith("reader/*"):
        (name,) = (f"reader/{one.name}" for one in folder.glob(name))
    answer = patient_http.get(url + name)
    assert answer.content == (folder / name).read_bytes()
    assert answer.headers["content-type"] == media_type
    head = patient_http.head(url + name)
    assert (head.status_code, head.content) == (200, b"")
    for header in ("content-length", "content-type", "etag"):
        assert head.headers[header] == answer.headers[header]


@each_row_apart
def test_a_name_of_a_stranger_that_points_here_is_refused(url, host, status):
    """As of a page whose name has come to point to this machine (DNS rebinding)."""
    assert patient_http.get(f"{url}feed.xml", headers={"Host": host}).status_code == status


def test_the_address_alone_is_the_page_and_no_listing(url, folder):
    assert patient_http.get(url).content == (folder / "index.html").read_bytes()
    assert patient_http.get(f"{url}audio/").status_code == 404


@each_row_apart
def test_nothing_else_is_served(url, path):
    """The path goes out as it is written: clients would tidy it up."""
    assert status_of(url, f"/m/{TOKEN}/{written_out(path)}") == 404


@pytest.mark.parametrize(
    "path", ["/", "/m/", "/m/feed.xml", f"/{TOKEN}/feed.xml", f"/m/{TOKEN[:-1]}X/feed.xml", "/m"]
)
def test_without_the_token_nothing_is_there(url, path):
    assert status_of(url, path) == 404


def status_of(url: str, path: str) -> int:
    place = httpx.URL(url)
    with socket.create_connection((place.host, place.port)) as connection:
        request = f"GET {path} HTTP/1.1\r\nHost: {place.host}\r\nConnection: close\r\n\r\n"
        connection.sendall(request.encode())
        return int(re.match(rb"HTTP/1.1 (\d+)", connection.makefile("rb").readline())[1])


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_can_be_changed(url, method):
    assert patient_http.request(method, f"{url}feed.xml").status_code == 405


def test_a_link_is_not_followed(url, folder):
    local(folder).add_names(["link-0123456789ab.mp3", "link.html"])
    for name in ("link-0123456789ab.mp3", "link.html"):
        (folder / name).symlink_to(folder.parent / "secret.txt")
        assert patient_http.get(url + name).status_code == 404


@each_row
def test_a_part_of_the_audio_can_be_asked_for(url, folder, asked, start, end):
    answer = patient_http.get(url + NAME, headers={"Range": asked})
    content = (folder / NAME).read_bytes()
    start, end, _ = slice(start, end).indices(len(content))
    assert (answer.status_code, answer.content) == (206, content[start:end])
    assert answer.headers["content-range"] == f"bytes {start}-{end - 1}/{len(content)}"


def test_a_part_behind_the_end_or_of_older_audio_is_not_given(url):
    assert patient_http.get(url + NAME, headers={"Range": "bytes=2000-"}).status_code == 416
    headers = {"Range": "bytes=0-9", "If-Range": '"of-before"'}
    whole = patient_http.get(url + NAME, headers=headers)
    assert (whole.status_code, len(whole.content)) == (200, 1001)
    etag = whole.headers["etag"]
    part = patient_http.get(url + NAME, headers={**headers, "If-Range": etag})
    assert (part.status_code, len(part.content)) == (206, 10)


@pytest.mark.parametrize("name", ["feed.xml", "index.html", NAME])
def test_what_a_player_has_is_not_sent_again(url, name):
    etag = patient_http.get(url + name).headers["etag"]
    same = patient_http.get(url + name, headers={"If-None-Match": etag})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", etag)
    assert patient_http.get(url + name, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_new_feed_is_served_at_once(tmp_path):
    put_files(tmp_path, SHOW, [numbered(1), numbered(2)])
    port = free_port()
    url = f"http://127.0.0.1:{port}/"
    with serving_feed(tmp_path, url, "127.0.0.1", port):
        assert patient_http.get(f"{url}feed.xml").status_code == 404
        publish_show(local(tmp_path), SHOW, [numbered(1)])
        first = patient_http.get(f"{url}feed.xml")
        publish_show(local(tmp_path), SHOW, [numbered(1), numbered(2)])
        headers = {"If-None-Match": first.headers["etag"]}
        second = patient_http.get(f"{url}feed.xml", headers=headers)
        assert len(feedparser.parse(second.content).entries) == 2
        publish_show(local(tmp_path), SHOW, [numbered(2)])
        assert patient_http.get(f"{url}audio/episode-1.mp3").status_code == 404


@pytest.mark.prove
def test_slow_clients_keep_no_other_waiting(url):
    """Many ask for much and take nothing. Others are answered meanwhile, and nothing is held up."""
    place = httpx.URL(url)
    request = f"GET {place.path}large-0123456789ab.mp3 HTTP/1.1\r\nHost: x\r\n\r\n"
    with ExitStack() as stack:
        for _ in range(40):
            slow = stack.enter_context(socket.create_connection((place.host, place.port)))
            slow.sendall(request.encode())
        for _ in range(5):
            assert patient_http.get(f"{url}feed.xml").status_code == 200
        whole = patient_http.get(f"{url}large-0123456789ab.mp3")
        assert len(whole.content) == LARGE


def test_silent_clients_keep_no_other_out(url):
    """Nobody waits for them: a connection that asks for nothing makes room at once."""
    place = httpx.URL(url)
    with ExitStack() as stack:
        for sent in [b"", b"GET / HTTP/1.1\r\nHost:"] * 110:
            silent = stack.enter_context(socket.create_connection((place.host, place.port)))
            silent.sendall(sent)
        for name in ("feed.xml", "index.html", NAME):
            assert patient_http.get(url + name).status_code == 200


HASTY = ConnectionLimits(header_s=0.3, stalled_s=0.3)
N_PLACES = 4


@pytest.fixture(scope="module")
def hasty_url(folder) -> str:
    port = free_port()
    with serving_feed(folder, f"http://127.0.0.1:{port}/", "127.0.0.1", port, HASTY):
        yield f"http://127.0.0.1:{port}/"


LARGE_REQUEST = b"GET /large-0123456789ab.mp3 HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nX: ", LARGE_REQUEST])
def test_who_asks_for_nothing_or_takes_nothing_is_closed(hasty_url, sent):
    place = httpx.URL(hasty_url)
    with socket.create_connection((place.host, place.port)) as client:
        with suppress(ConnectionError):  # it is closed already, on a busy machine
            client.sendall(sent)
        ends = select.poll()
        ends.register(client, select.POLLERR | select.POLLHUP | select.POLLRDHUP)
        assert ends.poll(60_000)  # it takes nothing, and is told of the end


@pytest.fixture
def crowded_port(folder) -> int:
    """That of a server of four places, which no time takes away."""
    limits = ConnectionLimits(n_open=N_PLACES, header_s=600.0, stalled_s=600.0, kept_s=0.0)
    port = free_port()
    with serving_feed(folder, f"http://127.0.0.1:{port}/", "127.0.0.1", port, limits):
        yield port


def test_of_many_that_take_nothing_others_get_the_places(crowded_port):
    with ExitStack() as stack:
        for _ in range(N_PLACES + 2):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", crowded_port)))
            slow.sendall(LARGE_REQUEST)
        assert patient_http.get(f"http://127.0.0.1:{crowded_port}/feed.xml").status_code == 200


def test_a_client_of_many_connections_takes_no_place_of_another(crowded_port):
    """Which is slower than all of them, and whose connection is the oldest."""
    address = ("127.0.0.1", crowded_port)
    with ExitStack() as stack:
        other = stack.enter_context(
            socket.create_connection(address, source_address=("127.0.0.2", 0))
        )
        other.sendall(LARGE_REQUEST)
        first = other.recv(1)
        for _ in range(2 * N_PLACES):
            one = stack.enter_context(socket.create_connection(address))
            one.sendall(LARGE_REQUEST)
            assert one.recv(1) == first
        n_bytes = len(first)
        while n_bytes < LARGE:
            piece = other.recv(1 << 20)
            assert piece, "closed for the sake of a client that has more connections"
            n_bytes += len(piece)


@each_row_apart
def test_web_players_of_other_sites_may_read_transcripts_and_chapters(url, name, expected):
    headers = {"Origin": "https://player.example"}
    answer = patient_http.get(url + name, headers=headers)
    assert answer.headers.get("access-control-allow-origin") == expected
    assert "access-control-allow-credentials" not in answer.headers
    if expected:
        again = patient_http.get(
            url + name, headers=headers | {"If-None-Match": answer.headers["etag"]}
        )
        assert again.status_code == 304
        assert again.headers["access-control-allow-origin"] == expected


def test_ffmpeg_seeks_in_what_is_served(tmp_path):
    """The last second of an MP3, found over HTTP by ranges, has a second of samples."""
    ffmpeg = find_ffmpeg(None, ["libmp3lame"])
    audio = tmp_path / "tone-0123456789ab.mp3"
    tone = ["-f", "lavfi", "-i", "sine=d=60", "-b:a", "96k", str(audio)]
    subprocess.run([ffmpeg, "-v", "error", *tone], check=True)
    local(tmp_path).add_names([audio.name])
    port = free_port()
    with serving_feed(tmp_path, f"http://127.0.0.1:{port}/", "127.0.0.1", port):
        source = ["-ss", "59", "-i", f"http://127.0.0.1:{port}/{audio.name}"]
        command = [ffmpeg, "-v", "error", *source, "-f", "s16le", "-ar", "8000", "-ac", "1", "-"]
        samples = subprocess.run(command, check=True, capture_output=True).stdout
    assert 0.9 * 16_000 < len(samples) < 1.2 * 16_000


def test_a_port_that_is_taken_is_told(url):
    place = httpx.URL(url)
    with (
        pytest.raises(UsageError, match=f"--listen 127.0.0.1:{place.port}: .*in use"),
        serving_feed(Path(), url, "127.0.0.1", place.port),
    ):
        pass


def test_the_token_comes_from_the_environment_and_is_told_to_nobody(monkeypatch):
    address = "http://mill.lan:8080/{token}/"
    with pytest.raises(UsageError, match="AUDIOMILL_PODCAST_TOKEN is not set"):
        filled_address(address)
    for wrong in ("brief-one", "with a blank in it", "slash/slash/slash/slash"):
        monkeypatch.setenv("AUDIOMILL_PODCAST_TOKEN", wrong)
        with pytest.raises(UsageError, match="too short") as error:
            filled_address(address)
        assert wrong not in str(error.value)
    monkeypatch.setenv("AUDIOMILL_PODCAST_TOKEN", TOKEN)
    assert filled_address(address) == f"http://mill.lan:8080/{TOKEN}/"
    load_settings()  # to which the variable is no mistake
    require_secrecy(address)
    with pytest.raises(UsageError, match="has no place for it") as error:
        require_secrecy("http://mill.lan:8080/")
    assert TOKEN not in str(error.value)


def test_an_address_that_players_cannot_reach_is_told():
    (told,) = address_warnings("http://localhost:8080/", "0.0.0.0", 8080)  # noqa: S104
    assert re.search(r'address = "http://[\d.]+:8080/"', told)
    (told,) = address_warnings("https://pod.example.org/m/", "127.0.0.1", 8080)
    assert "behind a proxy" in told
    assert address_warnings("http://192.168.1.5:8080/", "0.0.0.0", 8080) == []  # noqa: S104
    assert address_warnings("http://localhost:8080/", "127.0.0.1", 8080) == []
