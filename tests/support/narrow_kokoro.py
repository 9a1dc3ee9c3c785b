"""The command `audiomill` with a narrow Kokoro, which loads and runs in a fraction of the time."""

import sys
from unittest import mock

if __name__ == "__main__":  # worker processes import this file too
    from audiomill.flows.cli.main import main
    from support.fake_gpus import load_narrow_model
    from support.kokoro_reference import built

    with (
        built("narrow"),
        mock.patch("audiomill.renderers.kokoro.multi_gpu.load_on_gpu", load_narrow_model),
    ):
        sys.exit(main())
