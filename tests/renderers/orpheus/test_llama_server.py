"""The real llama-server with a tiny model of Orpheus's vocabulary: the wire format is what we read.

make prove-engine ENGINE=orpheus LLAMA_SERVER=/path/to/llama-server

The model is a GGUF file that llama.cpp loads as Orpheus, and that speaks in codes of the right
places. It is a Llama with one layer that does nothing: the next token depends on the one before
only. Each place of a frame has a direction of its own among the channels; a token's embedding
points to the place that comes after it, and the output of a token to its own place. So the seven
places follow each other, their codes are drawn at random, and now and then speech ends after a
frame.

The file's format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. Its vocabulary has
the sizes and ids of canopylabs/orpheus-3b-0.1-ft: 128,000 words, 256 special tokens, 28,684 custom
ones, begin of text 128000, end of text 128009.
"""

import os
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from audiomill.renderers.engine.errors import EngineFailed
from audiomill.renderers.engine.protocol import Batch
from support import patient_http
from support.hasty_waiter import HastyWaiter
from support.orpheus_data import HELLO, open_orpheus, request, say, tiny_snac
from support.prefect_api import free_port
from support.process_data import wait_until

N_VOCAB, N_CHANNELS, N_HEADS = 156_940, 32, 4
FIRST_SPECIAL, FIRST_CUSTOM, FIRST_CODE = 128_000, 128_256, 128_266
SPEECH_BEGINS, SPEECH_ENDS = 128_257, 128_258
NORMAL, CONTROL, USER_DEFINED = 1, 3, 4
UINT32, FLOAT32, STRING, ARRAY, INT32 = 4, 6, 8, 9, 5
ALIGNMENT = 32


def write_tiny_orpheus(path: Path, *, custom_kind: int = USER_DEFINED, n_ctx: int = 4096) -> Path:
    """Write the model. `custom_kind`: of custom tokens, which some files have as control tokens."""
    tensors = _tensors()
    with path.open("wb") as file:
        values = _values(custom_kind, n_ctx)
        file.write(b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(values)))
        for key, kind, value in values:
            file.write(_string(key) + struct.pack("<I", kind) + _value(kind, value))
        place = 0
        for name, tensor in tensors.items():
            shape = tensor.shape[::-1]
            file.write(_string(name) + struct.pack("<I", len(shape)))
            file.write(struct.pack(f"<{len(shape)}Q", *shape))
            file.write(struct.pack("<IQ", 0, place))  # float32
            place += -(-tensor.nbytes // ALIGNMENT) * ALIGNMENT
        for tensor in tensors.values():
            file.write(bytes(-file.tell() % ALIGNMENT))
            file.write(tensor.tobytes())
    return path


def _tensors() -> dict[str, np.ndarray]:
    draw = np.random.default_rng(1)
    embedding = np.zeros((N_VOCAB, N_CHANNELS), np.float32)
    output = np.zeros((N_VOCAB, N_CHANNELS), np.float32)
    codes = np.arange(7 * 4096)
    places = codes // 4096
    embedding[FIRST_CODE + codes, (places + 1) % 7] = 1
    embedding[SPEECH_BEGINS, 0] = 1
    embedding[[SPEECH_ENDS, 0], 8] = 1
    output[FIRST_CODE + codes, places] = 3
    # Nothing is as likely as another: a little noise makes codes differ.
    embedding[:, 16:] = draw.normal(0, 0.1, (N_VOCAB, 16))
    output[FIRST_CODE + codes, 16:] = draw.normal(0, 0.3, (codes.size, 16))
    output[SPEECH_ENDS, 0] = 3.45  # after a frame, one of some fourteen times
    output[:256, 8] = 3  # and then text
    zeros = {
        name: np.zeros((N_CHANNELS, N_CHANNELS), np.float32)
        for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
    }
    ones = np.ones(N_CHANNELS, np.float32)
    return {
        "token_embd.weight": embedding,
        "output_norm.weight": ones,
        "output.weight": output,
        "blk.0.attn_norm.weight": ones,
        "blk.0.ffn_norm.weight": ones,
        **{f"blk.0.{name}.weight": zeros[name] for name in zeros},
    }


def _values(custom_kind: int, n_ctx: int) -> list[tuple[str, int, object]]:
    kinds = [NORMAL] * FIRST_SPECIAL + [CONTROL] * 256
    kinds += [custom_kind] * (N_VOCAB - FIRST_CUSTOM)
    return [
        ("general.architecture", STRING, "llama"),
        ("general.name", STRING, "Orpheus with random weights"),
        ("general.alignment", UINT32, ALIGNMENT),
        ("llama.context_length", UINT32, n_ctx),
        ("llama.embedding_length", UINT32, N_CHANNELS),
        ("llama.block_count", UINT32, 1),
        ("llama.feed_forward_length", UINT32, N_CHANNELS),
        ("llama.attention.head_count", UINT32, N_HEADS),
        ("llama.attention.head_count_kv", UINT32, N_HEADS),
        ("llama.rope.dimension_count", UINT32, N_CHANNELS // N_HEADS),
        ("llama.attention.layer_norm_rms_epsilon", FLOAT32, 1e-5),
        ("llama.vocab_size", UINT32, N_VOCAB),
        ("tokenizer.ggml.model", STRING, "gpt2"),
        ("tokenizer.ggml.pre", STRING, "llama-bpe"),
        ("tokenizer.ggml.tokens", ARRAY, (STRING, _words())),
        ("tokenizer.ggml.token_type", ARRAY, (INT32, kinds)),
        ("tokenizer.ggml.merges", ARRAY, (STRING, ["t h", "th e"])),
        ("tokenizer.ggml.bos_token_id", UINT32, FIRST_SPECIAL),
        ("tokenizer.ggml.eos_token_id", UINT32, FIRST_SPECIAL + 9),
    ]


def _words() -> list[str]:
    words = [*_bytes_as_letters(), "th", "the"]
    words += [f"Ġword{number}" for number in range(len(words), FIRST_SPECIAL)]
    special = [f"<|reserved_special_token_{number}|>" for number in range(256)]
    special[0], special[9] = "<|begin_of_text|>", "<|eot_id|>"
    return words + special + [f"<custom_token_{n}>" for n in range(N_VOCAB - FIRST_CUSTOM)]


def _bytes_as_letters() -> list[str]:
    """The letter for each byte, in the order in which GPT-2 numbers them."""
    visible = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in visible]
    return [chr(byte) for byte in visible] + [chr(256 + n) for n in range(len(hidden))]


def _string(text: str) -> bytes:
    content = text.encode()
    return struct.pack("<Q", len(content)) + content


def _value(kind: int, value) -> bytes:
    if kind == STRING:
        return _string(value)
    if kind == ARRAY:
        inner, items = value
        packed = (
            b"".join(map(_string, items))
            if inner == STRING
            else struct.pack(f"<{len(items)}i", *items)
        )
        return struct.pack("<IQ", inner, len(items)) + packed
    return struct.pack("<f" if kind == FLOAT32 else "<I", value)


PROGRAM = os.environ.get("AUDIOMILL_TEST_LLAMA_SERVER", "")
pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(not PROGRAM, reason="AUDIOMILL_TEST_LLAMA_SERVER names no llama-server"),
]
TEXTS = ["One.", HELLO, "He wrote <|eot_id|> there, and went on.", "The light went out at last."]


