"""Writes down what is said in an audio file. It runs in an environment of its own (listener.txt).

    python listener.py MODEL AUDIO LANGUAGE > words.json

The words are a list of [word, start_s, end_s].
"""

import json
import sys

from faster_whisper import WhisperModel


def main(folder: str, audio: str, language: str) -> None:
    model = WhisperModel(folder, device="cpu", compute_type="int8", local_files_only=True)
    json.dump(words_in(model, audio, language), sys.stdout)


def words_in(model: WhisperModel, audio: str, language: str) -> list[tuple[str, float, float]]:
    # What it has heard before is no reason to hear it again, as it is where a voice is unclear.
    heard, _ = model.transcribe(
        audio, language, beam_size=5, word_timestamps=True, condition_on_previous_text=False
    )
    return [(word.word.strip(), word.start, word.end) for one in heard for word in one.words]


if __name__ == "__main__":
    main(*sys.argv[1:])
