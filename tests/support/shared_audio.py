"""Audio in shared memory, as the process of a GPU sends it."""

import os
from dataclasses import replace

from audiomill.renderers.engine.pcm import pcm_of
from audiomill.renderers.host.shared_memory import SharedPiece, kept_open
from audiomill.renderers.kokoro.inference.gpu_process import to_shared_memory


def in_shared_memory(made):
    """The same audio, with the PCM of all in one memory."""
    made = list(made)
    pcm = [pcm_of(one.samples, 16) for one in made]
    descriptor = to_shared_memory([one.octets for one in pcm])
    memory, first = kept_open(descriptor), 0
    os.close(descriptor)
    shared = []
    for audio, one in zip(made, pcm, strict=True):
        piece = SharedPiece(memory, first, one.octets.size)
        shared.append(replace(audio, pcm=replace(one, shared=piece)))
        first += one.octets.size
    return shared
