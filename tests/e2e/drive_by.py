"""A page of another site that tries what a browser lets it, on a server of this machine.

Each attempt tells what came of it: `nothing`, if the browser has shown the page no answer. What was
done in spite of that, without an answer, only the server can tell.
"""

import json
from pathlib import Path

# Each request is tried as JSON, and in the ways for which no leave is asked beforehand.
_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


def attempts(base: str, requests=(), sockets=(), files=()) -> str:
    """The script of all attempts on the server at `base`; its value is what came of each.

    `requests` are (method, path, body or None), `sockets` paths, `files` (element, path).
    """
    words = ", ".join(json.dumps(one) for one in (base, requests, sockets, files))
    return f"(async () => {{ {_SCRIPT} return await attempts({words}); }})()"


def sandboxed(script: str) -> str:
    """The script run by a page without an origin: a sandboxed frame, which tells its parent."""
    inner = f"<body><script>{script}.then((told) => parent.postMessage(told, '*'))</script></body>"
    text = json.dumps(inner).replace("</script>", "<\\/script>")
    return (
        "new Promise((done) => { onmessage = (event) => done(event.data);"
        " const frame = document.createElement('iframe');"
        " frame.sandbox = 'allow-scripts allow-forms';"
        f" frame.srcdoc = {text}; document.body.append(frame); }})"
    )
