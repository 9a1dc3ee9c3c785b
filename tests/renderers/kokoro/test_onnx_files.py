"""Which files speak, what is wrong with them in one line, and how the published ones come here."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from audiomill.renderers.engine.errors import EngineMissing, WeightsUnfit
from audiomill.renderers.kokoro import onnx_files
from audiomill.renderers.kokoro.onnx_files import (
    PublishedFile,
    check_onnx_available,
    find_onnx_files,
    model_folder,
    voices_here,
)
from audiomill.renderers.kokoro.onnx_voices import pack_sha256, read_packs, voice_names
from audiomill.renderers.kokoro.options import KokoroOnnxOptions
from support.web_server import Page, serving_site

MODEL, VOICES = b"an ONNX model" * 5000, b"the voices" * 3000
PACK = np.random.default_rng(0).standard_normal((510, 1, 256)).astype(np.float32)


def options(model, **others):
    return KokoroOnnxOptions(model=model, **others)


@pytest.fixture
def folder(tmp_path) -> Path:
    for name in ("kokoro-v1.0.onnx", "kokoro-v1.0.int8.onnx"):
        (tmp_path / name).write_bytes(name.encode())
    with (tmp_path / "voices-v1.0.bin").open("wb") as file:
        np.savez(file, af_heart=PACK)
    return tmp_path


def test_a_folder_has_a_model_of_each_precision(folder):
    found = find_onnx_files(options(folder))
    assert found.model.name == "kokoro-v1.0.onnx"
    assert found.model_sha256 == hashlib.sha256(b"kokoro-v1.0.onnx").hexdigest()
    assert not found.is_official
    assert find_onnx_files(options(folder, precision="int8")).model.name == "kokoro-v1.0.int8.onnx"
    with pytest.raises(EngineMissing, match=r"fp16\.onnx is missing \(there is kokoro-v1\.0\.int8"):
        find_onnx_files(options(folder, precision="float16"))


def test_a_model_may_be_named_with_voices_beside_it(folder):
    mine = folder / "mine.onnx"
    mine.write_bytes(b"mine")
    assert find_onnx_files(options(mine)).model == mine
    (folder / "voices-v2.bin").touch()
    with pytest.raises(
        WeightsUnfit, match=r"several files of voices: voices-v1\.0\.bin, voices-v2"
    ):
        find_onnx_files(options(mine))


@pytest.mark.parametrize("name", ["", "none", "none.onnx"])
def test_what_is_missing_is_said_with_what_to_do(tmp_path, name):
    with pytest.raises(EngineMissing, match=r"is missing.*kokoro_onnx\.model") as caught:
        check_onnx_available(options(tmp_path / name))
    assert len(str(caught.value).splitlines()) == 1


def test_without_onnx_runtime_it_says_how_to_install_it(folder, monkeypatch):
    monkeypatch.setattr(onnx_files, "find_spec", lambda _: None)
    with pytest.raises(EngineMissing, match=r"needs ONNX Runtime.*kokoro-onnx"):
        check_onnx_available(options(folder))


def test_voices_are_read_by_name(folder):
    path = folder / "voices-v1.0.bin"
    assert voice_names(path) == ("af_heart",)
    np.testing.assert_array_equal(read_packs(path, ["af_heart"])["af_heart"], PACK)
    assert pack_sha256(path, "af_heart") == hashlib.sha256(PACK.tobytes()).hexdigest()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.999])
def test_voices_that_were_cut_are_refused(folder, share):
    path = folder / "voices-v1.0.bin"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(WeightsUnfit, match="is cut short or damaged"):
        voice_names(path)


def test_a_flipped_bit_in_a_voice_is_refused(folder):
    path = folder / "voices-v1.0.bin"
    whole = bytearray(path.read_bytes())
    whole[100_000] ^= 1
    path.write_bytes(whole)
    with pytest.raises(WeightsUnfit, match="is cut short or damaged"):
        read_packs(path, ["af_heart"])


@pytest.mark.parametrize(
    ("pack", "found"),
    [
        (PACK[:100], r"of \(100, 1, 256\), not"),
        (PACK.astype(np.float64), "as float64"),
        (np.full_like(PACK, np.inf), "not numbers"),
        (np.array([{}], dtype=object), "Object arrays"),
    ],
)
def test_what_is_no_pack_is_refused(tmp_path, pack, found):
    path = tmp_path / "voices-v1.0.bin"
    with path.open("wb") as file:
        np.savez(file, af_heart=pack)
    with pytest.raises(WeightsUnfit, match=found):
        read_packs(path, ["af_heart"])


def test_an_archive_without_arrays_is_refused(tmp_path):
    path = tmp_path / "voices-v1.0.bin"
    np.savez(path.with_suffix(".npz"))
    path.with_suffix(".npz").rename(path)
    with pytest.raises(WeightsUnfit, match="holds no voices"):
        voice_names(path)


def published(name: str, content: bytes) -> PublishedFile:
    return PublishedFile(name, len(content), hashlib.sha256(content).hexdigest())


@pytest.fixture
def site(tmp_path, monkeypatch):
    """The release on loopback, and an empty data folder."""
    model, voices = published("kokoro-v1.0.onnx", MODEL), published("voices-v1.0.bin", VOICES)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(onnx_files, "MODELS", {"float32": model})
    monkeypatch.setattr(onnx_files, "VOICES", voices)
    with serving_site() as served:
        monkeypatch.setattr(onnx_files, "BASE_URL", f"{served.url}/")
        served.pages["/kokoro-v1.0.onnx"] = Page(MODEL)
        served.pages["/voices-v1.0.bin"] = Page(VOICES)
        yield served


def test_missing_files_are_fetched_once(site):
    assert voices_here(options(None)) is None
    for _ in range(2):
        found = find_onnx_files(options(None))
        assert found.model.read_bytes() == MODEL
        assert found.voices.read_bytes() == VOICES
    assert sorted(site.asked) == ["/kokoro-v1.0.onnx", "/voices-v1.0.bin"]
    assert sorted(path.name for path in model_folder().iterdir()) == [
        "kokoro-v1.0.onnx",
        "voices-v1.0.bin",
    ]
    assert check_onnx_available(options(None)) == model_folder() / "kokoro-v1.0.onnx"


def test_a_redirect_is_followed(site):
    site.pages["/elsewhere"] = site.pages["/kokoro-v1.0.onnx"]
    site.pages["/kokoro-v1.0.onnx"] = Page(status=302, headers={"Location": "/elsewhere"})
    assert find_onnx_files(options(None)).model.read_bytes() == MODEL


def breaking_off(at: int):
    """An answer that breaks off after so many bytes of what is asked for, and knows ranges."""

    def answer(request):
        first = int((request.headers.get("Range") or "bytes=0-")[6:-1])
        request.send_response(206 if first else 200)
        request.send_header("Content-Length", str(len(MODEL) - first))
        request.end_headers()
        request.wfile.write(MODEL[first : first + at])
        request.close_connection = True

    return answer


def test_a_transfer_that_breaks_off_goes_on_where_it_was(site):
    site.pages["/kokoro-v1.0.onnx"] = breaking_off(len(MODEL) // 3 + 1)
    assert find_onnx_files(options(None)).model.read_bytes() == MODEL
    ranges = [headers.get("Range") for path, headers in site.requests if "onnx" in path]
    assert ranges[0] is None
    assert all(one.startswith("bytes=") for one in ranges[1:])
    assert len(ranges) == 3


@pytest.mark.parametrize(
    ("answer", "error", "words"),
    [
        (Page(b"<html>blocked</html>"), WeightsUnfit, "did not come as it was published"),
        (Page(MODEL[:-1]), WeightsUnfit, "did not come as it was published"),
        (Page(b"gone", 404), EngineMissing, r"404.*On another machine, fetch .*kokoro-v1\.0\.onnx"),
        (Page(b"", 503), EngineMissing, "503"),
        (breaking_off(10), EngineMissing, "cannot be fetched"),
    ],
)
def test_a_transfer_that_fails_leaves_nothing(site, answer, error, words):
    site.pages["/kokoro-v1.0.onnx"] = answer
    with pytest.raises(error, match=words) as caught:
        find_onnx_files(options(None))
    assert len(str(caught.value).splitlines()) == 1
    assert list(model_folder().iterdir()) == []


def test_without_a_server_it_says_what_to_copy_where(site, monkeypatch):
    monkeypatch.setattr(onnx_files, "BASE_URL", "http://127.0.0.1:9/")
    with pytest.raises(EngineMissing, match=f"cannot be fetched: .*copy it to {model_folder()}"):
        find_onnx_files(options(None))


def test_whether_it_can_run_is_found_without_a_request(site):
    assert check_onnx_available(options(None)) is None
    assert site.asked == []


def test_a_folder_that_cannot_be_written_is_said(site, tmp_path):
    (tmp_path / "audiomill").write_text("a file where the folder should be")
    with pytest.raises(EngineMissing, match=r"cannot be kept in .*: Not a directory"):
        find_onnx_files(options(None))


def test_the_published_models_differ():
    digests = [one.sha256 for one in (*onnx_files.MODELS.values(), onnx_files.VOICES)]
    assert all(len(digest) == 64 for digest in digests)
    assert len({*digests, *onnx_files.EARLIER_MODELS}) == 7
