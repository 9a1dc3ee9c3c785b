"""Parsing of bytes: encodings, broken markup, entities, and depth."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from audiomill.inputs.markup.encodings import decode
from audiomill.inputs.markup.parser import body_of, local_name, parse_xhtml, parse_xml
from audiomill.inputs.markup.semantics import text_within
from audiomill.inputs.model.book import SourceCorrupt
from support.case_files import each_row


def text_of(data: bytes) -> str:
    return text_within(body_of(parse_xhtml(data)))


@each_row
def test_the_encoding_is_detected(encoding, page):
    assert text_of(page.encode(encoding)) == "naïve – 漢"


@pytest.mark.parametrize("text", ["don\ufffdt", "\ufffd\ufffd", "caf\ufffd – “so”"])
def test_utf_8_that_holds_replacement_characters_is_utf_8(text):
    assert decode(f"<p>{text}</p>".encode()) == f"<p>{text}</p>"


@each_row
def test_windows_1252_is_detected_under_any_label(encoding, page):
    assert text_of(page.encode(encoding)) == "naïve – “so”"


def test_one_bad_byte_does_not_change_the_rest():
    assert text_of("<p>déjà vu, été</p>".encode() + b"\xff<p>x</p>").startswith("déjà vu, été")


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\0" * 100])
def test_binary_data_is_refused(data):
    with pytest.raises(SourceCorrupt):
        parse_xhtml(data)


@pytest.mark.parametrize("data", [b"", b"   ", b"<!-- -->", b"<html/>", b"<?xml version='1.0'?>"])
def test_an_empty_document_has_no_text(data):
    assert text_of(data).strip() == ""


@each_row
def test_broken_markup_keeps_its_text(data, text):
    assert text_of(data) == text


@pytest.mark.parametrize("depth", [300, 3_000, 20_000])
def test_deep_nesting_loses_no_text(depth):
    data = b"<html><body>" + b"<div>" * depth + b"deep" + b"</div>" * depth + b"<p>after</p>"
    assert text_of(data) == "deepafter"


def test_a_paragraph_over_the_parsers_own_limit_is_kept():
    assert len(text_of(b"<p>" + b"word " * 2_200_000 + b"</p>")) == 11_000_000


LAUGHS = '<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {after} "{f"&{name};" * 10}">'
    for name, after in zip("abcdefghi", "bcdefghij", strict=True)
)


@pytest.mark.parametrize("parse", [parse_xhtml, parse_xml])
def test_entities_are_never_resolved(parse, tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    declared = f'{LAUGHS}<!ENTITY x SYSTEM "{secret.as_uri()}"><!ENTITY % p SYSTEM "{secret}"> %p;'
    data = f"<!DOCTYPE html [{declared}]><html><body><p>a&j;b&x;c</p></body></html>".encode()
    text = text_within(body_of(parse(data)))
    assert "secret" not in text
    assert "ha" not in text
    assert len(text) < 20


def test_entities_in_attributes_do_not_grow():
    data = f"<!DOCTYPE html [{LAUGHS}]><html><body title='&j;'><p>said</p></body></html>"
    root = parse_xhtml(data.encode())
    assert "said" in text_within(root)
    assert all(len(value) < 1_000_000 for node in root.iter() for value in node.attrib.values())


def test_broken_xml_is_repaired():
    root = parse_xml(b"<package><title>A &nbsp; B & C</title><x></package>")
    assert "A \u00a0 B" in text_within(root)
    with pytest.raises(SourceCorrupt):
        parse_xml(b"no markup here")


@given(st.binary(max_size=400))
def test_any_bytes_give_a_tree_or_source_corrupt(data):
    try:
        root = parse_xhtml(b"<p>" + data)
    except SourceCorrupt:
        return
    assert local_name(root)


FORBIDDEN = st.sampled_from("\x01\x0b\x1f\ud800\ufffe\uffff")
# What XML 1.0 allows (2.2).
XML_TEXT = re.compile("[\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")


@given(st.text(FORBIDDEN | st.characters(exclude_characters="\0"), max_size=200))
def test_decoded_text_has_no_characters_that_xml_forbids(text):
    assert XML_TEXT.fullmatch(decode(text.encode("utf-8", "surrogatepass")))


@pytest.mark.parametrize("rest", ["", "<p>After</p>", "after"])
def test_a_body_without_its_tag_is_no_part_of_the_head(rest):
    page = f"<!doctype html><html><title>T</title><article><p>One</p>Two</article>{rest}"
    assert etree.tostring(parse_xhtml(page.encode()), encoding="unicode") == (
        "<html><head><title>T</title></head>"
        f"<body><article><p>One</p>Two</article>{rest}</body></html>"
    )
