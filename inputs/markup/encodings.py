"""Decodes the bytes of a page: HTML, XHTML, XML or plain text. Knows no elements."""

from __future__ import annotations

import codecs
import re

from audiomill.inputs.model.book import SourceCorrupt

BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Browsers read these labels as other encodings (WHATWG Encoding, 4.2).
RELABELLED = {"iso8859-1": "cp1252", "ascii": "cp1252", "iso8859-9": "cp1254", "gb2312": "gb18030"}
HEAD_BYTES = 2048  # searched for a declaration of the encoding
# Bytes that no text has (WHATWG MIME Sniffing, 3). A damaged text has a few; of compressed data
# they are a tenth, of UTF-16 a half.
_BINARY_BYTES = bytes({*range(0x20)} - {*b"\t\n\f\r\x1b"})
_MAX_BINARY_SHARE = 1 / 16
_XML_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]+?charset\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_PROLOGUE = re.compile(r"^\s*<\?xml[^>]*\?>")
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def decode(data: bytes, charset: str = "") -> str:
    """Return the text of `data`, with characters that XML forbids replaced by spaces.

    The encoding is, in this order: by byte order mark, the `charset` that its server told, XML
    declaration, meta charset, UTF-8, windows-1252. Raises SourceCorrupt if `data` is not text.
    """
    for mark, name in BOMS:
        if data.startswith(mark):
            return _tidy(data[len(mark) :].decode(name, "replace"))
    if data[:1] == b"<" and data[1:2] == b"\0":
        return _tidy(data.decode("utf-16-le", "replace"))
    if data[:2] == b"\0<":
        return _tidy(data.decode("utf-16-be", "replace"))
    if is_binary(data[:HEAD_BYTES]):
        raise SourceCorrupt("it holds binary data, not text")
    return _tidy(_as_labelled(data, charset) or _as_declared(data) or _by_bytes(data))


def is_binary(data: bytes) -> bool:
    """Whether `data` is no text in an encoding that has ASCII as its bytes.

    A few NUL bytes make no binary data of a text: browsers show such a page, too.
    """
    if b"\0" not in data:
        return False
    n_binary = len(data) - len(data.translate(None, _BINARY_BYTES))
    return n_binary > max(1, len(data) * _MAX_BINARY_SHARE)


def _tidy(text: str) -> str:
    return _PROLOGUE.sub("", CONTROLS.sub(" ", text), count=1)


def _as_declared(data: bytes) -> str | None:
    """`data` decoded as it declares itself; None without a declaration or if it is wrong."""
    head = data[:HEAD_BYTES]
    match = _XML_DECLARATION.search(head) or _META_CHARSET.search(head)
    return _as_labelled(data, match[1].decode("ascii", "replace")) if match else None


def _as_labelled(data: bytes, label: str) -> str | None:
    """`data` decoded as a label says; None if it is empty, unknown or wrong."""
    try:
        name = codecs.lookup(label).name
        if name.startswith(("utf-16", "utf-32")):  # wrong: the declaration could be read as ASCII
            return None
        name = RELABELLED.get(name, name)
        # These can decode any bytes, so valid UTF-8 is taken to be UTF-8.
        if name.startswith(("cp125", "iso8859")) and _is_utf8(data):
            name = "utf-8"
        return data.decode(name)
    except (LookupError, UnicodeError):
        return None


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _by_bytes(data: bytes) -> str:
    """`data` as UTF-8 with bad bytes replaced, or as windows-1252 if most bytes are bad."""
    if _is_utf8(data):  # and may hold characters that were bad before
        return data.decode("utf-8")
    text = data.decode("utf-8", "replace")
    n_bad = text.count("\ufffd")
    n_good = sum(1 for character in text if character > "\x7f") - n_bad if n_bad else 0
    return text if n_good >= n_bad else data.decode("cp1252", "replace")
