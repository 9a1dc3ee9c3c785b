"""Several texts in one call, as vLLM-Omni's route for batches takes them.

    {"model": …, "response_format": "wav", "items": [{"input": "One.", "voice": "ryan"}, …]}
    {"results": [{"index": 0, "status": "success", "audio_data": BASE64, "media_type": "audio/wav"},
                 {"index": 1, "status": "error", "error": "…"}], "total": 2, …}

The server makes a request of its own of each item, which fails alone. Neither a batch nor an item
has a seed or times of words.

Source: entrypoints/openai/protocol/audio.py and serving_speech.py of vllm-omni 0.30.0.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from audiomill.inputs.json_text import JsonInvalid, parse_json
from audiomill.renderers.servers.replies import Reply, ServerFailing

NOT_TAKEN = ("seed",)


def batch_body(bodies: Sequence[Mapping[str, object]]) -> Mapping[str, object]:
    """The body of one call for the requests with these bodies. What all say is said once."""
    first = bodies[0]
    common = {
        name: value
        for name, value in first.items()
        if name not in ("input", *NOT_TAKEN)
        and all(name in body and body[name] == value for body in bodies)
    }
    items = [
        {name: value for name, value in body.items() if name not in (*common, *NOT_TAKEN)}
        for body in bodies
    ]
    return {**common, "items": items}


def item_replies(reply: Reply, n_items: int) -> list[Reply | None]:
    """The audio of each item as a reply of its own; None for an item that has failed.

    Raises ServerFailing if the answer is none of a batch of so many items.
    """
    found: list[Reply | None] = [None] * n_items
    for result in _results(reply):
        index, audio = result.get("index"), result.get("audio_data")
        if not isinstance(index, int) or not 0 <= index < n_items:
            raise ServerFailing(f"a result of item {index!r} of {n_items}", may_be_billed=True)
        if result.get("status") == "success" and isinstance(audio, str):
            headers = {"content-type": str(result.get("media_type", ""))}
            found[index] = _audio(audio, headers)
    return found


def _results(reply: Reply) -> Iterator[Mapping[str, object]]:
    """Raises ServerFailing."""
    try:
        results = parse_json(reply.content)["results"]
    except (JsonInvalid, KeyError, TypeError) as error:
        raise ServerFailing("no results of a batch", may_be_billed=True) from error
    for result in results if isinstance(results, list) else ():
        if isinstance(result, dict):
            yield cast("Mapping[str, object]", result)


def _audio(text: str, headers: Mapping[str, str]) -> Reply | None:
    try:
        return Reply(200, headers, base64.b64decode(text, validate=True))
    except ValueError:
        return None
