"""Letters of mbox and .eml files: their text, who wrote them when, and what is passed over."""

import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audiomill.inputs.articles import mail
from audiomill.inputs.articles.letter_parts import unflowed
from audiomill.inputs.articles.mail import Letter, page_of_letter, read_letters
from audiomill.inputs.model.book import SourceCorrupt
from support.case_files import each_row
from support.letter_data import PROSE, letter, mbox, newsletter


@pytest.fixture
def read(tmp_path):
    def read(data: bytes) -> list[Letter]:
        path = tmp_path / "mail"
        path.write_bytes(data)
        return list(read_letters(path))

    return read


def test_what_a_letter_says_of_itself(read):
    [one] = read(bytes(letter(html=newsletter(), text="The same as plain text.")))
    assert one.id == "1.a+b/c@quay.example"
    assert one.subject == "The mill, №1: “a storm”"
    assert one.author == "Jan Mértens"
    assert one.date == datetime(2026, 11, 23, 6, 30, tzinfo=UTC)
    assert one.is_html
    assert all(text in one.text for text in PROSE)
    assert "plain text" not in one.text
    assert one.warnings == ()


def test_the_letters_of_a_file_in_its_order(read):
    texts = [f"Letter {number}.\n\nFrom here on\nFrom there on\n" for number in range(3)]
    letters = read(mbox(*(bytes(letter(n, text=text)) for n, text in enumerate(texts))))
    assert [one.text.strip() for one in letters] == [text.strip() for text in texts]
    assert [one.id[:1] for one in letters] == ["0", "1", "2"]


@pytest.mark.parametrize(
    "charset", ["utf-8", "iso-8859-15", "windows-1252", "shift_jis", "us-ascii"]
)
@pytest.mark.parametrize("encoding", ["quoted-printable", "base64", "8bit"])
def test_charsets_and_encodings(read, charset, encoding):
    text = {"shift_jis": "風車が回った。", "us-ascii": "It turned."}.get(
        charset, "Il a tourné à côté."
    )
    message = letter()
    message.set_content(text, charset=charset, cte=encoding)
    [one] = read(bytes(message))
    assert one.text.strip() == text


@pytest.mark.parametrize("charset", ["x-unknown", "utf-8", "ascii", '""', "base64"])
def test_a_charset_told_wrong(read, charset):
    head = (
        f"Subject: x\nContent-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit"
    )
    [one] = read(f"{head}\n\n".encode() + "Il a tourné.".encode("cp1252"))
    assert one.text == "Il a tourné."


def test_headers_as_they_should_not_be(read):
    subject = "Subject: =?utf-8?q?The_m=C3=AD?=\n =?x-none?b?bGw=?= Café №"
    head = f"{subject}\nFrom: jan@quay.example\nDate: soon"
    [one] = read(f"{head}\n\nText".encode())
    assert one.subject == "The míll Café №"
    assert (one.author, one.date) == ("jan@quay.example", None)
    assert one.id.endswith("@letter.invalid")
    assert one == read(f"{head}\n\nText".encode())[0]


def test_attachments_are_passed_over_and_counted(read):
    message = letter(text="See the attached.")
    message.add_attachment("A,B\n1,2\n", filename="sacks.csv", subtype="csv")
    message.add_attachment("not the letter", filename="notes.txt")
    message.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="mill.png")
    message.add_attachment(letter(2, text="An older letter."))
    [one] = read(bytes(message))
    assert one.text.strip() == "See the attached."
    assert one.warnings == ("attachments that are not read: 4",)


def test_several_texts_are_one_letter(read):
    message = letter(html="<p>The letter.</p>")
    message.make_mixed()
    message.add_attachment("The list <x>.", disposition="inline")
    [one] = read(bytes(message))
    assert one.is_html
    assert [word in one.text for word in ("The letter.", "The list &lt;x&gt;.")] == [True, True]


def test_pictures_of_a_letter_are_no_text(read):
    message = letter(html=newsletter(), text="plain")
    message.get_body(("html",)).add_related(b"x", maintype="image", subtype="png", cid="<a>")
    [one] = read(bytes(message))
    assert PROSE[0] in one.text
    assert one.warnings == ()


@each_row
def test_the_lines_of_flowed_text_are_joined(text, deletes_space, expected):
    assert unflowed(text, deletes_space=deletes_space) == expected


def test_a_letter_of_flowed_text(read):
    head = "Subject: x\nContent-Type: text/plain; format=flowed; delsp=no"
    assert read(f"{head}\n\nThe mill \nturned.\n".encode())[0].text == "The mill turned.\n"


def test_the_address_of_a_letter_and_its_page(read):
    [one] = read(bytes(letter(html="<p>Hi</p>")))
    page = page_of_letter(one)
    assert page.url == "mid:1.a%2Bb%2Fc@quay.example"
    assert (page.media_type, page.charset) == ("text/html", "utf-8")
    [plain] = read(bytes(letter(text="Hi")))
    assert page_of_letter(plain).media_type == "text/plain"


@pytest.mark.parametrize("data", [b"", b"\n\n"])
def test_an_empty_file_has_no_letters(read, data):
    assert read(data) == []


@pytest.mark.parametrize("data", [b"No letter.\n", b"\x00\x01", b"<html></html>", b"%PDF-1.7"])
def test_another_file_is_refused(read, data):
    with pytest.raises(SourceCorrupt, match=r"“mail” holds no letters"):
        read(data)


def test_only_one_letter_is_in_memory(tmp_path):
    path = tmp_path / "mail"
    one = mbox(bytes(letter(text=("The mill turned. " * 40 + "\n") * 60)))
    peaks = []
    for n_letters in (2, 16):
        path.write_bytes(one * n_letters)
        tracemalloc.start()
        assert sum(1 for _ in read_letters(path)) == n_letters
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


def test_the_end_of_a_huge_letter_is_left_out_and_the_next_is_read(read, monkeypatch):
    monkeypatch.setattr(mail, "MAX_LETTER_BYTES", 2000)
    huge = letter(text="The mill turned.")
    huge.add_attachment(b"x" * 9000, maintype="image", subtype="png", filename="mill.png")
    first, second = read(mbox(bytes(huge), bytes(letter(2, text="The next."))))
    assert first.text.strip() == "The mill turned."
    assert "its end is lost" in first.warnings[0]
    assert second.text.strip() == "The next."


LINES = (Path(__file__).with_name("cases") / "letter_lines.txt").read_bytes()
PARTS = LINES.splitlines(keepends=True)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(PARTS) | st.binary(max_size=12), max_size=20))
def test_any_bytes_are_letters_or_none(tmp_path, parts):
    path = tmp_path / "any"
    path.write_bytes(b"Subject: x\n" + b"".join(parts))
    for one in read_letters(path):
        assert one.id
        assert one.subject == " ".join(one.subject.split())
        page = page_of_letter(one)
        assert page.url.startswith("mid:")
        assert page.content is not None
