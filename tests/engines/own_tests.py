"""The tests that run the real packages of engines in audiomill's own environment."""

KOKORO = "tests/renderers/kokoro"
OWN_TESTS = {
    "kokoro": (
        "tests/e2e/test_kokoro_upstream.py",
        f"{KOKORO}/model/test_upstream.py",
    ),
    "kokoro-onnx": (
        *(f"{KOKORO}/test_onnx_{name}.py" for name in ("files", "graph", "renderer")),
        "tests/renderers/onnx",
    ),
    "orpheus": ("tests/renderers/orpheus",),
    "paradee": (f"{KOKORO}/test_paradee.py",),
    "piper": ("tests/renderers/piper",),
}