@contextmanager
def llama_server(model, *arguments):
    port = free_port()
    # One thread: on cores that others use, too, several would mostly wait for each other.
    command = [PROGRAM, "-m", model, "--port", str(port), "-np", "4", "-t", "1", *arguments]
    with subprocess.Popen(
        [*map(str, command)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield f"http://127.0.0.1:{port}"
        finally:
            process.kill()


@pytest.fixture(scope="module", params=[USER_DEFINED, CONTROL], ids=["user-defined", "control"])
def url(request, tmp_path_factory):
    """Custom tokens are printed by some files, and hidden by others."""
    model = write_tiny_orpheus(
        tmp_path_factory.mktemp("gguf") / "orpheus.gguf", custom_kind=request.param
    )
    with llama_server(model, "-c", "16384", "--no-warmup") as url:
        yield url


@pytest.fixture
def engine(url, tmp_path):
    return open_orpheus(url, tiny_snac(tmp_path))


def test_texts_are_spoken_the_same_again_and_side_by_side(engine, url, tmp_path):
    alone = [engine.render(Batch((request(text),)))[0].samples for text in TEXTS]
    other = open_orpheus(url, tiny_snac(tmp_path))
    batches = [Batch((request(text),)) for text in TEXTS]
    with ThreadPoolExecutor(4) as threads:
        together = [*threads.map(other.render, batches)]
    for samples, (rendered,) in zip(alone, together, strict=True):
        assert samples.size % 2048 == 0
        assert np.abs(samples).max() > 0
        assert np.array_equal(samples, rendered.samples)


def test_facts_are_those_of_the_server(engine):
    assert "orpheus.gguf" in engine.fingerprint("tara")
    assert (engine._speaker.facts.n_slots, engine._speaker.facts.slot_tokens) == (4, 4096)


def test_slots_are_free_when_speech_has_ended(engine, url):
    """Else each text would hold its slot until the model is out of tokens."""
    say(engine)
    wait_until(
        lambda: not any(one["is_processing"] for one in patient_http.get(f"{url}/slots").json())
    )


def test_a_model_that_loads_is_waited_for_and_a_small_context_is_told(tmp_path):
    model = write_tiny_orpheus(tmp_path / "orpheus.gguf")
    snac = tiny_snac(tmp_path / "snac")
    with llama_server(model, "-c", "1024") as url:
        engine, waiter = open_orpheus(url, snac), HastyWaiter(3000.0)
        engine.render(Batch((request("One."),)), waiter)
        long = request("A longer text, for which there is no room in a slot so small as this.")
        with pytest.raises(EngineFailed, match=r"too small: 256 tokens"):
            engine.render(Batch((long,)), waiter)


def test_a_key_is_asked_for(tmp_path, monkeypatch):
    model = write_tiny_orpheus(tmp_path / "orpheus.gguf")
    snac = tiny_snac(tmp_path / "snac")
    with llama_server(model, "-c", "16384", "--api-key", "secret") as url:
        with pytest.raises(EngineFailed, match="does not accept the key"):
            open_orpheus(url, snac).render(Batch((request(),)), HastyWaiter(3000.0))
        monkeypatch.setenv("LLAMA_API_KEY", "secret")
        assert say(open_orpheus(url, snac)).samples.size
