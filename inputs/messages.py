"""What messages tell people: names that a mistyped one may stand for, and none of our secrets.

A server may send back the key that it was sent.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from urllib.parse import quote, quote_plus

MASK = "***"
_SHORTEST = 4  # shorter ones are words of any message
_LEAST_PART, _LARGEST_PART = 8, 16  # characters of a secret that a message may not have in a row


def masked(text: str, secrets: Collection[str]) -> str:
    """The text without the secrets, as they are, as URLs have them, in base64 and in hex digits.

    A part of one that is long enough to matter is masked as well: messages are cut somewhere.
    """
    # A few letters have another length in lower case.
    lower = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    hidden = bytearray(len(text))
    for form in {form.lower() for secret in secrets for form in _forms(secret)}:
        for start, end in _places(lower, form):
            hidden[start:end] = b"\x01" * (end - start)
    if not any(hidden):
        return text
    shown = (
        letter if not is_hidden else "\0" for letter, is_hidden in zip(text, hidden, strict=True)
    )
    return re.sub("\0+", MASK, "".join(shown))


def mask_error(error: BaseException, secrets: Collection[str]) -> None:
    """Mask the messages of an error and of those that it came from, in place."""
    seen: set[int] = set()
    one: BaseException | None = error
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        one.args = tuple(masked(arg, secrets) if isinstance(arg, str) else arg for arg in one.args)
        reason = getattr(one, "reason", None)
        if isinstance(reason, str) and masked(reason, secrets) != reason:
            vars(one)["reason"] = masked(reason, secrets)
        one = one.__cause__ or one.__context__


def _forms(secret: str) -> Iterator[str]:
    """The secret as a message may have it."""
    if len(secret) < _SHORTEST:
        return
    yield from (secret, quote(secret, safe=""), quote(secret), quote_plus(secret))
    yield from (_escaped(secret, '"'), _escaped(secret, "'"))
    yield secret.encode().hex()
    for n_before in range(3):
        coded = _in_base64(secret.encode(), n_before)
        yield from (coded, coded.replace("+", "-").replace("/", "_"), quote(coded, safe=""))


def _in_base64(secret: bytes, n_before: int) -> str:
    """The signs that a secret has in base64 after so many other bytes, of every three.

    Those that it shares with what is before and after it are left out.
    """
    coded = base64.b64encode(bytes(n_before) + secret).decode()
    return coded[-(-8 * n_before // 6) : 8 * (n_before + len(secret)) // 6]


def _escaped(secret: str, mark: str) -> str:
    """As JSON and Python write it in a text."""
    return secret.replace("\\", "\\\\").replace(mark, f"\\{mark}")


def _places(text: str, form: str) -> Iterator[tuple[int, int]]:
    """Where a form of a secret is, or a part of it. Both are in lower case.

    A short one may be a part of other words, which stay.
    """
    if len(form) < _LEAST_PART:
        yield from (one.span() for one in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", text))
        return
    n_part = min(_LARGEST_PART, max(_LEAST_PART, len(form) // 2))
    for part in {form[at : at + n_part] for at in range(len(form) - n_part + 1)}:
        start = text.find(part)
        while start >= 0:
            yield start, start + n_part
            start = text.find(part, start + 1)


def did_you_mean(word: str, known: Iterable[str], n: int = 3, likeness: float = 0.6) -> str:
    """The sentence "Did you mean a, b?" with the `n` names closest to `word`; "" if none is close.

    It begins with a space, as it follows another sentence. Upper and lower case are the same. At a
    `likeness` of 1 a name must be `word` itself, at 0 any name will do.
    """
    by_lower = {name.lower(): name for name in known}
    close = get_close_matches(word.lower(), by_lower, n, likeness)
    return f" Did you mean {', '.join(by_lower[name] for name in close)}?" if close else ""
